"""What a sentinel says of a debate unlike those it was trained on, and when it keeps the vote for it."""

from dataclasses import replace

import pytest

from sentinel.decision import Sentinel
from sentinel.fingerprint import FEATURES
from sentinel.records import Audit
from sentinel.settings import (
    DecisionSettings,
)


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


def test_strict_abstains_where_it_would_warn(with_cut, trained, debate_of):
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
