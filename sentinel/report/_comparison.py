"""Configurations of a sweep beside each other: means over seeds, the paper's row, paired differences."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

import polars as pl

from sentinel.errors import EvaluationError, ReportError
from sentinel.evaluation import holm, paired_difference
from sentinel.report._files import read_parquet
from sentinel.report._format import area, count, count_of, distinct, gain, interval, probability, significance
from sentinel.report._grid import Grid
from sentinel.report._paper import paper_row
from sentinel.report._sweep import DONE, Configuration, Job, headline_reading, is_seed, job_values

_USUAL = {"feature_groups": "full", "classifier": "lightgbm"}
_SCHEMA = {
    "varied": pl.String,
    "configuration": pl.String,
    "status": pl.String,
    "flag": pl.String,
    "jobs": pl.Int64,
    "flips": pl.Int64,
    **dict.fromkeys(("ng_exact", "low", "high", "ng_paper", "auc", "published_ng", "published_auc"), pl.Float64),
    **dict.fromkeys(("difference", "difference_low", "difference_high", "p_value", "p_holm"), pl.Float64),
    "note": pl.String,
}


def compare_configurations(configurations: Sequence[Configuration]) -> pl.DataFrame:
    """Return one row per configuration.

    `ng_exact`, `low`, `high`: exact net gain with held-out cuts and the interval of a single job; over several seeds
    mean, least and greatest; `flips`: of all its jobs.
    `ng_paper`: paper reading and accounting. `difference`: exact gain over the reference on
    the same debates, with a bootstrap interval, an exact p value and Holm's adjustment of it; over several seeds the
    mean, least and greatest difference of equal seeds, without p.
    """
    reference = choose_reference(configurations)
    rows = [_describe(configuration) for configuration in configurations]
    twins = _find_twins(configurations, reference)
    for row, configuration in zip(rows, configurations, strict=True):
        row["flag"] = configuration.flag or twins.get(configuration.label)
        if row["flag"]:
            row["note"] = f"{row['flag']}: not compared"
        elif reference is not None and configuration is not reference and configuration.done:
            row |= _difference(configuration, reference)
    tested = [row for row in rows if row.get("p_value") is not None]
    for row, adjusted in zip(tested, holm([row["p_value"] for row in tested]), strict=True):
        row["p_holm"] = adjusted
    return pl.DataFrame([{name: row.get(name) for name in _SCHEMA} for row in rows], schema=_SCHEMA)


def choose_reference(configurations: Sequence[Configuration]) -> Configuration | None:
    """Return what the others are compared with: the usual choice where it was run, else the first that is done."""
    done = [configuration for configuration in configurations if configuration.done and not configuration.flag]
    usual = [c for c in done if all(c.values[name] == value for name, value in _USUAL.items() if name in c.values)]
    named = [c for c in usual if any(name in c.values for name in _USUAL)]
    return next(iter(named or done), None)


def configurations_headline(table: pl.DataFrame, reference: Configuration | None) -> str:
    """Return what the comparison allows to say."""
    names = distinct(table["configuration"], 40)
    done = table.filter(pl.col("ng_exact").is_not_null())
    silent = [f"{names[name]}: {flag}" for name, flag in done.select("configuration", "flag").iter_rows() if flag]
    telling = done.filter(pl.col("flag").is_null())
    start = f"{done.height or 'None'} of {table.height} configurations {'have' if done.height > 1 else 'has'} results"
    start += f"; {len(silent)} of them no finding of their own ({'; '.join(silent)})" if silent else ""
    if reference is None or telling.is_empty():
        return f"{start}."
    gains = telling["ng_exact"].to_list()
    # No best one is named: the largest of several gains on the same debates is a choice made after looking.
    start += f"; exact net gains {'of the others ' if silent else ''}from {gain(min(gains))} to {gain(max(gains))} %. "
    if (table["jobs"] > 1).any():
        return start + "Figures are means over seeds; their ranges are spreads over seeds, not sampling intervals."
    tested = table.filter(pl.col("p_holm").is_not_null())
    if tested.is_empty():
        return start + "No difference could be tested."
    start += f"{tested.height} compared with {names[reference.label]} on the same debates: "
    alpha = significance(_setup(reference.done[0])["confidence"])
    apart = tested.filter(pl.col("p_holm") < alpha)
    if apart.is_empty():
        least = probability(min(tested["p_holm"].to_list()))
        return start + f"no difference is distinguishable from zero (least p after Holm's correction {least})."
    found = ", ".join(names[text] for text in apart["configuration"])
    return (
        start + f"{apart.height} differ{'s' * (apart.height == 1)} (p < {alpha:.3g} after Holm's correction): {found}."
    )


def configurations_grid(table: pl.DataFrame) -> Grid:
    """Return the comparison as cells; a configuration without results says why."""
    over_seeds = bool((table["jobs"] > 1).any())
    published = table["published_ng"].null_count() < table.height
    spread = "range" if over_seeds else "interval"
    optimistic = table["ng_paper"].null_count() < table.height
    header = ["configuration", *(["seeds"] if over_seeds else []), "NG exact", spread, "AUC"]
    header += ["diff", spread, *([] if over_seeds else ["p Holm"]), *(["paper reading"] if optimistic else [])]
    header += ["paper: NG", "AUC"] if published else []
    rows = []
    names = distinct(table["configuration"])
    for row in table.iter_rows(named=True):
        bounds = row["flag"] or interval(row["low"], row["high"], row["flips"])
        bounds = bounds if row["status"] == DONE else row["status"]
        cells = [names[row["configuration"]], *([count(row["jobs"])] if over_seeds else [])]
        cells += [gain(row["ng_exact"]), bounds, area(row["auc"])]
        cells += [gain(row["difference"]), interval(row["difference_low"], row["difference_high"])]
        cells += [] if over_seeds else [probability(row["p_holm"])]
        cells += [gain(row["ng_paper"])] if optimistic else []
        cells += [gain(row["published_ng"]), area(row["published_auc"])] if published else []
        rows.append(cells)
    return Grid(header, rows, 1)


def _find_twins(configurations: Sequence[Configuration], reference: Configuration | None) -> dict[str, str]:
    """Return which feature groups are in effect those of another one, since the log lacks what they differ in."""
    twins: dict[str, str] = {}
    first: dict[tuple[frozenset[str], ...], str] = {}
    for configuration in sorted(configurations, key=lambda other: other is not reference):
        if tuple(configuration.values) == ("feature_groups",) and configuration.done and not configuration.flag:
            told = tuple(sorted({job.telling_features for job in configuration.done}, key=sorted))
            earlier = first.setdefault(told, configuration.label)
            if earlier != configuration.label and told != (frozenset(),):
                twins[configuration.label] = f"in effect the features of {earlier}"
    return twins


def _describe(configuration: Configuration) -> dict[str, Any]:
    done = configuration.done
    row: dict[str, Any] = {
        "varied": ", ".join(configuration.values),
        "configuration": configuration.label,
        "status": configuration.status,
        "jobs": len(done),
    }
    if not done:
        return row
    reading = headline_reading(done)
    values = [job_values(job) for job in done]

    def summarise(name: str, how: Callable[[list[float]], float] = fmean) -> float | None:
        known = [value for found in values if (value := found.get(name)) is not None]
        return how(known) if known else None

    gains = f"{reading}_ng_exact"
    row |= {"ng_exact": summarise(gains), "ng_paper": summarise("paper_ng_paper"), "auc": summarise(f"{reading}_auc")}
    flips = [found[f"{reading}_flips"] for found in values]
    row["flips"] = None if None in flips else int(sum(number or 0 for number in flips))
    if len(done) == 1:
        row |= {"low": summarise(f"{gains}_low"), "high": summarise(f"{gains}_high")}
    else:
        row |= {"low": summarise(gains, min), "high": summarise(gains, max)}
    published = [paper_row(job.metrics) for job in done if job.metrics is not None]
    # The paper varied nothing but these two; beside another corpus or cut its row would be of another experiment.
    comparable = set(configuration.values) <= set(_USUAL)
    if comparable and published[0] is not None and all(paper is published[0] for paper in published):
        row |= {"published_ng": published[0].ng, "published_auc": published[0].auc}
    return row


def _difference(configuration: Configuration, reference: Configuration) -> dict[str, Any]:
    """Return the paired difference, or a note that says why there is none."""
    pairs = _pair_jobs(configuration, reference)
    if not pairs:
        return {"note": "no job with the reference's seed"}
    if any(_data_hash(ours) != _data_hash(theirs) for ours, theirs in pairs):
        return {"note": "other debates than the reference's: not paired"}
    reading = headline_reading(configuration.done)
    if reading != headline_reading(reference.done):
        return {"note": "another protocol than the reference's: not paired"}
    one_each = len(pairs) == 1 and len(configuration.done) == len(reference.done) == 1
    if one_each and reading == "learning_curve":
        return {"note": "a learning curve keeps no outcome by debate: not paired"}
    if one_each:
        ours, theirs = pairs[0]
        try:
            found = paired_difference(
                _debates(ours),
                _debates(theirs),
                reading=reading,
                draws=_setup(ours)["bootstrap"],
                confidence=_setup(ours)["confidence"],
            )
        except (EvaluationError, ReportError) as error:
            return {"note": f"not paired: {error}"}
        return {
            "difference": found.difference,
            "difference_low": found.low,
            "difference_high": found.high,
            "p_value": found.p_value,
            "note": f"questions: {found.gained} gained, {found.lost} lost",
        }
    gains = [[job_values(job).get(f"{reading}_ng_exact") for job in pair] for pair in pairs]
    known = [a - b for a, b in gains if a is not None and b is not None]
    if not known:
        return {"note": "no net gain to compare"}
    return {
        "difference": fmean(known),
        "difference_low": min(known),
        "difference_high": max(known),
        "note": f"mean and range over {count_of(len(known), 'equal seed')}",
    }


def _pair_jobs(configuration: Configuration, reference: Configuration) -> list[tuple[Job, Job]]:
    theirs = {_seeds(job): job for job in reference.done}
    return [(job, theirs[_seeds(job)]) for job in configuration.done if _seeds(job) in theirs]


def _seeds(job: Job) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, value) for name, value in job.overrides.items() if is_seed(name)))


def _setup(job: Job) -> Mapping[str, Any]:
    setup: Mapping[str, Any] = (job.metrics or {})["setup"]
    return setup


def _data_hash(job: Job) -> object:
    return (job.metrics or {})["corpus"]["data_hash"]


def _debates(job: Job) -> pl.DataFrame:
    return read_parquet(job.folder / "debates.parquet")
