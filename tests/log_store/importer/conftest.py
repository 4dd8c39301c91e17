"""Runs an import of data written on the spot, and reads the log back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sentinel.log_store import load_debates
from sentinel.log_store.importer import ImportReport, import_log
from sentinel.records import Debate
from sentinel.settings import ImporterKind, ImporterSettings


class Imported(NamedTuple):
    report: ImportReport
    debates: tuple[Debate, ...]

    @property
    def reasons(self) -> list[str]:
        return [problem.reason for problem in self.report.skipped]


Run = Callable[..., Imported]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that imports `data` (a text as it is, a list in JSON lines, else JSON) as a file `name`."""

    def run_import(kind: str, data: Any, name: str = "log.json", **settings: str) -> Imported:
        source = tmp_path / name
        if not isinstance(data, str):
            lines = name.endswith(".jsonl")
            data = "\n".join(map(json.dumps, data)) + "\n" if lines else json.dumps(data)
        source.write_text(data, encoding="utf-8")
        out = tmp_path / "out.jsonl"
        report = import_log(ImporterSettings(kind=ImporterKind(kind), **settings), source, out)
        return Imported(report, load_debates(out).debates if out.stat().st_size else ())

    return run_import


@pytest.fixture
def map_file(tmp_path: Path) -> Callable[[str], str]:
    """Return a function that writes a mapping file and returns its path."""

    def write(text: str) -> str:
        (tmp_path / "mapping.yaml").write_text(text, encoding="utf-8")
        return str(tmp_path / "mapping.yaml")

    return write


@pytest.fixture(scope="session")
def mappings() -> Path:
    """Return the folder of worked examples of mapping files."""
    return Path(__file__).parent / "mappings"
