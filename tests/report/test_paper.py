"""The paper's numbers: consistent with each other, and shown for the same experiment only."""

import polars as pl
import pytest

from sentinel.report._paper import is_main_experiment, load_paper, paper_dataset, paper_results, paper_row

SIX = ("arc_challenge", "commonsense_qa", "gsm8k", "mmlu_stem", "truthfulqa", "winogrande")


def test_counts_add_up_to_the_paper_totals() -> None:
    corpus = load_paper().corpus
    for name in ("n", "divergent", "minority_truths", "majority_correct"):
        assert sum(getattr(corpus[key], name) for key in SIX) == getattr(corpus["overall"], name)
    assert (corpus["overall"].n, corpus["overall"].divergent, corpus["overall"].minority_truths) == (1754, 686, 175)
    results = load_paper().results
    assert (sum(results[key].cf for key in SIX), sum(results[key].wf for key in SIX)) == (39, 9)


@pytest.mark.parametrize("table", ["results", "baselines", "feature_groups", "classifiers"])
def test_printed_shares_follow_from_printed_counts(table: str) -> None:
    paper = load_paper()
    for key, row in getattr(paper, table).items():
        if row.cf is None:
            continue
        n = paper.corpus[key].n if table == "results" else 1754
        assert round((row.cf - row.wf) / n, 4) == row.ng
        if row.flip_precision is not None:
            assert round(row.cf / (row.cf + row.wf), 3) == row.flip_precision


def test_logistic_regression_is_kept_as_both_tables_print_it() -> None:
    paper = load_paper()
    fourth, sixth = paper.baselines["logistic_regression"], paper.classifiers["logistic_regression"]
    assert (fourth.cf, fourth.wf) == (24, 12)
    assert (sixth.cf, sixth.wf) == (25, 13)


@pytest.mark.parametrize(
    ("domain", "key"),
    [
        ("simulated/gsm8k", "gsm8k"),
        ("simulated/arc_challenge", "arc_challenge"),
        ("my/ARC-Challenge", "arc_challenge"),
        ("overall", "overall"),
        ("simulated/gsm8k_hard", None),
    ],
)
def test_domains_are_matched_by_their_dataset(domain: str, key: str | None) -> None:
    assert paper_dataset(domain) == key


def test_main_experiment_gets_the_rows_by_dataset(evaluation) -> None:
    rows = paper_results(evaluation.metrics, evaluation.tables["corpus"])
    assert is_main_experiment(evaluation.metrics)
    assert rows["simulated/gsm8k"].ng == 0.0803
    assert rows["overall"].cf == 39
    assert len(rows) == 7


def test_a_dataset_with_other_counts_gets_no_row(evaluation) -> None:
    corpus = evaluation.tables["corpus"].with_columns(
        n=pl.when(pl.col("domain") == "simulated/gsm8k").then(138).otherwise(pl.col("n"))
    )
    assert "simulated/gsm8k" not in paper_results(evaluation.metrics, corpus)


def test_feature_groups_and_classifiers_get_their_own_rows(make_metrics) -> None:
    features = [f"f{i}" for i in range(12)]
    assert paper_row(make_metrics(feature_group="no_dynamics", features=features)).wf == 15
    assert paper_row(make_metrics(classifier="mlp")).cf == 7
    assert not is_main_experiment(make_metrics(classifier="mlp"))


@pytest.mark.parametrize(
    "setup",
    [
        {"classifier": "single_feature"},
        {"feature_group": "full", "features": [f"f{i}" for i in range(27)]},
        {"classifier": "mlp", "feature_group": "no_meta", "features": [f"f{i}" for i in range(18)]},
        {"evaluation": "transfer"},
        {"folds": 10},
        {"agents": [5]},
        {"rounds": [2, 3]},
        {"threshold": {"kind": "search", "per": "domain", "accounting": "paper", "preservation": 0.9}},
        {"threshold": {"kind": "fixed", "per": "all", "accounting": "paper"}},
        {"threshold": {"kind": "search", "per": "domain", "accounting": "exact"}},
    ],
)
def test_another_setup_gets_no_row(make_metrics, setup) -> None:
    assert paper_row(make_metrics(**setup)) is None


def test_real_debates_and_other_corpora_get_no_row(make_metrics) -> None:
    real, smaller, weaker, wider = (make_metrics() for _ in range(4))
    weaker["corpus"]["name"] = "simulated (seed 0, effect 0.5)"
    wider["corpus"]["given_up_candidates"] = 12
    assert paper_row(weaker) is None
    assert paper_row(wider) is None
    real["simulated"] = False
    smaller["corpus"]["debates"] = 877
    assert paper_row(real) is None
    assert paper_row(smaller) is None
