"""The paper's published numbers, and when they may stand beside ours.

They are shown for the same experiment only: the simulated corpus with the paper's counts and panel and the default
effect, default folds and cuts, and a feature group or a classifier that the paper reports.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import polars as pl

from sentinel.records import OVERALL
from sentinel.settings import EvaluationSettings, ThresholdSettings

_PANEL = {"agents": [3], "rounds": [2]}
_CUTS = {
    name: getattr(ThresholdSettings, name)
    for name in ("kind", "per", "accounting", "low", "high", "step", "preservation", "wrong_flip_cost")
}


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One row of a table of the paper; shares are fractions, and what a table does not give is None.

    `cf`, `wf` and `ng` are under the paper accounting, with cuts chosen on the predictions they are scored on.
    """

    label: str
    n: int | None = None
    divergent: int | None = None
    minority_truths: int | None = None
    mt_rate: float | None = None
    majority_correct: int | None = None
    majority_accuracy: float | None = None
    oracle_accuracy: float | None = None
    margin: float | None = None
    features: int | None = None
    tau: float | None = None
    auc: float | None = None
    cf: int | None = None
    wf: int | None = None
    flip_precision: float | None = None
    recovery: float | None = None
    ng: float | None = None


@dataclass(frozen=True, slots=True)
class PaperSpread:
    """A quantity over the paper's 20 seeds (its figure 4)."""

    mean: float
    std: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class PaperSweep:
    """The paper's sweep of one cut for all datasets (its figure 3)."""

    low: float
    high: float
    step: float
    positive_from: float
    positive_to: float
    best_tau: float
    best_ng: float


@dataclass(frozen=True, slots=True)
class Paper:
    """Tables 2 (`corpus`), 3 (`results`), 4, 5, 6 and figures 2, 3, 4; `units` says how the numbers are given."""

    source: str
    units: str
    corpus: Mapping[str, PaperRow]
    results: Mapping[str, PaperRow]
    baselines: Mapping[str, PaperRow]
    feature_groups: Mapping[str, PaperRow]
    classifiers: Mapping[str, PaperRow]
    importance: Mapping[str, int]
    threshold_sweep: PaperSweep
    seeds: Mapping[str, PaperSpread]


@cache
def load_paper() -> Paper:
    """Return the reference data; a key that the types do not know is a TypeError."""
    data = json.loads((files("sentinel.report") / "paper_reference.json").read_text(encoding="utf-8"))
    for table in ("corpus", "results", "baselines", "feature_groups", "classifiers"):
        data[table] = {key: PaperRow(**row) for key, row in data[table].items()}
    data["threshold_sweep"] = PaperSweep(**data["threshold_sweep"])
    data["seeds"] = {key: PaperSpread(**spread) for key, spread in data["seeds"].items()}
    return Paper(**data)


def paper_dataset(domain: str) -> str | None:
    """Return the key of the paper's dataset that a domain (source/dataset, or "overall") names, or None."""
    plain = _letters(domain.rpartition("/")[2])
    return next((key for key in load_paper().corpus if _letters(key) == plain), None)


def paper_row(metrics: Mapping[str, Any]) -> PaperRow | None:
    """Return the paper's overall row for this run's feature group and classifier, None for another experiment."""
    paper, setup, corpus = load_paper(), metrics["setup"], metrics["corpus"]
    totals = paper.corpus[OVERALL]
    same_corpus = metrics["simulated"] and (corpus["debates"], corpus["divergent"], corpus["minority_truths"]) == (
        totals.n,
        totals.divergent,
        totals.minority_truths,
    )
    # The corpus carries another effect in its name; answers given up on the way are candidates under any_round only.
    same_debates = ", effect" not in corpus["name"] and not corpus.get("given_up_candidates")
    same_panel = all(set(setup.get(name, usual)) == set(usual) for name, usual in _PANEL.items())
    same_protocol = setup["evaluation"] == "cross_validated" and setup["folds"] == EvaluationSettings.folds
    same_cuts = all(setup["threshold"].get(name, usual) == usual for name, usual in _CUTS.items())
    usual_classifier = not setup.get("classifier_params")
    if not (same_corpus and same_debates and same_panel and same_protocol and same_cuts and usual_classifier):
        return None
    if setup["classifier"] == "lightgbm":
        row = paper.feature_groups.get(setup["feature_group"])
        return row if row and row.features == len(setup["features"]) else None
    is_full = len(setup["features"]) == paper.feature_groups["full"].features and setup["feature_group"] == "full"
    return paper.classifiers.get(setup["classifier"]) if is_full else None


def is_main_experiment(metrics: Mapping[str, Any]) -> bool:
    """Whether this run is the paper's main experiment: its tables by dataset and of baselines may stand beside it."""
    return paper_row(metrics) is load_paper().feature_groups["full"]


def paper_results(metrics: Mapping[str, Any], corpus: pl.DataFrame) -> dict[str, PaperRow]:
    """Return the paper's results keyed by our domains, "overall" among them; empty for another experiment.

    By dataset the paper reports the full fingerprint with LightGBM only. `corpus` is the table of that name.
    """
    overall = paper_row(metrics)
    if overall is None:
        return {}
    if not is_main_experiment(metrics):
        return {OVERALL: overall}
    paper = load_paper()
    rows: dict[str, PaperRow] = {}
    for domain, n, divergent, truths in corpus.select("domain", "n", "divergent", "minority_truths").iter_rows():
        key = paper_dataset(domain)
        if key is None:
            continue
        counts = paper.corpus[key]
        if (n, divergent, truths) == (counts.n, counts.divergent, counts.minority_truths):
            rows[domain] = paper.results[key]
    return rows


def is_fixed(metrics: Mapping[str, Any]) -> bool:
    """Whether the cut was given, so that both readings are one."""
    return bool(metrics["setup"]["threshold"]["kind"] == "fixed")


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())
