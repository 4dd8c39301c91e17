"""Figures that question a result: what more labels bring, and what is found where there is nothing to find."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sentinel.report._format import permuted
from sentinel.report._style import BARS, BLACK, BLUE, GREY, NARROW, ORANGE, WIDE, bound, make_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_READINGS = {"paper": "paper reading", "cross_fitted": "cross-fitted"}
_COLUMNS = {
    ("permutations", "paper"): "ng_paper_reading_exact",
    ("permutations", "cross_fitted"): "ng_cross_fitted_exact",
    ("null_corpora", "paper"): "ng_paper_exact",
    ("null_corpora", "cross_fitted"): "ng_cross_fitted_exact",
}
_NULL_SCHEMA = {
    "source": pl.String,
    "reading": pl.String,
    "ng_exact": pl.Float64,
    "observed": pl.Float64,
    "p_value": pl.Float64,
}


def draw_learning_curve(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw net gain with its interval, and AUC, by the number of divergent debates trained on."""
    figure = make_figure(WIDE, 2.6, "What more labelled debates bring", simulated)
    left, right = figure.subplots(1, 2)
    columns = {name: data[name].cast(pl.Float64).to_numpy() for name in data.columns}
    x = columns["divergent_train"]
    left.fill_between(
        x,
        100 * columns["ng_exact_low"],
        100 * columns["ng_exact_high"],
        color=BLUE,
        alpha=0.2,
        linewidth=0,
        label=f"interval of exact accounting ({BARS})",
    )
    for name, text, colour in (("ng_exact", "exact accounting", BLUE), ("ng_paper", "paper accounting", ORANGE)):
        left.plot(x, 100 * columns[name], "o-", color=colour, markersize=3, label=text)
    left.axhline(0, color=BLACK, linewidth=0.6)
    left.set_title("a  cross-fitted net gain")
    left.set_ylabel("% of debates")
    right.plot(x, columns["auc"], "o-", color=BLUE, markersize=3)
    right.axhline(0.5, color=GREY, linestyle="--", linewidth=0.8)
    right.set_title("b  AUC, out of fold (dashed: chance)")
    for axes in (left, right):
        axes.set_xlabel("divergent debates trained on")
        axes.set_xlim(left=0)
    bound(left, -100, 100)
    bound(right, 0, 1)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def null_data(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return exact net gains without an effect, by `source` and reading, beside what was observed and its p value.

    Null corpora have no observed value: they are other data.
    """
    parts = [pl.DataFrame(schema=_NULL_SCHEMA)]
    for (source, reading), column in _COLUMNS.items():
        if source not in tables or tables[source][column].null_count() == tables[source].height:
            continue
        tests = tables["tests"].filter(test="permutation, exact accounting", reading=reading)
        has_test = source == "permutations" and tests.height
        observed, p = tests.select("statistic", "p_value").row(0) if has_test else (None, None)
        parts.append(
            tables[source].select(
                source=pl.lit(source),
                reading=pl.lit(reading),
                ng_exact=column,
                observed=pl.lit(observed, pl.Float64),
                p_value=pl.lit(p, pl.Float64),
            )
        )
    return pl.concat(parts)


def draw_null(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw one histogram for each source and reading; the line is what the run itself found."""
    groups = data.select("source", "reading").unique(maintain_order=True).rows()
    across = min(2, len(groups))
    down = math.ceil(len(groups) / across)
    figure = make_figure(NARROW * across, 2.3 * down, "Net gain without an effect", simulated)
    grid = figure.subplots(down, across, sharex=True, squeeze=False)
    gains = 100 * data["ng_exact"].to_numpy()
    # Few bins over what the null gives: a far observed value stretches the axis, not the bins.
    edges = np.histogram_bin_edges(gains, 12)
    names = {"permutations": "shuffled labels", "null_corpora": "corpora without effect"}
    for axes in grid.flat[len(groups) :]:
        axes.set_visible(False)
    for axes, (source, reading) in zip(grid.flat, groups, strict=False):
        part = data.filter((pl.col("source") == source) & (pl.col("reading") == reading))
        values = 100 * part["ng_exact"].to_numpy()
        axes.hist(values, bins=list(edges), color=GREY, edgecolor="white")
        axes.axvline(0, color=BLACK, linewidth=0.6)
        positive = f"{np.count_nonzero(values > 0)} of {len(values)} above 0"
        observed, p = part.select("observed", "p_value").row(0)
        if observed is not None:
            axes.axvline(100 * observed, color=ORANGE, linewidth=1.5)
            test = permuted(p, len(values))
            test = test if test.startswith("<") else f"= {test}"
            positive += f"\nobserved (line): p {test}"
        axes.set_title(f"{names[source]}, {_READINGS[reading]}\n{positive}", fontsize=7)
        axes.yaxis.get_major_locator().set_params(integer=True)
    figure.supxlabel("net gain, exact accounting (% of debates)", fontsize=8)
    figure.supylabel("count", fontsize=8)
    return figure
