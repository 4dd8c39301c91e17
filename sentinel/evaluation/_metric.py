"""The measures of section 6, from what became of each debate.

An outcome is a code (N,), one per debate: 0 kept, 1 correct flip, 2 harmful flip, 3 neutral flip (both answers wrong).
"""

from dataclasses import dataclass

import numpy as np

from sentinel.evaluation._sample import BoolArray, DebateArrays, FloatArray, IntArray, Rows
from sentinel.threshold import Picks

OUTCOMES = ("kept", "correct_flip", "harmful_flip", "neutral_flip")
KEPT, CORRECT, HARMFUL, NEUTRAL = range(4)
# What an outcome adds to CF - WF under each accounting.
GAIN_PAPER = np.array([0, 1, -1, -1], dtype=np.int64)
GAIN_EXACT = np.array([0, 1, -1, 0], dtype=np.int64)
_OF_PICK = np.array([NEUTRAL, CORRECT, HARMFUL], dtype=np.int64)


@dataclass(frozen=True)
class Scores:
    """Counts of debates and shares of them (fractions, None where the denominator is 0).

    `cf` and `wf` are the paper's counts: `wf` is `harmful` plus `neutral`. `right_majorities` are those that a
    candidate contests, `harmful` of them overturned. Recovery counts the minority truths of the final split;
    preservation is over divergent debates, with y = 0 in place of majority-correct under paper accounting.
    """

    n: int
    divergent: int
    minority_truths: int
    right_majorities: int
    flips: int
    cf: int
    wf: int
    harmful: int
    neutral: int
    flip_precision_paper: float | None
    flip_precision_exact: float | None
    recovery: float | None
    preservation_paper: float | None
    preservation_exact: float | None
    ng_paper: float | None
    ng_exact: float | None


def outcome_of_debates(rows: Rows, picks: Picks, flip: BoolArray, n_debates: int) -> IntArray:
    """Return the outcome (N,) of flipping the picks that `flip` marks and keeping all other debates."""
    outcome = np.full(n_debates, KEPT, dtype=np.int64)
    outcome[rows.debate[picks.row[flip]]] = _OF_PICK[picks.outcome[flip]]
    return outcome


def score(debates: DebateArrays, outcome: IntArray, where: BoolArray | None = None) -> Scores:
    """Return the scores of the debates that `where` (N,) selects, all of them by default."""
    chosen = np.ones(len(debates), dtype=np.bool_) if where is None else where
    _, correct, harmful, neutral = (int(count) for count in np.bincount(outcome[chosen], minlength=4))
    divergent = chosen & debates.divergent
    truth = chosen & debates.minority_truth
    contested = divergent | (chosen & debates.given_up)
    kept_paper, kept_exact = preservation(debates, outcome, divergent & ~debates.minority_truth)
    n, truths = int(chosen.sum()), int(truth.sum())
    return Scores(
        n=n,
        divergent=int(divergent.sum()),
        minority_truths=truths,
        right_majorities=int((contested & debates.voted_correct).sum()),
        flips=correct + harmful + neutral,
        cf=correct,
        wf=harmful + neutral,
        harmful=harmful,
        neutral=neutral,
        flip_precision_paper=share(correct, correct + harmful + neutral),
        flip_precision_exact=share(correct, correct + harmful),
        recovery=share(int((outcome[truth] == CORRECT).sum()), truths),
        preservation_paper=kept_paper,
        preservation_exact=kept_exact,
        ng_paper=share(correct - harmful - neutral, n),
        ng_exact=share(correct - harmful, n),
    )


def preservation(
    debates: DebateArrays, outcome: IntArray, wrong_minority: BoolArray
) -> tuple[float | None, float | None]:
    """Return the shares kept of debates with y = 0 (N,), and of those of them whose majority is right."""
    kept, right = wrong_minority & (outcome == KEPT), debates.voted_correct
    return (
        share(int(kept.sum()), int(wrong_minority.sum())),
        share(int((kept & right).sum()), int((wrong_minority & right).sum())),
    )


def share(part: float, whole: float) -> float | None:
    """Return part/whole, None where there is no whole."""
    return part / whole if whole else None


def auc(y: IntArray, probability: FloatArray) -> float | None:
    """Return the area under the ROC curve (Mann-Whitney, ties counted half); None for one class.

    Rows without a probability (NaN) are left out.
    """
    known = np.isfinite(probability)
    labels, scores = y[known], probability[known]
    positives = int(labels.sum())
    negatives = len(labels) - positives
    if not positives or not negatives:
        return None
    _, level = np.unique(scores, return_inverse=True)
    right = np.bincount(level, weights=labels)
    wrong = np.bincount(level) - right
    below = np.cumsum(wrong) - wrong
    return float((right * (below + wrong / 2)).sum() / (positives * negatives))
