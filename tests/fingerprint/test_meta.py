import pytest

from sentinel.fingerprint import _meta as meta
from sentinel.vote import CandidateMode


@pytest.mark.parametrize(
    ("answers", "candidate", "margin"),
    [("ABA", "B", 1), ("AABAC", "B", 2), ("AAABBCC", "C", 1), ("AAAAABB", "B", 3)],
)
def test_vote_margin(make_context, answers, candidate, margin):
    assert meta.vote_margin(make_context(answers, candidate)) == margin


def test_vote_margin_of_a_given_up_answer(make_context):
    # m = {1, 2} are taken out of M = {0, 1, 2}.
    assert meta.vote_margin(make_context("BBA ABB AAA", "B", mode=CandidateMode.any_round)) == -1


def test_unique_answers_count_parsed_ones(make_context):
    context = make_context("AB-C AABA")
    assert meta.num_unique_answers_r0(context) == 3
    assert meta.num_unique_answers_final(context) == 2


def test_no_answer_in_round_0(make_context):
    assert meta.num_unique_answers_r0(make_context("--- ABA")) == 0


def test_answers_changed_compares_first_and_final(make_context):
    # Agents 1 and 3 differ; agent 2 did not parse in round 0; agent 0 came back to A.
    assert meta.answers_changed(make_context("AB-C BBBB AABA")) == 2
