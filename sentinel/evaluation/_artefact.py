"""The tables that let others recompute every figure: one row a debate, one row a candidate."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from sentinel.evaluation._cross_fit import CrossFit
from sentinel.evaluation._metric import OUTCOMES
from sentinel.evaluation._reading import Reading
from sentinel.evaluation._sample import Sample

_KEYS = ("id", "domain", "question_key", "state", "voted_correct", "divergent")
_CANDIDATE = ("id", "dataset", "source", "domain", "question_key", "candidate", "origin", "label")


def debates_artefact(sample: Sample, readings: Sequence[Reading]) -> pl.DataFrame:
    """Return one row a debate, in reading order, with its outcome under each reading."""
    names = np.array(OUTCOMES)
    return sample.debate_frame.select(_KEYS).with_columns(
        pl.Series("voted_correct", sample.debates.voted_correct),
        *(pl.Series(f"outcome_{reading.name}", names[reading.outcome].tolist(), pl.String) for reading in readings),
    )


def predictions_artefact(sample: Sample, fit: CrossFit | None, readings: Sequence[Reading]) -> pl.DataFrame:
    """Return one row a candidate with its features, out-of-fold probability, and cut and flip under each reading."""
    frame = sample.candidate_frame.select(*_CANDIDATE, *sample.features)
    if fit is None:
        return frame
    columns = [pl.Series("fold", fit.fold), pl.Series("probability", fit.probability).fill_nan(None)]
    names = np.array(OUTCOMES)
    for reading in readings:
        cuts = {
            key: reading.tau_of(*key)[0]
            for key in set(zip(fit.fold.tolist(), sample.rows.domain.tolist(), strict=True))
        }
        tau = [cuts[key] for key in zip(fit.fold.tolist(), sample.rows.domain.tolist(), strict=True)]
        flip = np.zeros(len(sample.rows), dtype=np.bool_)
        flip[fit.picks.row[reading.flip]] = True
        outcome = np.where(flip, reading.outcome[sample.rows.debate], 0)
        columns += [
            pl.Series(f"tau_{reading.name}", tau, pl.Float64),
            pl.Series(f"flip_{reading.name}", flip),
            pl.Series(f"outcome_{reading.name}", names[outcome].tolist(), pl.String),
        ]
    return frame.with_columns(columns)
