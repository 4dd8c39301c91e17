"""Transfer to a left-out domain, and the learning curve."""

from types import SimpleNamespace

import polars as pl
import pytest

from sentinel.classifier import make_classifier
from sentinel.evaluation import evaluate
from sentinel.evaluation._baseline import fold_of_questions
from sentinel.evaluation._cross_fit import Method, assign_rows
from sentinel.evaluation._protocol import transfer
from sentinel.evaluation._sample import build_sample
from sentinel.fingerprint import FEATURES
from sentinel.settings import (
    ClassifierKind,
    ClassifierSettings,
    EvaluationKind,
    EvaluationSettings,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)

CLASSIFIER = ClassifierSettings(kind=ClassifierKind.logistic_regression)
TRANSFER = EvaluationSettings(kind=EvaluationKind.transfer, inner_folds=2, bootstrap=100)


def test_a_left_out_domain_is_predicted_from_the_others_alone(make: SimpleNamespace) -> None:
    sample = build_sample(make.draw(effect=2.0, domains=("s/a", "s/b", "s/c")), FEATURES[:4])
    fixed = ThresholdSettings(kind=ThresholdKind.fixed, per=ThresholdScope.all, tau=0.5)
    found = transfer(sample, Method(CLASSIFIER, fixed, 2, 7), TRANSFER, 0)
    assert found is not None
    rows = sample.rows
    for domain in sample.debates.domains:
        inside = rows.domain == domain
        fitted = make_classifier(CLASSIFIER, 7).fit(rows.x[~inside], rows.y[~inside], rows.weight[~inside])
        expected = fitted.predict_proba(rows.x[inside])[:, 1]
        assert found.fit.probability[inside].tolist() == expected.tolist()
        flips = found.table.filter(pl.col("domain") == domain)["flips"][0]
        assert flips == int((expected > 0.5).sum()) > 0


def test_the_cut_is_the_one_for_all_training_domains(make: SimpleNamespace) -> None:
    fingerprints = make.draw(effect=3.0, domains=("s/a", "s/b", "s/c"))
    found = evaluate(fingerprints, FEATURES[:4], CLASSIFIER, ThresholdSettings(), TRANSFER, 0)
    table = found.tables["transfer"]
    assert table["domain"].to_list() == ["s/a", "s/b", "s/c", "overall"]
    assert table["reading"].unique().to_list() == ["transfer"]
    cuts = [found.metrics["domains"][domain]["transfer"]["tau"] for domain in ("s/a", "s/b", "s/c")]
    assert all(isinstance(tau, float) for tau in cuts)
    assert found.metrics["overall"]["transfer"]["tau"] == cuts
    overall = table.row(3, named=True)
    assert overall["flips"] == sum(table["flips"].to_list()[:3]) > 0
    assert set(found.predictions["tau_transfer"]) == set(cuts)
    assert found.debates["outcome_transfer"].value_counts().height >= 2
    assert 0 < found.metrics["overall"]["transfer"]["p_exact"] < 0.01


def test_a_question_of_two_domains_is_not_trained_on(make: SimpleNamespace) -> None:
    # Both domains hold the same questions, so nothing is left to learn from, and nothing is flipped.
    pairs = [
        make.split(f"{domain}{i}", "minority_correct" if i % 2 else "majority_correct", [i % 2], f"s/{domain}", f"k{i}")
        for domain in "ab"
        for i in range(10)
    ]
    debates, candidates = zip(*pairs, strict=True)
    found = evaluate(make.fingerprints(debates, candidates), FEATURES[:1], CLASSIFIER, ThresholdSettings(), TRANSFER, 0)
    assert found.predictions["probability"].null_count() == 20
    assert found.tables["transfer"]["flips"].sum() == 0


def test_a_single_domain_is_a_stated_result(make: SimpleNamespace) -> None:
    found = evaluate(make.draw(domains=("s/a",)), FEATURES[:4], CLASSIFIER, ThresholdSettings(), TRANSFER, 0)
    assert found.tables["transfer"].is_empty()
    assert found.metrics["overall"] == {}
    assert "transfer: s/a is the only domain; there is none to train on" in found.metrics["notes"]


def test_every_question_has_a_fold(make: SimpleNamespace) -> None:
    sample = build_sample(make.draw(n=100, divergent=50), FEATURES[:4])
    fold = assign_rows(sample.rows, 5, 0)
    fold_of = fold_of_questions(sample, fold, 5, 0)
    assert (fold_of[sample.rows.question] == fold).all()
    rest = set(range(100)) - set(sample.rows.question.tolist())
    counts = [sum(fold_of[question] == k for question in rest) for k in range(5)]
    assert counts == [10] * 5


def test_the_learning_curve_grows_to_the_cross_fitted_result(make: SimpleNamespace) -> None:
    fingerprints = make.draw(effect=1.5)
    curve = EvaluationSettings(
        kind=EvaluationKind.learning_curve, folds=3, inner_folds=2, bootstrap=100, train_shares=[1.0, 0.2, 0.5]
    )
    whole = EvaluationSettings(folds=3, inner_folds=2, bootstrap=100, permutations=0, baselines=False)
    found = evaluate(fingerprints, FEATURES[:4], CLASSIFIER, ThresholdSettings(), curve, 0)
    table = found.tables["learning_curve"]
    assert table["share"].to_list() == [0.2, 0.5, 1.0]
    # 150 questions in 3 folds: 100 to train on, of which 20, 50 and 100 are kept; 90 debates are divergent.
    assert table["questions"].to_list() == pytest.approx([20, 50, 100], abs=0.7)
    assert table["divergent_train"].is_sorted()
    assert table["divergent_train"][2] == 60
    reading = evaluate(fingerprints, FEATURES[:4], CLASSIFIER, ThresholdSettings(), whole, 0).metrics["overall"][
        "cross_fitted"
    ]
    last = table.row(2, named=True)
    for name in ("auc", "ng_exact", "ng_paper"):
        assert last[name] == pytest.approx(reading[name])
    assert [last["ng_exact_low"], last["ng_exact_high"]] == pytest.approx(reading["ng_exact_interval"])
    assert found.predictions.columns[-1] == FEATURES[3]
    assert any("one nested subset of the questions in one random order" in note for note in found.metrics["notes"])


def test_a_share_too_small_for_a_training_set_flips_nothing(make: SimpleNamespace) -> None:
    curve = EvaluationSettings(
        kind=EvaluationKind.learning_curve, folds=2, inner_folds=2, bootstrap=100, train_shares=[0.01, 1.0]
    )
    for fingerprints in (make.draw(n=20, divergent=10), make.draw(n=3, divergent=0), make.draw(n=1, divergent=1)):
        table = evaluate(fingerprints, FEATURES[:4], CLASSIFIER, ThresholdSettings(), curve, 0).tables["learning_curve"]
        assert table.height == 2
        assert table["ng_exact"][0] == 0.0
        assert table["flips"][0] == 0
