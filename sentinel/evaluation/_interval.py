"""Sampling intervals. The unit is the question within its domain, with all of its debates.

Sources: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209; B. Efron and R. Tibshirani, An Introduction to the Bootstrap
(1993), chapter 13 (percentile intervals).
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from sentinel.evaluation._metric import GAIN_EXACT, GAIN_PAPER
from sentinel.evaluation._sample import DebateArrays, IntArray

Interval = tuple[float, float]


def wilson(rate: float, n: int, confidence: float) -> Interval:
    """Return the score interval of a rate seen in `n` independent units.

    Where units repeat (debates of one question), `n` is the number of questions: wider, as if repeats agreed fully.
    """
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    scale = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / scale
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / scale
    return max(0.0, centre - half), min(1.0, centre + half)


def question_units(domain: IntArray, question: IntArray) -> IntArray:
    """Return a code (N,) for each debate's question within its domain, 0 to the number of such units - 1."""
    _, unit = np.unique(domain * (question.max(initial=0) + 1) + question, return_inverse=True)
    return np.asarray(unit, dtype=np.int64)


def resample_sums(domain: IntArray, unit: IntArray, values: IntArray, draws: int, rng: np.random.Generator) -> IntArray:
    """Return sums of `values` (N, k) over bootstrap samples of units within domain: (domains, draws, k).

    Units with the same sums are drawn together: a sample's number of each kind is multinomial.
    """
    n_units = int(unit.max()) + 1
    sums = np.zeros((n_units, values.shape[1]), dtype=np.int64)
    np.add.at(sums, unit, values)
    home = np.zeros(n_units, dtype=np.int64)
    home[unit] = domain
    drawn = []
    for code in range(int(domain.max()) + 1):
        kinds, count = np.unique(sums[home == code], axis=0, return_counts=True)
        n = int(count.sum())
        drawn.append(rng.multinomial(n, count / n, size=draws) @ kinds)
    return np.stack(drawn)


@dataclass(frozen=True)
class GainIntervals:
    """Percentile intervals of net gain under the two accountings."""

    paper: Interval
    exact: Interval


def net_gain_intervals(
    debates: DebateArrays, outcome: IntArray, draws: int, confidence: float, seed: int
) -> dict[str | None, GainIntervals]:
    """Return the intervals for outcomes (N,) by domain and for all (None); the same outcomes give the same ones."""
    values = np.stack([np.ones(len(debates), dtype=np.int64), GAIN_PAPER[outcome], GAIN_EXACT[outcome]], axis=1)
    unit = question_units(debates.domain, debates.question)
    sums = resample_sums(debates.domain, unit, values, draws, np.random.default_rng(seed))
    parts: dict[str | None, IntArray] = {name: sums[code] for code, name in enumerate(debates.domains)}
    parts[None] = sums.sum(axis=0)
    return {
        part: GainIntervals(
            percentile_interval(drawn[:, 1] / drawn[:, 0], confidence),
            percentile_interval(drawn[:, 2] / drawn[:, 0], confidence),
        )
        for part, drawn in parts.items()
    }


def percentile_interval(values: npt.NDArray[np.float64], confidence: float) -> Interval:
    """Return the central interval that holds `confidence` of the values."""
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
