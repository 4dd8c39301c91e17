"""The rooms' order is a rule: imports are parsed, and a backward arrow fails."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import sentinel

PACKAGE = Path(sentinel.__file__).parent
BELOW = ["records", "errors", "paths", "foreign", "answer", "vote", "settings"]
ROOMS = ["dataset", "llm", "debate", "audit", "simulation", "log_store", "fingerprint", "classifier", "threshold"]
ROOMS += ["decision", "evaluation", "report"]
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
            if node.module == "sentinel":
                names = [f"sentinel.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("sentinel.")}
    return rooms


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_room_imports_a_room_to_its_right(path: Path) -> None:
    room = path.relative_to(PACKAGE).parts[0]
    if room in ROOMS:
        allowed = {*BELOW, *ROOMS[: ROOMS.index(room) + 1]}
        if room not in ("debate", "audit", "llm"):
            allowed -= {"llm"}
        assert imported_rooms(path) <= allowed
    elif room in ("answer", "vote"):
        assert imported_rooms(path) <= {"records", "errors", "answer", "vote"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_stays_readable_in_one_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_only_the_command_line_knows_hydra_main() -> None:
    users = [path.name for path in MODULES if "@hydra.main" in path.read_text(encoding="utf-8")]
    assert users == ["cli.py"]


def test_the_command_line_imports_nothing_slow() -> None:
    slow = ("litellm", "lightgbm", "sklearn", "seaborn", "matplotlib", "polars", "scipy")
    code = f"import sys, sentinel.cli, sentinel.report; print([m for m in {slow} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
