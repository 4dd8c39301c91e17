"""Loading with few words: by kind and file, the way the package's YAML files set the rest."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sentinel.dataset import load_questions
from sentinel.records import Question
from sentinel.settings import DatasetKind, DatasetSettings

Load = Callable[..., tuple[Question, ...]]


@pytest.fixture(scope="session")
def load() -> Load:
    """Return a function that loads a dataset; choices keep the owner's order unless asked otherwise."""

    def load(kind: str, path: Path | str | None = None, **settings: Any) -> tuple[Question, ...]:
        settings = {"name": kind, "shuffle_choices": False, **settings}
        return load_questions(DatasetSettings(kind=DatasetKind(kind), path=path and str(path), **settings))

    return load


@pytest.fixture(scope="session")
def benchmarks(shared_data: Path) -> Path:
    """Return the folder of real benchmark files."""
    return shared_data / "benchmarks"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a file: a text as it is, records as JSON Lines or (.json) as an array."""

    def write(name: str, content: object) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str):
            assert isinstance(content, list)
            lines = "\n".join(json.dumps(item) for item in content)
            content = lines if file.suffix == ".jsonl" else json.dumps(content)
        file.write_text(content, encoding="utf-8", newline="")
        return file

    return write
