"""Builders of small debates, as the JSON objects a log holds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Line = dict[str, Any]


@pytest.fixture
def make_line() -> Callable[..., Line]:
    """Return a builder of three agents' debate: one string a round, one letter an agent, "-" for an unread answer."""

    def build(name: str = "d1", rounds: tuple[str, ...] = ("AAB", "AAB"), **changes: Any) -> Line:
        line: Line = {
            "id": name,
            "source": "made/up",
            "dataset": "quiz",
            "question": f"Which letter does {name} ask for?",
            "choices": ["first", "second", "third", "fourth"],
            "gold": "A",
            "agents": [{"name": f"agent_{k}", "model": "m", "role": None} for k in range(len(rounds[0]))],
            "rounds": [
                [
                    {"agent": f"agent_{k}", "answer": None if letter == "-" else letter, "reasoning": f"say {letter}"}
                    for k, letter in enumerate(letters)
                ]
                for letters in rounds
            ],
        }
        return line | changes

    return build


@pytest.fixture
def write_log(tmp_path: Path) -> Callable[..., Path]:
    """Return a writer of a file of lines, given as objects, text or bytes."""

    def write(*lines: Line | str | bytes, name: str = "log.jsonl") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        encoded = [
            line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
            for line in lines
        ]
        path.write_bytes(b"".join(line + b"\n" for line in encoded))
        return path

    return write
