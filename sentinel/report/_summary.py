"""What a run prints: the headline, the domains under each reading beside the paper's figures, tables, notes."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from sentinel.report._format import align, clean, display_width, gain, percent
from sentinel.report._grid import (
    LEGEND,
    Grid,
    baseline_grid,
    corpus_grid,
    importance_grid,
    plain_grid,
    result_grid,
    sweep_grid,
)
from sentinel.report._paper import is_main_experiment, load_paper, paper_results

WIDTH = 110
SIMULATED = "SIMULATED DATA: debates made up by this package; they say nothing about real models."
READINGS = {
    "cross_fitted": "Cross-fitted (the headline): each cut is chosen without the fold it is applied to",
    "paper": "Paper reading (optimistic): each cut is chosen on the predictions it is scored on",
    "transfer": "Transfer: each domain is decided by a rule that was trained on the others",
}
_STATES = {
    "debates": "debates",
    "questions": "questions",
    "divergent": "divergent",
    "minority_truths": "minority truths",
    "both_wrong": "both wrong",
    "tied": "tied",
    "unanswered": "unanswered",
}


def format_summary(metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], show: Sequence[str] = ()) -> str:
    """Return the summary as plain text of at most 110 columns; `show` names tables that follow the results."""
    lines = [SIMULATED] if metrics["simulated"] else []
    lines += [*wrap(headline(metrics, tables)), *wrap(describe_run(metrics))]
    null = describe_null(metrics)
    lines += [*(wrap(null) if null else []), ""]
    grids = result_grids(metrics, tables)
    for title, grid in grids:
        lines += [title, *fit_grid(grid), ""]
    for name in (name for name in show if name not in ("results", "transfer") or not grids):
        lines += [*_show(name, metrics, tables), ""]
    if grids:
        lines += wrap(LEGEND)
    for note in metrics["notes"]:
        lines += wrap(f"Note: {clean(note)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def headline(metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the exact net gain as one sentence that says what its interval allows to claim."""
    overall, debates = metrics["overall"], metrics["corpus"]["debates"]
    name = next((name for name in ("cross_fitted", "transfer") if overall.get(name)), None)
    kind = {"cross_fitted": "cross-fitted", "transfer": "left-one-domain-out"}.get(name or "", "cross-fitted")
    if name is not None:
        reading = overall[name]
        value, (low, high) = reading["ng_exact"], reading["ng_exact_interval"] or (None, None)
        no_flip = reading["flips"] == 0
    elif "learning_curve" in tables and tables["learning_curve"].height:
        last = tables["learning_curve"].row(-1, named=True)
        kind = f"learning curve, {percent(last['share'], 0)} % of the training questions: cross-fitted"
        value, low, high, no_flip = last["ng_exact"], last["ng_exact_low"], last["ng_exact_high"], False
    else:
        return f"No net gain was measured on {debates:,} debates; the notes say why."
    text = f"{'simulated: ' if metrics['simulated'] else ''}{kind} net gain {gain(value)} % of {debates:,} debates"
    start = f"{text[0].upper()}{text[1:]} (exact accounting)"
    if no_flip:
        return f"{start}: no debate was flipped."
    return f"{start}{_interval_clause(metrics, low, high)}."


def describe_run(metrics: Mapping[str, Any]) -> str:
    """Return in two sentences what was evaluated and with what."""
    corpus, setup = metrics["corpus"], metrics["setup"]
    states = [f"{corpus[key]:,} {name}" for key, name in _STATES.items() if corpus.get(key)]
    return (
        f"{clean(corpus['name'], 60)}: {', '.join(states)}; majority vote right in "
        f"{percent(corpus['majority_accuracy'])} %, with perfect flips {percent(corpus['oracle_accuracy'])} %. "
        f"{setup['classifier']} on {len(setup['features'])} features ({setup['feature_group']}), seed {setup['seed']}."
    )


def describe_null(metrics: Mapping[str, Any]) -> str:
    """Return what both readings show on corpora without an effect, where the run drew some; else nothing."""
    null = metrics.get("null_corpora")
    if not null:
        return ""
    means = [
        f"{title} mean {gain(null[name]['mean'])} %, above zero in {null[name]['positive']} of {null[name]['corpora']}"
        for title, name in (("paper reading", "ng_paper_exact"), ("cross-fitted", "ng_cross_fitted_exact"))
    ]
    optimistic = null["ng_paper_exact"]["mean"] > max(0.0, null["ng_cross_fitted_exact"]["mean"])
    verdict = (
        "the paper reading finds a gain where there is none" if optimistic else "neither reading is optimistic here"
    )
    return f"Without an effect (simulated, exact accounting): {'; '.join(means)}: {verdict}."


def result_grids(metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> list[tuple[str, Grid]]:
    """Return the results by domain, one titled grid for each reading that the run has."""
    reference = paper_results(metrics, tables["corpus"])
    parts = [tables[name] for name in ("results", "transfer") if name in tables and tables[name].height]
    grids = []
    for name, title in READINGS.items():
        rows = [part.filter(pl.col("reading") == name) for part in parts]
        found = next((part for part in rows if part.height), None)
        if found is not None:
            grids.append((title, result_grid(found, reference if name == "paper" else {})))
    return grids


def _interval_clause(metrics: Mapping[str, Any], low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ", no interval"
    level = percent(metrics["setup"]["confidence"], 0)
    meaning = "a gain" if low > 0 else "a loss" if high < 0 else "not distinguishable from zero"
    return f", {level} % interval {gain(low)} to {gain(high)}: {meaning}"


def _show(name: str, metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> list[str]:
    if name not in tables:
        return wrap(f"{clean(name, 40)}: no such table in this run; have: {', '.join(sorted(tables))}")
    paper = load_paper() if is_main_experiment(metrics) else None
    table = tables[name]
    if name == "baselines":
        return ["Baselines", *fit_grid(baseline_grid(table, paper.baselines if paper else {}))]
    if name == "corpus":
        return ["Corpus", *fit_grid(corpus_grid(table))]
    if name == "importance" and table.height:
        return ["Importance", *fit_grid(importance_grid(table, paper.importance if paper else {}))]
    if name == "threshold_sweep" and table.height:
        title, grid = sweep_grid(table, paper.threshold_sweep if paper else None)
        return [*wrap(title), *fit_grid(grid)]
    return [name, *fit_grid(plain_grid(table), dropping=f"tables/{name}.csv")]


def wrap(text: str) -> list[str]:
    """Return text as lines within the width."""
    lines = [""]
    for word in text.split():
        while display_width(word) > WIDTH - 4:
            head, word = _split(word, WIDTH - 4)
            lines.append(f"  {head}")
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(joined) <= WIDTH:
            lines[-1] = joined
        else:
            lines.append(f"  {word}")
    return lines


def _split(word: str, width: int) -> tuple[str, str]:
    """Return the longest beginning of a word that fits, and the rest."""
    size = len(word)
    while display_width(word[:size]) > width:
        size -= 1
    return word[:size], word[size:]


def fit_grid(grid: Grid, dropping: str | None = None) -> list[str]:
    """Return aligned lines within the width: the first column is cut, or last columns go, which is then said."""
    header, rows, left = grid
    kept = len(header)
    while dropping and kept > left and _width(header[:kept], [row[:kept] for row in rows], left) > WIDTH:
        kept -= 1
    rows = [row[:kept] for row in rows]
    excess = _width(header[:kept], rows, left) - WIDTH
    if excess > 0:
        room = max(4, max(display_width(row[0]) for row in rows) - excess)
        rows = [[clean(row[0], room), *row[1:]] for row in rows]
    rest = f"({', '.join(header[kept:])}: in {dropping})" if kept < len(header) else ""
    return [*align(header[:kept], rows, left), *(wrap(rest) if rest else [])]


def _width(header: list[str], rows: list[list[str]], left: int) -> int:
    return max(display_width(line) for line in align(header, rows, left))
