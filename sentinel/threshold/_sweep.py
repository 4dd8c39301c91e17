"""What every cut of a grid would do, in one pass."""

from dataclasses import dataclass

import numpy as np

from sentinel.settings import Accounting, ThresholdSettings
from sentinel.threshold._picks import CORRECT, HARMFUL, NEUTRAL, BoolArray, FloatArray, IntArray, Picks


def grid(settings: ThresholdSettings) -> FloatArray:
    """Return the cuts low, low + step, ... up to high, rounded so that 0.05 + 76 x 0.01 is 0.81."""
    count = int(np.floor((settings.high - settings.low) / settings.step + 1e-9)) + 1
    return np.round(settings.low + settings.step * np.arange(count), 10)


@dataclass(frozen=True, eq=False)
class Sweep:
    """Counts of flips P > tau for each tau (t,), out of `n_total` debates, and the shares of majorities preserved."""

    tau: FloatArray
    correct: IntArray
    harmful: IntArray
    neutral: IntArray
    n_total: int
    preserved_paper: FloatArray
    preserved_exact: FloatArray

    def wrong(self, accounting: Accounting) -> IntArray:
        """Return wrong flips (t,)."""
        return self.harmful + self.neutral if accounting is Accounting.paper else self.harmful

    def net_gain(self, accounting: Accounting, cost: float = 1.0) -> FloatArray:
        """Return net gain (t,), a share of all debates; NaN where there are none."""
        gain = self.correct - cost * self.wrong(accounting)
        return gain / self.n_total if self.n_total else np.full(len(gain), np.nan)

    def preservation(self, accounting: Accounting) -> FloatArray:
        """Return 1 - wrong flips / majorities to preserve (t,); 1 where there is none to preserve.

        To preserve: right majorities, under paper accounting all debates with y = 0. It is the smaller of the shares
        among debates with a final split and without: the many of one kind must not pay for harm to the other.
        """
        return self.preserved_paper if accounting is Accounting.paper else self.preserved_exact


def sweep(picks: Picks, n_total: int, taus: FloatArray) -> Sweep:
    """Return the counts for each tau; sorting once makes each count a binary search."""

    def flipped(outcome: int) -> IntArray:
        chances = np.sort(picks.probability[picks.outcome == outcome])
        return len(chances) - np.searchsorted(chances, taus, side="right")

    def preserved(wrong: BoolArray) -> FloatArray:
        least = np.ones(len(taus))
        for kind in (picks.given_up, ~picks.given_up):
            chances = np.sort(picks.probability[wrong & kind])
            if len(chances):
                least = np.minimum(least, np.searchsorted(chances, taus, side="right") / len(chances))
        return least

    return Sweep(
        taus,
        flipped(CORRECT),
        flipped(HARMFUL),
        flipped(NEUTRAL),
        n_total,
        preserved_paper=preserved(picks.outcome != CORRECT),
        preserved_exact=preserved(picks.outcome == HARMFUL),
    )
