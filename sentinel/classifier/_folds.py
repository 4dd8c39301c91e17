"""Folds that never split a question, and predictions for rows that their classifier has not seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentinel.classifier._classifier import Classifier, FloatArray, IntArray
from sentinel.classifier._factory import make_classifier
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierSettings


def assign_folds(y: npt.ArrayLike, groups: npt.ArrayLike, n_folds: int, random_state: int) -> IntArray:
    """Return a fold 0..k-1 for each row (n,), where k is the smaller of `n_folds` and the number of groups.

    Rows of a group share a fold, and folds are shuffled and balanced by label: groups of the same make-up (rows of each
    label) are dealt out in turn, those with the most positives first, each deal starting at the folds that hold least.
    With groups of one row this is a stratified k-fold: per fold, each label's count differs by one at most.
    """
    labels = np.asarray(y).astype(np.int64)
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    if not len(labels):
        return np.zeros(0, dtype=np.int64)
    n_groups = int(group.max()) + 1
    k = max(1, min(n_folds, n_groups))
    generator = np.random.default_rng(random_state)
    size = np.bincount(group, minlength=n_groups)
    positives = np.bincount(group, weights=labels, minlength=n_groups).astype(np.int64)
    shuffled = generator.permutation(n_groups)
    # Stable, so that groups of one make-up stay shuffled.
    order = shuffled[np.lexsort((-size[shuffled], -positives[shuffled]))]
    make_up = np.stack([positives[order], size[order]], axis=1)
    starts = np.flatnonzero(np.any(make_up[1:] != make_up[:-1], axis=1)) + 1
    fold_of = np.zeros(n_groups, dtype=np.int64)
    load = np.zeros((k, 2), dtype=np.int64)
    for members in np.split(order, starts):
        content = np.array([positives[members[0]], size[members[0]]])
        # Without positives only the number of rows is left to balance.
        first = load[:, 0] if content[0] else np.zeros(k, dtype=np.int64)
        least = np.lexsort((generator.permutation(k), load[:, 1], first))
        fold_of[members] = least[np.arange(len(members)) % k]
        load += np.bincount(fold_of[members], minlength=k)[:, None] * content
    return fold_of[group]


@dataclass(frozen=True, eq=False)
class OutOfFold:
    """For each row (n,) the probability from the classifier that did not see its group, and its fold; one classifier
    a fold, in order."""

    probability: FloatArray
    fold: IntArray
    classifiers: tuple[Classifier, ...]


def out_of_fold(
    settings: ClassifierSettings,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    groups: npt.ArrayLike,
    n_folds: int,
    random_state: int,
    sample_weight: npt.ArrayLike | None = None,
    feature_names: Sequence[str] | None = None,
) -> OutOfFold:
    """Fit one classifier for each fold on the other folds, and predict every row once.

    Raises ClassifierError where there are fewer than two groups.
    """
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(y)
    weights = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    fold = assign_folds(labels, groups, n_folds, random_state)
    if not len(fold) or fold.max() < 1:
        raise ClassifierError(
            f"out-of-fold predictions of {len(rows)} rows: at least 2 folds and 2 different questions are needed"
        )
    probability = np.zeros(len(rows))
    classifiers = []
    for held_out in range(int(fold.max()) + 1):
        train, test = fold != held_out, fold == held_out
        classifier = make_classifier(settings, random_state)
        classifier.fit(rows[train], labels[train], weights[train], feature_names)
        probability[test] = classifier.predict_proba(rows[test])[:, 1]
        classifiers.append(classifier)
    return OutOfFold(probability, fold, tuple(classifiers))
