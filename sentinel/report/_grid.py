"""Tables of results as cells of text, for the terminal and for Markdown alike; the first columns hold data's names."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from sentinel.report._format import (
    MEAN_COUNTS,
    MISSING,
    area,
    cell,
    clean,
    count,
    decimal,
    describe_interval,
    distinct,
    gain,
    interval,
    is_share,
    percent,
    permuted,
    places,
    short_domains,
)
from sentinel.report._paper import PaperRow, PaperSweep

_COUNTS = (
    "CF correct flips, WF wrong flips (paper accounting: harmful or both wrong), HF harmful flips (of right majorities)"
)
METHODS = {
    "majority_voting": "majority voting",
    "always_minority": "always the minority",
    "single_best_feature": "single best feature",
    "logistic_regression": "logistic regression",
    "llm_judge": "LLM judge",
    "single_best_agent": "single best agent",
    "self_consistency": "self-consistency",
    "sentinel": "sentinel",
    "oracle": "oracle",
}
READING_NAMES = {"cross_fitted": "cross-fitted", "paper": "paper", "transfer": "transfer", "none": ""}
_SWEEP_STEP = 5


class Grid(NamedTuple):
    """Column heads and rows of cells; the first `left` columns are text, the others numbers."""

    header: list[str]
    rows: list[list[str]]
    left: int


def legend(confidence: float) -> str:
    """Return what the columns of a run's tables mean."""
    return (
        f"{_COUNTS}, FP = CF/(CF+WF), rec = share of MT flipped right, NG paper = (CF-WF)/N, "
        "NG exact = (CF-HF)/N = change in accuracy; FP, rec and NG in %; "
        "tau to never: some folds or domains never flip. "
        f"interval (of NG exact): {describe_interval(confidence)}."
    )


def curve_legend(confidence: float) -> str:
    """Return what the columns of a learning curve mean."""
    return f"Intervals: {describe_interval(confidence)}. {' and '.join(MEAN_COUNTS)}: means over folds."


def sweep_legend(confidence: float, *, counts: bool) -> str:
    """Return what the columns of a sweep's tables mean; `counts`: those of flips are among them."""
    return (
        f"{_COUNTS + ', all three as NG exact. ' if counts else ''}NG exact = (CF-HF)/N without the scored debates: "
        "cuts are cross-fitted (transfer: the domain left out; learning curve: its last share). "
        "paper reading = NG with each cut chosen on the predictions it is scored on (optimistic), under the paper's "
        "accounting, (CF-WF)/N; `paper: NG`, where shown, is the published figure for that. NG in %. "
        f"interval: {describe_interval(confidence)}."
    )


def result_grid(results: pl.DataFrame, published: Mapping[str, PaperRow]) -> Grid:
    """Return the results of one reading by domain, beside the paper's where it has the same experiment."""
    names = short_domains(results["domain"].to_list())
    totals = {} if published else {"n": "N", "divergent": "div", "minority_truths": "MT"}
    counts = {**totals, "cf": "CF", "wf": "WF", "harmful": "HF"}
    header = ["domain", *counts.values(), "tau", "AUC", "FP", "rec", "NG paper", "NG exact"]
    header += ["paper: CF", "WF", "AUC", "NG"] if published else ["interval"]
    rows = []
    for row in results.iter_rows(named=True):
        cells = [
            names[row["domain"]],
            *(count(row[name]) for name in counts),
            row["tau"] or MISSING,
            area(row["auc"]),
            percent(row["flip_precision_paper"]),
            percent(row["recovery"]),
            gain(row["ng_paper"]),
            gain(row["ng_exact"]),
        ]
        if published:
            paper = published.get(row["domain"], PaperRow(""))
            cells += [count(paper.cf), count(paper.wf), area(paper.auc), gain(paper.ng)]
        else:
            cells.append(interval(row["ng_exact_low"], row["ng_exact_high"], count_flips(row)))
        rows.append(cells)
    return Grid(header, rows, 1)


def baseline_grid(baselines: pl.DataFrame, published: Mapping[str, PaperRow]) -> Grid:
    """Return the baselines, beside the paper's where it has the same experiment; a method without data says why."""
    header = ["method", "reading", "CF", "WF", "HF", "FP", "rec", "NG paper", "NG exact", "interval"]
    rows = []
    for row in baselines.iter_rows(named=True):
        cells = [
            METHODS.get(row["method"], row["method"]),
            READING_NAMES.get(row["reading"], row["reading"]),
            *(count(row[name]) for name in ("cf", "wf", "harmful")),
            percent(row["flip_precision_paper"]),
            percent(row["recovery"]),
            gain(row["ng_paper"]),
            gain(row["ng_exact"]),
            interval(row["ng_exact_low"], row["ng_exact_high"], count_flips(row))
            if row["ng_exact"] is not None
            else clean(row["note"], 19),
        ]
        if published:
            paper = published.get(row["method"]) if row["reading"] != "cross_fitted" else None
            cells.append(gain(paper.ng if paper else None))
        rows.append(cells)
    return Grid(header + (["paper"] if published else []), rows, 2)


def count_flips(row: Mapping[str, Any]) -> int | None:
    """Return the flips of a row, None for a rule that does not flip but answers on its own."""
    return None if row["cf"] is None or row["wf"] is None else row["cf"] + row["wf"]


def corpus_grid(corpus: pl.DataFrame) -> Grid:
    """Return what the corpus holds by domain."""
    names = short_domains(corpus["domain"].to_list())
    counts = {
        "n": "N",
        "questions": "questions",
        "divergent": "div",
        "minority_truths": "MT",
        "both_wrong": "both wrong",
        "tied": "tied",
        "unanswered": "unanswered",
    }
    shares = {"mt_rate": "MT %", "majority_accuracy": "majority %", "oracle_accuracy": "oracle %"}
    rows = [
        [names[row["domain"]], *(count(row[name]) for name in counts), *(percent(row[name]) for name in shares)]
        for row in corpus.iter_rows(named=True)
    ]
    return Grid(["domain", *counts.values(), *shares.values()], rows, 1)


def importance_grid(importance: pl.DataFrame, published: Mapping[str, int]) -> Grid:
    """Return the features by split count, or by contribution where there are no splits."""
    key = "splits" if importance["splits"].null_count() < importance.height else "mean_abs_contribution"
    rows = [
        [
            row["feature"],
            row["group"],
            row["direction"] or MISSING,
            count(row["splits"]),
            decimal(row["gain"], 1),
            decimal(row["mean_abs_contribution"]),
            *([count(published.get(row["feature"]))] if published else []),
        ]
        for row in importance.sort(key, "feature", descending=[True, False], nulls_last=True).iter_rows(named=True)
    ]
    header = ["feature", "group", "direction", "splits", "gain", "mean |contribution|"]
    return Grid(header + (["paper: splits"] if published else []), rows, 3)


def sweep_grid(sweep: pl.DataFrame, published: PaperSweep | None) -> tuple[str, Grid]:
    """Return a sentence on the best cut and the range of gains, and every fifth cut of the sweep."""
    parts = []
    for column, name in (("ng_paper", "paper"), ("ng_exact", "exact")):
        best = sweep.sort(column, "tau", descending=True).row(0, named=True)
        positive = sweep.filter(pl.col(column) > 0)["tau"].to_list()
        span = (
            f"{len(positive)} of {sweep.height} cuts gain, from {min(positive):.2f} to {max(positive):.2f}"
            if positive
            else "no cut gains"
        )
        parts.append(f"{name} accounting: best {gain(best[column])} % at {best['tau']:.2f}, {span}")
    if published:
        span = f"gains from {published.positive_from:.2f} to {published.positive_to:.2f}"
        parts.append(f"the paper: best {gain(published.best_ng)} % at {published.best_tau:.2f}, {span}")
    header = ["tau", "CF", "WF", "HF", "FP", "NG paper", "NG exact"]
    rows = [
        [
            f"{row['tau']:.2f}",
            *(count(row[name]) for name in ("cf", "wf", "harmful")),
            percent(row["flip_precision_paper"]),
            gain(row["ng_paper"]),
            gain(row["ng_exact"]),
        ]
        for row in sweep.gather_every(_SWEEP_STEP).iter_rows(named=True)
    ]
    return f"One cut for all domains, chosen and scored in-sample. {'; '.join(parts)}.", Grid(header, rows, 1)


def tests_grid(tests: pl.DataFrame, draws: int) -> Grid:
    """Return the tests, the statistic a net gain in percent for permutations and a count for the others.

    A permutation p value at the least that `draws` permutations can give says so.
    """
    grid = plain_grid(tests)
    first, second = tests.columns.index("statistic"), tests.columns.index("p_value")
    for row, test, statistic, p in zip(grid.rows, tests["test"], tests["statistic"], tests["p_value"], strict=True):
        if str(test).startswith("permutation"):
            row[first] = MISSING if statistic is None else f"{gain(statistic)} %"
            row[second] = permuted(p, draws)
        else:
            row[first] = count(statistic)
    return grid


def plain_grid(table: pl.DataFrame) -> Grid:
    """Return any table; shares are in percent and marked so."""
    header = [f"{name} %" if is_share(name) else name for name in table.columns]
    columns = [_text_cells(column) if column.dtype == pl.String else _value_cells(column) for column in table]
    left = next((place for place, dtype in enumerate(table.dtypes) if dtype != pl.String), len(table.columns))
    return Grid(header, [list(row) for row in zip(*columns, strict=True)], left)


def _value_cells(column: pl.Series) -> list[str]:
    values = column.to_list()
    digits = places(column.name, values) if column.dtype.is_float() else 0
    return [cell(column.name, value, digits) for value in values]


def _text_cells(column: pl.Series) -> list[str]:
    names = distinct(column.drop_nulls().to_list())
    return [MISSING if text is None else names[text] for text in column.to_list()]
