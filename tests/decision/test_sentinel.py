"""What a sentinel learns, what it decides, and what it says about a debate unlike its training."""

import json
import math
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
from sentinel.records import Audit, Corpus
from sentinel.settings import (
    AuditKind,
    AuditSettings,
    ClassifierKind,
    ClassifierSettings,
    CorpusSettings,
    DecisionSettings,
    EvaluationSettings,
    FeatureGroup,
    FeatureGroupsSettings,
    FingerprintSettings,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)
from sentinel.simulation import simulate_corpus
from sentinel.threshold import Thresholds
from sentinel.vote import Fallback, take_vote


def with_cut(sentinel, tau, **changes):
    """A copy of a trained sentinel that flips above `tau` everywhere."""
    copy = Sentinel(**{name: getattr(sentinel, name) for name in ("classifier", "feature_groups")}, **changes)
    copy.features_, copy.classifier_, copy.training_ = sentinel.features_, sentinel.classifier_, sentinel.training_
    copy.thresholds_ = Thresholds({}, tau, ThresholdScope.all)
    return copy


def fingerprints(corpus, equations=False):
    settings = FingerprintSettings(), DecisionSettings()
    return fingerprint_corpus(corpus, *settings, equations=equations, seed=0, lexical=False)


def test_every_decision_follows_from_its_probability_and_cut(trained, corpus):
    decisions = trained.decide_many(corpus)
    assert [decision.id for decision in decisions] == [debate.id for debate in corpus]
    for debate, decision in zip(corpus, decisions, strict=True):
        vote = take_vote(debate)
        assert (decision.state, decision.voted) == (vote.state.value, vote.answer)
        assert (decision.candidate is not None) == vote.divergent
        above = decision.tau is not None and decision.probability > decision.tau
        assert decision.flipped == above
        assert decision.answer == (decision.candidate if above else vote.answer)
    assert any(decision.flipped for decision in decisions)


def test_flips_learned_on_one_simulation_help_on_another(trained):
    unseen = simulate_corpus(CorpusSettings(seed=1))
    flipped = [
        (debate, decision) for debate, decision in zip(unseen, trained.decide_many(unseen), strict=True)
        if decision.flipped
    ]  # fmt: skip
    right = sum(decision.answer == debate.gold for debate, decision in flipped)
    harmed = sum(decision.voted == debate.gold for debate, decision in flipped)
    assert right > 2 * harmed


def test_one_by_one_and_all_at_once_are_the_same(trained, corpus):
    some = list(corpus.debates[:60])
    together = trained.decide_many(some, corpus.audits)
    assert together == [trained.decide(debate, corpus.audits) for debate in some]
    assert trained.decide_many(replace(corpus, debates=tuple(some))) == together
    assert trained.decide_many([]) == []


def test_the_probability_is_the_classifiers_on_the_fingerprint(trained, corpus):
    table = fingerprints(corpus).candidates
    expected = trained.classifier_.predict_proba(table.select(FEATURES).to_numpy())[:, 1]
    decided = [d.probability for d in trained.decide_many(corpus) if d.candidate is not None]
    assert decided == expected.tolist()


def test_cuts_and_record_come_from_out_of_fold_probabilities(trained, corpus):
    table = fingerprints(corpus).candidates
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
    again = Sentinel().fit(fingerprints(corpus))
    assert again.thresholds_ == trained.thresholds_
    assert again.training_ == trained.training_


@pytest.mark.parametrize(
    ("rounds", "state", "answer"),
    [
        (("AAA", "AAA", "AAA"), "majority", "A"),
        (("AAB", "AAB", "ABC"), "tied", "A"),
        (("AAB", "AAB", "CBA"), "tied", "C"),
        (("AAB", "AAB", "???"), "unanswered", None),
        (("AAB", "AAB", "A??"), "majority", "A"),
    ],
)
def test_without_a_candidate_the_vote_stands(trained, debate_of, rounds, state, answer):
    decision = with_cut(trained, 0.0).decide(debate_of(*rounds))
    assert (decision.state, decision.answer, decision.voted) == (state, answer, answer)
    assert (decision.flipped, decision.candidate, decision.probability, decision.tau) == (False, None, None, None)
    assert (decision.warnings, decision.supports, decision.opposes) == ((), None, None)


def test_a_fallback_answers_without_being_a_flip(trained, debate_of):
    sentinel = with_cut(trained, 0.0, decision=DecisionSettings(fallback=Fallback.last_parsed_round))
    decision = sentinel.decide(debate_of("AAB", "BBA", "???"))
    assert (decision.state, decision.answer, decision.flipped) == ("unanswered", "B", False)


def test_the_cut_is_strict_and_never_is_never(trained, debate_of):
    debate = debate_of("AAB", "AAB", "AAB")
    probability = with_cut(trained, 0.0).decide(debate).probability
    assert with_cut(trained, 0.0).decide(debate).answer == "B"
    at_cut = with_cut(trained, probability).decide(debate)
    assert (at_cut.answer, at_cut.flipped, at_cut.tau) == ("A", False, probability)
    assert with_cut(trained, None).decide(debate).flipped is False


def test_of_several_candidates_the_most_probable_is_considered(trained, debate_of):
    class Fixed:
        constant_ = None

        def predict_proba(self, X, names):
            right = np.array([0.3, 0.7])[: len(X)]
            return np.column_stack([1 - right, right])

        def contributions(self, X, names):
            return None

    sentinel = with_cut(trained, 0.5)
    sentinel.classifier_ = Fixed()
    # Camps of the final round: A 3, then B and C; the second candidate is C.
    decision = sentinel.decide(debate_of("AAABC", "AAABC", "AAABC"))
    assert (decision.candidate, decision.answer, decision.probability) == ("C", "C", 0.7)
    assert decision.supports is None and decision.opposes is None


def test_reasons_are_the_strongest_contributions(trained, corpus):
    debate = next(d for d in corpus if take_vote(d).divergent)
    decision = trained.decide(debate, corpus.audits)
    table = fingerprints(replace(corpus, debates=(debate,))).candidates.select(FEATURES).to_numpy()
    contributions = dict(zip(FEATURES, trained.classifier_.contributions(table)[0], strict=True))
    values = dict(zip(FEATURES, table[0], strict=True))
    for reasons, sign in ((decision.supports, 1), (decision.opposes, -1)):
        strongest = sorted((c for c in contributions.values() if c * sign > 0), key=lambda c: -abs(c))[:3]
        assert [item.contribution for item in reasons] == strongest
        for item in reasons:
            assert (contributions[item.feature], values[item.feature]) == (item.contribution, item.value)


def test_the_json_form_is_json(trained, debate_of):
    decision = trained.decide(debate_of("AAB", "AAB", "AAB"))
    # Without an audit its features are NaN, which JSON has no word for.
    assert any(math.isnan(item.value) for item in (*decision.supports, *decision.opposes))
    content = json.loads(json.dumps(decision.to_dict(), allow_nan=False))
    assert content["candidate"] == "B"
    assert {item["value"] for item in (*content["supports"], *content["opposes"])} >= {None}
    assert content.keys() == {name for name in type(decision).__slots__}


def audited(debate, candidate="B", **changes):
    values = {
        "minority_new_evidence": 0.0, "majority_echo_chamber": 0.0, "minority_finds_error": 0.0,
        "majority_logical_gap": 0.0, "minority_reasoning_score": 3.0, "majority_reasoning_score": 3.0,
        "blind_follower_count": 0.0,
    }  # fmt: skip
    return {(debate.id, candidate): Audit(debate.id, candidate, "test", **(values | changes))}


def test_a_debate_like_the_training_has_no_warning(trained, debate_of):
    debate = debate_of("AAB", "AAB", "AAB")
    assert trained.decide(debate, audited(debate)).warnings == ()


@pytest.mark.parametrize(
    ("rounds", "changes", "audit", "expected"),
    [
        (
            ("AAB",) * 3,
            {"dataset": "law"},
            {},
            "domain simulated/law: not in the training data; the cut for all domains",
        ),
        (("AAAB",) * 3, {}, {}, "4 agents: trained on 3"),
        (("AAB",) * 4, {}, {}, "3 debate rounds: trained on 2"),
        (
            ("AAB",) * 3,
            {},
            {"blind_follower_count": 77.0},
            "outside the training range: blind_follower_count=77 (0 to ",
        ),
        (
            ("AAB",) * 3,
            {},
            None,
            "feature group audit: missing, the training data had it; give decide the recorded audits "
            "(corpus.audits), or record them with task=audit",
        ),
    ],
)
def test_warnings_outside_the_training(trained, debate_of, rounds, changes, audit, expected):
    debate = debate_of(*rounds, **changes)
    decision = trained.decide(debate, {} if audit is None else audited(debate, **audit))
    assert any(warning.startswith(expected) for warning in decision.warnings), decision.warnings
    assert not decision.abstained


def test_only_the_features_outside_are_named(trained, debate_of):
    debate = debate_of("AAB", "AAB", "AAB")
    (warning,) = trained.decide(debate, audited(debate, majority_echo_chamber=5.0)).warnings
    assert [name for name in FEATURES if f"{name}=" in warning] == ["majority_echo_chamber"]


def test_strict_abstains_where_it_would_warn(trained, debate_of):
    strict = with_cut(trained, 0.0, decision=DecisionSettings(strict=True))
    stranger = debate_of("AAB", "AAB", "AAB", dataset="law")
    decision = strict.decide(stranger, audited(stranger))
    assert (decision.answer, decision.flipped, decision.abstained) == ("A", False, True)
    assert decision.warnings
    assert decision.probability > decision.tau
    familiar = debate_of("AAB", "AAB", "AAB")
    decision = strict.decide(familiar, audited(familiar))
    assert (decision.answer, decision.flipped, decision.abstained) == ("B", True, False)


def test_a_domain_without_its_own_cut_says_so(trained, debate_of):
    stranger = debate_of("AAB", "AAB", "AAB", dataset="law")
    decision = trained.decide(stranger, audited(stranger))
    assert decision.stand_in
    assert decision.tau == trained.thresholds_.overall
    familiar = debate_of("AAB", "AAB", "AAB")
    assert not trained.decide(familiar, audited(familiar)).stand_in


def test_a_trained_domain_that_never_diverged_uses_the_stand_in(corpus, debate_of):
    quiet = tuple(debate_of("AAA", "AAA", "AAA", name=f"q{i}", dataset="calm") for i in range(3))
    sentinel = Sentinel().fit(replace(corpus, debates=(*corpus.debates, *quiet)))
    assert sentinel.training_.domains["simulated/calm"].debates == 3
    debate = debate_of("AAB", "AAB", "AAB", dataset="calm")
    decision = sentinel.decide(debate, audited(debate))
    assert decision.stand_in
    assert decision.warnings[0].startswith("domain simulated/calm: no divergent debate in the training data")


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
    prints = fingerprints(divergent_corpus(debate_of, golds))
    sentinel = Sentinel(threshold=settings).fit(prints)
    protocol = EvaluationSettings(bootstrap=100, permutations=0, baselines=False)
    found = evaluate(prints, FEATURES, ClassifierSettings(), settings, protocol, 0).metrics["overall"]["paper"]
    assert found["tau"] == sentinel.thresholds_.lookup("simulated/gsm8k")[0]
    record = sentinel.training_.record
    assert (found["cf"], found["harmful"], found["neutral"]) == (record.correct, record.harmful, record.neutral)


def test_one_question_is_refused_where_the_evaluation_flips_nothing(debate_of):
    for golds in (["A"] * 4, ["A", "B", "A", "B"]):
        prints = fingerprints(divergent_corpus(debate_of, golds, question_key="q"))
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
        Sentinel(feature_groups=groups).fit(fingerprints(corpus))


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


def test_a_missing_group_is_no_surprise_where_training_missed_it_too(corpus, debate_of):
    sentinel = Sentinel().fit(replace(corpus, audits={}))
    assert sentinel.training_.absent["audit"] == 1.0
    debate = debate_of("AAB", "AAB", "AAB")
    assert sentinel.decide(debate).warnings == ()
    # Values the classifier never saw are outside its range.
    (warning,) = sentinel.decide(debate, audited(debate)).warnings
    assert "minority_reasoning_score=3 (none in training)" in warning


def test_a_debate_without_its_audit_is_noticed_even_if_few_of_the_training_had_one(corpus):
    few = dict(list(corpus.audits.items())[:9])
    sentinel = Sentinel().fit(replace(corpus, audits=few))
    assert 0.9 < sentinel.training_.absent["audit"] < 1.0
    debate = next(debate for debate in corpus if any(key[0] == debate.id for key in few))
    assert any("feature group audit: missing" in warning for warning in sentinel.decide(debate).warnings)
    assert not any("audit: missing" in warning for warning in sentinel.decide(debate, few).warnings)


def test_deciding_needs_fitting(debate_of):
    with pytest.raises(DecisionError, match="not fitted"):
        Sentinel().decide(debate_of("AAB", "AAB"))


def test_the_label_of_a_debate_is_not_read(trained, corpus):
    blind = [replace(debate, gold=None) for debate in corpus.debates[:80]]
    assert trained.decide_many(blind, corpus.audits) == trained.decide_many(corpus.debates[:80], corpus.audits)
    assert fingerprints(replace(corpus, debates=tuple(blind))).candidates["label"].drop_nulls().len() == 0
