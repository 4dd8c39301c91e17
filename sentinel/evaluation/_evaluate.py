"""The protocols put together: fingerprints and settings in, one `Evaluation` out."""

import math
from dataclasses import dataclass
from typing import Any

import polars as pl

from sentinel.evaluation._artefact import debates_artefact, predictions_artefact
from sentinel.evaluation._baseline import Baseline, run_baselines, tabulate_baselines
from sentinel.evaluation._calibration import calibrate
from sentinel.evaluation._corpus import (
    corpus_notes,
    describe_fallback,
    describe_recoverable,
    fold_notes,
    silent_features,
    tabulate_corpus,
)
from sentinel.evaluation._cross_fit import CrossFit, Method, assign_rows, choose_on, cross_fit, derive_seed, train_masks
from sentinel.evaluation._explanation import explain
from sentinel.evaluation._interval import net_gain_intervals
from sentinel.evaluation._metric import share
from sentinel.evaluation._protocol import learning_curve, transfer
from sentinel.evaluation._reading import (
    RESULT_SCHEMA,
    Reading,
    describe_reading,
    read_held_out,
    read_paper,
    result_row,
    tabulate_folds,
)
from sentinel.evaluation._sample import Sample, build_sample
from sentinel.evaluation._significance import TEST_SCHEMA, compare_with_chance, compare_with_majority, nest_tests
from sentinel.evaluation._threads import one_thread
from sentinel.fingerprint import FEATURE_GROUPS, Fingerprints, note_missing
from sentinel.settings import (
    Accounting,
    ClassifierSettings,
    EvaluationKind,
    EvaluationSettings,
    ThresholdKind,
    ThresholdSettings,
)
from sentinel.threshold import grid, sweep

_DIGITS = 10
_BOOTSTRAP_STREAM = 5


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What one run found. `metrics` is JSON-able; shares are fractions; the tables are named in DESIGN section 6.

    `debates` has one row a debate, `predictions` one row a candidate. Nothing here holds a time or a path.
    """

    metrics: dict[str, Any]
    debates: pl.DataFrame
    predictions: pl.DataFrame
    tables: dict[str, pl.DataFrame]


def evaluate(
    fingerprints: Fingerprints,
    features: tuple[str, ...],
    classifier: ClassifierSettings,
    threshold: ThresholdSettings,
    evaluation: EvaluationSettings,
    seed: int,
) -> Evaluation:
    """Test the rule under the protocol that `evaluation.kind` names; the same arguments give the same bytes.

    Raises EvaluationError where no debate has a gold answer or the fingerprints contradict themselves.
    """
    sample = build_sample(fingerprints, features)
    method = Method(classifier, threshold, evaluation.inner_folds, seed)
    metrics: dict[str, Any] = {
        "simulated": fingerprints.simulated,
        "corpus": _describe_corpus(sample, fingerprints),
        "setup": {
            **_describe_setup(method, evaluation, features),
            "silent_features": silent_features(sample),
            "agents": fingerprints.debates["agents"].unique().sort().to_list(),
            "rounds": fingerprints.debates["rounds"].unique().sort().to_list(),
        },
        "fallback": describe_fallback(sample),
        "overall": {},
        "domains": {},
        "notes": [*fingerprints.notes, *note_missing(fingerprints, features), *corpus_notes(sample, evaluation.folds)],
    }
    with one_thread():
        if evaluation.kind is EvaluationKind.transfer:
            found = _transfer(sample, method, evaluation, metrics)
        elif evaluation.kind is EvaluationKind.learning_curve:
            found = _learning_curve(sample, method, evaluation, metrics)
        else:
            found = _cross_validate(sample, method, evaluation, metrics)
    return found


def _cross_validate(
    sample: Sample, method: Method, settings: EvaluationSettings, metrics: dict[str, Any]
) -> Evaluation:
    rows, debates = sample.rows, sample.debates
    fold = assign_rows(rows, settings.folds, method.seed)
    metrics["notes"] += fold_notes(sample, fold, settings.folds)
    train = train_masks(rows, fold)
    fit = cross_fit(rows, fold, train, method, debates.totals)
    chosen = choose_on(fit.picks, method.threshold, debates.totals)
    readings = (read_paper(sample, fit, chosen), read_held_out(sample, fit))
    bootstrap_seed = derive_seed(method.seed, _BOOTSTRAP_STREAM)
    results = []
    for reading in readings:
        intervals = net_gain_intervals(
            debates, reading.outcome, settings.bootstrap, settings.confidence, bootstrap_seed
        )
        for domain in (*debates.domains, None):
            described = describe_reading(sample, fit, reading, intervals, settings.confidence, domain)
            home = metrics["overall"] if domain is None else metrics["domains"].setdefault(domain, {})
            home[reading.name] = described
            results.append(result_row(domain, reading.name, described))
    calibration = calibrate(rows, fit.probability, settings.confidence)
    metrics["calibration"] = {"brier": calibration.brier, "ece": calibration.ece}
    explanation = explain(sample, method.classifier, method.seed)
    metrics["notes"] += [explanation.note] if explanation.note else []
    tables = {
        "corpus": tabulate_corpus(sample),
        "results": pl.DataFrame(results, schema=RESULT_SCHEMA),
        "folds": tabulate_folds(sample, fit, readings[1]),
        "threshold_sweep": _tabulate_sweep(fit, method.threshold, len(debates)),
        "calibration": calibration.table,
        "importance": explanation.importance,
        "contributions": explanation.contributions,
    }
    compared = [Baseline("sentinel", reading.name, reading.outcome) for reading in readings]
    if settings.baselines:
        compared = run_baselines(sample, fit, train, method, readings, settings.folds)
        tables["baselines"] = tabulate_baselines(sample, compared, settings, bootstrap_seed)
    tests = compare_with_majority(sample, compared, method.threshold.kind is not ThresholdKind.fixed)
    if settings.permutations and len(rows):
        permuted, more = compare_with_chance(sample, method, settings, metrics["overall"])
        tables["permutations"] = permuted
        tests += more
    tables["tests"] = pl.DataFrame(tests, schema=TEST_SCHEMA)
    metrics["tests"] = nest_tests(tests)
    return _finish(sample, metrics, fit, readings, tables)


def _transfer(sample: Sample, method: Method, settings: EvaluationSettings, metrics: dict[str, Any]) -> Evaluation:
    found = transfer(sample, method, settings, derive_seed(method.seed, _BOOTSTRAP_STREAM))
    tables = {"corpus": tabulate_corpus(sample)}
    if found is None:
        metrics["notes"].append(f"transfer: {sample.debates.domains[0]} is the only domain; there is none to train on")
        return _finish(sample, metrics, None, (), tables | {"transfer": pl.DataFrame(schema=RESULT_SCHEMA)})
    metrics["overall"] = {"transfer": found.described[None]}
    metrics["domains"] = {domain: {"transfer": found.described[domain]} for domain in sample.debates.domains}
    return _finish(sample, metrics, found.fit, (found.reading,), tables | {"transfer": found.table})


def _learning_curve(
    sample: Sample, method: Method, settings: EvaluationSettings, metrics: dict[str, Any]
) -> Evaluation:
    fold = assign_rows(sample.rows, settings.folds, method.seed)
    metrics["notes"] += fold_notes(sample, fold, settings.folds)
    metrics["notes"].append(
        "learning curve: each share is one nested subset of the questions in one random order, so its points share "
        "that order's luck; the band is the sampling error of the evaluation only"
    )
    curve = learning_curve(sample, fold, method, settings, derive_seed(method.seed, _BOOTSTRAP_STREAM))
    return _finish(sample, metrics, None, (), {"corpus": tabulate_corpus(sample), "learning_curve": curve})


def _finish(
    sample: Sample,
    metrics: dict[str, Any],
    fit: CrossFit | None,
    readings: tuple[Reading, ...],
    tables: dict[str, pl.DataFrame],
) -> Evaluation:
    return Evaluation(
        _rounded(metrics), debates_artefact(sample, readings), predictions_artefact(sample, fit, readings), tables
    )


def _describe_corpus(sample: Sample, fingerprints: Fingerprints) -> dict[str, Any]:
    overall = tabulate_corpus(sample).row(-1, named=True)
    counts = {name: value for name, value in overall.items() if name not in ("domain", "n")}
    return {
        "name": fingerprints.name,
        "data_hash": fingerprints.data_hash,
        "debates": overall["n"],
        **counts,
        **describe_recoverable(sample),
        "without_gold": sample.excluded,
    }


_GRID = ("low", "high", "step")
_CUT_SETTINGS = {
    ThresholdKind.search: (*_GRID, "preservation", "wrong_flip_cost"),
    ThresholdKind.fixed: ("tau",),
    ThresholdKind.risk_controlled: (*_GRID, "alpha", "delta"),
}


def _describe_setup(method: Method, settings: EvaluationSettings, features: tuple[str, ...]) -> dict[str, Any]:
    groups = [group.value for group, names in FEATURE_GROUPS.items() if set(names) & set(features)]
    threshold = method.threshold
    return {
        "seed": method.seed,
        "classifier": method.classifier.kind.value,
        "feature_group": "+".join(groups),
        "features": list(features),
        "classifier_params": dict(method.classifier.params),
        "threshold": {
            "kind": threshold.kind.value,
            "per": threshold.per.value,
            "accounting": threshold.accounting.value,
            **{name: getattr(threshold, name) for name in _CUT_SETTINGS[threshold.kind]},
        },
        "evaluation": settings.kind.value,
        "folds": settings.folds,
        "inner_folds": settings.inner_folds,
        "bootstrap": settings.bootstrap,
        "confidence": settings.confidence,
    }


def _tabulate_sweep(fit: CrossFit, threshold: ThresholdSettings, n_debates: int) -> pl.DataFrame:
    """Return what one cut for all domains would do to the out-of-fold predictions; read off in-sample."""
    counts = sweep(fit.picks, n_debates, grid(threshold))
    cells = [
        {
            "tau": float(tau),
            "cf": int(correct),
            "wf": int(harmful + neutral),
            "harmful": int(harmful),
            "neutral": int(neutral),
            "ng_paper": (correct - harmful - neutral) / n_debates,
            "ng_exact": (correct - harmful) / n_debates,
            "flip_precision_paper": share(correct, correct + harmful + neutral),
            "preservation_exact": float(kept),
        }
        for tau, correct, harmful, neutral, kept in zip(
            counts.tau,
            counts.correct.tolist(),
            counts.harmful.tolist(),
            counts.neutral.tolist(),
            counts.preservation(Accounting.exact),
            strict=True,
        )
    ]
    return pl.DataFrame(cells)


def _rounded(value: Any) -> Any:
    """Return the value with floats at ten significant digits, so that the last bits of a sum never show."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None
    return value
