"""The tests of a run: each rule against the majority vote, and the selection against permuted labels."""

from typing import Any

import polars as pl

from sentinel.evaluation._baseline import Baseline
from sentinel.evaluation._compare import sign_test
from sentinel.evaluation._cross_fit import Method
from sentinel.evaluation._interval import question_units
from sentinel.evaluation._metric import GAIN_EXACT
from sentinel.evaluation._permutation import find_blocks, permutation_p, permute
from sentinel.evaluation._sample import Sample
from sentinel.settings import EvaluationSettings

TEST_SCHEMA = {
    "test": pl.String,
    "reading": pl.String,
    "statistic": pl.Float64,
    "p_value": pl.Float64,
    "note": pl.String,
}


_NO_TEST = "no valid test: the cut was chosen on the flips it would test; see permutation"


def compare_with_majority(sample: Sample, compared: list[Baseline], chosen: bool) -> list[dict[str, Any]]:
    """Return the exact test of each rule against the majority vote, on questions.

    Where cuts are `chosen` from data, the paper reading has no p value: its flips were selected for their gain.
    """
    debates = sample.debates
    unit = question_units(debates.domain, debates.question)
    tests = []
    for found in compared:
        if found.outcome is None or found.method in ("majority_voting", "oracle") or found.note == "same as sentinel":
            continue
        result = sign_test(GAIN_EXACT[found.outcome], unit)
        valid = found.reading != "paper" or not chosen
        counted = f"exact accounting, questions: {result.gained} gained, {result.lost} lost"
        tests.append(
            {
                "test": "mcnemar" if found.method == "sentinel" else f"mcnemar: {found.method}",
                "reading": found.reading,
                "statistic": float(result.gained - result.lost),
                "p_value": result.p_value if valid else None,
                "note": counted if valid else _NO_TEST,
            }
        )
    return sorted(tests, key=lambda test: test["test"] != "mcnemar")


def compare_with_chance(
    sample: Sample, method: Method, settings: EvaluationSettings, overall: dict[str, Any]
) -> tuple[pl.DataFrame, list[dict[str, Any]]]:
    """Return the net gains of permuted labels, and the rows of the tests table: what was observed against them."""
    count = settings.permutations or 0
    permuted = permute(
        sample.rows,
        method,
        sample.debates.totals,
        settings.folds,
        count,
        settings.permute_cross_fitted,
        settings.workers,
    )
    fixed = find_blocks(sample.rows).fixed
    note = f"{count} permutations of question blocks" + (f"; {fixed} candidates without a partner" if fixed else "")
    tests = []
    for reading, column in (("paper", "ng_paper_reading"), ("cross_fitted", "ng_cross_fitted")):
        if reading == "cross_fitted" and not settings.permute_cross_fitted:
            continue
        for accounting in ("exact", "paper"):
            observed = overall[reading][f"ng_{accounting}"]
            p_value = permutation_p(observed, permuted[f"{column}_{accounting}"])
            least = p_value == 1 / (1 + count)
            tests.append(
                {
                    "test": f"permutation, {accounting} accounting",
                    "reading": reading,
                    "statistic": observed,
                    "p_value": p_value,
                    "note": f"{note}; at its least possible value with {count} permutations" if least else note,
                }
            )
    return permuted, tests


def nest_tests(tests: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the rows of the tests table by test and reading."""
    nested: dict[str, dict[str, Any]] = {}
    for test in tests:
        nested.setdefault(test["test"], {})[test["reading"]] = {
            name: test[name] for name in ("statistic", "p_value", "note")
        }
    return nested
