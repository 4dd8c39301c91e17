"""Results over seeds: mean, standard deviation and range of each quantity, beside the paper's 20 seeds."""

from collections.abc import Mapping
from statistics import fmean, stdev

import polars as pl

from sentinel.report._format import count_of, decimal, gain, percent
from sentinel.report._grid import Grid
from sentinel.report._paper import PaperSpread
from sentinel.report._sweep import HEADLINES

# column of the summary: what it is, and the key of the paper's spread (paper reading, paper accounting)
_QUANTITIES = {
    "cross_fitted_ng_exact": ("NG cross-fitted, exact", None),
    "cross_fitted_ng_paper": ("NG cross-fitted, paper", None),
    "paper_ng_exact": ("NG paper reading, exact", None),
    "paper_ng_paper": ("NG paper reading, paper", "ng"),
    "transfer_ng_exact": ("NG transfer, exact", None),
    "learning_curve_ng_exact": ("NG learning curve, last share, exact", None),
    "learning_curve_ng_paper": ("NG learning curve, last share, paper", None),
    "cross_fitted_auc": ("AUC, out of fold", "auc"),
    "transfer_auc": ("AUC, transfer", None),
    "learning_curve_auc": ("AUC, last share", None),
    "cross_fitted_flip_precision_exact": ("FP cross-fitted, exact", None),
    "paper_flip_precision_paper": ("FP paper reading, paper", "flip_precision"),
    "brier": ("Brier score", None),
}


def spread_grid(summary: pl.DataFrame, published: Mapping[str, PaperSpread]) -> Grid:
    """Return the spread of each quantity over the jobs that have it; the standard deviation divides by n - 1."""
    header = ["reading, accounting", "jobs", "mean", "std", "least", "greatest", "above 0"]
    header += ["paper: mean", "std"] if published else []
    rows = []
    for name, (text, key) in _QUANTITIES.items():
        values = summary[name].drop_nulls() if name in summary.columns else pl.Series([], dtype=pl.Float64)
        if values.is_empty():
            continue
        numbers = values.to_list()
        std = stdev(numbers) if len(numbers) > 1 else None
        cells = [text, str(len(numbers)), _show(name, fmean(numbers)), _show(name, std).lstrip("+")]
        cells += [_show(name, min(numbers)), _show(name, max(numbers))]
        cells.append(f"{sum(number > 0 for number in numbers)} of {len(numbers)}" if "_ng_" in name else "")
        if published:
            paper = published.get(key or "")
            cells += [_show(name, paper.mean), _show(name, paper.std).lstrip("+")] if paper else ["", ""]
        rows.append(cells)
    return Grid(header, rows, 1)


def spread_headline(summary: pl.DataFrame, reading: str, same_debates: bool) -> str:
    """Return the exact net gain over seeds in a sentence that says what kind of spread it is."""
    name = f"{reading}_ng_exact"
    values = summary[name].drop_nulls() if name in summary.columns else pl.Series([], dtype=pl.Float64)
    if values.is_empty():
        return "No job measured a net gain."
    numbers = values.to_list()
    data = "the same debates" if same_debates else "debates that differ too"
    return (
        f"Exact net gain ({HEADLINES[reading]}) over {count_of(values.len(), 'seed')}: mean {gain(fmean(numbers))} %, "
        f"from {gain(min(numbers))} to {gain(max(numbers))} %, above zero in {sum(number > 0 for number in numbers)}. "
        f"This is a spread over seeds on {data}, not a sampling interval."
    )


def _show(name: str, value: float | None) -> str:
    if "_ng_" in name:
        return gain(value)
    return percent(value) if "precision" in name else decimal(value)
