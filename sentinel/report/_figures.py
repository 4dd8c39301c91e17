"""Which figures a run's tables allow, each with the data it draws."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import polars as pl

from sentinel.report._figure_check import draw_learning_curve, draw_null, null_data
from sentinel.report._figure_feature import contribution_data, draw_contributions, draw_importance
from sentinel.report._figure_gain import draw_baselines, draw_domains, draw_transfer, forest_data
from sentinel.report._figure_threshold import draw_calibration, draw_threshold_sweep, threshold_sweep_data
from sentinel.report._format import clean, describe_interval
from sentinel.report._paper import is_fixed, is_main_experiment, load_paper, paper_results
from sentinel.report._style import save_figure, undrawable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Drawing: TypeAlias = "Callable[[pl.DataFrame, bool], Figure]"


_LABELLED = ("name", "configuration")  # columns of data that become labels
_NAMED = 5


class Plan(NamedTuple):
    """A figure to draw: `draw(data, simulated)` is pure; `caption` says what to look at."""

    name: str
    data: pl.DataFrame
    draw: Drawing
    caption: str


def plan_figures(
    metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], predictions: pl.DataFrame
) -> list[Plan]:
    """Return the figures of a run, leaving out those without data."""
    paper = load_paper() if is_main_experiment(metrics) else None
    published = paper_results(metrics, tables["corpus"])
    meaning = describe_interval(metrics["setup"]["confidence"])
    bars = f"Bars: {meaning}. Numbers at the right: the series named above them."
    filled = {name for name, table in tables.items() if table.height}
    plans = []
    if "results" in filled:
        results, caption = tables["results"], "Exact net gain by domain under both readings."
        if is_fixed(metrics):
            results = results.filter(reading="cross_fitted").with_columns(reading=pl.lit("fixed"))
            caption = "Exact net gain by domain with the cut that was fixed beforehand."
        data = forest_data(results, "domain", published)
        plans.append(Plan("domains", data, draw_domains, f"{caption} {bars}"))
    if "baselines" in filled:
        data = forest_data(tables["baselines"], "method", paper.baselines if paper else {})
        plans.append(Plan("baselines", data, draw_baselines, f"Exact net gain of what else could be done. {bars}"))
    if {"threshold_sweep", "results"} <= filled:
        data = threshold_sweep_data(tables, paper)
        plans.append(Plan("threshold_sweep", data, draw_threshold_sweep, "One cut for all domains, scored in-sample."))
    if "calibration" in filled and tables["calibration"]["count"].sum():
        caption = "Predicted probability against observed share, with counts."
        plans.append(Plan("calibration", tables["calibration"], draw_calibration, caption))
    if "importance" in filled:
        caption = "What the classifier splits on, fitted to all candidates."
        plans.append(Plan("importance", tables["importance"], draw_importance, caption))
    if "contributions" in filled:
        data = contribution_data(tables["contributions"], predictions)
        plans.append(
            Plan("contributions", data, draw_contributions, "How features move single probabilities; colour: value.")
        )
    if "transfer" in filled:
        data = forest_data(tables["transfer"], "domain", {})
        plans.append(
            Plan("transfer", data, draw_transfer, f"Net gain in domains that were left out of training. {bars}")
        )
    if "learning_curve" in filled:
        caption = f"Net gain and AUC by the amount of labelled debates. Band: {meaning}."
        plans.append(Plan("learning_curve", tables["learning_curve"], draw_learning_curve, caption))
    if filled & {"permutations", "null_corpora"}:
        data = null_data(tables)
        plans.append(Plan("null", data, draw_null, "Net gain that is found without an effect."))
    return plans


def save_figures(folder: Path, plans: list[Plan], simulated: bool, dpi: int) -> list[Path]:
    """Write each figure as PNG, SVG and CSV; return the paths. A note on stderr names what the font cannot draw."""
    written = []
    for plan in plans:
        written += save_figure(folder / plan.name, plan.data, partial(plan.draw, plan.data, simulated), dpi)
    if note := _describe_boxes(plans):
        print(f"note: {note}", file=sys.stderr)
    return written


def _describe_boxes(plans: list[Plan]) -> str:
    """Return which texts are boxes in which figures, and where they can be read; nothing where all are drawn."""
    found = {
        plan.name: undrawable(text for name in _LABELLED if name in plan.data.columns for text in plan.data[name])
        for plan in plans
    }
    figures = [name for name, texts in found.items() if texts]
    if not figures:
        return ""
    texts = list(dict.fromkeys(text for name in figures for text in found[name]))
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    named = ", ".join(clean(text, 40) for text in texts[:_NAMED])
    files = ", ".join(f"{name}.csv" for name in figures)
    return (
        f"the figures' font lacks characters of {named}{more}: boxes in {', '.join(figures)}; the names are in {files}"
    )
