"""Where something is to be written is checked first."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from sentinel.errors import ConfigError, SentinelError
from sentinel.pipeline import Run, run
from sentinel.pipeline._live import debate_log
from sentinel.pipeline._place import check_place
from sentinel.settings import AuditKind, AuditSettings, CorpusKind, CorpusSettings, Settings, Task


def test_a_place_that_can_be_made_is_returned(tmp_path: Path) -> None:
    assert check_place(tmp_path / "new" / "deep.jsonl") == tmp_path / "new" / "deep.jsonl"
    assert check_place(tmp_path, folder=True) == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_a_place_below_a_file_a_folder_and_a_name_too_long_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for out, reason in (
        (tmp_path / "file" / "below" / "x.jsonl", "file is a file, so nothing can lie in it"),
        (tmp_path, "is a folder; name a file"),
        (tmp_path / ("x" * 300), "cannot be written"),
    ):
        with pytest.raises(ConfigError, match=reason):
            check_place(out)


def test_a_place_without_the_right_to_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A superuser may write anywhere, so that permissions of a real folder would not do.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(ConfigError, match=f"out={tmp_path / 'x' / 'y'}: there is no right to write to {tmp_path};"):
        check_place(tmp_path / "x" / "y")


@pytest.mark.parametrize("task", ["train", "decide", "import", "debate", "samples", "audit", "judge"])
def test_no_task_works_for_a_place_that_is_not_there(
    tmp_path: Path, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log = Path(__file__).parent / "one_debate.jsonl"
    (tmp_path / "file").touch()
    settings = Settings(
        task=Task[task],
        out="file/below.jsonl",
        source=str(log),
        audit=AuditSettings(kind=AuditKind.lexical if task == "audit" else AuditKind.recorded),
        corpus=CorpusSettings(path=str(log)),
    )
    monkeypatch.setattr("sentinel.decision.Sentinel.fit", None)
    monkeypatch.setattr("sentinel.fingerprint.fingerprint_corpus", None)
    with pytest.raises(SentinelError, match=r"^out=file/below.jsonl: .*is a file, so nothing can lie in it"):
        run(settings, Run(tmp_path, None, ()))


def test_nobody_trains_into_a_folder_of_something_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "thesis.tex").touch()
    monkeypatch.setattr("sentinel.fingerprint.fingerprint_corpus", None)
    with pytest.raises(SentinelError, match="holds files that are not a sentinel's"):
        run(Settings(task=Task.train, out=str(tmp_path)), Run(tmp_path, None, ()))


@pytest.mark.parametrize("task", ["train", "decide"])
def test_the_log_of_live_debates_does_not_go_where_a_sentinel_or_decisions_go(task: str) -> None:
    settings = Settings(task=Task[task], out="mine.jsonl", corpus=CorpusSettings(CorpusKind.live))
    assert debate_log(settings).parent == Path("logs")
    assert debate_log(replace(settings, task=Task.evaluate)) == Path("mine.jsonl")
