"""Whether probabilities mean what they say: Brier score, expected calibration error, reliability by bin.

Sources: G. W. Brier, Mon. Weather Rev. 78 (1950) 1; M. P. Naeini et al., AAAI 2015 (ECE over equal-width bins).
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from sentinel.evaluation._interval import wilson
from sentinel.evaluation._sample import FloatArray, Rows

BINS = 10


@dataclass(frozen=True, eq=False)
class Calibration:
    """`brier` and `ece` over candidate rows, None where none has a probability; `table` one row a bin."""

    brier: float | None
    ece: float | None
    table: pl.DataFrame


def calibrate(rows: Rows, probability: FloatArray, confidence: float) -> Calibration:
    """Return the calibration of out-of-fold probabilities; a bin's interval is Wilson's, on its questions."""
    known = np.isfinite(probability)
    y, p, question = rows.y[known], probability[known], rows.question[known]
    bin_of = np.minimum((p * BINS).astype(np.int64), BINS - 1)
    cells = []
    gap = 0.0
    for number in range(BINS):
        inside = bin_of == number
        count = int(inside.sum())
        mean = float(p[inside].mean()) if count else None
        rate = float(y[inside].mean()) if count else None
        low, high = wilson(rate, len(np.unique(question[inside])), confidence) if rate is not None else (None, None)
        if mean is not None and rate is not None:
            gap += count / len(p) * abs(rate - mean)
        cells.append((number / BINS, (number + 1) / BINS, mean, rate, count, low, high))
    schema = {
        **dict.fromkeys(("bin_low", "bin_high", "mean_probability", "observed_rate"), pl.Float64),
        "count": pl.Int64,
        **dict.fromkeys(("rate_low", "rate_high"), pl.Float64),
    }
    table = pl.DataFrame(cells, schema=schema, orient="row")
    if not len(p):
        return Calibration(None, None, table)
    return Calibration(float(((p - y) ** 2).mean()), gap, table)
