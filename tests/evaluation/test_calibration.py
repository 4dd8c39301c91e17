"""Calibration against scikit-learn and by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from sentinel.evaluation._calibration import calibrate
from sentinel.evaluation._interval import wilson
from sentinel.evaluation._sample import Rows, build_sample


def rows_of(make: SimpleNamespace, y: list[int], question: list[int] | None = None) -> Rows:
    labels = {0: "majority_correct", 1: "minority_correct"}
    keys = question or list(range(len(y)))
    pairs = [make.split(f"d{i}", labels[value], [0.0], question=f"k{keys[i]}") for i, value in enumerate(y)]
    debates, candidates = zip(*pairs, strict=True)
    return build_sample(make.fingerprints(debates, candidates), ("total_stance_changes",)).rows


def test_brier_and_curve_are_scikit_learns(make: SimpleNamespace) -> None:
    rng = np.random.default_rng(0)
    p = rng.random(300)
    y = (rng.random(300) < p**2).astype(int)
    found = calibrate(rows_of(make, y.tolist()), p, 0.95)
    assert found.brier == pytest.approx(brier_score_loss(y, p))
    rate, mean = calibration_curve(y, p, n_bins=10)
    assert found.table["observed_rate"].to_list() == pytest.approx(rate.tolist())
    assert found.table["mean_probability"].to_list() == pytest.approx(mean.tolist())
    weights = found.table["count"].to_numpy() / 300
    assert found.ece == pytest.approx(float((weights * np.abs(rate - mean)).sum()))


def test_bins_by_hand(make: SimpleNamespace) -> None:
    # 0.05 and 0.0 lie in the first bin, 1.0 in the last; rates 0.5 and 1, so ECE = 2/3 x 0.475 + 1/3 x 0.
    found = calibrate(rows_of(make, [0, 1, 1]), np.array([0.05, 0.0, 1.0]), 0.95)
    assert found.table["count"].to_list() == [2, *[0] * 8, 1]
    assert found.ece == pytest.approx(2 / 3 * 0.475)
    first, empty = found.table.row(0, named=True), found.table.row(4, named=True)
    assert (first["rate_low"], first["rate_high"]) == pytest.approx(wilson(0.5, 2, 0.95))
    assert empty["observed_rate"] is empty["rate_low"] is empty["mean_probability"] is None


def test_repeats_count_as_one_question(make: SimpleNamespace) -> None:
    found = calibrate(rows_of(make, [1, 0, 1, 0], [0, 0, 1, 1]), np.full(4, 0.55), 0.95)
    row = found.table.row(5, named=True)
    assert (row["rate_low"], row["rate_high"]) == pytest.approx(wilson(0.5, 2, 0.95))


def test_no_probabilities_no_scores(make: SimpleNamespace) -> None:
    found = calibrate(rows_of(make, [1]), np.array([np.nan]), 0.95)
    assert found.brier is found.ece is None
    assert found.table["count"].sum() == 0
