import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from sentinel.errors import ConfigError
from sentinel.llm import Completion
from sentinel.llm._cache import CallCache

WRITE = """
import sys
from pathlib import Path
from sentinel.llm import Completion
from sentinel.llm._cache import CallCache
cache = CallCache(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    cache.put(f"key {number}", Completion(f"reply {number}"))
    print(number, flush=True)
"""


def writer(path: Path, first: int, last: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITE, str(path), str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_reply_comes_back_as_it_was_but_for_the_mark(tmp_path: Path) -> None:
    reply = Completion(
        'Größe ≥ 5 "quoted"\n\ud800',
        usage={"prompt_tokens": 3, "completion_tokens": 5},
        cost=0.25,
        latency=1.5,
        attempts=3,
        finish_reason="length",
    )
    cache = CallCache(tmp_path / "calls.sqlite")
    cache.put("key", reply)
    assert cache.get("other") is None
    cache.close()
    kept = CallCache(tmp_path / "calls.sqlite").get("key")
    assert kept is not None and kept.cached
    assert (kept.text, kept.usage, kept.cost, kept.latency, kept.attempts, kept.finish_reason) == (
        reply.text,
        reply.usage,
        reply.cost,
        reply.latency,
        reply.attempts,
        reply.finish_reason,
    )


def test_what_is_kept_is_json(tmp_path: Path) -> None:
    cache = CallCache(tmp_path / "calls.sqlite")
    cache.put("key", Completion("text"))
    ((kept,),) = sqlite3.connect(tmp_path / "calls.sqlite").execute("SELECT reply FROM calls")
    assert json.loads(kept) == {
        "text": "text",
        "usage": None,
        "cost": None,
        "latency": 0.0,
        "attempts": 1,
        "finish_reason": None,
    }


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    # The second half of each overlaps with the first of the next.
    writers = [writer(path, 150 * number, 150 * number + 300) for number in range(3)]
    assert [process.communicate(timeout=30)[0].count("\n") for process in writers] == [300, 300, 300]
    assert [process.returncode for process in writers] == [0, 0, 0]
    cache = CallCache(path)
    assert all(cache.get(f"key {number}") == Completion(f"reply {number}", cached=True) for number in range(600))


def test_what_was_written_survives_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    done = -1
    for _ in range(3):
        process = writer(path, done + 1, 1_000_000)
        assert process.stdout is not None
        for _ in range(40):
            done = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split("\n")
        # A line cut off by the kill says nothing.
        done = max([done, *map(int, rest[:-1])])
        process.wait()
        process.stdout.close()
    cache = CallCache(path)
    assert done >= 119
    assert all(cache.get(f"key {number}") == Completion(f"reply {number}", cached=True) for number in range(done + 1))


def test_a_reply_that_cannot_be_kept_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cache = CallCache(tmp_path / "calls.sqlite")
    other = sqlite3.connect(tmp_path / "calls.sqlite")
    other.execute("DROP TABLE calls")
    other.close()
    cache.put("key", Completion("text"))
    cache.put("other", Completion("text"))
    (record,) = caplog.records
    assert "replies are not kept any more (no such table: calls)" in record.getMessage()


def test_another_kind_of_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but somebody's notes\n" * 100)
    with pytest.raises(ConfigError, match=r"llm\.cache=.*notes\.txt: cannot be used"):
        CallCache(path)
    assert path.read_text().startswith("not a database")
