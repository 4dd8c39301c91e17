"""A user's own files are looked at before Hydra reads them."""

from pathlib import Path

import pytest

from sentinel._config_dir import find_file_fault

CANARY = "sk-CANARY0123456789abcdef"


def fault_of(folder: Path, content: bytes, file: str = "roles/mine.yaml", *more: str) -> str | None:
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return find_file_fault(["--config-dir", str(folder), *more], ["seed"])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty"),
        (b"# @package _global_\n", "empty"),
        (b"- a\n- b\n", "expected `key: value` lines at the top level"),
        (b"hello\n", "expected `key: value` lines at the top level"),
        (b"3\n", "expected `key: value` lines at the top level"),
        (b"name: a\n\tprompt: b\n", "mine.yaml:2: not a YAML file: found character '\\t'"),
        (b"name: a\nprompt: b\nname: c\n", "mine.yaml:3: not a YAML file: found duplicate key name"),
        (b"name: [\n", "not a YAML file"),
        (b"name: a\n---\nname: b\n", "not a YAML file"),
        (b"name: \xe9\n", "byte 7 is not UTF-8"),
        (b"name: ${a\n", "not readable as a configuration: GrammarParseError"),
        (f"prompt: use {CANARY}\n".encode(), "roles.prompt: looks like a key"),
        (f"prompt: [{CANARY}\n".encode(), "not a YAML file"),
    ],
)
def test_a_file_that_cannot_be_meant_is_named(tmp_path: Path, content: bytes, expected: str) -> None:
    fault = str(fault_of(tmp_path, content))
    assert str(tmp_path / "roles" / "mine.yaml") in fault and expected in fault
    assert "CANARY" not in fault and "\n" not in fault


def test_a_good_file_and_files_of_others_are_left_alone(tmp_path: Path) -> None:
    assert fault_of(tmp_path, b"name: good\n") is None
    assert fault_of(tmp_path, b"", "deploy/values.yaml") is None
    assert "values.yaml: empty" in str(find_file_fault(["--config-dir", str(tmp_path)], ["deploy"]))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    for arguments in (["--config-dir", str(missing)], [f"--config-dir={missing}"], ["-cd", str(missing)]):
        assert str(find_file_fault(arguments, [])).startswith(f"--config-dir={missing}: no such folder")


def test_a_file_that_a_built_in_one_would_replace_is_named(tmp_path: Path) -> None:
    assert "a built-in option has this name" in str(fault_of(tmp_path, b"name: x\n", "roles/skeptic.yaml"))


def test_the_file_named_by_config_name_is_looked_at(tmp_path: Path) -> None:
    content = b"judge: {api_key: canary}\n"
    assert fault_of(tmp_path, content, "mine.yaml") is None
    assert "mine.yaml: judge.api_key: " in str(fault_of(tmp_path, content, "mine.yaml", "--config-name", "mine"))
