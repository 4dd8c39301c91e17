import errno
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sentinel
from sentinel.errors import LogError
from sentinel.log_store import LogWriter, debate_from_dict, load_debates
from sentinel.records import Audit, Ruling, Samples, Status, Turn

Build = Callable[..., dict[str, Any]]

APPEND_FOREVER = """
import sys
from sentinel.log_store import LogWriter
from sentinel.records import Samples

n = int(sys.argv[2])
with LogWriter(sys.argv[1]) as writer:
    while True:
        writer.append(Samples(id=str(n), answers=("x" * 300_000,), model="m"))
        print(n, flush=True)
        n += 1
"""


def samples(name: str) -> Samples:
    return Samples(id=name, answers=("A",), model="m")


def read_ids(path: Path) -> list[str]:
    content = path.read_bytes()
    assert content == b"" or content.endswith(b"\n")
    return [json.loads(line)["id"] for line in content.splitlines()]


def test_what_is_written_is_read_back(make_line: Build, tmp_path: Path) -> None:
    debate = debate_from_dict(make_line(rounds=("AB-", "ABC")))
    odd = replace(debate.rounds[0][0], reasoning="line\u2028break\nand \x00 “quotes”", usage={"tokens": 3}, cost=0.5)
    debate = replace(debate, rounds=((odd, *debate.rounds[0][1:]), debate.rounds[1]))
    audit = Audit("d1", "B", "x", minority_finds_error=0.0)
    path = tmp_path / "new" / "folder" / "log.jsonl"
    with LogWriter(path) as writer:
        writer.append(debate)
        writer.append(audit)
    corpus = load_debates(path, strict=True)
    assert corpus.debates == (debate,)
    assert corpus.audits == {("d1", "B"): audit}
    assert len(path.read_bytes().splitlines()) == 2


def test_appending_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for name in ("a", "b"):
        with LogWriter(path) as writer:
            writer.append(samples(name))
    assert read_ids(path) == ["a", "b"]


def test_done_lists_the_keys_with_a_success(make_line: Build, tmp_path: Path) -> None:
    debate = debate_from_dict(make_line("d1"))
    silent = tuple(Turn(agent.name, None, Status.FAILED) for agent in debate.agents)
    failed = replace(debate, id="d2", rounds=(debate.rounds[0], silent))
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(make_line("d0", rounds=("---",))) + "\nno record\n", encoding="utf-8")
    with LogWriter(path) as writer:
        assert writer.done("debate") == {"d0"}
        writer.append(debate)
        writer.append(failed)
        writer.append(Audit("d1", "B", "x", minority_finds_error=0.0))
        writer.append(Audit("d1", "C", "x", status=Status.FAILED))
        writer.append(Ruling("d1", None, Status.UNPARSED, "j"))
        writer.append(samples("d1"))
        expected = {
            "debate": {"d0", "d1"},
            "audit": {("d1", "B")},
            "ruling": set(),
            "samples": {"d1"},
            "ballots": set(),
        }
        assert {kind: writer.done(kind) for kind in expected} == expected
    with LogWriter(path) as writer:
        assert {kind: writer.done(kind) for kind in expected} == expected
        with pytest.raises(LogError, match="kind='debates': no such record"):
            writer.done("debates")


def test_a_torn_tail_moves_to_a_side_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    side = tmp_path / "log.jsonl.torn"
    with LogWriter(path) as writer:
        writer.append(samples("a"))
    whole = path.read_bytes()
    torn = '{"kind": "samples", "id": "é'.encode()[:-1]
    for _ in range(2):
        path.write_bytes(whole + torn)
        with LogWriter(path):
            pass
        assert path.read_bytes() == whole
    assert side.read_bytes() == (torn + b"\n") * 2
    assert read_ids(path) == ["a"]


def test_a_whole_last_record_only_gets_its_newline(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    # Longer than the block in which the end of a log is searched.
    big = Samples(id="big", answers=("x" * 200_000,), model="m")
    with LogWriter(path) as writer:
        writer.append(samples("a"))
        writer.append(big)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with LogWriter(path) as writer:
        assert writer.done("samples") == {"a", "big"}
    assert path.read_bytes() == whole
    assert not (tmp_path / "log.jsonl.torn").exists()


def test_a_file_of_one_torn_line_becomes_empty(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\x00" * 100)
    with LogWriter(path) as writer:
        writer.append(samples("a"))
    assert read_ids(path) == ["a"]
    assert (tmp_path / "log.jsonl.torn").read_bytes() == b"\x00" * 100 + b"\n"


def test_a_second_writer_is_refused_until_the_first_closes(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LogWriter(path):
        with pytest.raises(LogError, match=r"log\.jsonl: another process is writing to it"):
            LogWriter(path)
    LogWriter(path).close()


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("log.jsonl.gz", "unpack it first"),
        ("log.parquet", "unpack it first"),
        ("log.json", r"e\.g\. .*log\.jsonl"),
        ("log", r"e\.g\. .*log\.jsonl"),
    ],
)
def test_only_plain_json_lines_can_be_appended_to(tmp_path: Path, name: str, way_out: str) -> None:
    with pytest.raises(LogError, match=rf"a log to append to ends in \.jsonl; {way_out}"):
        LogWriter(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


DECISION = '{"id": "q1", "answer": "18", "voted": "18", "flipped": false}'
RECORD = '{"kind": "samples", "id": "s", "model": "m", "answers": ["A"]}'


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        (DECISION, 1, "a debate without rounds; it has: id, answer, voted, flipped"),
        (f"{RECORD}\n\n{DECISION}\n", 3, "a debate without rounds"),
        ('{"schema_version": 2, "kind": "samples", "id": "s"}\n', 1, "schema_version=2: this release writes 1"),
        ('{"kind": "event", "id": "s"}\n', 1, "kind='event': no such record"),
        ('{"kind": ["debate"], "id": "s"}\n', 1, r"kind=\['debate'\]: no such record"),
        ('{"question?": [[]]}', 1, "a debate without id and rounds; it has: question?"),
        ("some notes\n", 1, "not JSON"),
        ("some notes", 1, "not JSON"),
        ("[1]\n", 1, "expected a JSON object, found an array"),
        ('{\n "id": "d",\n "rounds": []\n}\n', 1, "not JSON"),
    ],
)
def test_a_file_that_is_no_log_is_refused_and_left_as_it_is(
    tmp_path: Path, content: str, line: int, reason: str
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(LogError, match=rf"log\.jsonl:{line}: {reason.replace('?', '.')}.*; the file is no log"):
        LogWriter(path)
    assert path.read_text(encoding="utf-8") == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_with_damaged_or_unreadable_records_can_still_grow(make_line: Build, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    unreadable = json.dumps(make_line("d2", gold="Q"))
    path.write_text(f"torn\n{json.dumps(make_line())}\n{unreadable}\n", encoding="utf-8")
    with LogWriter(path) as writer:
        writer.append(samples("d1"))
    assert len(path.read_bytes().splitlines()) == 4


def test_the_start_of_a_first_record_is_no_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"schema_version": 1, "ki', encoding="utf-8")
    with LogWriter(path) as writer:
        writer.append(samples("a"))
    assert read_ids(path) == ["a"]


def test_a_pipe_is_no_log_to_append_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    with pytest.raises(LogError, match=r"log\.jsonl: is no plain file"):
        LogWriter(tmp_path / "log.jsonl")


def test_a_glob_is_no_file_to_append_to(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="is a glob; name the one file to append to"):
        LogWriter(tmp_path / "*.jsonl")


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").mkdir()
    with pytest.raises(LogError, match=r"log\.jsonl: cannot be opened for appending: Is a directory"):
        LogWriter(tmp_path / "log.jsonl")


def test_a_closed_writer_says_so(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "log.jsonl")
    writer.close()
    writer.close()
    with pytest.raises(LogError, match="already closed"):
        writer.append(samples("a"))


def test_what_json_cannot_hold_is_refused_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with LogWriter(path) as writer:
        with pytest.raises(LogError, match="samples 'a' has no JSON form"):
            writer.append(replace(samples("a"), meta={"score": float("nan")}))
        with pytest.raises(LogError, match="samples 'a' has no JSON form"):
            writer.append(replace(samples("a"), meta={"when": object()}))
        writer.append(replace(samples("b"), meta={"cut": "\ud83d"}))
    assert read_ids(path) == ["b"]


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_line_cut_short_by_a_full_disk_or_an_interrupt_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    path = tmp_path / "log.jsonl"
    write = os.write
    calls = []

    def write_a_bit(file: int, data: bytes) -> int:
        calls.append(len(data))
        if len(calls) > 1:
            raise failure
        return write(file, data[:10])

    with LogWriter(path) as writer:
        writer.append(samples("a"))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write_a_bit)
            with pytest.raises(LogError if isinstance(failure, OSError) else KeyboardInterrupt):
                writer.append(samples("b"))
        assert len(calls) == 2
        writer.append(samples("c"))
    assert read_ids(path) == ["a", "c"]


def test_a_killed_writer_loses_nothing_it_reported(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    root = str(Path(sentinel.__file__).parents[1])
    draw = random.Random(7)
    reported: list[int] = []
    for _ in range(5):
        start = reported[-1] + 1 if reported else 0
        command = [sys.executable, "-c", APPEND_FOREVER, str(path), str(start)]
        with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(draw.randrange(1, 40)):
                reported.append(int(process.stdout.readline()))
            process.kill()
            reported += [int(line) for line in process.stdout if line.endswith("\n")]
        with LogWriter(path) as writer:
            done = writer.done("samples")
        assert {str(n) for n in reported} <= done
        found = read_ids(path)
        # A line may be whole although the kill came before the report; such a key is written once more.
        assert set(found) == done
        assert len(found) - len(set(found)) <= 5
