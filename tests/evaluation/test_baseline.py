"""Baselines on corpora small enough to count by hand."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from sentinel.evaluation._baseline import run_baselines, tabulate_baselines
from sentinel.evaluation._cross_fit import Method, assign_rows, choose_on, cross_fit, train_masks
from sentinel.evaluation._reading import read_held_out, read_paper
from sentinel.evaluation._sample import build_sample
from sentinel.fingerprint import FEATURES, Fingerprints
from sentinel.settings import ClassifierKind, ClassifierSettings, EvaluationSettings, ThresholdSettings

SETTINGS = EvaluationSettings(bootstrap=200)


def table_of(fingerprints: Fingerprints, kind: ClassifierKind = ClassifierKind.single_feature) -> pl.DataFrame:
    sample = build_sample(fingerprints, FEATURES[:2])
    method = Method(ClassifierSettings(kind=kind), ThresholdSettings(), 2, 0)
    fold = assign_rows(sample.rows, 2, 0)
    train = train_masks(sample.rows, fold)
    fit = cross_fit(sample.rows, fold, train, method, sample.debates.totals)
    chosen = choose_on(fit.picks, method.threshold, sample.debates.totals)
    readings = (read_paper(sample, fit, chosen), read_held_out(sample, fit))
    return tabulate_baselines(sample, run_baselines(sample, fit, train, method, readings, 2), SETTINGS, 0)


def row_of(table: pl.DataFrame, method: str, reading: str = "none") -> dict[str, Any]:
    return table.row(by_predicate=(pl.col("method") == method) & (pl.col("reading") == reading), named=True)


def counts(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["cf"], row["harmful"], row["neutral"], row["wf"]


def four_splits(make: SimpleNamespace, rulings: Sequence[str | None] = (None,) * 4) -> Fingerprints:
    """Two minority truths, one right majority, one with both wrong, and one unanimous right debate."""
    labels = ["minority_correct", "minority_correct", "majority_correct", "both_wrong"]
    golds = ["B", "B", "A", "C"]
    pairs = []
    for i, (label, gold, ruling) in enumerate(zip(labels, golds, rulings, strict=True)):
        judged = {} if ruling is None else {"ruling": ruling, "ruling_correct": ruling == gold}
        pairs.append(make.split(f"d{i}", label, [float(i), 0.0], **judged))
    debates, candidates = zip(*pairs, strict=True)
    return make.fingerprints([*debates, make.debate("e")], candidates)


def test_the_bounds_by_hand(make: SimpleNamespace) -> None:
    table = table_of(four_splits(make))
    assert counts(row_of(table, "majority_voting")) == (0, 0, 0, 0)
    assert row_of(table, "majority_voting")["ng_exact"] == 0.0
    minority = row_of(table, "always_minority")
    assert counts(minority) == (2, 1, 1, 2)
    assert (minority["ng_exact"], minority["ng_paper"], minority["recovery"]) == (0.2, 0.0, 1.0)
    oracle = row_of(table, "oracle")
    assert counts(oracle) == (2, 0, 0, 0)
    assert (oracle["ng_exact"], oracle["flip_precision_exact"], oracle["recovery"]) == (0.4, 1.0, 1.0)


def test_a_judge_is_scored_by_the_answer_it_gives(make: SimpleNamespace) -> None:
    # It sides with a right minority, keeps a wrong majority, harms a right one, swaps one wrong answer for another.
    row = row_of(table_of(four_splits(make, ["B", "A", "B", "D"])), "llm_judge")
    assert counts(row) == (1, 1, 1, 2)
    assert row["note"] is None
    assert row["recovery"] == 0.5
    assert (row["ng_exact"], row["ng_paper"]) == (0.0, -0.2)


def test_a_judge_may_find_what_no_agent_said(make: SimpleNamespace) -> None:
    row = row_of(table_of(four_splits(make, ["A", "A", "A", "C"])), "llm_judge")
    assert counts(row) == (1, 0, 0, 0)
    assert row["recovery"] == 0.0
    assert row["note"] == "1 of its right answers no agent gave in the end"


def test_missing_rulings_are_said(make: SimpleNamespace) -> None:
    row = row_of(table_of(four_splits(make, ["B", None, None, "A"])), "llm_judge")
    assert counts(row) == (1, 0, 0, 0)
    assert row["note"] == "rulings for 2 of 4 divergent debates; the vote stands there"


def test_a_ruling_without_an_answer_is_no_flip(make: SimpleNamespace) -> None:
    labels = ["minority_correct", "majority_correct"]
    pairs = [make.split(f"d{i}", label, [0.0, 0.0], ruling_correct=False) for i, label in enumerate(labels)]
    debates, candidates = zip(*pairs, strict=True)
    row = row_of(table_of(make.fingerprints(debates, candidates)), "llm_judge")
    assert counts(row) == (0, 0, 0, 0)
    assert row["note"] == "2 rulings without a readable answer; the vote stands there"


@pytest.mark.parametrize(
    ("method", "reading", "note"),
    [
        ("llm_judge", "none", "no rulings recorded"),
        ("self_consistency", "none", "no samples recorded"),
        ("single_best_agent", "cross_fitted", "no agents recorded"),
    ],
)
def test_missing_data_give_a_row_without_numbers(make: SimpleNamespace, method: str, reading: str, note: str) -> None:
    row = row_of(table_of(four_splits(make)), method, reading)
    assert {value for name, value in row.items() if name not in ("method", "reading")} == {None, note}


def test_the_best_agent_is_chosen_by_name_and_domain(make: SimpleNamespace) -> None:
    # In s/0 "ann" is always right, in s/1 "bob" is; each is wrong in the other. The vote is right in every second one.
    debates = []
    for i in range(16):
        home = i % 2
        gold = "A" if i // 2 % 2 else "B"
        right = [home == 0, home == 1, False]
        debates.append(
            make.debate(f"d{i}", f"s/{home}", gold=gold, agent_names=["ann", "bob", "eve"], agent_correct=right)
        )
    # An agent that cannot be compared: the one debate without ann keeps the vote.
    debates.append(make.debate("x", "s/0", gold="A", agent_names=["eve"], agent_correct=[False]))
    row = row_of(table_of(make.fingerprints(debates, [])), "single_best_agent", "cross_fitted")
    assert (row["cf"], row["harmful"]) == (8, 0)
    assert row["ng_exact"] == pytest.approx(8 / 17)
    assert row["neutral"] is row["wf"] is row["ng_paper"] is None
    assert row["note"] == "by domain, chosen in the training folds: ann, bob"


def test_the_agent_is_chosen_without_the_fold_it_answers(make: SimpleNamespace) -> None:
    # Two questions, hence two folds: who is right in one is wrong in the other, so the choice fails both times.
    sides = [("B", [True, False]), ("A", [False, True])]
    pairs = [
        make.split(
            f"d{i}",
            "minority_correct" if gold == "B" else "majority_correct",
            [0.0, 0.0],
            agent_names=["ann", "bob"],
            agent_correct=right,
        )
        for i, (gold, right) in enumerate(sides)
    ]
    debates, candidates = zip(*pairs, strict=True)
    row = row_of(table_of(make.fingerprints(debates, candidates)), "single_best_agent", "cross_fitted")
    assert (row["cf"], row["harmful"]) == (0, 1)


def test_samples_are_compared_where_they_exist(make: SimpleNamespace) -> None:
    # K = 3, R = 2: nine calls a debate. One gains, one loses, one agrees, one has no samples, one has too few.
    answers = [("B", True, 9), ("A", False, 9), ("A", True, 9), ("B", None, None), ("B", False, 4)]
    debates = [
        make.debate(f"d{i}", gold=gold, samples=number, samples_correct=right)
        for i, (gold, right, number) in enumerate(answers)
    ]
    row = row_of(table_of(make.fingerprints(debates, [])), "self_consistency")
    assert (row["cf"], row["harmful"], row["ng_exact"]) == (1, 1, 0.0)
    assert row["note"] == (
        "samples for 4 of 5 debates; the vote stands in the others; fewer samples than calls in 1 of them"
    )


def test_refitted_baselines_have_both_readings_and_say_what_they_chose(make: SimpleNamespace) -> None:
    table = table_of(make.draw(effect=3.0), ClassifierKind.logistic_regression)
    for reading in ("paper", "cross_fitted"):
        assert row_of(table, "single_best_feature", reading)["note"] == "total_stance_changes in 2 of 2 folds"
        same, ours = row_of(table, "logistic_regression", reading), row_of(table, "sentinel", reading)
        assert same["note"] == "same as sentinel"
        assert {**same, "method": "", "note": ""} == {**ours, "method": "", "note": ""}
        assert ours["cf"] > 0
        assert ours["ng_exact_low"] <= ours["ng_exact"] <= ours["ng_exact_high"]


def test_given_up_answers_are_not_the_minority_to_trust(make: SimpleNamespace) -> None:
    pairs = [
        make.split("a", "minority_correct", [0.0, 0.0]),
        make.split("b", "minority_correct", [0.0, 0.0], origin="given_up"),
    ]
    debates, candidates = zip(*pairs, strict=True)
    assert counts(row_of(table_of(make.fingerprints(debates, candidates)), "always_minority")) == (1, 0, 0, 0)


def test_the_larger_camp_then_the_first_speaker_is_the_minority(make: SimpleNamespace) -> None:
    owner, candidate = make.split("a", "both_wrong", agents=7)
    right = {**candidate, "candidate": "C", "label": "minority_correct"}
    for shape, found in (({"size": 2}, 1), ({"first_speaker": 0}, 1), ({"first_speaker": 5}, 0)):
        rows = make.fingerprints([{**owner, "minority_truth": True}], [candidate, {**right, **shape}])
        assert row_of(table_of(rows), "always_minority")["cf"] == found
    assert np.isclose(row_of(table_of(rows), "oracle")["recovery"], 1.0)
