"""What both readings show on corpora in which there is nothing to find."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from sentinel.evaluation._evaluate import Evaluation

_READINGS = ("paper", "cross_fitted")
_ACCOUNTINGS = ("paper", "exact")


def summarise_null_corpora(evaluation: Evaluation, nulls: Sequence[Mapping[str, Any]]) -> Evaluation:
    """Return the evaluation with what the metrics of `nulls` show added: a table of them, means and positive runs.

    A spread over corpora is how a reading behaves without an effect, not a sampling interval of the evaluation.
    """
    names = [f"ng_{reading}_{accounting}" for reading in _READINGS for accounting in _ACCOUNTINGS]
    rows: list[dict[str, Any]] = []
    for metrics in nulls:
        overall = metrics["overall"]
        gains = [overall[reading][f"ng_{accounting}"] for reading in _READINGS for accounting in _ACCOUNTINGS]
        rows.append(
            {"seed": metrics["setup"]["seed"], "auc": overall["paper"]["auc"], **dict(zip(names, gains, strict=True))}
        )
    schema = {"seed": pl.Int64, "auc": pl.Float64, **dict.fromkeys(names, pl.Float64)}
    table = pl.DataFrame(rows, schema=schema)
    summary = {
        name: {"mean": table[name].mean(), "positive": int((table[name] > 0).sum()), "corpora": len(table)}
        for name in names
    }
    return replace(
        evaluation,
        metrics={**evaluation.metrics, "null_corpora": summary},
        tables={**evaluation.tables, "null_corpora": table},
    )
