"""Read a sweep's folder: one job a subfolder, what it was asked for, and how it ended."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from omegaconf import OmegaConf
from yaml import YAMLError

from sentinel.errors import ReportError
from sentinel.report._files import read_csv, read_json, read_metrics
from sentinel.report._planned import read_planned

DONE, FAILED, NOT_INSTALLED, UNFINISHED = "done", "failed", "not installed", "unfinished"
NEVER_STARTED = "never started"
NO_FEATURES = "no such features in this log"
NO_DIFFERENCE = "features the same in every debate"
READINGS = ("cross_fitted", "paper", "transfer", "learning_curve")
HEADLINES = {
    "cross_fitted": "cross-fitted",
    "transfer": "transfer",
    "learning_curve": "learning curve, last share, cross-fitted",
}
_COUNTS = ("flips", "cf", "wf", "harmful")
_SHARES = ("ng_exact", "ng_paper", "auc", "flip_precision_exact", "flip_precision_paper", "recovery")
_INTERVALS = ("ng_exact_interval", "ng_paper_interval")


@dataclass(frozen=True)
class Job:
    """One job of a sweep. `overrides` are texts as they were given; `metrics` is None unless the status is done.

    `curve` is the last row of a learning curve, which has no other result.
    """

    name: str
    folder: Path
    overrides: Mapping[str, str]
    status: str
    error: str | None
    metrics: Mapping[str, Any] | None
    curve: Mapping[str, Any] | None = None

    @property
    def reading(self) -> str:
        """The reading without the scored debates that this job has."""
        if self.curve is not None:
            return "learning_curve"
        return "transfer" if "transfer" in ((self.metrics or {}).get("overall") or {}) else "cross_fitted"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of this job's results must know."""
        return tuple((self.metrics or {}).get("notes") or ())

    @property
    def flag(self) -> str | None:
        """Why this job's results are no finding: none of its features tells two debates apart; else None."""
        setup = (self.metrics or {}).get("setup") or {}
        features = set(setup.get("features") or ())
        if not features or self.telling_features:
            return None
        return NO_FEATURES if features <= set(setup["silent_features"]["missing"]) else NO_DIFFERENCE

    @property
    def telling_features(self) -> frozenset[str]:
        """The features that are neither missing in every debate nor the same in every debate."""
        setup = (self.metrics or {}).get("setup") or {}
        silent = {name for names in (setup.get("silent_features") or {}).values() for name in names}
        return frozenset(setup.get("features") or ()) - silent


@dataclass(frozen=True)
class Configuration:
    """Jobs that differ in their seeds alone. `values` are the other varying overrides."""

    values: Mapping[str, str]
    jobs: tuple[Job, ...]

    @property
    def label(self) -> str:
        """What tells this configuration from the others: the value, or name=value for each of several."""
        if len(self.values) == 1:
            return next(iter(self.values.values()))
        return ", ".join(f"{key}={value}" for key, value in self.values.items()) or "all jobs"

    @property
    def done(self) -> tuple[Job, ...]:
        """The jobs that have metrics."""
        return tuple(job for job in self.jobs if job.status == DONE)

    @property
    def flag(self) -> str | None:
        """Why the results are no finding in any of the jobs; None where they are in one."""
        flags = [job.flag for job in self.done]
        return flags[0] if flags and all(flags) else None

    @property
    def status(self) -> str:
        """`done` where any job is, else how the first ended."""
        return DONE if self.done else self.jobs[0].status


def read_jobs(folder: Path) -> list[Job]:
    """Return the evaluation jobs of the last sweep into a folder, by number; none when its jobs ran another task.

    Raises ReportError where there is no job at all.
    """
    if not holds_jobs(folder):
        raise ReportError(
            f"{folder}: no job of a sweep here; expected subfolders 0, 1, ... with .hydra/ or metrics.json"
        )
    earlier = set(earlier_jobs(folder))
    found = [path for path in folder.iterdir() if path.is_dir() and _is_job(path) and path.name not in earlier]
    jobs = [_read_job(path) for path in sorted(found, key=_by_number) if _task(path) == "evaluate"]
    return jobs + _never_started(folder, {path.name for path in found}) if jobs else []


def earlier_jobs(folder: Path) -> list[str]:
    """Return the names of the jobs beyond what the last sweep into a folder planned, which are those of another."""
    planned = read_planned(folder)
    if isinstance(planned, str):
        return []
    names = (path.name for path in folder.iterdir() if path.is_dir() and _is_job(path))
    return sorted((name for name in names if name.isdecimal() and int(name) >= len(planned)), key=int)


def jobs_unknown(folder: Path) -> str:
    """Return why it cannot be told how many jobs the sweep was to run; nothing where it can."""
    planned = read_planned(folder)
    return planned if isinstance(planned, str) else ""


def varying_overrides(jobs: Sequence[Job]) -> list[str]:
    """Return the names of overrides that are not the same in all jobs, in the order they were given."""
    names = list(dict.fromkeys(name for job in jobs for name in job.overrides))
    return [name for name in names if len({job.overrides.get(name) for job in jobs}) > 1]


def is_seed(name: str) -> bool:
    """Whether an override sets a seed, so that jobs which differ in it repeat one configuration."""
    return name.rpartition(".")[2] == "seed"


def group_jobs(jobs: Sequence[Job]) -> list[Configuration]:
    """Return the configurations in order of their first jobs."""
    names = [name for name in varying_overrides(jobs) if not is_seed(name)]
    groups: dict[tuple[str, ...], list[Job]] = {}
    for job in jobs:
        groups.setdefault(tuple(job.overrides.get(name, "") for name in names), []).append(job)
    return [Configuration(dict(zip(names, values, strict=True)), tuple(group)) for values, group in groups.items()]


def headline_reading(jobs: Sequence[Job]) -> str:
    """Return the reading without the scored debates that these jobs have, which differ in nothing but seeds."""
    return next((job.reading for job in jobs if job.status == DONE), "cross_fitted")


def holds_jobs(folder: Path) -> bool:
    """Whether a folder is that of a sweep."""
    return folder.is_dir() and any(_is_job(path) for path in folder.iterdir() if path.is_dir())


def job_values(job: Job) -> dict[str, float | None]:
    """Return a job's results as flat columns READING_NAME; None where a job or a reading has none."""
    values: dict[str, float | None] = {}
    for reading in READINGS:
        found = ((job.metrics or {}).get("overall") or {}).get(reading) or {}
        if reading == "learning_curve" and job.curve is not None:
            found = {**job.curve, "ng_exact_interval": (job.curve["ng_exact_low"], job.curve["ng_exact_high"])}
        for name in (*_SHARES, *_COUNTS):
            values[f"{reading}_{name}"] = found.get(name)
        for name in _INTERVALS:
            low, high = found.get(name) or (None, None)
            stem = f"{reading}_{name.removesuffix('_interval')}"
            values |= {f"{stem}_low": low, f"{stem}_high": high}
    values["brier"] = ((job.metrics or {}).get("calibration") or {}).get("brier")
    return values


def summary_table(jobs: Sequence[Job]) -> pl.DataFrame:
    """Return one row per job: its varying overrides, how it ended, its results."""
    names = varying_overrides(jobs)
    values = [job_values(job) for job in jobs]
    columns: dict[str, list[str | None]] = {
        "job": [job.name for job in jobs],
        **{name: [job.overrides.get(name) for job in jobs] for name in names},
        "status": [job.status for job in jobs],
        "error": [job.error for job in jobs],
        "flag": [job.flag for job in jobs],
        "notes": [" | ".join(job.notes) or None for job in jobs],
    }
    counts = [f"_{name}" for name in _COUNTS]
    results = [
        pl.Series(name, [found[name] for found in values], pl.Int64 if name.endswith(tuple(counts)) else pl.Float64)
        for name in (values[0] if values else ())
        if not name.startswith(("transfer_", "learning_curve_")) or any(found[name] is not None for found in values)
    ]
    return pl.DataFrame([*(pl.Series(name, texts, pl.String) for name, texts in columns.items()), *results])


def _never_started(folder: Path, started: set[str]) -> list[Job]:
    planned = read_planned(folder)
    jobs = []
    for number, lines in enumerate(planned if isinstance(planned, list) else []):
        overrides = _split_overrides(lines)
        if str(number) not in started and overrides.get("task", "evaluate") == "evaluate":
            reason = "the sweep ended before it"
            jobs.append(Job(str(number), folder / str(number), overrides, NEVER_STARTED, reason, None))
    return jobs


def _last_share(path: Path, metrics: Mapping[str, Any]) -> Mapping[str, Any] | None:
    if metrics["setup"]["evaluation"] != "learning_curve":
        return None
    table = read_csv(path / "tables" / "learning_curve.csv")
    return table.row(-1, named=True) if table.height else None


def _is_job(path: Path) -> bool:
    return any((path / name).exists() for name in (".hydra", "metrics.json", "error.json"))


def _by_number(path: Path) -> list[tuple[int, int, str]]:
    """Sort 2 before 10, and numbers before names."""
    parts = re.split(r"(\d+)", path.name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


def _task(path: Path) -> str:
    config = path / ".hydra" / "config.yaml"
    # Parsing a hundred whole configs would take seconds.
    found = re.search(r"^task: *(\w+)", config.read_text(encoding="utf-8"), re.MULTILINE) if config.is_file() else None
    return found[1] if found else "evaluate"


def _read_overrides(path: Path) -> dict[str, str]:
    """Return a job's overrides; ReportError where the file is not YAML."""
    file = path / ".hydra" / "overrides.yaml"
    try:
        lines = OmegaConf.to_container(OmegaConf.load(file), resolve=False) if file.is_file() else []
    except (OSError, UnicodeError, YAMLError) as error:
        raise ReportError(f"{file}: not readable as YAML; run the job again") from error
    return _split_overrides(lines if isinstance(lines, list) else [])


def _split_overrides(lines: Iterable[object]) -> dict[str, str]:
    overrides = {}
    for line in lines:
        name, _, value = str(line).partition("=")
        overrides[name.lstrip("+~")] = value.strip("'\"")
    return overrides


def _read_job(path: Path) -> Job:
    metrics, error = path / "metrics.json", path / "error.json"
    overrides: dict[str, str] = {}
    # A job that ran again in the same folder leaves both; the later file says how it ended.
    failed = error.is_file() and not (metrics.is_file() and metrics.stat().st_mtime_ns > error.stat().st_mtime_ns)
    try:
        overrides = _read_overrides(path)
        if failed:
            record = read_json(error)
            message = str(record.get("message") or record.get("type") or "no message recorded")
            status = NOT_INSTALLED if "not installed" in message else FAILED
            return Job(path.name, path, overrides, status, message, None)
        if metrics.is_file():
            found = read_metrics(metrics)
            return Job(path.name, path, overrides, DONE, None, found, _last_share(path, found))
    except ReportError as problem:
        return Job(path.name, path, overrides, FAILED, str(problem), None)
    return Job(path.name, path, overrides, UNFINISHED, "ended without metrics.json or error.json", None)
