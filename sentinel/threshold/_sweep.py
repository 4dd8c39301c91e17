"""What every cut of a grid would do, in one pass."""

from dataclasses import dataclass

import numpy as np

from sentinel.settings import Accounting, ThresholdSettings
from sentinel.threshold._picks import CORRECT, HARMFUL, NEUTRAL, FloatArray, IntArray, Picks


def grid(settings: ThresholdSettings) -> FloatArray:
    """Return the cuts low, low + step, ... up to high, rounded so that 0.05 + 76 x 0.01 is 0.81."""
    count = int(np.floor((settings.high - settings.low) / settings.step + 1e-9)) + 1
    return np.round(settings.low + settings.step * np.arange(count), 10)


@dataclass(frozen=True, eq=False)
class Sweep:
    """Counts of flips P > tau for each tau (t,), among picks of which `right_majorities` have a right majority and
    `not_minority` have y = 0, out of `n_total` debates."""

    tau: FloatArray
    correct: IntArray
    harmful: IntArray
    neutral: IntArray
    n_total: int
    right_majorities: int
    not_minority: int

    def wrong(self, accounting: Accounting) -> IntArray:
        """Return wrong flips (t,)."""
        return self.harmful + self.neutral if accounting is Accounting.paper else self.harmful

    def net_gain(self, accounting: Accounting, cost: float = 1.0) -> FloatArray:
        """Return net gain (t,), a share of all debates; NaN where there are none."""
        gain = self.correct - cost * self.wrong(accounting)
        return gain / self.n_total if self.n_total else np.full(len(gain), np.nan)

    def preservation(self, accounting: Accounting) -> FloatArray:
        """Return 1 - wrong flips / majorities to preserve (t,); 1 where there is none to preserve.

        To preserve: right majorities, under paper accounting all debates with y = 0.
        """
        to_preserve = self.not_minority if accounting is Accounting.paper else self.right_majorities
        return 1.0 - self.wrong(accounting) / max(1, to_preserve)


def sweep(picks: Picks, n_total: int, taus: FloatArray) -> Sweep:
    """Return the counts for each tau; sorting once makes each count a binary search."""

    def flipped(outcome: int) -> IntArray:
        chances = np.sort(picks.probability[picks.outcome == outcome])
        return len(chances) - np.searchsorted(chances, taus, side="right")

    right = int(np.count_nonzero(picks.outcome == HARMFUL))
    neither = int(np.count_nonzero(picks.outcome == NEUTRAL))
    return Sweep(taus, flipped(CORRECT), flipped(HARMFUL), flipped(NEUTRAL), n_total, right, right + neither)
