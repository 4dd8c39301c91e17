"""Tasks called in process: what they print, write and refuse."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sentinel.errors import ConfigError
from sentinel.pipeline import Run, run
from sentinel.records import Agent, AnswerType, Debate, Status, Turn
from sentinel.settings import (
    AuditKind,
    AuditSettings,
    CorpusKind,
    CorpusSettings,
    EvaluationSettings,
    FigureMode,
    InspectSettings,
    ReportSettings,
    Settings,
    Task,
)

QUICK = Settings(
    evaluation=EvaluationSettings(permutations=0, bootstrap=100),
    report=ReportSettings(figures=FigureMode.never),
)


def write_log(path: Path, debates: list[Debate]) -> Path:
    from sentinel.log_store import LogWriter

    with LogWriter(path) as writer:
        for debate in debates:
            writer.append(debate)
    return path


def make_debate(name: str, final: str, gold: str | None, dataset: str = "toy") -> Debate:
    agents = tuple(Agent(f"agent_{k}") for k in range(len(final)))
    rounds = tuple(
        tuple(
            Turn(agent.name, letter, Status.OK, f"Round {r}: because of fact {letter}.")
            for agent, letter in zip(agents, final, strict=True)
        )
        for r in range(2)
    )
    return Debate(name, dataset, "test", name, f"Question {name}?", None, AnswerType.CHOICE, gold, agents, rounds)


def evaluate_log(tmp_path: Path, debates: list[Debate], **changes: object) -> dict[str, object]:
    log = write_log(tmp_path / "log.jsonl", debates)
    settings = replace(QUICK, corpus=CorpusSettings(kind=CorpusKind.file, path=str(log)), **changes)
    run(settings, Run(tmp_path / "out", None, ()))
    return json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))


def test_one_dataset_of_one_debate_is_a_stated_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metrics = evaluate_log(tmp_path, [make_debate("q", "AAB", "B")])
    assert metrics["corpus"]["debates"] == 1
    assert metrics["corpus"]["minority_truths"] == 1
    assert "Note:" in capsys.readouterr().out


def test_only_unanimous_debates_are_a_stated_result(tmp_path: Path) -> None:
    metrics = evaluate_log(tmp_path, [make_debate(f"q{i}", "AAA", "A") for i in range(5)])
    assert metrics["corpus"]["divergent"] == 0
    assert metrics["notes"]


def test_one_class_is_a_stated_result(tmp_path: Path) -> None:
    metrics = evaluate_log(tmp_path, [make_debate(f"q{i}", "AAB", "A") for i in range(30)])
    assert metrics["overall"]["cross_fitted"]["flips"] == 0
    assert metrics["overall"]["cross_fitted"]["auc"] is None


def test_a_log_without_gold_is_refused_with_the_way_out(tmp_path: Path) -> None:
    from sentinel.errors import EvaluationError

    with pytest.raises(EvaluationError, match="gold"):
        evaluate_log(tmp_path, [make_debate(f"q{i}", "AAB", None) for i in range(5)])


def test_inspect_traces_a_debate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = write_log(tmp_path / "log.jsonl", [make_debate("q1", "AAB", "B"), make_debate("q2", "AAA", "A")])
    settings = replace(QUICK, task=Task.inspect, corpus=CorpusSettings(path=str(log)))
    run(settings, Run(tmp_path, None, ()))
    assert (
        "verdict: unusable for evaluation because the minority is right in every divergent debate (1)"
        in capsys.readouterr().out
    )
    run(replace(settings, inspect=InspectSettings(id="q1")), Run(tmp_path, None, ()))
    text = capsys.readouterr().out
    assert "log.jsonl" in text and "agent_2" in text


def test_lexical_audits_are_appended_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = write_log(tmp_path / "log.jsonl", [make_debate("q1", "AAB", "B"), make_debate("q2", "AAA", "A")])
    settings = replace(
        QUICK,
        task=Task.audit,
        out=str(log),
        audit=AuditSettings(kind=AuditKind.lexical),
        corpus=CorpusSettings(path=str(log)),
    )
    run(settings, Run(tmp_path, None, ()))
    assert "1 audits appended" in capsys.readouterr().out
    run(settings, Run(tmp_path, None, ()))
    assert "0 audits appended" in capsys.readouterr().out
    kinds = [json.loads(line)["kind"] for line in log.read_text(encoding="utf-8").splitlines()]
    assert kinds == ["debate", "debate", "audit"]


@pytest.mark.parametrize(
    ("task", "missing"), [("import", "source"), ("decide", "model"), ("report", "source"), ("audit", "corpus.path")]
)
def test_a_task_names_what_it_lacks(tmp_path: Path, task: str, missing: str) -> None:
    settings = replace(QUICK, task=Task[task], audit=AuditSettings(kind=AuditKind.lexical))
    with pytest.raises(ConfigError, match=f"{missing}=null: task={task}"):
        run(settings, Run(tmp_path, None, ()))


def test_decisions_never_overwrite_a_log(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", [make_debate("q1", "AAB", "B")])
    before = log.read_bytes()
    settings = replace(QUICK, task=Task.decide, model="m", out=str(log), corpus=CorpusSettings(path=str(log)))
    with pytest.raises(ConfigError, match="holds something else than decisions"):
        run(settings, Run(tmp_path, None, ()))
    assert log.read_bytes() == before


def test_lines_left_out_are_said_in_the_notes(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", [make_debate(f"q{i}", "AAB", "AB"[i % 2]) for i in range(20)])
    with log.open("a", encoding="utf-8") as file:
        file.write("garbage\n")
    settings = replace(QUICK, corpus=CorpusSettings(path=str(log)))
    run(settings, Run(tmp_path / "out", None, ()))
    notes = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))["notes"]
    assert any(note.startswith("left out of the log: 1 lines or files, the first log.jsonl:21") for note in notes)


def test_null_corpora_are_drawn_without_effect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = replace(
        QUICK,
        corpus=CorpusSettings(scale=0.1),
        evaluation=EvaluationSettings(permutations=0, bootstrap=100, null_corpora=2, baselines=False),
    )
    run(settings, Run(tmp_path / "out", None, ()))
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["null_corpora"]["ng_paper_exact"]["corpora"] == 2
    assert "Without an effect" in capsys.readouterr().out
