"""Tests of one rule against the majority vote, and of two rules against each other, on questions.

Sources: Q. McNemar, Psychometrika 12 (1947) 153 in its exact binomial form; S. Holm, Scand. J. Stat. 6 (1979) 65.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from sentinel.errors import EvaluationError
from sentinel.evaluation._interval import percentile_interval, question_units, resample_sums
from sentinel.evaluation._metric import GAIN_EXACT, OUTCOMES
from sentinel.evaluation._sample import IntArray


@dataclass(frozen=True)
class SignTest:
    """How many questions gained and lost right answers, and how likely so uneven a split is by chance."""

    gained: int
    lost: int
    p_value: float


@dataclass(frozen=True)
class Difference:
    """Exact net gain of one configuration minus that of another: a share, its bootstrap interval, an exact p value."""

    difference: float
    low: float
    high: float
    p_value: float
    gained: int
    lost: int


def sign_test(gain: IntArray, unit: IntArray) -> SignTest:
    """Return the exact two-sided sign test on the units' net gains; p = 1 where no unit changed.

    `gain` (N,) is +1, 0 or -1 a debate, `unit` (N,) its question. With one debate a question this is McNemar's test.
    """
    net = np.bincount(unit, weights=gain)
    gained, lost = int((net > 0).sum()), int((net < 0).sum())
    n = gained + lost
    term = tail = 1
    for i in range(1, min(gained, lost) + 1):
        term = term * (n - i + 1) // i
        tail += term
    # Whole numbers divide correctly rounded, however large.
    return SignTest(gained, lost, min(1.0, 2 * tail / 2**n) if n else 1.0)


def paired_difference(
    debates_a: pl.DataFrame,
    debates_b: pl.DataFrame,
    *,
    reading: str = "cross_fitted",
    draws: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Return by how much configuration a exceeds b in exact net gain, from the `debates` artefacts of two runs.

    Questions are resampled within domain, both runs on the same ones. The p value is that of the exact sign test on
    questions, which holds however few changed. Raises EvaluationError where the runs scored different debates.
    """
    column = f"outcome_{reading}"
    for frame, name in ((debates_a, "first"), (debates_b, "second")):
        if column not in frame.columns:
            raise EvaluationError(f"{column}: the {name} run has no such reading; compare cross-validated runs")
    both = debates_a.select("id", "domain", "question_key", column).join(
        debates_b.select("id", "domain", "question_key", column),
        on="id",
        how="full",
        suffix="_b",
    )
    alone = both.filter(pl.col("id").is_null() | pl.col("id_b").is_null())
    if len(alone) or len(both) != len(debates_a) or len(both) != len(debates_b):
        raise EvaluationError(
            f"runs on {len(debates_a)} and {len(debates_b)} debates, {len(alone)} of them in one run only: "
            "a paired difference needs the same debates in both"
        )
    if both.is_empty():
        raise EvaluationError("runs without debates: nothing to compare")
    if not both.select((pl.col("domain") == pl.col("domain_b")) & (pl.col("question_key") == pl.col("question_key_b")))[
        "domain"
    ].all():
        raise EvaluationError("runs that give the same ids other domains or questions: the corpora differ")
    code = {name: i for i, name in enumerate(OUTCOMES)}
    gain = [
        GAIN_EXACT[np.array([code[outcome] for outcome in both[name]], dtype=np.int64)]
        for name in (column, f"{column}_b")
    ]
    change = gain[0] - gain[1]
    _, domain = np.unique(np.asarray(both["domain"].to_list(), dtype=np.str_), return_inverse=True)
    _, question = np.unique(np.asarray(both["question_key"].to_list(), dtype=np.str_), return_inverse=True)
    unit = question_units(domain, question)
    values = np.stack([np.ones(len(change), dtype=np.int64), change], axis=1)
    sums = resample_sums(domain, unit, values, draws, np.random.default_rng(seed)).sum(axis=0)
    low, high = percentile_interval(sums[:, 1] / sums[:, 0], confidence)
    test = sign_test(change, unit)
    return Difference(float(change.mean()), low, high, test.p_value, test.gained, test.lost)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values adjusted for their number, in the given order; a family-wise level holds for all together."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted
