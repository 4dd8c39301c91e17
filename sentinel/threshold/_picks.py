"""One candidate a debate, what a flip to it would do, and the sums that follow."""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from sentinel.errors import ThresholdError
from sentinel.settings import Accounting

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

CORRECT, NEUTRAL, HARMFUL = 1, 0, -1


@dataclass(frozen=True, eq=False)
class Picks:
    """Aligned arrays (n,), one element for each debate that has a candidate.

    `row` is the picked candidate's row in the candidate table. `outcome` is what a flip would be: 1 correct, -1 harmful
    (the majority is right), 0 neutral (both are wrong). `domain` and `question` are strings. `given_up` marks debates
    without a final split, whose candidates were all given up on the way.
    """

    row: IntArray
    probability: FloatArray
    outcome: npt.NDArray[np.int8]
    domain: npt.NDArray[np.str_]
    question: npt.NDArray[np.str_]
    given_up: BoolArray

    def __len__(self) -> int:
        return len(self.row)

    def select(self, keep: BoolArray) -> "Picks":
        """Return the picks where `keep` (n,) holds."""
        return Picks(**{field.name: getattr(self, field.name)[keep] for field in fields(self)})


def pick_candidates(
    debate: npt.ArrayLike,
    probability: npt.ArrayLike,
    size: npt.ArrayLike,
    first_speaker: npt.ArrayLike,
    correct: npt.ArrayLike,
    majority_correct: npt.ArrayLike,
    domain: npt.ArrayLike,
    question: npt.ArrayLike,
    given_up: npt.ArrayLike,
) -> Picks:
    """Return the most probable candidate of each debate; equal P: the larger camp, then the first speaker.

    All arrays are (candidates,); `debate` identifies the debate, `given_up` marks answers that are nobody's final one.
    Picks come in the order in which debates first appear.
    Raises ThresholdError for a probability outside 0..1 and for arrays of different lengths.
    """
    codes, chance = np.asarray(debate), np.asarray(probability, dtype=np.float64)
    given = (size, first_speaker, correct, majority_correct, domain, question, given_up)
    others = [np.asarray(column) for column in given]
    if any(column.shape != codes.shape for column in [chance, *others]):
        raise ThresholdError(f"candidates of {len(codes)} rows: every column must have as many")
    if not ((chance >= 0) & (chance <= 1)).all():
        raise ThresholdError("probability: expected numbers between 0 and 1 for every candidate")
    sizes, speakers, right, majority_right, domains, questions, abandoned = others
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    appearance = first[inverse]
    order = np.lexsort((speakers, -sizes.astype(np.int64), -chance, appearance))
    leads = np.ones(len(order), dtype=np.bool_)
    leads[1:] = appearance[order[1:]] != appearance[order[:-1]]
    row = order[leads].astype(np.int64)
    outcome = np.where(
        right[row].astype(np.bool_), CORRECT, np.where(majority_right[row].astype(np.bool_), HARMFUL, NEUTRAL)
    )
    standing = np.bincount(inverse, weights=~abandoned.astype(np.bool_)) > 0
    return Picks(
        row=row,
        probability=chance[row],
        outcome=outcome.astype(np.int8),
        domain=domains[row].astype(np.str_),
        question=questions[row].astype(np.str_),
        given_up=~standing[inverse[row]],
    )


@dataclass(frozen=True, slots=True)
class FlipCounts:
    """Flips by outcome. Paper accounting counts a neutral flip as wrong, exact accounting does not."""

    correct: int
    harmful: int
    neutral: int

    def wrong(self, accounting: Accounting) -> int:
        """Return the number of wrong flips."""
        return self.harmful + (self.neutral if accounting is Accounting.paper else 0)

    def precision(self, accounting: Accounting) -> float:
        """Return correct / (correct + wrong), NaN without either."""
        total = self.correct + self.wrong(accounting)
        return self.correct / total if total else float("nan")

    def net_gain(self, n: int, accounting: Accounting, cost: float = 1.0) -> float:
        """Return (correct - cost * wrong) / n, a share of all n debates; NaN where n is 0."""
        return (self.correct - cost * self.wrong(accounting)) / n if n else float("nan")


def count_flips(picks: Picks, flip: npt.ArrayLike) -> FlipCounts:
    """Return what the flips (n,) come to."""
    outcome = picks.outcome[np.asarray(flip, dtype=np.bool_)]
    return FlipCounts(*(int(np.count_nonzero(outcome == value)) for value in (CORRECT, HARMFUL, NEUTRAL)))
