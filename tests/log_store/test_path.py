import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import ConfigError, LogError
from sentinel.log_store import list_files, load_corpus, load_debates
from sentinel.settings import CorpusKind, CorpusSettings

Build = Callable[..., dict[str, Any]]
Write = Callable[..., Path]


@pytest.fixture
def folder(make_line: Build, write_log: Write, tmp_path: Path) -> Path:
    """Return a folder of three logs, one debate each, and a file that is none."""
    for name in ("b-run", "a-run", "a-run-adversarial"):
        write_log(make_line(name), name=f"logs/{name}.jsonl")
    (tmp_path / "logs" / "README.md").write_text("no log", encoding="utf-8")
    return tmp_path / "logs"


def ids(path: object, **options: Any) -> list[str]:
    return [debate.id for debate in load_debates(path, **options)]  # type: ignore[arg-type]


def test_files_are_read_in_sorted_order_and_once(folder: Path) -> None:
    everything = ["a-run-adversarial", "a-run", "b-run"]
    assert sorted(f"{name}.jsonl" for name in everything) == [f"{name}.jsonl" for name in everything]
    assert ids(folder / "*.jsonl") == everything
    assert ids([folder / "b-run.jsonl", folder / "*.jsonl"]) == everything
    assert ids(str(folder / "**" / "b*.jsonl")) == ["b-run"]


@pytest.mark.parametrize("pattern", ["*adversarial*", "a-run-adversarial.jsonl", "*/logs/a-run-adv*"])
def test_exclude_matches_file_name_and_path(folder: Path, pattern: str) -> None:
    assert ids(folder / "*.jsonl", exclude=[pattern]) == ["a-run", "b-run"]


def test_one_pattern_need_not_be_a_list(folder: Path) -> None:
    assert ids(folder / "*.jsonl", exclude="*adversarial*") == ["a-run", "b-run"]


def test_two_spellings_of_one_path_are_one_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    corpus = load_debates(["b-run.jsonl", folder / "b-run.jsonl"])
    assert len(corpus.files) == 1


def test_a_path_is_excluded_by_its_full_path(folder: Path) -> None:
    assert ids(folder / "*.jsonl", exclude=[str(folder / "a*")]) == ["b-run"]


def test_an_exclude_that_matches_nothing_is_noted(folder: Path) -> None:
    notes = load_debates(folder / "*.jsonl", exclude=["*advers.jsonl"]).notes
    assert notes == ("corpus.exclude=*advers.jsonl matches none of the files (3)",)


def test_excluding_everything_is_an_error(folder: Path) -> None:
    with pytest.raises(LogError, match=r"corpus\.exclude=\*: leaves out all 3 files of corpus\.path=/"):
        load_debates(folder / "*.jsonl", exclude=["*"])


def test_the_home_folder_is_expanded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    assert ids("~/logs/b*.jsonl") == ["b-run"]
    assert ids("~/logs/*.jsonl", exclude=["~/logs/a*"]) == ["b-run"]


def test_a_file_name_with_glob_characters_is_taken_literally(make_line: Build, write_log: Write) -> None:
    assert ids(write_log(make_line(), name="run[1].jsonl")) == ["d1"]


def test_what_is_no_log_is_left_out_and_noted(folder: Path) -> None:
    corpus = load_debates(folder / "*")
    assert len(corpus) == 3
    assert corpus.notes == (f"not a log, left out: {folder / 'README.md'}",)
    with pytest.raises(LogError, match=r"README\.md is no log; expected names in \.jsonl, \.jsonl\.gz, \.parquet"):
        load_debates(folder / "README.md")


def test_a_missing_path_is_answered_with_near_names(folder: Path) -> None:
    with pytest.raises(LogError, match=r"b-rum\.jsonl: there is no such file; near: b-run\.jsonl"):
        load_debates(folder / "b-rum.jsonl")
    with pytest.raises(LogError, match=r"the glob matches no file; near: logs"):
        load_debates(folder.parent / "log" / "*.jsonl")
    with pytest.raises(LogError, match=r"the glob matches no file; .* has: .*a-run\.jsonl, b-run\.jsonl"):
        load_debates(folder / "*.zst")


def test_a_folder_is_answered_with_the_glob_for_it(folder: Path) -> None:
    with pytest.raises(LogError, match=r"is a folder; name its files, e\.g\. .*logs/\*\.jsonl"):
        load_debates(folder)


def test_the_files_can_be_listed_without_reading_them(folder: Path) -> None:
    settings = CorpusSettings(kind=CorpusKind.file, path=[str(folder / "*.jsonl"), "-"], exclude=["*adversarial*"])
    assert list_files(settings) == (folder / "a-run.jsonl", folder / "b-run.jsonl")


def test_settings_without_a_path_say_what_to_set() -> None:
    with pytest.raises(ConfigError, match=r"corpus\.path=null: name the logs"):
        load_corpus(CorpusSettings(kind=CorpusKind.file))


def test_a_glob_names_what_it_matched_but_cannot_read(folder: Path) -> None:
    (folder / "gone.jsonl").symlink_to(folder / "nowhere.jsonl")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    corpus = load_debates(folder / "*")
    assert len(corpus) == 3
    (note,) = corpus.notes
    strangers = ("README.md", "folder.jsonl", "gone.jsonl", "pipe.jsonl")
    assert note == f"not a log, left out: {', '.join(str(folder / name) for name in strangers)}"


def test_a_path_that_is_no_file_is_refused_at_once(folder: Path) -> None:
    (folder / "gone.jsonl").symlink_to(folder / "nowhere.jsonl")
    with pytest.raises(LogError, match=r"gone\.jsonl is a link to a file that is not there"):
        load_debates(folder / "gone.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    for path in ("pipe.jsonl", "p*.jsonl"):
        with pytest.raises(LogError, match=r"pipe\.jsonl is a pipe or a device"):
            load_debates(folder / path)
    (folder / "sub.jsonl").mkdir()
    for path in ("sub.jsonl", "s*.jsonl"):
        with pytest.raises(LogError, match=r"sub\.jsonl:? is a folder; name its files"):
            load_debates(folder / path)
