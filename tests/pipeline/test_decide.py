"""task=decide: as trained or not at all, and nothing made up without saying so."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sentinel.errors import ConfigError
from sentinel.log_store import LogWriter
from sentinel.pipeline import Run, run
from sentinel.records import AnswerType, Debate, Status
from sentinel.settings import (
    AuditKind,
    AuditSettings,
    ClassifierKind,
    ClassifierSettings,
    CorpusSettings,
    DecisionSettings,
    FeatureGroup,
    FeatureGroupsSettings,
    FingerprintSettings,
    InspectSettings,
    Settings,
    Task,
    ThresholdKind,
    ThresholdSettings,
)
from sentinel.simulation import simulate_corpus

META = FeatureGroupsSettings(name="meta_only", groups=[FeatureGroup.meta])
LOGISTIC = ClassifierSettings(ClassifierKind.logistic_regression)


def answered(debate: Debate, final: str) -> Debate:
    """Return the debate with other final answers, a letter each; `?` is unparsed."""
    turns = tuple(
        replace(turn, answer=None, status=Status.UNPARSED)
        if letter == "?"
        else replace(turn, answer=letter, status=Status.OK)
        for turn, letter in zip(debate.rounds[-1], final, strict=True)
    )
    return replace(
        debate, choices=("one", "two", "three"), answer_type=AnswerType.CHOICE, rounds=(*debate.rounds[:-1], turns)
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated debates under another source, so that they do not count as made up; one is tied, two are unanswered."""
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    corpus = simulate_corpus(CorpusSettings(scale=0.1, tied_share=0, unparsed_share=0))
    *others, first, second, third = (replace(debate, source="test") for debate in corpus)
    with LogWriter(path) as writer:
        for debate in (*others, answered(first, "ABC"), answered(second, "???"), answered(third, "???")):
            writer.append(debate)
    return path


@pytest.fixture(scope="module")
def asked(log: Path) -> Settings:
    """The settings of a task=decide whose sentinel has other classifier and features than the defaults."""
    model = log.with_name("model")
    trained = Settings(
        task=Task.train,
        out=str(model),
        corpus=CorpusSettings(path=str(log)),
        classifier=LOGISTIC,
        feature_groups=META,
        audit=AuditSettings(AuditKind.lexical),
        seed=7,
    )
    run(trained, Run(log.parent, None, ()))
    return Settings(task=Task.decide, model=str(model), corpus=CorpusSettings(path=str(log)))


def decide(settings: Settings, *overrides: str) -> None:
    run(settings, Run(Path("out"), None, overrides))


def test_defaults_that_nobody_asked_for_give_way_to_what_was_trained(
    asked: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    decide(asked)
    plain = capsys.readouterr().out
    decide(
        replace(asked, classifier=LOGISTIC, feature_groups=META, seed=7, audit=AuditSettings(AuditKind.lexical)),
        "classifier=logistic_regression",
        "feature_groups=meta_only",
        "audit=lexical",
        "seed=7",
    )
    assert capsys.readouterr().out == plain


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"classifier": ClassifierSettings(ClassifierKind.mlp)},
            "classifier=mlp: .*classifier=logistic_regression and",
        ),
        (
            {"classifier": replace(LOGISTIC, params={"C": 2})},
            r"classifier.params=\{C: 2\}: .*classifier.params=\{\} and",
        ),
        ({"threshold": ThresholdSettings(ThresholdKind.fixed)}, "threshold=fixed: .*threshold=search and"),
        (
            {"threshold": ThresholdSettings(tau=0.9)},
            "threshold.tau=0.9: .*with threshold=search, threshold.tau=0.5 and",
        ),
        (
            {"feature_groups": FeatureGroupsSettings("x", [FeatureGroup.dynamics])},
            r"groups=\[dynamics\]: .*\[meta\] and",
        ),
        ({"fingerprint": FingerprintSettings(novelty_cut=0.3)}, "fingerprint.novelty_cut=0.3: .*novelty_cut=0.6 and"),
        ({"decision": DecisionSettings(fallback="last_parsed_round")}, "decision.fallback=.*fallback=none and"),
        ({"seed": 3}, "seed=3: .*seed=7 and"),
    ],
)
def test_what_a_file_or_the_command_line_sets_otherwise_is_refused(
    asked: Settings, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        decide(replace(asked, **changes))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("classifier=lightgbm", "classifier=lightgbm: .* was trained with classifier=logistic_regression"),
        ("audit=recorded", "audit=recorded: .* was trained with audit=lexical"),
        ("feature_groups=full", "groups=.dynamics, meta, audit.: .* was trained with"),
        ("seed=0", "seed=0: .* was trained with seed=7"),
    ],
)
def test_a_default_that_is_asked_for_is_refused_too(asked: Settings, override: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        decide(asked, override)


def test_lexical_audits_are_refused_where_recorded_ones_were_learned_from(log: Path, asked: Settings) -> None:
    model = log.with_name("recorded")
    run(
        Settings(task=Task.train, out=str(model), corpus=asked.corpus, classifier=LOGISTIC, feature_groups=META),
        Run(log.parent, None, ()),
    )
    with pytest.raises(ConfigError, match="audit=lexical: .* was trained with audit=recorded"):
        decide(replace(asked, model=str(model), audit=AuditSettings(AuditKind.lexical)))
    with pytest.raises(ConfigError, match="audit=llm: task=decide never calls a model about a log"):
        decide(replace(asked, model=str(model), audit=AuditSettings(AuditKind.llm)))


def test_a_traced_decision_is_as_trained_or_refused(asked: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    first = json.loads(Path(asked.corpus.paths[0]).read_text(encoding="utf-8").splitlines()[0])["id"]
    traced = replace(asked, task=Task.inspect, inspect=InspectSettings(first))
    decide(traced)
    assert '"flipped"' in capsys.readouterr().out
    with pytest.raises(ConfigError, match="decision.fallback=last_parsed_round: .* was trained with"):
        decide(replace(traced, decision=DecisionSettings(fallback="last_parsed_round")))


def test_tied_and_unanswered_debates_are_counted(asked: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    decide(asked)
    printed = capsys.readouterr()
    assert "; 1 tied and 2 unanswered, which keep the vote" in printed.err
    assert "SIMULATED" not in printed.err


def test_simulated_debates_carry_a_banner(asked: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    decide(replace(asked, corpus=CorpusSettings(scale=0.05)))
    printed = capsys.readouterr()
    assert printed.err.startswith("SIMULATED DATA: corpus.path=null names no log")
    assert all(line.startswith("{") for line in printed.out.splitlines())


def test_what_a_reader_of_decisions_must_know_goes_to_standard_error(
    asked: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Path(asked.corpus.paths[0]).read_text(encoding="utf-8")
    torn = tmp_path / "torn.jsonl"
    torn.write_text(lines + '{"kind": "ruling", "id": "nobody", "answer": "A", "judge": "j"}\n', encoding="utf-8")
    decide(replace(asked, corpus=CorpusSettings(path=str(torn))))
    assert "note: ruling: 1 record of debates that no file holds, left out" in capsys.readouterr().err


def test_decisions_follow_a_link_keep_the_mode_and_spare_what_is_no_file(asked: Settings, tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.jsonl", tmp_path / "link.jsonl", tmp_path / "pipe"
    real.touch(mode=0o600)
    link.symlink_to(real)
    decide(replace(asked, out=str(link)))
    assert link.is_symlink()
    assert real.stat().st_size > 0
    assert real.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    with pytest.raises(ConfigError, match=f"out={pipe}: is no plain file"):
        decide(replace(asked, out=str(pipe)))


def test_decisions_are_not_made_for_a_closed_standard_output(asked: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull, "w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        with pytest.raises(ConfigError, match="standard output is closed"):
            decide(asked)
