"""Figures of a sweep: results over seeds, and configurations beside each other."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sentinel.report._format import clean, count_of
from sentinel.report._paper import PaperSpread
from sentinel.report._style import BARS, BLACK, BLUE, GREY, ORANGE, WIDE, bound, labels, make_figure, mark_zero

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS = 60
_NUMBERS = ("ng_exact", "low", "high", "ng_paper", "auc", "published_ng", "published_auc")
# column of the summary: title, factor, unit, key of the paper's spread, its reading and accounting
_PANELS = {
    "cross_fitted_ng_exact": ("net gain, cross-fitted,\nexact", 100, "% of debates", None),
    "paper_ng_paper": ("net gain, paper reading,\npaper accounting", 100, "% of debates", "ng"),
    "cross_fitted_auc": ("AUC,\nout of fold", 1, "", "auc"),
    "paper_flip_precision_paper": (
        "flip precision,\npaper reading",
        100,
        "% of flips",
        "flip_precision",
    ),
}


def seeds_data(summary: pl.DataFrame, published: Mapping[str, PaperSpread]) -> pl.DataFrame:
    """Return one row per job and quantity, then the paper's means as `series` published."""
    parts = []
    for name, (_, _, _, key) in _PANELS.items():
        values = summary.select(
            "job", pl.lit("ours").alias("series"), pl.lit(name).alias("quantity"), pl.col(name).alias("value")
        )
        parts.append(values.drop_nulls("value"))
        if key is not None and key in published:
            mean = {"job": None, "series": "published", "quantity": name, "value": published[key].mean}
            parts.append(pl.DataFrame([mean], schema=values.schema))
    return pl.concat(parts)


def draw_seeds(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw a box and all points for each quantity; hollow diamonds are the paper's means."""
    ours = data.filter(pl.col("series") == "ours")
    jobs = ours["job"].n_unique()
    title = f"Spread over {count_of(jobs, 'seed')}, not a sampling interval"
    figure = make_figure(WIDE, 2.7, title, simulated)
    panels = figure.subplots(1, len(_PANELS))
    diamond = None
    for axes, (name, (text, factor, unit, _)) in zip(panels, _PANELS.items(), strict=True):
        values = factor * ours.filter(pl.col("quantity") == name)["value"].to_numpy()
        _draw_box(axes, values)
        for mean in data.filter((pl.col("quantity") == name) & (pl.col("series") == "published"))["value"]:
            (diamond,) = axes.plot(1.35, factor * mean, "D", color=BLACK, markerfacecolor="none", markersize=5)
        if "ng" in name:
            axes.axhline(0, color=BLACK, linewidth=0.6)
        axes.set_title(text, fontsize=7)
        axes.set_ylabel(unit, fontsize=7)
        axes.set_xlim(0.55, 1.5)
        axes.set_xticks([])
        axes.margins(y=0.1)
        bound(axes, -factor if "ng" in name else 0, factor)
    if diamond is not None:
        figure.legend(
            [diamond],
            ["published: mean of the paper's 20 seeds (paper reading, paper accounting)"],
            loc="outside lower center",
            frameon=False,
        )
    return figure


def _draw_box(axes: "Axes", values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> None:
    if not len(values):
        axes.text(1, 0.5, "no value", ha="center", color=GREY, transform=axes.get_xaxis_transform())
        return
    axes.boxplot(
        values,
        widths=0.4,
        showfliers=False,
        medianprops={"color": BLACK, "linewidth": 1},
        boxprops={"color": BLUE},
        whiskerprops={"color": BLUE},
        capprops={"color": BLUE},
    )
    # A fixed sideways pattern keeps equal values apart and the file the same from run to run.
    sideways = 1 + 0.13 * np.sin(2.4 * np.arange(len(values)))
    axes.plot(sideways, values, "o", color=ORANGE, markersize=3, markeredgecolor=BLACK, markeredgewidth=0.3)


def draw_comparison(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw net gain and AUC of each configuration; hollow diamonds are the paper's.

    A bar is the sampling interval of a single job, or the range over seeds where there are several. After 60 rows the
    title says how many are left to the CSV file.
    """
    shown = data.head(MOST_ROWS)
    rest = f"; first {MOST_ROWS} of {data.height}" if data.height > MOST_ROWS else ""
    varied = clean(data["varied"][0], 60)
    title = f"Net gain and AUC by {varied}{rest}"
    height = 0.35 if shown["flag"].null_count() < shown.height else 0.25
    figure = make_figure(WIDE, 1.1 + height * shown.height, title, simulated)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[3, 2])
    rows = np.arange(shown.height)
    columns = {name: shown[name].cast(pl.Float64).to_numpy() for name in _NUMBERS}
    known = np.isfinite(columns["low"]) & np.isfinite(columns["high"])
    bars = [100 * columns[name][known] for name in ("low", "high")]
    left.hlines(rows[known] - 0.15, *bars, color=BLUE, linewidth=0.9)
    over_seeds = (shown["jobs"] > 1).any()
    bar = "range over seeds" if over_seeds else "interval"
    dot = {"color": BLUE, "markersize": 4}
    left.plot(100 * columns["ng_exact"], rows - 0.15, "o", label=f"held-out cuts, exact accounting ({bar})", **dot)
    optimistic = "paper reading, paper accounting"
    left.plot(100 * columns["ng_paper"], rows + 0.15, "o", label=optimistic, markerfacecolor="white", **dot)
    right.plot(columns["auc"], rows - 0.15, "o", color=BLUE, markersize=4)
    if np.isfinite(columns["published_ng"]).any():
        diamond = {"color": BLACK, "markerfacecolor": "none", "markersize": 5}
        left.plot(
            100 * columns["published_ng"],
            rows + 0.15,
            "D",
            label="published: paper reading, paper accounting",
            **diamond,
        )
        right.plot(columns["published_auc"], rows + 0.15, "D", **diamond)
    for row, status in enumerate(shown["status"]):
        if status != "done":
            left.annotate(status, (0.02, row), xycoords=("axes fraction", "data"), va="center", fontsize=7, color=GREY)
    mark_zero(left)
    right.axvline(0.5, color=GREY, linestyle="--", linewidth=0.8)
    texts = labels(data["configuration"], 40)
    names = [f"{texts[row['configuration']]}\n{row['flag'] or ''}".rstrip() for row in shown.iter_rows(named=True)]
    left.set_yticks(rows, names)
    left.set_ylim(shown.height - 0.4, -0.6)
    note = "" if over_seeds else f"\nbars: {BARS}"
    left.set_xlabel(f"net gain (% of debates){note}")
    right.set_xlabel("AUC, out of fold (dashed: chance)")
    bound(left, -100, 100, x=True)
    bound(right, 0, 1, x=True)
    for axes in (left, right):
        axes.grid(False, axis="y")
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=6.5)
    return figure
