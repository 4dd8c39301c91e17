"""Every form a log file can have, whole or damaged."""

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sentinel.errors import LogError
from sentinel.log_store import LogCorpus, load_debates
from sentinel.records import Problem

Build = Callable[..., dict[str, Any]]
Write = Callable[..., Path]


def reasons(corpus: LogCorpus) -> list[tuple[int, str]]:
    return [(problem.line, problem.reason) for problem in corpus.problems]


def ids(corpus: LogCorpus) -> list[str]:
    return [debate.id for debate in corpus]


def test_plain_packed_and_table_hold_the_same_debates(make_line: Build, write_log: Write, tmp_path: Path) -> None:
    lines = [make_line("d1"), make_line("d2", rounds=("ABC", "A-C"), gold=None)]
    plain = write_log(*lines)
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    nested = tmp_path / "nested.parquet"
    pl.DataFrame(lines).write_parquet(nested)
    flat = tmp_path / "flat.parquet"
    texts = ("agents", "rounds", "choices")
    pl.DataFrame([line | {name: json.dumps(line[name]) for name in texts} for line in lines]).write_parquet(flat)
    expected = load_debates(plain)
    assert ids(expected) == ["d1", "d2"]
    for path in (packed, nested, flat):
        assert load_debates(path).debates == expected.debates
        assert load_debates(path).problems == ()
    assert load_debates(packed).data_hash == expected.data_hash


def test_bom_crlf_and_blank_lines_are_no_problem(make_line: Build, write_log: Write) -> None:
    first, second = (json.dumps(make_line(name)).encode() for name in ("d1", "d2"))
    corpus = load_debates(write_log(b"\xef\xbb\xbf" + first + b"\r", b"", b"  \r", second + b"\r"))
    assert ids(corpus) == ["d1", "d2"]
    assert corpus.problems == ()


def test_files_with_marks_that_were_joined_are_read_whole(make_line: Build, write_log: Write) -> None:
    corpus = load_debates(write_log(*(b"\xef\xbb\xbf" + json.dumps(make_line(name)).encode() for name in ("d1", "d2"))))
    assert ids(corpus) == ["d1", "d2"]
    assert corpus.problems == ()


def test_a_number_too_long_to_read_gets_no_advice_on_python(write_log: Write, make_line: Build) -> None:
    corpus = load_debates(write_log(make_line(), '{"a": ' + "9" * 5000 + "}"))
    assert [line for line, _ in reasons(corpus)] == [2]
    assert "set_int_max_str_digits" not in reasons(corpus)[0][1]


def test_a_last_line_without_newline_is_read(make_line: Build, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(make_line("d1")) + "\n" + json.dumps(make_line("d2")), encoding="utf-8")
    assert ids(load_debates(path)) == ["d1", "d2"]


def test_each_bad_line_is_reported_with_its_number_and_the_rest_is_read(make_line: Build, write_log: Write) -> None:
    good = json.dumps(make_line())
    path = write_log(
        "",
        good[:-9],
        "[1, 2]",
        "null",
        "3",
        b'{"id": "caf\xe9"}',
        '{"a": Infinity}',
        "[" * 100_000,
        '{"a": ' + "9" * 5000 + "}",
        json.dumps(make_line("d2", gold="Q")),
        b"\0" * 9 + good.encode(),
        good[:-1] + ', "gold": "B"}',
        good,
    )
    corpus = load_debates(path)
    assert ids(corpus) == ["d1"]
    assert corpus.problems[0].file == str(path)
    found = reasons(corpus)
    assert [line for line, _ in found] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    expected = [
        "not JSON: ",
        "expected a JSON object, found an array",
        "expected a JSON object, found null",
        "expected a JSON object, found a number",
        "not UTF-8: byte 0xe9 at position 12",
        "Infinity is no number a log can hold",
        "nested too deeply",
        "not readable: ",
        "debate 'd2': gold='Q': expected one of the 4 choices",
        "the line holds NUL bytes, as a crash or UTF-16 text leaves them",
        "the key 'gold' occurs twice in one object",
    ]
    for (_, reason), part in zip(found, expected, strict=True):
        assert part in reason


def test_strict_stops_at_the_first_bad_line(make_line: Build, write_log: Write) -> None:
    path = write_log(make_line(), "{")
    with pytest.raises(LogError, match=r"log\.jsonl:2: not JSON: "):
        load_debates(path, strict=True)


def test_nan_in_a_line_reads_as_null(make_line: Build, write_log: Write) -> None:
    line = json.dumps(make_line(gold=float("nan"), meta={"score": float("nan")}))
    assert "NaN" in line
    debate = load_debates(write_log(line)).debates[0]
    assert debate.gold is None and debate.meta == {"score": None}


def test_halves_of_cut_emoji_cannot_break_later_steps(make_line: Build, write_log: Write) -> None:
    whole, cut = "\\ud83d\\ude00", "\\ud83d"
    line = json.dumps(make_line(question="Q")).replace('"say A"', f'"{whole} then {cut}"')
    debate = load_debates(write_log(line)).debates[0]
    assert debate.rounds[0][0].reasoning == "\U0001f600 then \ufffd"


def test_a_line_longer_than_any_buffer_is_one_line(make_line: Build, write_log: Write) -> None:
    long = make_line("d1")
    long["rounds"][0][0]["reasoning"] = "é" * 300_000
    corpus = load_debates(write_log(long, make_line("d2")))
    assert ids(corpus) == ["d1", "d2"]
    assert len(corpus.debates[0].rounds[0][0].reasoning) == 300_000


@pytest.mark.parametrize("content", [b"", b"\n\n \n"], ids=["empty", "blank"])
def test_an_empty_file_is_a_problem_of_its_own(make_line: Build, write_log: Write, content: bytes) -> None:
    full = write_log(make_line(), name="full.jsonl")
    empty = full.with_name("empty.jsonl")
    empty.write_bytes(content)
    corpus = load_debates([full, empty])
    assert corpus.problems == (Problem(str(empty), 0, "the file is empty"),)
    with pytest.raises(LogError, match=r"empty\.jsonl: the file is empty"):
        load_debates([full, empty], strict=True)


def test_when_nothing_is_left_the_error_says_why(write_log: Write) -> None:
    empty = write_log(name="empty.jsonl")
    with pytest.raises(LogError, match=r"no debate in 1 file; 1 problem: .*the file is empty"):
        load_debates(empty)
    samples = write_log({"kind": "samples", "id": "d", "model": "m", "answers": ["A"]}, name="samples.jsonl")
    with pytest.raises(LogError, match=r"no debate in 1 file \(only 1 samples record\)"):
        load_debates(samples)


def test_a_utf16_file_is_named_as_such(make_line: Build, write_log: Write) -> None:
    full = write_log(make_line(), name="full.jsonl")
    wide = full.with_name("wide.jsonl")
    wide.write_text(json.dumps(make_line("d2")), encoding="utf-16")
    assert load_debates([full, wide]).problems == (Problem(str(wide), 0, "the file is UTF-16; save it as UTF-8"),)


def test_a_gzip_file_by_another_name_is_told_its_name(make_line: Build, write_log: Write) -> None:
    full = write_log(make_line(), name="full.jsonl")
    packed = full.with_name("packed.jsonl")
    packed.write_bytes(gzip.compress(json.dumps(make_line("d2")).encode()))
    expected = Problem(str(packed), 0, "the file is compressed; name it .jsonl.gz")
    assert load_debates([full, packed]).problems == (expected,)


def test_a_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(LogError, match="standard input is closed"):
        load_debates("-")


def test_a_cut_gzip_file_is_read_as_far_as_it_goes(make_line: Build, write_log: Write) -> None:
    # Random hex keeps the compressed size near the text's, so that a cut at half loses about half.
    lines = [make_line(f"d{n}", question=f"{n} {(n * 7919**20) % 16**400:x}") for n in range(60)]
    packed = gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    path = write_log(name="cut.jsonl.gz")
    path.write_bytes(packed[: len(packed) // 2])
    corpus = load_debates(path)
    read = len(corpus)
    assert 10 < read < 50
    assert ids(corpus) == [f"d{n}" for n in range(read)]
    assert reasons(corpus) == [
        (read, f"the compressed data end before their end mark; what follows line {read} is lost")
    ]


def test_a_gzip_file_cut_in_its_end_mark_loses_no_line(make_line: Build, write_log: Write) -> None:
    path = write_log(name="cut.jsonl.gz")
    path.write_bytes(gzip.compress(json.dumps(make_line()).encode())[:-4])
    corpus = load_debates(path)
    assert ids(corpus) == ["d1"]
    assert len(corpus.problems) == 1


def test_appended_gzip_members_are_all_read(make_line: Build, write_log: Write) -> None:
    members = [gzip.compress(json.dumps(make_line(name)).encode() + b"\n") for name in ("d1", "d2")]
    path = write_log(name="two.jsonl.gz")
    path.write_bytes(b"".join(members))
    assert ids(load_debates(path)) == ["d1", "d2"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [("a.jsonl.gz", "the file is not compressed, as .gz says"), ("a.parquet", "not readable as Parquet")],
)
def test_a_file_that_is_not_what_its_name_says(make_line: Build, write_log: Write, name: str, reason: str) -> None:
    good = write_log(make_line(), name="good.jsonl")
    bad = write_log("no such thing", name=name)
    problem = load_debates([good, bad]).problems[0]
    assert problem.file == str(bad) and problem.line == 0 and reason in problem.reason


def test_a_bad_row_of_a_table_has_its_number(make_line: Build, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    good = make_line()
    rows = [good | {"rounds": json.dumps(good["rounds"])}, good | {"id": "d2", "rounds": "[[{"}]
    pl.DataFrame(rows).write_parquet(path)
    corpus = load_debates(path)
    assert ids(corpus) == ["d1"]
    assert [line for line, _ in reasons(corpus)] == [2]


def test_standard_input_is_a_log_too(make_line: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(json.dumps(make_line()).encode() + b"\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    corpus = load_debates("-")
    assert ids(corpus) == ["d1"]
    assert corpus.name == "standard input"
    assert not stream.closed
