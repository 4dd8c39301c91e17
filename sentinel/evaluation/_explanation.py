"""What the classifier looks at: one fit on all candidate rows, its importances and its own contributions."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from sentinel.classifier import make_classifier
from sentinel.evaluation._sample import FloatArray, Sample
from sentinel.fingerprint import FEATURE_GROUPS
from sentinel.settings import ClassifierSettings

_SCHEMA = {
    "feature": pl.String,
    "group": pl.String,
    "splits": pl.Int64,
    "gain": pl.Float64,
    "mean_abs_contribution": pl.Float64,
    "direction": pl.String,
}


@dataclass(frozen=True, eq=False)
class Explanation:
    """Tables of importances (one row a feature) and contributions (one row a candidate); empty where there are none."""

    importance: pl.DataFrame
    contributions: pl.DataFrame
    note: str | None


def explain(sample: Sample, settings: ClassifierSettings, seed: int) -> Explanation:
    """Return importances in splits, gain and mean |contribution| to the log-odds, from a fit on all rows.

    `direction` says whether a feature's larger values speak for the minority (positive) or against it (negative).
    """
    rows, features = sample.rows, sample.features
    keys = sample.candidate_frame.select("id", "candidate")
    empty = keys.head(0).with_columns(pl.lit(None, pl.Float64).alias(name) for name in features)
    if not len(rows):
        return Explanation(pl.DataFrame(schema=_SCHEMA), empty, None)
    classifier = make_classifier(settings, seed).fit(rows.x, rows.y, rows.weight, features)
    importance, contributions = classifier.importance_, classifier.contributions(rows.x)
    if importance is None and contributions is None:
        note = f"importance: {settings.kind} has neither importances nor contributions"
        return Explanation(pl.DataFrame(schema=_SCHEMA), empty, note)
    group_of = {name: group.value for group, names in FEATURE_GROUPS.items() for name in names}
    cells = []
    for i, name in enumerate(features):
        column = None if contributions is None else contributions[:, i]
        cells.append(
            {
                "feature": name,
                "group": group_of[name],
                "splits": None if importance is None else round(float(importance["split"][i])),
                "gain": None if importance is None else float(importance["gain"][i]),
                "mean_abs_contribution": None if column is None else float(np.abs(column).mean()),
                "direction": None if column is None else _direction(rows.x[:, i], column),
            }
        )
    table = empty if contributions is None else keys.hstack(pl.DataFrame(contributions, schema=list(features)))
    return Explanation(pl.DataFrame(cells, schema=_SCHEMA), table, None)


def _direction(values: FloatArray, contributions: FloatArray) -> str | None:
    """Return the sign of the covariance between a feature and its contribution, None where either is constant."""
    known = np.isfinite(values)
    if not known.any() or np.ptp(values[known]) == 0 or np.ptp(contributions[known]) == 0:
        return None
    covariance = float(np.mean((values[known] - values[known].mean()) * contributions[known]))
    return "positive" if covariance > 0 else "negative"
