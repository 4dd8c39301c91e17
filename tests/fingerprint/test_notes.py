"""What is said of a corpus beside its numbers."""

from dataclasses import replace

import polars as pl
import pytest

from sentinel.fingerprint import FEATURES, Fingerprints, fingerprint_corpus, note_missing, select_features
from sentinel.records import Agent, AnswerType, Audit, Corpus, Debate, Ruling, Status, Turn
from sentinel.settings import FeatureGroup, FeatureGroupsSettings


def debate(name: str, dataset: str, *panel: tuple[str, str | None, str | None]) -> Debate:
    """Return a debate of one round, 2:1, by agents of (name, model, role)."""
    agents = tuple(Agent(*agent) for agent in panel)
    turns = tuple(Turn(agent.name, letter, Status.OK, "Text.") for agent, letter in zip(agents, "AAB", strict=True))
    return Debate(name, dataset, "test", name, "Which?", None, AnswerType.CHOICE, "A", agents, (turns,))


ONE = (("a", "m1", "r"), ("b", "m1", "r"), ("c", "m1", "r"))
OTHER_MODEL = (("a", "m1", "r"), ("b", "m2", "r"), ("c", "m1", "r"))
OTHER_ROLE = (("a", "m1", "s"), ("b", "m1", "r"), ("c", "m1", "r"))


def notes(*debates: Debate, **more: object) -> tuple[str, ...]:
    return fingerprint_corpus(Corpus("toy", debates, **more)).notes


def test_panels_mixed_in_one_domain_are_counted() -> None:
    (note,) = notes(
        debate("1", "x", *ONE),
        debate("2", "x", *OTHER_MODEL),
        debate("3", "x", *OTHER_ROLE),
        # The same panel in another order, and one panel in a domain of its own.
        debate("4", "x", *reversed(ONE)),
        debate("5", "y", *OTHER_MODEL),
    )
    assert "test/x (3 panels);" in note and "test/y" not in note


def test_panels_that_nobody_recorded_are_not_told_apart() -> None:
    nameless = tuple((name, None, None) for name in "abc")
    others = tuple((name, None, None) for name in "def")
    assert notes(debate("1", "x", *nameless), debate("2", "x", *others)) == ()


def test_who_audited_and_who_ruled_is_said() -> None:
    debates = tuple(debate(name, "x", *ONE) for name in "123")
    audits = {(name, "B"): Audit(name, "B", auditor) for name, auditor in zip("123", "VWW", strict=True)}
    audits["3", "C"] = Audit("3", "C", "failing", status=Status.FAILED)
    rulings = {"1": Ruling("1", "A", Status.OK, "J")}
    said = ("audits used are those of W (2), V (1)", "rulings used are those of J (1)")
    corpus = Corpus("toy", debates, audits=audits, rulings=rulings)
    assert fingerprint_corpus(corpus).notes == said
    assert fingerprint_corpus(corpus, lexical=True).notes == said[1:]
    assert fingerprint_corpus(replace(corpus, simulated=True)).notes == ()


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([FeatureGroup.meta], ()),
        (
            [FeatureGroup.meta, FeatureGroup.audit],
            (
                "audit features missing for 1 of 2 candidates",
                "audit features partly missing for 1 of 2 candidates",
            ),
        ),
    ],
)
def test_only_features_in_use_are_said_to_be_missing(groups: list[FeatureGroup], expected: tuple[str, ...]) -> None:
    audits = {("1", "B"): Audit("1", "B", "V", minority_new_evidence=1.0)}
    corpus = Corpus("toy", (debate("1", "x", *ONE), debate("2", "x", *ONE)), audits=audits)
    features = select_features(FeatureGroupsSettings("some", groups))
    assert note_missing(fingerprint_corpus(corpus), features) == expected


def test_null_is_missing_as_not_a_number_is() -> None:
    frame = pl.DataFrame({name: [None, float("nan"), 1.0] for name in FEATURES})
    prints = Fingerprints(pl.DataFrame(), frame, "toy", False, "", ())
    assert note_missing(prints, FEATURES[:10]) == ("dynamics features missing for 2 of 3 candidates",)
