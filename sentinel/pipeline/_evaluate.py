"""task=evaluate: a corpus in, a report out."""

import dataclasses
import platform
import shlex
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from sentinel.errors import ConfigError
from sentinel.pipeline._corpus import compute_fingerprints, load_fingerprints
from sentinel.pipeline._job import Run, to_plain
from sentinel.settings import CorpusKind, FigureMode, Settings

if TYPE_CHECKING:
    from sentinel.evaluation import Evaluation
    from sentinel.fingerprint import Fingerprints

PACKAGES = ("hydra-core", "omegaconf", "lightgbm", "scikit-learn", "numpy", "polars", "scipy", "seaborn", "matplotlib")
DEFAULT_PERMUTATIONS = 20


def run_evaluate(settings: Settings, job: Run) -> float | None:
    """Fingerprint a corpus, test the rule on it, write the report and print its summary."""
    from sentinel.evaluation import evaluate
    from sentinel.fingerprint import select_features
    from sentinel.report import format_summary, headline, write_run

    if settings.out is not None and settings.corpus.origin is not CorpusKind.live:
        raise ConfigError(f"out={settings.out}: task=evaluate writes to Hydra's run folder; set hydra.run.dir instead")
    in_sweep = job.sweep_dir is not None
    protocol = settings.evaluation
    if protocol.permutations is None:
        protocol = dataclasses.replace(protocol, permutations=0 if in_sweep else DEFAULT_PERMUTATIONS)
    if protocol.baselines is None:
        protocol = dataclasses.replace(protocol, baselines=not in_sweep)
    fingerprints = load_fingerprints(settings, job.sweep_dir)
    features = select_features(settings.feature_groups)
    evaluation = evaluate(fingerprints, features, settings.classifier, settings.threshold, protocol, settings.seed)
    evaluation.metrics["setup"]["feature_group"] = settings.feature_groups.name
    if protocol.null_corpora:
        evaluation = check_null_corpora(settings, evaluation)
    figures = settings.report.figures is FigureMode.always or (
        settings.report.figures is FigureMode.auto and not in_sweep
    )
    write_run(
        evaluation,
        job.folder,
        figures=figures,
        dpi=settings.report.dpi,
        manifest=make_manifest(settings, job, fingerprints),
    )
    if in_sweep:
        print(f"{job.folder.name} {' '.join(job.overrides)}: {headline(evaluation.metrics, evaluation.tables)}")
    else:
        print(format_summary(evaluation.metrics, evaluation.tables, settings.report.show))
        print(f"written to {job.folder}")
    overall = evaluation.metrics["overall"].get("cross_fitted") or {}
    return overall.get("ng_exact")


def check_null_corpora(settings: Settings, evaluation: "Evaluation") -> "Evaluation":
    """Add what both readings show on simulated corpora without an effect, `corpus.seed` and `seed` both varied."""
    from sentinel.evaluation import evaluate, summarise_null_corpora
    from sentinel.fingerprint import select_features

    if settings.corpus.origin is not CorpusKind.simulated:
        evaluation.metrics["notes"].append(
            "null corpora: only simulated ones are drawn; here the permutations are the null"
        )
        return evaluation
    quick = dataclasses.replace(settings.evaluation, permutations=0, baselines=False, null_corpora=0)
    features = select_features(settings.feature_groups)

    def evaluate_null(seed: int) -> dict[str, Any]:
        corpus = dataclasses.replace(settings.corpus, effect=0.0, seed=seed)
        null = compute_fingerprints(dataclasses.replace(settings, corpus=corpus, seed=seed))
        return evaluate(null, features, settings.classifier, settings.threshold, quick, seed).metrics

    from joblib import Parallel, delayed

    workers = settings.evaluation.workers
    seeds = range(settings.evaluation.null_corpora)
    return summarise_null_corpora(evaluation, Parallel(n_jobs=workers)(delayed(evaluate_null)(seed) for seed in seeds))


def make_manifest(settings: Settings, job: Run, fingerprints: "Fingerprints") -> dict[str, Any]:
    """Return what is needed to run this again: command, seed, data hash and versions."""
    return {
        "command": shlex.join(["python", "-m", "sentinel", *job.flags, *job.overrides]),
        "overrides": list(job.overrides),
        "settings": to_plain(settings),
        "seed": settings.seed,
        "corpus": fingerprints.name,
        "simulated": fingerprints.simulated,
        "data_hash": fingerprints.data_hash,
        "versions": dict(_versions()),
        "platform": platform.platform(),
    }


@cache
def _versions() -> dict[str, str]:
    packages = {name: metadata.version(name) for name in PACKAGES}
    return {"sentinel": metadata.version("minority-sentinel"), "python": platform.python_version(), **packages}
