"""Permutation of question blocks: what moves, what stays together, and the p value."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from sentinel.evaluation._cross_fit import Method
from sentinel.evaluation._permutation import find_blocks, permutation_p, permute, shuffle_blocks
from sentinel.evaluation._sample import Rows, build_sample
from sentinel.fingerprint import FEATURES
from sentinel.settings import ClassifierSettings, ThresholdSettings

METHOD = Method(ClassifierSettings(params={"num_iterations": 10}), ThresholdSettings(), 2, 0)


@pytest.fixture
def repeated(make: SimpleNamespace) -> Rows:
    """Two domains; questions of two debates all right or all wrong, and one question of three debates."""
    pairs = []
    for i in range(24):
        label = "minority_correct" if i // 2 % 3 == 0 else "both_wrong" if i // 2 % 3 == 1 else "majority_correct"
        pairs.append(make.split(f"d{i}", label, [float(i)], f"s/{i // 12}", question=f"k{i // 2}"))
    pairs += [make.split(f"x{i}", "majority_correct", [0.0], "s/0", question="single") for i in range(3)]
    debates, candidates = zip(*pairs, strict=True)
    return build_sample(make.fingerprints(debates, candidates), FEATURES[:1]).rows


def test_labels_move_as_blocks_within_their_domain(repeated: Rows) -> None:
    blocks = find_blocks(repeated)
    assert blocks.fixed == 3
    moved = 0
    for seed in range(10):
        order = shuffle_blocks(blocks, len(repeated), np.random.default_rng(seed))
        assert sorted(order) == list(range(len(repeated)))
        assert (repeated.domain[order] == repeated.domain).all()
        # The three debates without a partner keep their labels, and pairs stay pairs of one question.
        assert (order[24:] == np.arange(24, 27)).all()
        assert (repeated.question[order[0:24:2]] == repeated.question[order[1:24:2]]).all()
        shuffled = repeated.relabel(order)
        assert (shuffled.y[0:24:2] == shuffled.y[1:24:2]).all()
        assert shuffled.y.sum() == repeated.y.sum()
        assert not (shuffled.y & shuffled.majority_correct).any()
        assert (shuffled.x == repeated.x).all()
        moved += int((order != np.arange(len(repeated))).any())
    assert moved >= 9


def test_rival_candidates_move_together(make: SimpleNamespace) -> None:
    # Two debates with two candidates each, one with one: only the first two may trade labels.
    debates, candidates = [], []
    for name, labels in (("a", ("minority_correct", "both_wrong")), ("b", ("both_wrong", "both_wrong"))):
        for letter, label in zip("BC", labels, strict=True):
            owner, candidate = make.split(name, label)
            candidates.append({**candidate, "candidate": letter, "weight": 0.5})
        debates.append(owner)
    owner, candidate = make.split("c", "majority_correct")
    rows = build_sample(make.fingerprints([*debates, owner], [*candidates, candidate]), FEATURES[:1]).rows
    blocks = find_blocks(rows)
    assert blocks.fixed == 1
    orders = {tuple(shuffle_blocks(blocks, 5, np.random.default_rng(seed))) for seed in range(20)}
    assert orders == {(0, 1, 2, 3, 4), (2, 3, 0, 1, 4)}


def test_p_counts_ties_and_the_data_itself() -> None:
    # Two of four reach 0.01, one by a tie: (1 + 2) / (1 + 4).
    assert permutation_p(0.01, pl.Series([0.0, 0.01, 0.02, -0.01])) == 0.6
    assert permutation_p(0.5, pl.Series([0.0] * 19)) == 0.05


def test_processes_do_not_change_the_result(make: SimpleNamespace) -> None:
    rows = build_sample(make.draw(n=60, divergent=60), FEATURES[:2]).rows
    options = {"folds": 3, "permutations": 4, "cross_fitted": True}
    one, two = (permute(rows, METHOD, {"s/a": 30, "s/b": 30}, workers=workers, **options) for workers in (1, 2))
    assert one.equals(two)
    assert one["ng_cross_fitted_exact"].null_count() == 0


def test_a_reading_that_was_not_asked_for_is_missing(make: SimpleNamespace) -> None:
    rows = build_sample(make.draw(n=40, divergent=40), FEATURES[:2]).rows
    found = permute(rows, METHOD, {"s/a": 20, "s/b": 20}, 3, 2, cross_fitted=False, workers=1)
    assert found["ng_cross_fitted_exact"].null_count() == found["ng_cross_fitted_paper"].null_count() == 2
    assert found["ng_paper_reading_paper"].min() >= 0
