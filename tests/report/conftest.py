"""A synthetic evaluation of the paper's size, with every table of the contract, for the tests of the report."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

DATASETS = {
    "arc_challenge": (96, 33, 14, 69),
    "commonsense_qa": (253, 115, 54, 139),
    "gsm8k": (137, 76, 16, 97),
    "mmlu_stem": (726, 236, 49, 587),
    "truthfulqa": (210, 76, 21, 131),
    "winogrande": (332, 150, 21, 281),
}
GROUPS = {
    "dynamics": [
        "total_stance_changes",
        "majority_convert_ratio",
        "minority_persistence",
        "minority_new_info_ratio",
        "majority_new_info_ratio",
        "majority_agreement_count",
        "minority_agreement_count",
        "agreement_diff",
        "explicit_changes_majority",
        "explicit_changes_minority",
    ],
    "meta": ["vote_margin", "num_unique_answers_r0", "num_unique_answers_final", "answers_changed"],
    "audit": [
        "minority_new_evidence",
        "majority_echo_chamber",
        "minority_finds_error",
        "majority_logical_gap",
        "minority_reasoning_score",
        "majority_reasoning_score",
        "reasoning_score_diff",
        "blind_follower_count",
    ],
}
FEATURES = [name for names in GROUPS.values() for name in names]
FLIPS = {
    "paper": [(5, 1, 1), (6, 2, 1), (11, 0, 0), (12, 5, 2), (3, 1, 0), (1, 0, 0)],
    "cross_fitted": [(4, 2, 2), (4, 4, 1), (9, 1, 0), (9, 6, 3), (1, 2, 1), (0, 1, 0)],
}


def reading_row(domain: str, reading: str, counts: tuple[int, ...], flips: tuple[int, int, int]) -> dict[str, Any]:
    """Return one row of `results`, worked out from (cf, harmful, neutral)."""
    n, divergent, truths, _ = counts
    cf, harmful, neutral = flips
    wf = harmful + neutral
    paper, exact = (cf - wf) / n, (cf - harmful) / n
    tau = "never" if not cf + wf else "0.81" if reading == "paper" else "0.71-0.85"
    return {
        "domain": domain,
        "reading": reading,
        "n": n,
        "divergent": divergent,
        "minority_truths": truths,
        "tau": tau,
        "auc": 0.7 + 0.01 * cf,
        "cf": cf,
        "wf": wf,
        "harmful": harmful,
        "neutral": neutral,
        "flip_precision_paper": cf / (cf + wf) if cf + wf else None,
        "flip_precision_exact": cf / (cf + harmful) if cf + harmful else None,
        "recovery": cf / truths,
        "preservation_paper": 1 - wf / (divergent - truths),
        "preservation_exact": 1 - harmful / (divergent - truths),
        "ng_paper": paper,
        "ng_exact": exact,
        "ng_exact_low": exact - 0.01,
        "ng_exact_high": exact + 0.01,
        "ng_paper_low": paper - 0.01,
        "ng_paper_high": paper + 0.01,
    }


def total(rows: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sum(column) for column in zip(*rows, strict=True))


def results_table() -> pl.DataFrame:
    rows = []
    for reading, flips in FLIPS.items():
        for (name, counts), flip in zip(DATASETS.items(), flips, strict=True):
            rows.append(reading_row(f"simulated/{name}", reading, counts, flip))
        rows.append(reading_row("overall", reading, total(list(DATASETS.values())), total(flips)))  # type: ignore[arg-type]
    return pl.DataFrame(rows)


def corpus_table() -> pl.DataFrame:
    rows = []
    for name, (n, divergent, truths, right) in [*DATASETS.items(), ("overall", total(list(DATASETS.values())))]:
        rows.append(
            {
                "domain": name if name == "overall" else f"simulated/{name}",
                "n": n,
                "questions": n,
                "divergent": divergent,
                "minority_truths": truths,
                "mt_rate": truths / divergent,
                "both_wrong": 9,
                "tied": 4,
                "unanswered": 1,
                "majority_correct": right,
                "majority_accuracy": right / n,
                "oracle_accuracy": (right + truths) / n,
                "any_correct": right + truths + 2,
            }
        )
    return pl.DataFrame(rows)


def baselines_table() -> pl.DataFrame:
    rows = [
        ("majority_voting", "none", 0, 0, 0, ""),
        ("always_minority", "none", 175, 350, 161, ""),
        ("single_best_feature", "paper", 7, 2, 1, "reasoning_score_diff"),
        ("single_best_feature", "cross_fitted", 5, 5, 1, "chosen inside the training folds"),
        ("logistic_regression", "paper", 24, 10, 2, ""),
        ("logistic_regression", "cross_fitted", 20, 14, 4, ""),
        ("llm_judge", "none", 70, 80, 14, "recorded rulings"),
        ("single_best_agent", "cross_fitted", 31, 40, 9, "one agent | chosen in training"),
        ("sentinel", "paper", 38, 9, 4, ""),
        ("sentinel", "cross_fitted", 27, 16, 7, ""),
        ("oracle", "none", 175, 0, 0, "upper bound"),
    ]
    return pl.DataFrame(
        [
            {
                "method": method,
                "reading": reading,
                "cf": cf,
                "wf": harmful + neutral,
                "harmful": harmful,
                "neutral": neutral,
                "flip_precision_paper": cf / (cf + harmful + neutral) if cf else None,
                "flip_precision_exact": cf / (cf + harmful) if cf else None,
                "recovery": cf / 175,
                "ng_paper": (cf - harmful - neutral) / 1754,
                "ng_exact": (cf - harmful) / 1754,
                "ng_exact_low": (cf - harmful) / 1754 - 0.008 if cf else 0.0,
                "ng_exact_high": (cf - harmful) / 1754 + 0.008 if cf else 0.0,
                "note": note,
            }
            for method, reading, cf, harmful, neutral, note in rows
        ]
    )


def sweep_table() -> pl.DataFrame:
    tau = np.round(np.arange(0.05, 0.951, 0.01), 2)
    cf = np.round(175 * (1 - tau) ** 1.3).astype(int)
    harmful = np.round(350 * (1 - tau) ** 2.6).astype(int)
    neutral = np.round(161 * (1 - tau) ** 2.6).astype(int)
    return pl.DataFrame(
        {
            "tau": tau,
            "cf": cf,
            "wf": harmful + neutral,
            "harmful": harmful,
            "neutral": neutral,
            "ng_paper": (cf - harmful - neutral) / 1754,
            "ng_exact": (cf - harmful) / 1754,
            "flip_precision_paper": cf / (cf + harmful + neutral),
            "preservation_exact": 1 - harmful / 350,
        }
    )


def calibration_table() -> pl.DataFrame:
    low = np.arange(10) / 10
    counts = np.array([260, 180, 90, 60, 40, 25, 15, 9, 5, 2])
    rate = np.array([0.08, 0.2, 0.31, 0.38, 0.52, 0.5, 0.6, 0.78, 0.8, 1.0])
    spread = 1.96 * np.sqrt(0.2 / counts)
    return pl.DataFrame(
        {
            "bin_low": low,
            "bin_high": low + 0.1,
            "mean_probability": low + 0.045,
            "observed_rate": rate,
            "count": counts,
            "rate_low": np.clip(rate - spread, 0, 1),
            "rate_high": np.clip(rate + spread, 0, 1),
        }
    )


def results_of_permutations() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    paper = rng.normal(0.002, 0.003, 20)
    return pl.DataFrame(
        {
            "permutation": np.arange(20),
            "ng_paper_reading_paper": paper,
            "ng_paper_reading_exact": paper + 0.002,
            "ng_cross_fitted_exact": pl.Series([None] * 20, dtype=pl.Float64),
            "ng_cross_fitted_paper": pl.Series([None] * 20, dtype=pl.Float64),
        }
    )


def candidate_tables() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return `predictions`, `contributions` and `importance`."""
    rng = np.random.default_rng(0)
    domains = [f"simulated/{name}" for name, (_, n, _, _) in DATASETS.items() for _ in range(n)]
    rows = len(domains)
    values = {name: rng.integers(0, 4, rows).astype(float) for name in FEATURES}
    values["minority_new_info_ratio"][::7] = np.nan
    scale = dict(zip(FEATURES, rng.exponential(0.3, len(FEATURES)), strict=True))
    identity = {"id": [f"q{i:04d}" for i in range(rows)], "candidate": ["B"] * rows}
    contributions = {
        name: np.nan_to_num(scale[name] * (values[name] - 1.5)) + rng.normal(0, 0.05, rows) for name in FEATURES
    }
    predictions = pl.DataFrame(
        {
            "id": identity["id"],
            "domain": domains,
            "candidate": identity["candidate"],
            "label": (["minority_correct"] + ["majority_correct"] * 2 + ["both_wrong"]) * (rows // 4)
            + ["both_wrong"] * 2,
            **values,
            "probability": rng.beta(2, 5, rows),
        }
    )
    splits = rng.integers(20, 240, len(FEATURES))
    importance = pl.DataFrame(
        {
            "feature": FEATURES,
            "group": [group for group, names in GROUPS.items() for _ in names],
            "splits": splits,
            "gain": splits * 1.5,
            "mean_abs_contribution": [float(np.abs(contributions[name]).mean()) for name in FEATURES],
            "direction": ["positive"] * len(FEATURES),
        }
    )
    return predictions, pl.DataFrame({**identity, **contributions}), importance


def make_metrics(**setup: Any) -> dict[str, Any]:
    """Return metrics that agree with the tables above."""
    overall = {
        reading: results_table().filter(domain="overall", reading=reading).row(0, named=True) for reading in FLIPS
    }
    readings = {
        reading: {
            **{key: row[key] for key in ("auc", "cf", "wf", "harmful", "neutral", "recovery", "ng_paper", "ng_exact")},
            "flips": row["cf"] + row["wf"],
            "tau": None,
            "flip_precision_paper": row["flip_precision_paper"],
            "flip_precision_exact": row["flip_precision_exact"],
            "ng_exact_interval": [row["ng_exact_low"], row["ng_exact_high"]],
            "ng_paper_interval": [row["ng_paper_low"], row["ng_paper_high"]],
        }
        for reading, row in overall.items()
    }
    return {
        "simulated": True,
        "corpus": {
            "name": "simulated (paper's table 2)",
            "data_hash": "0" * 64,
            "debates": 1754,
            "questions": 1754,
            "divergent": 686,
            "minority_truths": 175,
            "both_wrong": 161,
            "tied": 40,
            "unanswered": 2,
            "majority_accuracy": 1304 / 1754,
            "oracle_accuracy": 1479 / 1754,
        },
        "setup": {
            "seed": 0,
            "classifier": "lightgbm",
            "feature_group": "full",
            "features": FEATURES,
            "threshold": {"kind": "search", "per": "domain", "accounting": "paper"},
            "evaluation": "cross_validated",
            "folds": 5,
            "confidence": 0.95,
            "bootstrap": 500,
            **setup,
        },
        "overall": readings,
        "domains": {},
        "calibration": {"brier": 0.171, "ece": 0.04},
        "tests": {},
        "notes": ["3 debates have no gold answer and are left out"],
    }


@pytest.fixture(scope="session", name="make_metrics")
def make_metrics_fixture() -> Callable[..., dict[str, Any]]:
    """Return the maker of metrics, for tests that vary the setup."""
    return make_metrics


@pytest.fixture(scope="session")
def write_job() -> Callable[..., Path]:
    """Return a writer of one job's folder: `error` makes a failed job, `metrics=None` an unfinished one."""

    def write(
        folder: Path,
        overrides: list[str],
        metrics: dict[str, Any] | None = None,
        error: str | None = None,
        outcomes: list[str] | None = None,
        task: str = "evaluate",
    ) -> Path:
        (folder / ".hydra").mkdir(parents=True)
        lines = json.dumps(overrides, ensure_ascii=False)
        (folder / ".hydra" / "overrides.yaml").write_text(lines, encoding="utf-8")
        (folder / ".hydra" / "config.yaml").write_text(f"task: {task}\nseed: 0\n", encoding="utf-8")
        if metrics is not None:
            (folder / "metrics.json").write_text(json.dumps(metrics), encoding="utf-8")
        if error is not None:
            (folder / "error.json").write_text(json.dumps({"type": "E", "message": error}), encoding="utf-8")
        if outcomes is not None:
            keys = [f"k{i}" for i in range(len(outcomes))]
            frame = pl.DataFrame({"id": keys, "domain": "d", "question_key": keys, "outcome_cross_fitted": outcomes})
            frame.write_parquet(folder / "debates.parquet")
        return folder

    return write


@pytest.fixture(scope="session")
def evaluation() -> Any:
    """Return an evaluation with all tables of a cross-validated run."""
    predictions, contributions, importance = candidate_tables()
    right = pl.Series([True, False] * 877)
    debates = pl.DataFrame(
        {
            "id": [f"q{i:04d}" for i in range(1754)],
            "domain": [f"simulated/{name}" for name, (n, *_) in DATASETS.items() for _ in range(n)],
            "question_key": [f"k{i:04d}" for i in range(1754)],
            "state": ["majority"] * 1754,
            "voted_correct": right,
            "divergent": [True] * 686 + [False] * 1068,
            "outcome_paper": ["correct_flip"] * 38 + ["harmful_flip"] * 9 + ["neutral_flip"] * 4 + ["kept"] * 1703,
            "outcome_cross_fitted": ["correct_flip"] * 27
            + ["harmful_flip"] * 16
            + ["neutral_flip"] * 7
            + ["kept"] * 1704,
        }
    )
    tables = {
        "corpus": corpus_table(),
        "results": results_table(),
        "folds": pl.DataFrame({"fold": [0, 1], "domain": ["a", "a"], "tau": [0.8, None], "stand_in": [False, True]}),
        "baselines": baselines_table(),
        "threshold_sweep": sweep_table(),
        "calibration": calibration_table(),
        "importance": importance,
        "contributions": contributions,
        "tests": pl.DataFrame(
            {
                "test": ["mcnemar", "permutation"],
                "reading": ["cross_fitted", "paper"],
                "statistic": [None, 0.0165],
                "p_value": [0.12, 1 / 21],
                "note": ["exact, 43 discordant", "20 permutations"],
            }
        ),
        "permutations": results_of_permutations(),
    }
    return SimpleNamespace(metrics=make_metrics(), debates=debates, predictions=predictions, tables=tables)
