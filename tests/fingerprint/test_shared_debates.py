"""Counts on the real third-party debates, against those that a separate script found (data/debates/SOURCES.md)."""

from functools import cache

import polars as pl
import pytest

from sentinel.fingerprint import FEATURE_GROUPS, FEATURES, fingerprint_corpus
from sentinel.log_store import load_debates
from sentinel.settings import DecisionSettings, FeatureGroup, FingerprintSettings

pytestmark = pytest.mark.shared

# file: debates, diverged final, of these minority right, tied final
COUNTS = {
    "amayuelas-mad": (3436, 552, 170, 50),
    "amayuelas-mad-adversarial": (1492, 755, 195, 69),
    "diverse-minds-temperature": (460, 110, 28, 18),
    "gsm-gpt35-tt6746690": (119, 11, 3, 0),
    "gsm-majority-error": (416, 101, 20, 27),
    "multi-llm-samkha": (25, 0, 0, 0),
    "slm-personas": (558, 81, 29, 24),
}


@pytest.fixture(scope="module")
def fingerprints(shared_data):
    @cache
    def make(name):
        corpus = load_debates(shared_data / "debates" / f"{name}.jsonl.gz")
        return fingerprint_corpus(
            corpus, FingerprintSettings(), DecisionSettings(), equations=True, seed=0, lexical=False
        )

    return make


@pytest.mark.parametrize("name", COUNTS)
def test_counts(fingerprints, name):
    debates = fingerprints(name).debates
    found = (
        len(debates),
        debates["divergent"].sum(),
        debates["minority_truth"].sum(),
        (debates["state"] == "tied").sum(),
    )
    assert found == COUNTS[name]


def test_every_feature_is_in_its_range(fingerprints):
    rows = fingerprints("slm-personas").candidates
    k = rows["agents"]
    for name in (
        "majority_convert_ratio",
        "minority_persistence",
        "minority_new_info_ratio",
        "majority_new_info_ratio",
    ):
        assert rows[name].drop_nans().is_between(0, 1).all()
    assert rows["vote_margin"].is_between(1, k - 2).all()
    assert rows["num_unique_answers_final"].is_between(2, k).all()
    assert rows["answers_changed"].is_between(0, k).all()
    assert (rows["agreement_diff"] == rows["majority_agreement_count"] - rows["minority_agreement_count"]).all()
    always = [*FEATURES[:3], *FEATURE_GROUPS[FeatureGroup.meta]]
    assert not rows.select(pl.col(always).is_nan().any()).row(0).count(True)


def test_wrong_sums_betray_the_majority_where_questions_are_sums(fingerprints):
    """On six-term arithmetic the side that miscalculates less is nearly always the right one."""
    rows = fingerprints("diverse-minds-temperature").candidates.drop_nans("equation_wrong_share")
    right = rows.filter(rows["label"] == "minority_correct")["equation_wrong_share"].to_list()
    wrong = rows.filter(rows["label"] != "minority_correct")["equation_wrong_share"].to_list()
    lower = sum((a < b) + 0.5 * (a == b) for a in right for b in wrong) / (len(right) * len(wrong))
    assert lower > 0.85
