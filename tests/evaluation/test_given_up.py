"""Answers given up on the way: candidates of their own, reported apart from those of the final split."""

from types import SimpleNamespace

import polars as pl
import pytest
from evaluating import run

from sentinel.fingerprint import Fingerprints
from sentinel.settings import (
    ThresholdKind,
    ThresholdSettings,
)


def with_given_up(make: SimpleNamespace) -> Fingerprints:
    """Sixty contested debates, 20 of them unanimous in the end; the leading feature tells the right half of each."""
    pairs = []
    for i in range(60):
        right = i % 2 == 0
        label = "minority_correct" if right else "majority_correct"
        origin = "given_up" if i % 3 == 0 else "final_split"
        pairs.append(make.split(f"d{i}", label, [float(right), 0.0, 0.0, 0.0], origin=origin))
    debates, candidates = zip(*pairs, strict=True)
    return make.fingerprints(debates, candidates)


def test_given_up_answers_are_reported_apart(make: SimpleNamespace) -> None:
    found = run(with_given_up(make), baselines=True)
    corpus, reading = found.metrics["corpus"], found.metrics["overall"]["cross_fitted"]
    assert (corpus["divergent"], corpus["minority_truths"]) == (40, 20)
    assert (corpus["given_up_candidates"], corpus["given_up_truths"]) == (20, 10)
    assert reading["cf"] == reading["flips"] == 30
    flips = {"flips": 10, "cf": 10, "harmful": 0, "neutral": 0}
    kept = {"preservation_paper": 1.0, "preservation_exact": 1.0}
    assert reading["given_up"] == {"debates": 20, "right_majorities": 10, **flips, **kept}
    assert reading["right_majorities"] == 30
    assert reading["recovery"] == 1.0
    assert found.predictions.filter(pl.col("origin") == "given_up")["flip_cross_fitted"].sum() == 10
    # 30 of 60 votes are right, 20 more with the minority truths of the final split, all with those given up.
    assert corpus["oracle_accuracy"] == pytest.approx(50 / 60)
    assert (corpus["recoverable"], corpus["oracle_accuracy_any_round"]) == (30, 1.0)
    oracle = found.tables["baselines"].row(by_predicate=pl.col("method") == "oracle", named=True)
    assert (oracle["cf"], oracle["harmful"], oracle["ng_exact"]) == (30, 0, 0.5)
    assert oracle["note"] == "with 10 right answers given up on the way"


def test_harm_to_unanimous_debates_is_reported_apart(make: SimpleNamespace) -> None:
    everything = ThresholdSettings(kind=ThresholdKind.fixed, tau=0.0)
    reading = run(with_given_up(make), threshold=everything).metrics["overall"]["paper"]
    assert (reading["flips"], reading["harmful"], reading["right_majorities"]) == (60, 30, 30)
    given_up = reading["given_up"]
    assert (given_up["flips"], given_up["harmful"], given_up["preservation_exact"]) == (20, 10, 0.0)
    assert reading["preservation_exact"] == 0.0


def test_without_given_up_answers_there_is_one_oracle(make: SimpleNamespace) -> None:
    found = run(make.draw(), baselines=True)
    corpus = found.metrics["corpus"]
    assert corpus["oracle_accuracy_any_round"] is None
    assert corpus["recoverable"] == corpus["minority_truths"]
    assert found.metrics["overall"]["paper"]["given_up"]["preservation_exact"] is None
    assert found.tables["baselines"].filter(method="oracle")["note"][0] is None
