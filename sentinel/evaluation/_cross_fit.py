"""The core of every protocol: predict each fold from the others, and choose each fold's cut without it.

Two readings come from it: `paper` chooses one set of cuts on the out-of-fold predictions that are scored;
`cross_fitted` chooses a set for each fold by an inner cross-validation within the rows that train it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sentinel.classifier import Classifier, assign_folds, make_classifier, out_of_fold
from sentinel.evaluation._sample import BoolArray, FloatArray, IntArray, Rows
from sentinel.settings import ClassifierSettings, ThresholdKind, ThresholdScope, ThresholdSettings
from sentinel.threshold import Picks, Thresholds, ThresholdSelector, pick_candidates

NEVER = Thresholds({}, None, ThresholdScope.all)


@dataclass(frozen=True)
class Method:
    """A rule to be tested: classifier, choice of the cut, the folds it is chosen in, and the seed of all of it."""

    classifier: ClassifierSettings
    threshold: ThresholdSettings
    inner_folds: int
    seed: int


@dataclass(frozen=True, eq=False)
class CrossFit:
    """Out-of-fold predictions of the candidate rows (n,), and the cut of each fold.

    `probability` is NaN where no row was left to train on; such rows have no pick, and their debates are kept. `flip`
    is aligned with `picks`; `thresholds` has one entry a fold.
    """

    fold: IntArray
    probability: FloatArray
    picks: Picks
    thresholds: tuple[Thresholds, ...]
    flip: BoolArray
    classifiers: tuple[Classifier, ...]


def derive_seed(seed: int, *path: int) -> int:
    """Return a seed for one part of the work, a 31-bit number, independent of those of other parts."""
    return int(np.random.SeedSequence([seed, *path]).generate_state(1)[0] & 0x7FFFFFFF)


def assign_rows(rows: Rows, n_folds: int, seed: int) -> IntArray:
    """Return the fold of each row: stratified by label, grouped by question over all domains."""
    return assign_folds(rows.y, rows.question, n_folds, seed)


def train_masks(rows: Rows, fold: IntArray) -> tuple[BoolArray, ...]:
    """Return for each fold the rows (n,) it may learn from: those of other folds that share no question with it."""
    n_folds = int(fold.max()) + 1 if len(fold) else 0
    return tuple((fold != k) & ~np.isin(rows.question, rows.question[fold == k]) for k in range(n_folds))


def cross_fit(
    rows: Rows, fold: IntArray, train: tuple[BoolArray, ...], method: Method, totals: Mapping[str, int]
) -> CrossFit:
    """Return predictions and cuts for each fold; fits folds x (inner folds + 1) classifiers, no more.

    The classifier that predicts a fold is the one refitted on all its training rows.
    """
    probability, classifiers = predict_folds(rows, fold, train, method)
    picks = pick_rows(rows, probability)
    thresholds = tuple(
        choose_within(rows.take(mask), method, totals, k) if (fold == k).any() else NEVER
        for k, mask in enumerate(train)
    )
    flip = np.zeros(len(picks.row), dtype=np.bool_)
    for k, chosen in enumerate(thresholds):
        held_out = fold[picks.row] == k
        flip[held_out] = chosen.apply(picks.select(held_out))
    return CrossFit(fold, probability, picks, thresholds, flip, classifiers)


def predict_folds(
    rows: Rows, fold: IntArray, train: tuple[BoolArray, ...], method: Method
) -> tuple[FloatArray, tuple[Classifier, ...]]:
    """Return the probability (n,) of each row by a classifier fitted on its fold's training rows, and those fitted."""
    probability = np.full(len(rows), np.nan)
    classifiers = []
    for k, mask in enumerate(train):
        held_out = fold == k
        if mask.any() and held_out.any():
            classifier = make_classifier(method.classifier, method.seed)
            classifier.fit(rows.x[mask], rows.y[mask], rows.weight[mask])
            probability[held_out] = classifier.predict_proba(rows.x[held_out])[:, 1]
            classifiers.append(classifier)
    return probability, tuple(classifiers)


def choose_within(rows: Rows, method: Method, totals: Mapping[str, int], part: int) -> Thresholds:
    """Return cuts chosen on out-of-fold predictions within `rows`; "never flip" for rows of a single question.

    `totals` only scales net gain within a domain, so that of the whole sample serves.
    """
    if method.threshold.kind is ThresholdKind.fixed:
        return choose_on(pick_rows(rows, np.zeros(len(rows))), method.threshold, totals)
    if len(np.unique(rows.question)) < 2:
        return NEVER
    seed = derive_seed(method.seed, 1, part)
    inner = out_of_fold(method.classifier, rows.x, rows.y, rows.question, method.inner_folds, seed, rows.weight)
    return choose_on(pick_rows(rows, inner.probability), method.threshold, totals)


def choose_on(picks: Picks, threshold: ThresholdSettings, totals: Mapping[str, int]) -> Thresholds:
    """Return the cuts chosen on these picks themselves (the paper reading when they are scored too)."""
    if not len(picks.row):
        return NEVER
    return ThresholdSelector(threshold).fit(picks, totals).thresholds_


def pick_rows(rows: Rows, probability: FloatArray) -> Picks:
    """Return the most probable candidate of each debate, among rows with a probability; `row` counts in `rows`."""
    known = np.flatnonzero(np.isfinite(probability))
    picks = pick_candidates(
        rows.debate[known],
        probability[known],
        rows.size[known],
        rows.first_speaker[known],
        rows.y[known] == 1,
        rows.majority_correct[known],
        rows.domain[known],
        rows.question_key[known],
        rows.given_up[known],
    )
    return replace(picks, row=known[picks.row])
