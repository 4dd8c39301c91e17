"""Folds keep questions whole and labels balanced; out-of-fold predictions never see their own question."""

import numpy as np
import pytest

from sentinel.classifier import assign_folds, out_of_fold
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind, ClassifierSettings


def counts(y, fold):
    """Rows per fold and label."""
    return np.array([[np.sum((fold == f) & (y == label)) for label in (0, 1)] for f in range(fold.max() + 1)])


@pytest.mark.parametrize(("n", "positives"), [(686, 175), (53, 7), (33, 14), (11, 3)])
def test_single_rows_are_stratified_as_well_as_can_be(n, positives):
    y = np.random.default_rng(1).permutation(np.arange(n) < positives).astype(int)
    table = counts(y, assign_folds(y, np.arange(n), 5, 0))
    # No label can be spread better than within one of each other, and neither can the rows.
    assert np.ptp(table, axis=0).max() <= 1
    assert np.ptp(table.sum(axis=1)) <= 1


def test_questions_stay_whole_and_labels_balanced():
    generator = np.random.default_rng(2)
    groups = np.repeat(np.arange(120), generator.integers(1, 12, 120))
    y = (generator.random(len(groups)) < 0.25).astype(int)
    fold = assign_folds(y, groups, 5, 0)
    for group in range(120):
        assert len(set(fold[groups == group])) == 1
    rate = counts(y, fold)[:, 1] / y.sum()
    assert np.abs(rate - 0.2).max() < 0.03
    assert np.abs(np.bincount(fold) / len(y) - 0.2).max() < 0.03


def test_the_order_of_rows_and_the_seed_shuffle():
    y, groups = np.arange(40) % 2, np.arange(40)
    assert not np.array_equal(assign_folds(y, groups, 5, 0), assign_folds(y, groups, 5, 1))
    assert np.array_equal(assign_folds(y, groups, 5, 0), assign_folds(y, groups, 5, 0))
    # Dealing in reading order would give neighbours of one label the folds 0, 1, 2, ... in turn.
    assert not np.array_equal(np.sort(assign_folds(y, groups, 5, 0)[:10]), np.repeat(np.arange(5), 2))


def test_awkward_cases():
    assert assign_folds([], [], 5, 0).tolist() == []
    assert set(assign_folds([0] * 10, np.arange(10), 5, 0)) == {0, 1, 2, 3, 4}
    assert sorted(assign_folds([0, 1, 0], ["a", "b", "c"], 5, 0)) == [0, 1, 2]
    assert assign_folds([0, 1], ["a", "a"], 5, 0).tolist() == [0, 0]
    # One positive: one fold has it, the others lack the class, and that is fine.
    assert counts(np.eye(1, 10, dtype=int)[0], assign_folds(np.eye(1, 10)[0], np.arange(10), 5, 0))[:, 1].sum() == 1


def test_predictions_come_from_classifiers_that_did_not_see_the_question():
    # A question's rows share a value found nowhere else, and its label is a coin toss: only a leak could tell it.
    generator = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), 6)
    y = np.repeat(generator.integers(0, 2, 60), 6)
    X = groups[:, None].astype(float)
    result = out_of_fold(ClassifierSettings(), X, y, groups, 5, 0)
    assert ((result.probability > 0.5) == y).mean() < 0.75
    assert len(result.classifiers) == 5
    for f, classifier in enumerate(result.classifiers):
        held_out = result.fold == f
        assert np.array_equal(classifier.predict_proba(X[held_out])[:, 1], result.probability[held_out])
    # The same data without groups leaks.
    leaky = out_of_fold(ClassifierSettings(), X, y, np.arange(360), 5, 0)
    assert ((leaky.probability > 0.5) == y).mean() > 0.8


def test_names_and_weights_reach_the_classifiers():
    X, y = np.random.default_rng(0).normal(size=(40, 1)), np.arange(40) % 2
    settings = ClassifierSettings(ClassifierKind.logistic_regression)
    plain = out_of_fold(settings, X, y, np.arange(40), 4, 0, feature_names=["only"])
    heavy = out_of_fold(settings, X, y, np.arange(40), 4, 0, sample_weight=1.0 + 9.0 * y)
    assert plain.classifiers[0].feature_names_in_ == ("only",)
    assert (heavy.probability > plain.probability + 0.2).all()


def test_a_fold_without_a_class_is_predicted_at_the_rate_of_the_rest():
    y = np.array([1, 0, 0, 0])
    result = out_of_fold(ClassifierSettings(), np.arange(4.0)[:, None], y, np.arange(4), 4, 0)
    # Without the only positive, training has one class.
    assert result.probability[0] == 0.0


def test_one_question_is_an_error():
    with pytest.raises(ClassifierError, match="2 different questions"):
        out_of_fold(ClassifierSettings(), [[0.0], [1.0]], [0, 1], ["a", "a"], 5, 0)
