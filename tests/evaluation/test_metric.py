"""Scores against the paper's counts and hand-worked cases; AUC against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from sentinel.evaluation._metric import CORRECT, HARMFUL, KEPT, NEUTRAL, auc, score
from sentinel.evaluation._sample import DebateArrays


def debates_of(
    voted_correct: list[bool], divergent: list[bool], truth: list[bool], given_up: list[bool] | None = None
) -> DebateArrays:
    n = len(voted_correct)
    return DebateArrays(
        domains=("s/d",),
        domain=np.zeros(n, dtype=np.int64),
        question=np.arange(n),
        voted_correct=np.array(voted_correct),
        divergent=np.array(divergent),
        minority_truth=np.array(truth),
        given_up=np.array(given_up or [False] * n),
        recoverable=np.array(truth),
    )


def test_the_papers_counts_give_the_papers_figures() -> None:
    # 1,754 debates, 686 divergent, of which 175 minority truths; the paper folds both-wrong debates into wrong ones.
    truth, others, rest = 175, 511, 1754 - 686
    debates = debates_of(
        [False] * truth + [True] * others + [True] * 793 + [False] * (rest - 793),
        [True] * 686 + [False] * rest,
        [True] * truth + [False] * (1754 - truth),
    )
    outcome = np.full(1754, KEPT)
    outcome[:39] = CORRECT
    outcome[truth : truth + 9] = HARMFUL
    scores = score(debates, outcome)
    assert (scores.n, scores.divergent, scores.minority_truths) == (1754, 686, 175)
    assert (scores.flips, scores.cf, scores.wf, scores.right_majorities) == (48, 39, 9, 511)
    assert scores.flip_precision_paper == 0.8125
    assert round(100 * scores.recovery, 1) == 22.3
    assert round(100 * scores.ng_paper, 2) == 1.71
    assert scores.ng_exact == scores.ng_paper
    assert scores.preservation_paper == scores.preservation_exact == pytest.approx(502 / 511)
    # Table 2: the vote is right in 1,304 of 1,754 debates.
    assert debates.voted_correct.sum() == 1304
    assert round(100 * (1304 + 175) / 1754, 1) == 84.3


def test_the_two_accountings_differ_by_neutral_flips() -> None:
    # Five divergent debates: two minority truths, one right majority, two with both wrong; one debate without dissent.
    debates = debates_of(
        [False, False, True, False, False, True],
        [True, True, True, True, True, False],
        [True, True, False, False, False, False],
    )
    scores = score(debates, np.array([CORRECT, KEPT, KEPT, NEUTRAL, KEPT, KEPT]))
    assert (scores.cf, scores.wf, scores.harmful, scores.neutral) == (1, 1, 0, 1)
    assert scores.ng_exact == pytest.approx(1 / 6)
    assert scores.ng_paper == 0
    assert (scores.flip_precision_exact, scores.flip_precision_paper) == (1.0, 0.5)
    assert scores.recovery == 0.5
    # Exact: the one right majority is kept. Paper: of three debates with y = 0 one is overturned.
    assert scores.preservation_exact == 1.0
    assert scores.preservation_paper == pytest.approx(2 / 3)


def test_preservation_is_that_of_divergent_debates_and_harm_that_of_all_contested_ones() -> None:
    # Two divergent right majorities, one of them overturned; two unanimous ones contested, one nobody contests.
    debates = debates_of([True] * 5, [True, True, False, False, False], [False] * 5, [False, False, True, True, False])
    scores = score(debates, np.array([HARMFUL, KEPT, KEPT, KEPT, KEPT]))
    assert (scores.harmful, scores.right_majorities) == (1, 4)
    assert scores.preservation_exact == scores.preservation_paper == 0.5
    unanimous = score(debates, np.array([KEPT, KEPT, HARMFUL, KEPT, KEPT]))
    assert (unanimous.harmful, unanimous.right_majorities, unanimous.preservation_exact) == (1, 4, 1.0)


def test_a_wrong_candidate_of_a_minority_truth_is_no_majority_lost() -> None:
    # K > 3: another candidate was right, the flip went to a wrong one. No recovery, yet nothing with y = 0 was lost.
    debates = debates_of([False, True], [True, True], [True, False])
    scores = score(debates, np.array([NEUTRAL, KEPT]))
    assert (scores.recovery, scores.preservation_paper, scores.preservation_exact) == (0.0, 1.0, 1.0)
    assert scores.wf == 1


def test_shares_without_a_denominator_are_missing() -> None:
    scores = score(debates_of([True], [False], [False]), np.array([KEPT]))
    assert scores.flip_precision_paper is scores.flip_precision_exact is scores.recovery is None
    assert scores.preservation_exact is None
    assert scores.ng_exact == 0.0


def test_auc_by_hand() -> None:
    # Pairs (0.9 > 0.1), (0.9 > 0.5), (0.5 > 0.1), (0.5 = 0.5): 3.5 of 4.
    assert auc(np.array([1, 1, 0, 0]), np.array([0.9, 0.5, 0.1, 0.5])) == 0.875


@pytest.mark.parametrize("seed", range(5))
def test_auc_with_ties_is_scikit_learns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 200)
    p = np.round(rng.random(200), 1)
    assert auc(y, p) == pytest.approx(roc_auc_score(y, p), abs=1e-12)


def test_auc_of_one_class_is_missing_and_rows_without_probability_are_left_out() -> None:
    assert auc(np.array([1, 1]), np.array([0.2, 0.3])) is None
    assert auc(np.zeros(0, dtype=np.int64), np.zeros(0)) is None
    assert auc(np.array([1, 0, 0]), np.array([0.5, 0.1, np.nan])) == 1.0
