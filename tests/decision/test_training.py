"""What a sentinel learns: cuts, record and notes; and what it refuses to learn from."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from sentinel.classifier import out_of_fold
from sentinel.decision import Sentinel
from sentinel.errors import DecisionError
from sentinel.evaluation import evaluate
from sentinel.fingerprint import FEATURES, fingerprint_corpus
from sentinel.records import Corpus
from sentinel.settings import (
    AuditKind,
    AuditSettings,
    ClassifierKind,
    ClassifierSettings,
    EvaluationSettings,
    FeatureGroup,
    FeatureGroupsSettings,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)


def test_cuts_and_record_come_from_out_of_fold_probabilities(trained, corpus):
    table = fingerprint_corpus(corpus).candidates
    right = (table["label"] == "minority_correct").to_numpy()
    X, question = table.select(FEATURES).to_numpy(), table["question_key"].to_numpy()
    oof = out_of_fold(ClassifierSettings(), X, right.astype(int), question, 5, 0).probability
    flips = Counter()
    for domain, probability, label in zip(table["domain"], oof, table["label"], strict=True):
        tau = trained.thresholds_.by_domain[domain]
        flips[label] += tau is not None and probability > tau
    record = trained.training_.record
    assert (record.correct, record.harmful, record.neutral) == (
        flips["minority_correct"],
        flips["majority_correct"],
        flips["both_wrong"],
    )
    assert record.correct > 0
    assert record.brier == pytest.approx(np.mean((oof - right) ** 2))
    assert (record.debates, record.contested) == (len(corpus), len(table))
    assert sum(item.count for item in record.reliability) == len(table)


def test_fingerprints_serve_as_well_as_debates(trained, corpus):
    again = Sentinel().fit(fingerprint_corpus(corpus))
    assert again.thresholds_ == trained.thresholds_
    assert again.training_ == trained.training_


def divergent_corpus(debate_of, golds, **changes):
    debates = tuple(debate_of("ABB", "BAB", "BBA", name=f"d{i}", gold=gold, **changes) for i, gold in enumerate(golds))
    return Corpus("by hand", debates, data_hash="00")


@pytest.mark.parametrize(("gold", "verdict"), [("A", "right"), ("B", "wrong"), ("C", "wrong")])
@pytest.mark.parametrize(
    ("threshold", "tau"),
    [
        # The largest of the best cuts: all of the grid flip the same debates.
        (ThresholdSettings(), 0.95),
        (ThresholdSettings(kind=ThresholdKind.fixed, tau=0.3), 0.3),
        # No right majority was ever at stake, so nothing shows that the risk is small.
        (ThresholdSettings(kind=ThresholdKind.risk_controlled, per=ThresholdScope.all), None),
    ],
)
def test_one_class_is_one_probability_and_the_note_says_so(debate_of, gold, verdict, threshold, tau):
    sentinel = Sentinel(threshold=threshold).fit(divergent_corpus(debate_of, [gold] * 6))
    right = int(verdict == "right")
    assert (
        sentinel.training_.notes[-1] == f"all 6 minorities of the training data are {verdict}: "
        f"nothing tells them apart, every probability is {right}"
    )
    decision = sentinel.decide(debate_of("ABB", "BAB", "BBA"))
    flips = bool(right) and tau is not None
    assert (decision.probability, decision.flipped, decision.answer) == (right, flips, "A" if flips else "B")
    assert decision.tau == (tau if right or threshold.kind is ThresholdKind.fixed else None)
    assert (decision.supports, decision.opposes) == ((), ())
    assert sentinel.training_.record.correct == (6 if flips else 0)


SEVERAL = ["A", "B", "A", "C"] * 4


@pytest.mark.parametrize("golds", [["A"] * 6, ["B"] * 6, ["C"] * 6, ["A", "B"], ["A", "A"], SEVERAL])
@pytest.mark.parametrize("kind", ThresholdKind)
@pytest.mark.parametrize("per", ThresholdScope)
def test_the_cuts_are_those_of_the_paper_reading(debate_of, golds, kind, per):
    settings = ThresholdSettings(kind=kind, per=per, tau=0.3)
    prints = fingerprint_corpus(divergent_corpus(debate_of, golds))
    sentinel = Sentinel(threshold=settings).fit(prints)
    protocol = EvaluationSettings(bootstrap=100, permutations=0, baselines=False)
    found = evaluate(prints, FEATURES, ClassifierSettings(), settings, protocol, 0).metrics["overall"]["paper"]
    assert found["tau"] == sentinel.thresholds_.lookup("simulated/gsm8k")[0]
    record = sentinel.training_.record
    assert (found["cf"], found["harmful"], found["neutral"]) == (record.correct, record.harmful, record.neutral)


def test_one_question_is_refused_where_the_evaluation_flips_nothing(debate_of):
    for golds in (["A"] * 4, ["A", "B", "A", "B"]):
        prints = fingerprint_corpus(divergent_corpus(debate_of, golds, question_key="q"))
        with pytest.raises(
            DecisionError, match="by hand: its 4 minority answers belong to one question; .* at least 2"
        ):
            Sentinel().fit(prints)
        protocol = EvaluationSettings(bootstrap=100, permutations=0, baselines=False)
        found = evaluate(prints, FEATURES, ClassifierSettings(), ThresholdSettings(), protocol, 0).metrics["overall"]
        assert (found["paper"]["flips"], found["cross_fitted"]["flips"]) == (0, 0)


def test_nothing_to_learn_from_is_an_error(debate_of):
    with pytest.raises(DecisionError, match="by hand: none of its 4 debates has a gold answer"):
        Sentinel().fit(divergent_corpus(debate_of, [None] * 4))
    slip = "unknown field goldd in 4 records: did you mean gold?"
    with pytest.raises(DecisionError, match=f"training needs them; {re.escape(slip)}$"):
        Sentinel().fit(replace(divergent_corpus(debate_of, [None] * 4), notes=(slip,)))
    unanimous = Corpus("calm", (debate_of("AAA", "AAA"), debate_of("ABC", "ABC", name="tie")))
    with pytest.raises(DecisionError, match="calm: none of its 2 debates with a gold answer is divergent"):
        Sentinel().fit(unanimous)


def test_debates_without_gold_are_no_part_of_the_training(debate_of):
    golds = ["A", "B"] * 8 + [None] * 5
    sentinel = Sentinel().fit(divergent_corpus(debate_of, golds))
    assert sentinel.training_.record.debates == 16
    assert sentinel.training_.domains["simulated/gsm8k"].divergent == 16
    assert any("gold answer missing for 5 of 21" in note for note in sentinel.training_.notes)


def test_features_that_were_not_computed_are_named(corpus):
    groups = FeatureGroupsSettings(extra=[FeatureGroup.equations])
    with pytest.raises(DecisionError, match="not in the fingerprints of simulated"):
        Sentinel(feature_groups=groups).fit(fingerprint_corpus(corpus))


def test_other_groups_classifiers_and_auditors(corpus):
    sentinel = Sentinel(
        classifier=ClassifierSettings(ClassifierKind.logistic_regression),
        feature_groups=FeatureGroupsSettings("mixed", [FeatureGroup.audit], [FeatureGroup.equations]),
        audit=AuditSettings(AuditKind.lexical),
        threshold=ThresholdSettings(per=ThresholdScope.all),
    ).fit(corpus)
    assert len(sentinel.features_) > 8 and set(sentinel.features_) & set(FEATURES) == set(FEATURES[14:])
    # The lexical auditor needs no audits on record.
    decisions = sentinel.decide_many(corpus.debates)
    assert not any("audit: missing" in warning for decision in decisions for warning in decision.warnings)
    assert not any(decision.stand_in for decision in decisions)
