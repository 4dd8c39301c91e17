"""The core: how many fits, and that nothing of a fold reaches its own predictions or cut."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sentinel.classifier import Classifier
from sentinel.evaluation._cross_fit import (
    NEVER,
    CrossFit,
    Method,
    assign_rows,
    choose_on,
    cross_fit,
    derive_seed,
    train_masks,
)
from sentinel.evaluation._sample import Rows, Sample, build_sample
from sentinel.fingerprint import FEATURES
from sentinel.settings import ClassifierSettings, ThresholdKind, ThresholdScope, ThresholdSettings

QUICK = Method(ClassifierSettings(params={"num_iterations": 15}), ThresholdSettings(), 3, 0)


def sample_of(make: SimpleNamespace, **options: Any) -> Sample:
    return build_sample(make.draw(**options), FEATURES[:4])


def fit_folds(rows: Rows, totals: dict[str, int], folds: int = 5, method: Method = QUICK) -> CrossFit:
    fold = assign_rows(rows, folds, method.seed)
    return cross_fit(rows, fold, train_masks(rows, fold), method, totals)


@pytest.fixture
def count_fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    fitted: list[int] = []
    fit: Callable[..., Any] = Classifier.fit

    def counting(self: Classifier, X: Any, *args: Any, **named: Any) -> Classifier:
        fitted.append(len(X))
        return fit(self, X, *args, **named)

    monkeypatch.setattr(Classifier, "fit", counting)
    return fitted


def test_five_folds_of_five_take_thirty_fits(make: SimpleNamespace, count_fits: list[int]) -> None:
    sample = sample_of(make)
    fit_folds(sample.rows, sample.debates.totals, method=replace(QUICK, inner_folds=5))
    assert len(count_fits) == 30
    assert sorted(set(count_fits)) == sorted({72} | {n for n in count_fits if n < 72})


def test_a_fixed_cut_needs_no_inner_folds(make: SimpleNamespace, count_fits: list[int]) -> None:
    sample = sample_of(make)
    fixed = replace(QUICK, threshold=ThresholdSettings(kind=ThresholdKind.fixed, per=ThresholdScope.all, tau=0.4))
    fit = fit_folds(sample.rows, sample.debates.totals, method=fixed)
    assert len(count_fits) == 5
    assert (fit.flip == (fit.picks.probability > 0.4)).all()


def test_questions_are_never_split(make: SimpleNamespace) -> None:
    rows = sample_of(make, repeats=3).rows
    fold = assign_rows(rows, 5, 0)
    for question in np.unique(rows.question):
        assert len(set(fold[rows.question == question])) == 1


def test_training_rows_share_no_question_with_the_fold(make: SimpleNamespace) -> None:
    rows = sample_of(make, repeats=2).rows
    fold = np.arange(len(rows)) % 2
    # Every question with both of its debates is in both folds, so neither side may learn from it.
    for k, mask in enumerate(train_masks(rows, fold)):
        assert not set(rows.question[mask]) & set(rows.question[fold == k])


def test_labels_of_a_fold_reach_neither_its_probabilities_nor_its_cut(make: SimpleNamespace) -> None:
    sample = sample_of(make, effect=1.5)
    rows = sample.rows
    fold = assign_rows(rows, 5, 0)
    train = train_masks(rows, fold)
    before = cross_fit(rows, fold, train, QUICK, sample.debates.totals)
    inside = fold == 2
    lied = replace(rows, y=np.where(inside, 1 - rows.y, rows.y), majority_correct=rows.majority_correct & ~inside)
    after = cross_fit(lied, fold, train, QUICK, sample.debates.totals)
    assert (before.probability[inside] == after.probability[inside]).all()
    assert (before.probability[~inside] != after.probability[~inside]).any()
    assert before.thresholds[2] == after.thresholds[2]
    assert before.thresholds != after.thresholds


def test_the_papers_cut_never_loses_on_the_predictions_it_was_chosen_on(make: SimpleNamespace) -> None:
    for seed in range(4):
        sample = sample_of(make, seed=seed)
        fit = fit_folds(sample.rows, sample.debates.totals)
        flip = choose_on(fit.picks, QUICK.threshold, sample.debates.totals).apply(fit.picks)
        outcome = fit.picks.outcome[flip]
        assert (outcome == 1).sum() - (outcome != 1).sum() >= 0


def test_one_question_leaves_nothing_to_train_on(make: SimpleNamespace) -> None:
    sample = sample_of(make, n=6, divergent=6, repeats=6)
    fit = fit_folds(sample.rows, sample.debates.totals)
    assert np.isnan(fit.probability).all()
    assert fit.thresholds == (NEVER,)
    assert len(fit.picks) == 0


def test_no_candidates_no_folds(make: SimpleNamespace) -> None:
    sample = sample_of(make, divergent=0)
    fit = fit_folds(sample.rows, sample.debates.totals)
    assert len(fit.probability) == len(fit.thresholds) == len(fit.picks) == 0


def test_parts_of_the_work_have_seeds_of_their_own() -> None:
    seeds = [derive_seed(seed, stream, part) for seed in range(5) for stream in range(5) for part in range(5)]
    assert len(set(seeds)) == 125
    assert all(0 <= seed < 2**31 for seed in seeds)
