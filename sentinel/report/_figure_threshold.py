"""Figures of the cut: net gain by one cut for all domains, correct against wrong flips, reliability of P."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sentinel.records import OVERALL
from sentinel.report._paper import Paper
from sentinel.report._style import BLACK, BLUE, GREY, NARROW, ORANGE, WIDE, make_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BELOW: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.25), "frameon": False}
_BEYOND = "\narrowheads: beyond the axis"
_POINTS = {
    "sentinel_cross_fitted": ("sentinel, cross-fitted", "*", 11, True),
    "sentinel_paper": ("sentinel, paper reading", "*", 11, False),
    "llm_judge": ("LLM judge", "D", 6, True),
    "paper_sentinel": ("the paper's sentinel", "P", 7, False),
    "paper_llm_judge": ("the paper's LLM judge", "X", 7, False),
}


def threshold_sweep_data(tables: Mapping[str, pl.DataFrame], paper: Paper | None) -> pl.DataFrame:
    """Return the sweep and, told apart by `series`, the points drawn beside it (tau is null for those).

    `paper` adds the published points; they count flips of real debates.
    """
    columns = ["cf", "wf", "ng_paper", "ng_exact", "flip_precision_paper"]
    sweep = tables["threshold_sweep"].select(pl.lit("sweep").alias("series"), "tau", *columns)
    overall = tables["results"].filter(pl.col("domain") == OVERALL)
    named = [
        overall.filter(pl.col("reading") == reading).select(pl.lit(f"sentinel_{reading}").alias("series"), *columns)
        for reading in ("paper", "cross_fitted")
    ]
    if "baselines" in tables:
        judge = tables["baselines"].filter(pl.col("method") == "llm_judge")
        named.append(judge.select(pl.col("method").alias("series"), *columns))
    points = pl.concat([sweep, *named], how="diagonal_relaxed")
    if paper is None:
        return points
    published = [
        {
            "series": f"paper_{method}",
            "cf": row.cf,
            "wf": row.wf,
            "ng_paper": row.ng,
            "flip_precision_paper": row.flip_precision,
        }
        for method, row in paper.baselines.items()
        if method in ("sentinel", "llm_judge")
    ]
    return pl.concat([points, pl.DataFrame(published)], how="diagonal_relaxed")


def draw_threshold_sweep(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw net gain by cut, and correct against wrong flips along the same sweep."""
    figure = make_figure(WIDE, 4.2, "One cut for all domains, chosen and scored on the same predictions", simulated)
    left, right = figure.subplots(1, 2)
    sweep = data.filter(pl.col("series") == "sweep")
    _draw_gain(left, sweep, data)
    _draw_flips(right, sweep, data, figure)
    return figure


def _draw_gain(axes: "Axes", sweep: pl.DataFrame, data: pl.DataFrame) -> None:
    peak = 0.0
    for column, name, colour in (("ng_exact", "exact", BLUE), ("ng_paper", "paper", ORANGE)):
        axes.plot(sweep["tau"], 100 * sweep[column], color=colour, label=f"one cut: {name} accounting")
        best = sweep.sort(column, "tau", descending=True).row(0, named=True)
        if best[column] > 0:
            axes.plot(best["tau"], 100 * best[column], "o", color=colour, markersize=4)
        peak = max(peak, 100 * best[column])
    for series, name, colour in (
        ("sentinel_cross_fitted", "cross-fitted, exact", BLUE),
        ("sentinel_paper", "paper reading, paper", ORANGE),
    ):
        column = "ng_exact" if colour == BLUE else "ng_paper"
        for value in data.filter(pl.col("series") == series)[column]:
            axes.axhline(100 * value, color=colour, linestyle="--", linewidth=0.8, label=f"chosen cuts: {name}")
            peak = max(peak, 100 * value)
    axes.axhline(0, color=BLACK, linewidth=0.6)
    # Low cuts flip nearly everything: their losses would flatten the part that matters.
    bottom = -3 * max(peak, 1.0)
    axes.set_ylim(bottom=bottom, top=1.25 * max(peak, 0.4))
    axes.set_xlim(0, 1)
    arrows = ""
    for column, colour in (("ng_exact", BLUE), ("ng_paper", ORANGE)):
        for tau in sweep.filter(100 * pl.col(column) < bottom).sort("tau")["tau"].tail(1):
            axes.plot(tau, bottom, "v", color=colour, markersize=5, clip_on=False, zorder=3)
            arrows = _BEYOND
    axes.set_xlabel(f"cut τ (flip when P > τ){arrows}")
    axes.set_ylabel("net gain (% of debates)")
    axes.set_title("a  net gain; dots mark each maximum above zero")
    axes.legend(**_BELOW)


def _draw_flips(axes: "Axes", sweep: pl.DataFrame, data: pl.DataFrame, figure: "Figure") -> None:
    points = data.filter(pl.col("series") != "sweep").drop_nulls(["cf", "wf"])
    extent = 1.2 * max(float(np.max(points.select("cf", "wf").to_numpy(), initial=0)), 10.0)
    axes.plot([0, extent], [0, extent], color=GREY, linestyle="--", linewidth=0.8)
    axes.annotate(
        "break-even",
        (extent * 0.75, extent * 0.75),
        xytext=(-2, 2),
        textcoords="offset points",
        ha="right",
        fontsize=6,
        color=GREY,
    )
    dots = axes.scatter(
        sweep["wf"], sweep["cf"], c=sweep["flip_precision_paper"].cast(pl.Float64), cmap="viridis", vmin=0, vmax=1, s=12
    )
    for series, (name, marker, size, filled) in _POINTS.items():
        for row in points.filter(pl.col("series") == series).iter_rows(named=True):
            face = ORANGE if filled else "white"
            axes.plot(
                row["wf"],
                row["cf"],
                marker,
                markersize=size,
                markerfacecolor=face,
                markeredgecolor=BLACK,
                markeredgewidth=0.7,
                label=name,
            )
    axes.set_xlim(-extent * 0.02, extent)
    axes.set_ylim(-extent * 0.02, extent)
    arrows = ""
    for marker, beyond in ((">", pl.col("wf") > extent), ("^", (pl.col("cf") > extent) & (pl.col("wf") <= extent))):
        for row in sweep.filter(beyond).sort("tau").tail(1).iter_rows(named=True):
            place = (min(row["wf"], extent), min(row["cf"], extent))
            axes.plot(*place, marker, color=BLACK, markersize=5, clip_on=False, zorder=3)
            arrows = _BEYOND
    axes.set_xlabel(f"wrong flips (harmful or both wrong){arrows}")
    axes.set_ylabel("correct flips")
    axes.set_title("b  flips along the sweep")
    if axes.get_legend_handles_labels()[1]:
        axes.legend(**_BELOW)
    figure.colorbar(dots, ax=axes, label="flip precision", aspect=30, pad=0.02)


def draw_calibration(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw observed against predicted shares with their intervals, above the number of candidates in each bin."""
    figure = make_figure(NARROW, 3.6, "Reliability of P(minority right)", simulated)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    filled = data.filter(pl.col("count") > 0)
    rate = filled["observed_rate"].to_numpy()
    errors = np.clip(np.stack([rate - filled["rate_low"].to_numpy(), filled["rate_high"].to_numpy() - rate]), 0, None)
    upper.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=0.8, label="perfectly calibrated")
    upper.errorbar(
        filled["mean_probability"],
        rate,
        yerr=errors,
        fmt="o-",
        color=BLUE,
        markersize=4,
        elinewidth=0.8,
        label="observed",
        clip_on=False,
        zorder=3,
    )
    upper.set_ylim(0, 1)
    upper.set_ylabel("share with the minority right")
    upper.legend(loc="upper left", frameon=True)
    width = data["bin_high"] - data["bin_low"]
    lower.bar(data["bin_low"], data["count"], width=width, align="edge", color=BLUE, edgecolor="white")
    lower.set_xlim(0, 1)
    lower.set_xlabel("predicted probability (out of fold)")
    lower.set_ylabel("candidates")
    lower.yaxis.get_major_locator().set_params(integer=True)
    return figure
