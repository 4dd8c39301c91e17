"""What a trained sentinel decides, and what it says of how it came to it."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from sentinel.decision import Sentinel
from sentinel.errors import DecisionError
from sentinel.fingerprint import FEATURES, fingerprint_corpus
from sentinel.settings import (
    CorpusSettings,
    DecisionSettings,
)
from sentinel.simulation import simulate_corpus
from sentinel.vote import Fallback, take_vote


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
    table = fingerprint_corpus(corpus).candidates
    expected = trained.classifier_.predict_proba(table.select(FEATURES).to_numpy())[:, 1]
    decided = [d.probability for d in trained.decide_many(corpus) if d.candidate is not None]
    assert decided == expected.tolist()


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
def test_without_a_candidate_the_vote_stands(with_cut, trained, debate_of, rounds, state, answer):
    decision = with_cut(trained, 0.0).decide(debate_of(*rounds))
    assert (decision.state, decision.answer, decision.voted) == (state, answer, answer)
    assert (decision.flipped, decision.candidate, decision.probability, decision.tau) == (False, None, None, None)
    assert (decision.warnings, decision.supports, decision.opposes) == ((), None, None)


def test_a_fallback_answers_without_being_a_flip(with_cut, trained, debate_of):
    sentinel = with_cut(trained, 0.0, decision=DecisionSettings(fallback=Fallback.last_parsed_round))
    decision = sentinel.decide(debate_of("AAB", "BBA", "???"))
    assert (decision.state, decision.answer, decision.flipped) == ("unanswered", "B", False)


def test_the_cut_is_strict_and_never_is_never(with_cut, trained, debate_of):
    debate = debate_of("AAB", "AAB", "AAB")
    probability = with_cut(trained, 0.0).decide(debate).probability
    assert with_cut(trained, 0.0).decide(debate).answer == "B"
    at_cut = with_cut(trained, probability).decide(debate)
    assert (at_cut.answer, at_cut.flipped, at_cut.tau) == ("A", False, probability)
    assert with_cut(trained, None).decide(debate).flipped is False


def test_of_several_candidates_the_most_probable_is_considered(with_cut, trained, debate_of):
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
    table = fingerprint_corpus(replace(corpus, debates=(debate,))).candidates.select(FEATURES).to_numpy()
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


def test_deciding_needs_fitting(debate_of):
    with pytest.raises(DecisionError, match="not fitted"):
        Sentinel().decide(debate_of("AAB", "AAB"))


def test_the_label_of_a_debate_is_not_read(trained, corpus):
    blind = [replace(debate, gold=None) for debate in corpus.debates[:80]]
    assert trained.decide_many(blind, corpus.audits) == trained.decide_many(corpus.debates[:80], corpus.audits)
    assert fingerprint_corpus(replace(corpus, debates=tuple(blind))).candidates["label"].drop_nulls().len() == 0
