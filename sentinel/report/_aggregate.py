"""The summary of a sweep, from the files its jobs left: a table of all jobs, a page, and figures by what varied."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from sentinel.report._comparison import (
    choose_reference,
    compare_configurations,
    configurations_grid,
    configurations_headline,
)
from sentinel.report._figure_sweep import draw_comparison, draw_seeds, seeds_data
from sentinel.report._figures import Plan, save_figures
from sentinel.report._files import write_csv, write_text
from sentinel.report._format import area, clean, count, describe_interval, distinct, escape_markdown, gain, interval
from sentinel.report._grid import Grid, sweep_legend
from sentinel.report._page import figure_links, grid_to_markdown
from sentinel.report._paper import PaperSpread, is_main_experiment, load_paper
from sentinel.report._planned import read_replaced
from sentinel.report._spread import spread_grid, spread_headline
from sentinel.report._summary import SIMULATED, fit_grid, wrap
from sentinel.report._sweep import (
    DONE,
    FAILED,
    HEADLINES,
    NEVER_STARTED,
    Job,
    earlier_jobs,
    group_jobs,
    headline_reading,
    job_values,
    jobs_unknown,
    read_jobs,
    summary_table,
    varying_overrides,
)
from sentinel.settings import EvaluationSettings, ReportSettings

_NAMES: dict[tuple[str, ...], str] = {("feature_groups",): "ablation", ("classifier",): "classifiers"}
_PRINTED = 60
_PRINTED_NOTES = 12


class Section(NamedTuple):
    """A titled grid with what its columns mean (nothing where they say so themselves)."""

    title: str
    grid: Grid
    legend: str


class SweepSummary(NamedTuple):
    """A sweep as a reader gets it: first sentences, grids, figures to draw, jobs that are not done."""

    simulated: bool
    headline: str
    grids: list[Section]
    plans: list[Plan]
    problems: list[Job]
    notes: list[str]


def aggregate(sweep_dir: str | Path, *, dpi: int = ReportSettings.dpi) -> list[Path]:
    """Write summary.csv, summary.md and figures into a sweep's folder, and FAILED where a job failed; return the paths.

    A sweep of another task gets no summary. Raises ReportError where the folder holds no job.
    """
    return write_summary(Path(sweep_dir), dpi)[1]


def write_summary(folder: Path, dpi: int) -> tuple[SweepSummary | None, list[Path]]:
    """Do what `aggregate` does, and return the summary too (None for a sweep of another task)."""
    jobs = read_jobs(folder)
    if not jobs:
        return None, []
    table = summary_table(jobs)
    summary = summarise_jobs(jobs, table, jobs_unknown(folder))
    if replaced := read_replaced(folder):
        summary.notes.append(f"not swept, as the command line says otherwise: {', '.join(replaced)}")
    if earlier := earlier_jobs(folder):
        summary.notes.append(f"jobs of an earlier sweep into this folder, left out: {', '.join(earlier)}")
    written = [write_csv(folder / "summary.csv", table)]
    failed = [job for job in jobs if job.status == FAILED]
    marker = folder / "FAILED"
    if failed:
        written.append(write_text(marker, "".join(f"{job.name}: {clean(job.error)}\n" for job in failed)))
    else:
        marker.unlink(missing_ok=True)
    written += save_figures(folder / "figures", summary.plans, summary.simulated, dpi)
    return summary, [*written, write_text(folder / "summary.md", sweep_page(summary))]


def summarise_jobs(jobs: Sequence[Job], table: pl.DataFrame, unknown: str) -> SweepSummary:
    """Return the summary of a sweep's jobs; `table` has one row for each, `unknown` says why more may have been due."""
    done = [job for job in jobs if job.status == DONE]
    problems = [job for job in jobs if job.status != DONE]
    simulated = any(job.metrics["simulated"] for job in done if job.metrics)
    names = varying_overrides(jobs)
    configurations = group_jobs(jobs)
    levels = [float(job.metrics["setup"]["confidence"]) for job in done if job.metrics]
    confidence = levels[0] if levels else EvaluationSettings.confidence
    grids: list[Section] = []
    notes = _gather_notes(done)
    plans: list[Plan] = []
    if len(configurations) > 1:
        compared = compare_configurations(configurations)
        text = configurations_headline(compared, choose_reference(configurations))
        apart = compared.filter(pl.col("difference").is_null() & pl.col("note").is_not_null())
        notes += [f"{name}: {note}" for name, note in apart.select("configuration", "note").iter_rows()]
        name = _NAMES.get(tuple(configurations[0].values), "comparison")
        grids.append(
            Section(
                f"By {clean(compared['varied'][0])}",
                configurations_grid(compared),
                sweep_legend(confidence, counts=False),
            )
        )
        plans.append(Plan(name, compared, draw_comparison, _comparison_caption(compared, confidence)))
    elif len(done) > 1 and names:
        published = _published_seeds(done, names)
        reading = headline_reading(done)
        text = spread_headline(
            table, reading, len({job.metrics["corpus"]["data_hash"] for job in done if job.metrics}) == 1
        )
        grids.append(Section("Spread over seeds", spread_grid(table, published), ""))
        if reading == "cross_fitted" and table["cross_fitted_ng_exact"].drop_nulls().len():
            plans.append(Plan("seeds", seeds_data(table, published), draw_seeds, "All seeds, each a dot."))
    else:
        text = "No two jobs to compare."
    grids.append(Section("Jobs", _job_grid(jobs, names), sweep_legend(confidence, counts=True)))
    if len(configurations) == 1 and configurations[0].flag:
        text = f"No finding, {configurations[0].flag}. {text}"
    text = f"{_count_jobs(jobs, unknown)} {text}"
    return SweepSummary(simulated, text, grids, plans if done else [], problems, notes)


def sweep_page(summary: SweepSummary) -> str:
    """Return the page of a sweep as Markdown."""
    parts = ["# Summary of a sweep"]
    parts += [f"**{SIMULATED}**"] if summary.simulated else []
    parts.append(f"**{escape_markdown(summary.headline)}**")
    for title, grid, meaning in summary.grids:
        parts += [f"## {escape_markdown(title)}", grid_to_markdown(grid)]
        parts += [escape_markdown(meaning)] if meaning else []
    if summary.problems:
        lines = [f"- {escape_markdown(line)}" for line in _problem_lines(summary.problems)]
        parts += ["## Not done", "\n".join(lines)]
    if summary.notes:
        parts += ["## Notes", "\n".join(f"- {escape_markdown(note)}" for note in summary.notes)]
    parts += ["## Figures"] if summary.plans else []
    parts += [figure_links(plan) for plan in summary.plans]
    parts.append("All columns of all jobs: [summary.csv](summary.csv).")
    return "\n\n".join(parts) + "\n"


def sweep_text(summary: SweepSummary) -> str:
    """Return the summary of a sweep for the terminal: its first grid; the page has the jobs one by one."""
    lines = [SIMULATED] if summary.simulated else []
    lines += wrap(summary.headline)
    for title, grid, meaning in summary.grids[:1]:
        lines += ["", *wrap(title), *fit_grid(grid._replace(rows=grid.rows[:_PRINTED]), dropping="summary.md")]
        lines += [f"({len(grid.rows) - _PRINTED} more rows in summary.md)"] if len(grid.rows) > _PRINTED else []
        lines += ["", *wrap(meaning)] if meaning else []
    lines += [""] if summary.problems else []
    problems = _problem_lines(summary.problems)
    for line in problems[:_PRINTED]:
        lines += wrap(line)
    unnamed = len(problems) - _PRINTED
    lines += [f"({unnamed} more in summary.md)"] if unnamed > 0 else []
    lines += [""] if summary.notes else []
    for note in summary.notes[:_PRINTED_NOTES]:
        lines += wrap(f"Note: {clean(note)}")
    unnamed = len(summary.notes) - _PRINTED_NOTES
    lines += [f"({unnamed} more notes in summary.md)"] if unnamed > 0 else []
    return "\n".join(lines) + "\n"


def _problem_lines(problems: Sequence[Job]) -> list[str]:
    lines = [f"job {job.name} {job.status}: {clean(job.error)}" for job in problems if job.status != NEVER_STARTED]
    absent = [job.name for job in problems if job.status == NEVER_STARTED]
    return lines + (
        [f"{len(absent)} job{'s' * (len(absent) != 1)} never started: {', '.join(absent)}"] if absent else []
    )


def _gather_notes(jobs: Sequence[Job]) -> list[str]:
    """Return each note of the jobs once, with the jobs that have it."""
    found: dict[str, list[str]] = {}
    for job in jobs:
        for note in dict.fromkeys(job.notes):
            found.setdefault(note, []).append(job.name)
    return [f"{note} ({_name_jobs(names, len(jobs))})" for note, names in found.items()]


def _name_jobs(names: Sequence[str], total: int) -> str:
    """Return jobs by their names, numbers in a row as a span: jobs 0-2, 5."""
    if len(names) == total:
        return "all jobs"
    spans: list[list[str]] = []
    for name in names:
        follows = spans and name.isdecimal() and spans[-1][-1].isdecimal() and int(name) == int(spans[-1][-1]) + 1
        if follows:
            spans[-1].append(name)
        else:
            spans.append([name])
    texts = [span[0] if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in spans]
    return f"job{'s' * (len(names) > 1)} {', '.join(texts)}"


def _comparison_caption(compared: pl.DataFrame, confidence: float) -> str:
    bars = "ranges over seeds" if (compared["jobs"] > 1).any() else f"intervals: {describe_interval(confidence)}"
    return (
        "Net gain and AUC of each configuration. Filled dots: exact accounting, cuts chosen without the scored "
        "debates; "
        f"hollow dots: paper reading under paper accounting, which is what the published diamonds are. Bars are {bars}."
    )


def _published_seeds(done: Sequence[Job], varied: Sequence[str]) -> dict[str, PaperSpread]:
    same = varied == ["seed"] and all(job.metrics is not None and is_main_experiment(job.metrics) for job in done)
    return dict(load_paper().seeds) if same else {}


def _job_grid(jobs: Sequence[Job], names: Sequence[str]) -> Grid:
    mixed = len({job.reading for job in jobs if job.status == DONE}) > 1
    header = ["job", *(clean(name, 24) for name in names), "status", *(["reading"] if mixed else [])]
    header += ["NG exact", "interval", "AUC", "CF", "WF", "HF", "paper reading"]
    rows = []
    texts = [distinct([job.overrides.get(name, "") for job in jobs], 30) for name in names]
    for job in jobs:
        values = job_values(job)
        reading = job.reading
        low, high = (values[f"{reading}_ng_exact_{side}"] for side in ("low", "high"))
        rows.append(
            [
                clean(job.name, 12),
                *(cells[job.overrides.get(name, "")] for name, cells in zip(names, texts, strict=True)),
                job.status,
                *([HEADLINES[reading] if job.status == DONE else ""] if mixed else []),
                gain(values[f"{reading}_ng_exact"]),
                job.flag or interval(low, high, values[f"{reading}_flips"]),
                area(values[f"{reading}_auc"]),
                *(count(values[f"{reading}_{name}"]) for name in ("cf", "wf", "harmful")),
                gain(values["paper_ng_paper"]),
            ]
        )
    return Grid(header, rows, len(names) + (3 if mixed else 2))


def _count_jobs(jobs: Sequence[Job], unknown: str) -> str:
    states = [job.status for job in jobs]
    parts = [f"{states.count(state)} {state}" for state in dict.fromkeys(states)]
    more = f" Whether all jobs of the sweep were started cannot be known ({clean(unknown, 60)})." if unknown else ""
    return f"{len(jobs)} jobs ({', '.join(parts)}).{more}"
