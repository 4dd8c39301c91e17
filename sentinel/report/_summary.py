"""What a run prints: the headline, the domains under each reading beside the paper's figures, tables, notes."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from sentinel.report._format import (
    align,
    clean,
    count_of,
    display_width,
    distinct,
    gain,
    interval,
    level,
    percent,
    probability,
    significance,
)
from sentinel.report._grid import (
    READING_NAMES,
    Grid,
    baseline_grid,
    corpus_grid,
    curve_legend,
    importance_grid,
    legend,
    plain_grid,
    result_grid,
    sweep_grid,
    tests_grid,
)
from sentinel.report._paper import is_fixed, is_main_experiment, load_paper, paper_results

WIDTH = 110
SIMULATED = "SIMULATED DATA: debates made up by this package; they say nothing about real models."
READINGS = {
    "cross_fitted": "Cross-fitted (the headline): each cut is chosen without the fold it is applied to",
    "paper": "Paper reading (optimistic): each cut is chosen on the predictions it is scored on",
    "transfer": "Transfer: each domain is decided by a rule that was trained on the others",
}
FIXED = "Cut fixed beforehand: one reading, since no cut was chosen on any debate"
# What makes a table that a run may lack: the protocol, or a setting with its value that leaves it out and one that does
# not.
_PROTOCOLS = ("transfer", "learning_curve")
_SWITCHES = {
    "baselines": ("evaluation.baselines", "false", "true"),
    "permutations": ("evaluation.permutations", "0", "20"),
    "null_corpora": ("evaluation.null_corpora", "0", "20"),
}
_CROSS_VALIDATED = frozenset(
    "results folds threshold_sweep calibration importance contributions tests baselines permutations".split()
)
_STATES = {
    "debates": "debate",
    "questions": "question",
    "divergent": "divergent",
    "minority_truths": "minority truth",
    "both_wrong": "both wrong",
    "tied": "tied",
    "unanswered": "unanswered",
}
_COUNTED = ("debates", "questions", "minority_truths")


def format_summary(metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], show: Sequence[str] = ()) -> str:
    """Return the summary as plain text of at most 110 columns; `show` names tables that follow the results."""
    lines = [SIMULATED] if metrics["simulated"] else []
    lines += [*wrap(headline(metrics, tables)), *wrap(describe_run(metrics))]
    null = describe_null(metrics)
    lines += [*(wrap(null) if null else []), ""]
    grids = result_grids(metrics, tables)
    for title, grid in grids:
        lines += [title, *fit_grid(grid), ""]
    told = [line for text in describe_flips(metrics) for line in wrap(text)]
    lines += [*told, ""] if told else []
    for name in (name for name in show if name not in ("results", "transfer") or name not in tables):
        lines += [*_show(name, metrics, tables), ""]
    if grids:
        lines += wrap(legend(metrics["setup"]["confidence"]))
    elif "learning_curve" in tables:
        lines += wrap(curve_legend(metrics["setup"]["confidence"]))
    for note in metrics["notes"]:
        lines += wrap(f"Note: {clean(note)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def headline(metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the exact net gain as one sentence that says what its interval allows to claim."""
    overall, debates = metrics["overall"], metrics["corpus"]["debates"]
    name = next((name for name in ("cross_fitted", "transfer") if overall.get(name)), None)
    kind = "leave-one-domain-out" if name == "transfer" else "cross-fitted"
    if is_fixed(metrics):
        kind = f"{kind}, cut fixed beforehand:" if name == "transfer" else "cut fixed beforehand:"
    if name is not None:
        reading = overall[name]
        value, (low, high) = reading["ng_exact"], reading["ng_exact_interval"] or (None, None)
        no_flip, p = reading["flips"] == 0, exact_p(metrics, name)
    elif "learning_curve" in tables and tables["learning_curve"].height:
        last = tables["learning_curve"].row(-1, named=True)
        kind = f"learning curve, {percent(last['share'], 0)} % of the training questions: {kind}"
        value, low, high, no_flip = (
            last["ng_exact"],
            last["ng_exact_low"],
            last["ng_exact_high"],
            last.get("flips") == 0,
        )
        p = last.get("p_exact")
    else:
        return f"No net gain was measured on {count_of(debates, 'debate')}; the notes say why."
    text = f"{'simulated: ' if metrics['simulated'] else ''}{kind} net gain {gain(value)} %"
    text += f" of {count_of(debates, 'debate')}"
    start = f"{text[0].upper()}{text[1:]} (exact accounting)"
    if no_flip:
        return f"{start}: no debate was flipped."
    return f"{start}{_verdict(metrics['setup']['confidence'], low, high, p)}."


def exact_p(metrics: Mapping[str, Any], reading: str) -> float | None:
    """Return the p value of the exact test of a reading against the majority vote, on questions."""
    found: float | None = metrics["overall"][reading].get("p_exact")
    if found is not None:
        return found
    test = (metrics.get("tests") or {}).get("mcnemar") or {}
    return (test.get(reading) or {}).get("p_value")


def describe_flips(metrics: Mapping[str, Any]) -> list[str]:
    """Return how many right majorities were overturned, and which flips were to answers given up in the debate."""
    name = next((name for name in ("cross_fitted", "transfer") if metrics["overall"].get(name)), None)
    if name is None:
        return []
    reading, corpus = metrics["overall"][name], metrics["corpus"]
    which = "with the cut fixed beforehand" if is_fixed(metrics) else f"under the {READING_NAMES[name]} reading"
    contested = reading.get("right_majorities")
    if contested is None and not corpus.get("given_up_candidates"):
        # A divergent debate has a right majority, a right minority, or neither.
        contested = corpus["divergent"] - corpus["minority_truths"] - corpus["both_wrong"]
    lines = []
    if contested:
        harmful = reading["harmful"]
        share = percent(harmful / contested)
        lines.append(f"right majorities overturned: {harmful:,} of {contested:,} contested ({share} %) {which}")
    given_up = reading.get("given_up") or {}
    if corpus.get("given_up_candidates") or given_up.get("flips"):
        lines.append(
            f"of the {count_of(reading['flips'], 'flip')} {which}, {given_up['cf']:,} correct / "
            f"{given_up['harmful']:,} harmful were of answers given up during the debate; "
            "rec counts final-split truths only"
        )
    return lines


def describe_run(metrics: Mapping[str, Any]) -> str:
    """Return in two sentences what was evaluated and with what."""
    corpus, setup = metrics["corpus"], metrics["setup"]
    ceiling = f"{percent(corpus['oracle_accuracy'])} %"
    beyond = corpus.get("oracle_accuracy_any_round")
    if corpus.get("given_up_candidates") and beyond is not None:
        ceiling += f" ({percent(beyond)} % counting answers given up on the way)"
    states = [
        count_of(corpus[key], name) if key in _COUNTED else f"{corpus[key]:,} {name}"
        for key, name in _STATES.items()
        if corpus.get(key)
    ]
    return (
        f"{clean(corpus['name'], 60)}: {', '.join(states)}; majority vote right in "
        f"{percent(corpus['majority_accuracy'])} %, with perfect flips {ceiling}. "
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
    if is_fixed(metrics):
        parts = [part.filter(pl.col("reading") != "paper") for part in parts]
    grids = []
    for name, title in READINGS.items():
        rows = [part.filter(pl.col("reading") == name) for part in parts]
        found = next((part for part in rows if part.height), None)
        if found is not None:
            title = FIXED if is_fixed(metrics) and name == "cross_fitted" else title
            grids.append((title, result_grid(found, reference if name == "paper" else {})))
    return grids


def _verdict(confidence: float, low: float | None, high: float | None, p: float | None) -> str:
    """Return interval and exact test, and a gain or a loss only where both tell it from zero.

    The bootstrap alone is too narrow where few debates are flipped.
    """
    if low is None or high is None:
        return ", no interval"
    excludes = low > 0 or high < 0
    test = "" if p is None else f", exact test p {'' if p < 0.001 else '= '}{probability(p)}"
    if excludes and p is None:
        meaning = f"{'above' if low > 0 else 'below'} zero by the interval alone, without an exact test"
    elif excludes and p is not None and p < significance(confidence):
        meaning = "a gain" if low > 0 else "a loss"
    else:
        meaning = "not distinguishable from zero"
    return f", {level(confidence)} interval {interval(low, high)}{test}: {meaning}"


def _show(name: str, metrics: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]) -> list[str]:
    if name not in tables:
        why = _explain_absence(name, metrics) or f"no such table in this run; have: {', '.join(sorted(tables))}"
        return wrap(f"{clean(name, 40)}: {why}")
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
    if name == "tests":
        grid = tests_grid(table, tables["permutations"].height if "permutations" in tables else 0)
        return [name, *fit_grid(grid, dropping=f"tables/{name}.csv")]
    return [name, *fit_grid(plain_grid(table), dropping=f"tables/{name}.csv")]


def _explain_absence(name: str, metrics: Mapping[str, Any]) -> str:
    """Return why a run made no table of this name, and what makes it; nothing for a name that no run has."""
    protocol = metrics["setup"]["evaluation"]
    needed = name if name in _PROTOCOLS else "cross_validated" if name in _CROSS_VALIDATED else protocol
    if needed != protocol:
        return f"not made by evaluation={protocol}; evaluation={needed} makes it"
    if name == "null_corpora" and not metrics["simulated"]:
        return "not made, since null corpora are drawn for the simulated corpus only"
    if name in _SWITCHES:
        switch, off, on = _SWITCHES[name]
        return f"not made, since {switch} is {off}; {switch}={on} makes it"
    return ""


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
    # Columns move closer together before a name is cut.
    gap = 2 if _width(header[:kept], rows, left) <= WIDTH else 1
    excess = _width(header[:kept], rows, left, gap) - WIDTH
    if excess > 0:
        room = max(8, max(display_width(row[0]) for row in rows) - excess)
        names = distinct((row[0] for row in rows), room)
        rows = [[names[row[0]], *row[1:]] for row in rows]
    rest = f"({', '.join(header[kept:])}: in {dropping})" if kept < len(header) else ""
    return [*align(header[:kept], rows, left, gap), *(wrap(rest) if rest else [])]


def _width(header: list[str], rows: list[list[str]], left: int, gap: int = 2) -> int:
    return max(display_width(line) for line in align(header, rows, left, gap))
