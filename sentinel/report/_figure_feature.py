"""Figures of what the classifier looks at: importance by split count, and its own contributions per candidate."""

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from sentinel.report._style import BLACK, GREY, GROUP_COLOURS, NARROW, WIDE, make_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOP = 10
_MEASURES = {"splits": "splits over all trees", "mean_abs_contribution": "mean |contribution| (log-odds)"}


def draw_importance(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw the ten leading features by each measure, coloured by group."""
    from matplotlib.patches import Patch

    measures = [name for name in _MEASURES if data[name].null_count() < data.height]
    figure = make_figure(NARROW * len(measures), 2.7, f"Top {min(TOP, data.height)} features", simulated)
    panels = figure.subplots(1, len(measures), squeeze=False)[0]
    groups: dict[str, str] = {}
    for axes, measure in zip(panels, measures, strict=True):
        top = data.sort(measure, "feature", descending=[True, False], nulls_last=True).head(TOP)
        colours = [GROUP_COLOURS.get(group, GREY) for group in top["group"]]
        groups.update(zip(top["group"], colours, strict=True))
        rows = np.arange(top.height)
        axes.barh(rows, top[measure], color=colours, height=0.7)
        axes.set_yticks(rows, top["feature"])
        axes.invert_yaxis()
        axes.grid(False, axis="y")
        axes.set_xlabel(_MEASURES[measure])
    handles = [Patch(color=colour, label=group) for group, colour in sorted(groups.items())]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    return figure


def contribution_data(contributions: pl.DataFrame, predictions: pl.DataFrame) -> pl.DataFrame:
    """Return one row per candidate and leading feature: contribution in log-odds, value from least 0 to greatest 1.

    The ten features with the largest mean absolute contribution, largest first; `value` is null where missing, 0.5
    where all are equal.
    """
    keys = ["id", "candidate"]
    features = [name for name in contributions.columns if name not in keys]
    size = {name: float(np.abs(contributions[name].to_numpy()).mean()) for name in features}
    top = sorted(features, key=lambda name: -size[name])[:TOP]
    values = contributions.select(keys).join(
        predictions.select(*keys, *top), on=keys, how="left", maintain_order="left"
    )
    parts = []
    for name in top:
        value = values[name].cast(pl.Float64).fill_nan(None)
        from_least = value - value.min()
        span = from_least.max()
        scaled = from_least / span if span else from_least + 0.5
        parts.append(
            contributions.select(*keys, feature=pl.lit(name), contribution=pl.col(name)).with_columns(value=scaled)
        )
    return pl.concat(parts)


def draw_contributions(data: pl.DataFrame, simulated: bool) -> "Figure":
    """Draw one dot per candidate and feature, spread where dense; colour is the feature's value."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    figure = make_figure(WIDE * 0.75, 3.3, "Contributions to the log-odds that the minority is right", simulated)
    axes = figure.subplots()
    features = data["feature"].unique(maintain_order=True).to_list()
    contribution = data["contribution"].to_numpy()
    edges = np.linspace(contribution.min(), contribution.max(), 80)
    for row, feature in enumerate(features):
        part = data.filter(pl.col("feature") == feature)
        x, value = part["contribution"].to_numpy(), part["value"].cast(pl.Float64).to_numpy()
        y = row + _spread(np.digitize(x, edges))
        known = np.isfinite(value)
        axes.scatter(x[~known], y[~known], s=3, color=GREY, linewidths=0, rasterized=True)
        axes.scatter(
            x[known], y[known], s=3, c=value[known], cmap="viridis", vmin=0, vmax=1, linewidths=0, rasterized=True
        )
    axes.axvline(0, color=BLACK, linewidth=0.6)
    axes.set_yticks(range(len(features)), features)
    axes.invert_yaxis()
    axes.grid(False, axis="y")
    axes.locator_params(axis="x", nbins=7)
    axes.set_xlabel("contribution (log-odds; right of 0 speaks for the minority)")
    bar = figure.colorbar(ScalarMappable(Normalize(0, 1), "viridis"), ax=axes, ticks=[0, 1], aspect=30, pad=0.02)
    bar.ax.set_yticklabels(["least", "greatest"])
    bar.set_label("feature value (grey: missing)", labelpad=-10)
    bar.outline.set_visible(False)
    return figure


def _spread(bins: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return vertical offsets in -0.4..0.4: the dots of one bin alternate around its middle."""
    order = np.argsort(bins, kind="stable")
    _, start, size = np.unique(bins[order], return_index=True, return_counts=True)
    place = np.empty(len(bins))
    place[order] = np.arange(len(bins)) - np.repeat(start, size)
    side = np.where(place % 2 == 0, 1, -1) * np.ceil(place / 2)
    return side / max(float(np.abs(side).max(initial=0)), 10.0) * 0.4
