"""Forest plots of net gain: over domains, over methods, over domains left out of training."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from sentinel.report._format import gain, interval, short_domains
from sentinel.report._grid import METHODS, count_flips
from sentinel.report._paper import PaperRow
from sentinel.report._style import BARS, BLACK, BLUE, GREY, WIDE, bound, labels, make_figure, mark_zero

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SERIES = {
    "cross_fitted": ("cross-fitted", "o", BLUE, BLUE),
    "fixed": ("cut fixed beforehand", "o", BLUE, BLUE),
    "transfer": ("never trained on", "o", BLUE, BLUE),
    "none": ("no cut to choose", "s", GREY, GREY),
    "paper": ("paper reading", "o", BLUE, "white"),
    "published": ("published: paper reading, paper accounting", "D", BLACK, "none"),
}
# What flips or follows one agent everywhere lies so far out that it would squeeze the other intervals to dots.
_FAR = ("always_minority", "single_best_agent", "oracle")


def forest_data(table: pl.DataFrame, key: str, published: Mapping[str, PaperRow]) -> pl.DataFrame:
    """Return exact net gains, intervals and flips by `key` and reading, and the published gains as one more series."""
    ours = table.select(
        pl.col(key).alias("name"),
        pl.col("reading").alias("series"),
        pl.col("ng_exact").cast(pl.Float64).alias("ng"),
        pl.col("ng_exact_low").cast(pl.Float64).alias("low"),
        pl.col("ng_exact_high").cast(pl.Float64).alias("high"),
        pl.Series("flips", [count_flips(row) for row in table.iter_rows(named=True)], pl.Int64),
    )
    names = ours["name"].unique(maintain_order=True).to_list()
    beside = [
        {"name": name, "series": "published", "ng": published[name].ng, "low": None, "high": None, "flips": None}
        for name in names
        if name in published
    ]
    return pl.concat([ours, pl.DataFrame(beside, schema=ours.schema)])


def draw_domains(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw the net gain of each domain under both readings."""
    return _draw_forest(data, short_domains(data["name"].to_list()), "Net gain by domain", simulated)


def draw_baselines(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw the net gain of each method."""
    return _draw_forest(data, METHODS, "Net gain of each method", simulated)


def draw_transfer(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw the net gain in each domain of a rule that never saw it."""
    return _draw_forest(data, short_domains(data["name"].to_list()), "Net gain in a left-out domain", simulated)


def _draw_forest(data: pl.DataFrame, names: Mapping[str, str], title: str, simulated: bool) -> "Figure":
    rows = data["name"].unique(maintain_order=True).to_list()
    series = [name for name in _SERIES if name in data["series"].to_list()]
    figure = make_figure(WIDE * 0.8, 0.9 + 0.3 * len(rows), title, simulated)
    axes = figure.subplots()
    low, high = _limits(data)
    for place, current in enumerate(series):
        text, marker, colour, face = _SERIES[current]
        offset = 0.22 * (place - (len(series) - 1) / 2)
        style: dict[str, Any] = {
            "color": colour,
            "markerfacecolor": face,
            "markersize": 4,
            "linestyle": "",
        }
        axes.plot([], [], marker, label=text, **style)
        for row in data.filter(pl.col("series") == current).iter_rows(named=True):
            y = rows.index(row["name"]) + offset
            if row["ng"] is None:
                continue
            if row["low"] is not None and row["high"] is not None:
                axes.plot([100 * row["low"], 100 * row["high"]], [y, y], color=colour, linewidth=0.9, zorder=2)
            beyond = "<" if row["ng"] < low else ">" if row["ng"] > high else None
            axes.plot(100 * float(np.clip(row["ng"], low, high)), y, beyond or marker, zorder=3, clip_on=False, **style)
    _annotate(axes, data, rows)
    mark_zero(axes)
    axes.set_xlim(100 * low, 100 * high)
    bound(axes, -100, 100, x=True)
    texts = labels(names.get(name, name) for name in rows)
    axes.set_yticks(range(len(rows)), [texts[names.get(name, name)] for name in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(False, axis="y")
    axes.tick_params(axis="y", pad=8)
    beyond_axis = data.filter((pl.col("ng") < low) | (pl.col("ng") > high)).height
    arrows = "; arrowheads: beyond the axis" if beyond_axis else ""
    axes.set_xlabel(f"net gain, exact accounting (% of debates){arrows}\nbars: {BARS}")
    figure.legend(loc="outside lower center", ncols=min(len(series), 3) if len(series) != 4 else 2, frameon=False)
    return figure


def _annotate(axes: "Axes", data: pl.DataFrame, rows: list[str]) -> None:
    """Write each row's leading number at the right edge, headed by the series it is of."""
    leading = []
    for y, name in enumerate(rows):
        row = (
            data.filter(pl.col("name") == name)
            .sort(pl.col("series").replace_strict(_ORDER, default=9))
            .row(0, named=True)
        )
        axes.annotate(
            f"{gain(row['ng'])}  ({interval(row['low'], row['high'], row['flips'])})".removesuffix("  ()"),
            (1.03, y),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=6.5,
            annotation_clip=False,
        )
        leading.append(_SERIES[row["series"]][0])
    head = ", else ".join(dict.fromkeys(leading))
    place = (1.03, 1.02)
    axes.annotate(head, place, xycoords="axes fraction", fontsize=6.5, fontweight="bold", annotation_clip=False)


_ORDER = {name: place for place, name in enumerate(_SERIES)}


def _limits(data: pl.DataFrame) -> tuple[float, float]:
    """Return limits (shares) that hold zero and all rows but the far ones beyond twice the others' reach."""
    near = _finite(data.filter(~pl.col("name").is_in(_FAR)))
    reach = 2 * max(float(np.abs(near).max(initial=0.0)), 0.01)
    values = _finite(data.filter(~pl.col("name").is_in(_FAR) | (pl.col("ng").abs() <= reach)))
    low, high = float(np.min(values, initial=0.0)), float(np.max(values, initial=0.0))
    margin = 0.06 * max(high - low, 0.01)
    return low - margin, high + margin


def _finite(data: pl.DataFrame) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    values = np.concatenate([data[name].to_numpy() for name in ("ng", "low", "high")])
    finite: np.ndarray[tuple[int], np.dtype[np.float64]] = values[np.isfinite(values)]
    return finite
