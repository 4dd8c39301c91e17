"""Every number here is counted by hand from the line of answers above it."""

import math

import pytest

from sentinel.fingerprint import _dynamics as dynamics
from sentinel.settings import Endorsement
from sentinel.vote import CandidateMode

NEW = "violet engines hum beneath frozen harbours"
NEWER = "copper lanterns swing above crowded markets"
OLD = "quiet rivers carve ancient stone valleys"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("ABA A-B AAB", 2),  # agent 2 in round 1; agent 1: B, unparsed, A
        ("ABA ABA", 0),
        ("ABA", 0),
        ("-BA ABA", 0),  # a first parsed answer changes nothing
        ("ABAC BACC AABC", 5),  # agents 0, 1, 2, then 0 and 2
        ("ABABA BABAA", 4),
        ("AB-CABA AAACAAA", 2),
    ],
)
def test_total_stance_changes(make_context, answers, expected):
    assert dynamics.total_stance_changes(make_context(answers)) == expected


@pytest.mark.parametrize(
    ("answers", "candidate", "expected"),
    [
        ("BBA ABA", "B", 1 / 2),  # M = {0, 2}, agent 0 came from B
        ("ABA ABA", "B", 0),
        ("BB- ABA", "B", 1 / 2),  # the unparsed agent stays in the denominator
        ("BBBAC AABAC", "B", 2 / 3),  # K = 5, M = {0, 1, 3}
        ("BBBAC AABAC", "C", 0),
        ("CCBABAA AABAAAC", "C", 2 / 5),  # K = 7, M = {0, 1, 3, 4, 5}
    ],
)
def test_majority_convert_ratio(make_context, answers, candidate, expected):
    assert dynamics.majority_convert_ratio(make_context(answers, candidate)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("ABA ABA", 1),
        ("AAA ABA", 0),
        ("AB- A-A ABA", 0),  # an unparsed turn breaks it
        ("BBAAA BBAAA", 1),
        ("BAAAA BBAAA", 0),  # one of the two came later
    ],
)
def test_minority_persistence(make_context, answers, expected):
    assert dynamics.minority_persistence(make_context(answers, "B")) == expected


def test_new_info_ratio_by_camp(make_context, make_debate):
    # Round 1: agent 0 is new, agent 1 (m) repeats itself. Round 2: agent 1 is new, the others repeat.
    texts = [[OLD, OLD, OLD], [NEW, OLD, OLD], [NEW, NEWER, OLD]]
    context = make_context(make_debate("ABA ABA ABA", texts))
    assert dynamics.minority_new_info_ratio(context) == 1 / 2
    assert dynamics.majority_new_info_ratio(context) == 1 / 2


def test_new_info_counts_a_text_that_another_agent_wrote_before_as_old(make_context, make_debate):
    texts = [[OLD, NEW, OLD], [OLD, OLD, NEW]]
    context = make_context(make_debate("ABA ABA", texts))
    assert dynamics.minority_new_info_ratio(context) == 0
    assert dynamics.majority_new_info_ratio(context) == 0


def test_new_info_in_the_same_round_is_new_for_both(make_context, make_debate):
    context = make_context(make_debate("ABA ABA", [[OLD, OLD, OLD], [NEW, NEW, OLD]]))
    assert dynamics.minority_new_info_ratio(context) == dynamics.majority_new_info_ratio(context) == 1


def test_new_info_cut_is_inclusive(make_context, make_debate):
    # "red fox runs fast" then "red fox runs home": one of two trigrams is new.
    debate = make_debate("ABA ABA", [["", "red fox runs fast", ""], ["", "red fox runs home", ""]])
    assert dynamics.minority_new_info_ratio(make_context(debate, novelty_cut=0.5)) == 1
    assert dynamics.minority_new_info_ratio(make_context(debate, novelty_cut=0.51)) == 0


def test_new_info_is_missing_without_text_or_rounds(make_context, make_debate):
    silent = make_context(make_debate("ABA ABA", [[OLD, OLD, OLD], [NEW, "", NEW]]))
    assert math.isnan(dynamics.minority_new_info_ratio(silent))
    assert dynamics.majority_new_info_ratio(silent) == 1
    no_rounds = make_context(make_debate("ABA", [[OLD, OLD, OLD]]))
    assert math.isnan(dynamics.minority_new_info_ratio(no_rounds))
    assert math.isnan(dynamics.majority_new_info_ratio(no_rounds))


def test_a_silent_round_counts_as_one_without_news(make_context, make_debate):
    context = make_context(make_debate("ABA ABA ABA", [[OLD, OLD, OLD], [OLD, "", OLD], [OLD, NEW, OLD]]))
    assert dynamics.minority_new_info_ratio(context) == 1 / 2


def test_agreement_by_position(make_context):
    # Each of agents 0 and 2 repeats the other's answer of the round before; nobody repeats B but its holder.
    context = make_context("ABA ABA")
    assert dynamics.majority_agreement_count(context) == 2
    assert dynamics.minority_agreement_count(context) == 0
    assert dynamics.agreement_diff(context) == 2


def test_agreement_by_text(make_context, make_debate):
    texts = [["", "", ""], ["I agree with Agent B.", "", ""]]
    context = make_context(make_debate("ABA ABA", texts))
    # Agent 0 endorses agent 1 in words; agents 1 and 2 are silent, agent 2 repeats agent 0's answer.
    assert dynamics.majority_agreement_count(context) == 1
    assert dynamics.minority_agreement_count(context) == 1
    assert dynamics.agreement_diff(context) == 0


def test_agreement_is_counted_in_every_round_and_for_every_pair(make_context):
    # K = 5, "AAABB" twice after round 0: in each round 3 x 2 within A, 2 x 1 within B.
    context = make_context("AAABB AAABB AAABB")
    assert dynamics.majority_agreement_count(context) == 12
    assert dynamics.minority_agreement_count(context) == 4


def test_agreement_is_missing_where_nothing_can_be_read(make_context):
    context = make_context("ABA ABA", endorsement=Endorsement.textual)
    assert math.isnan(dynamics.majority_agreement_count(context))
    assert math.isnan(dynamics.agreement_diff(context))


def test_agreement_without_debate_rounds_is_none_at_all(make_context):
    assert dynamics.majority_agreement_count(make_context("ABA")) == 0


def test_explicit_changes_follow_answers_where_nothing_is_declared(make_context):
    context = make_context("BBA ABA")
    assert dynamics.explicit_changes_majority(context) == 1
    assert dynamics.explicit_changes_minority(context) == 0
    assert dynamics.explicit_changes_minority(make_context("AAA ABA")) == 1


def test_explicit_changes_follow_what_is_declared(make_context, make_debate):
    # Agent 0 changes and denies it; agent 1 keeps B and declares a change; agent 2 declares one without an answer.
    declared = {(1, 0): False, (1, 1): True, (1, 2): True}
    context = make_context(make_debate("BBA AB- ABA", declared=declared))
    assert dynamics.explicit_changes_majority(context) == 1
    assert dynamics.explicit_changes_minority(context) == 1


def test_what_round_0_declares_is_no_change(make_context, make_debate):
    context = make_context(make_debate("ABA ABA", declared={(0, 1): True}))
    assert dynamics.explicit_changes_minority(context) == 0


def test_a_given_up_answer_has_its_last_holders_as_camp(make_context):
    # B was given up: its last holders are agents 1 and 2 (round 1), so M is {0}.
    context = make_context("BBA ABB AAA", "B", mode=CandidateMode.any_round)
    assert (context.minority, context.majority) == ((1, 2), (0,))
    assert dynamics.minority_persistence(context) == 0
    assert dynamics.majority_convert_ratio(context) == 1
    assert dynamics.explicit_changes_minority(context) == 3  # agent 2 twice, agent 1 once
    assert dynamics.explicit_changes_majority(context) == 1


def test_shares_of_an_empty_majority_are_missing(make_context, make_debate):
    debate = make_debate("BBB AAA", [[OLD, OLD, OLD], [NEW, NEW, NEW]])
    context = make_context(debate, "B", mode=CandidateMode.any_round)
    assert context.majority == ()
    assert math.isnan(dynamics.majority_convert_ratio(context))
    assert math.isnan(dynamics.majority_new_info_ratio(context))
    assert dynamics.minority_new_info_ratio(context) == 1
    assert dynamics.majority_agreement_count(context) == dynamics.explicit_changes_majority(context) == 0
