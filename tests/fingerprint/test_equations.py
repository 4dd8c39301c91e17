import math

import pytest

from sentinel.fingerprint import FEATURE_GROUPS
from sentinel.fingerprint import _equations as equations
from sentinel.fingerprint._arithmetic import find_equations
from sentinel.fingerprint._turn_arithmetic import answer_value, measure_turn
from sentinel.records import AnswerType
from sentinel.settings import FeatureGroup

NAMES = FEATURE_GROUPS[FeatureGroup.equations]
QUESTION = "With 2, 3, 4 and 9 apples, how many?"


def values(context):
    return {name.removeprefix("equation_"): getattr(equations, name)(context) for name in NAMES}


def numeric(make_debate, answers, texts, question=QUESTION):
    return make_debate(answers, texts, answer_type=AnswerType.NUMBER, question=question)


def test_one_turn():
    measured = measure_turn(find_equations("2 + 3 = 5, 5 x 4 = 21"), 5.0, frozenset({2.0, 3.0, 9.0}))
    assert measured == (2, 1, 0.5, 1, 0, pytest.approx(2 / 3))


def test_one_turn_without_a_number_to_compare():
    measured = measure_turn(find_equations("2 + 3 = 5"), None, frozenset())
    assert measured[:3] == (1, 0, 0)
    assert all(map(math.isnan, measured[3:]))


def test_a_wrong_equation_does_not_yield_the_answer():
    measured = measure_turn(find_equations("2 + 3 = 6"), 6.0, frozenset())
    assert (measured.yields_answer, measured.last_yields_answer) == (0, 0)


def test_candidate_minus_majority(make_context, make_debate):
    # K = 3, one round: agent 1 answers 20, agents 0 and 2 answer 6 with the same wrong sum.
    texts = [["2 + 3 = 6", "2 + 3 = 5, 5 x 4 = 20", "2 + 3 = 6"]]
    context = make_context(numeric(make_debate, "6,20,6", texts))
    assert values(context) == {
        "count": 1,
        "wrong_count": -1,
        "wrong_share": -1,
        "yields_answer": 1,
        "last_yields_answer": 1,
        "numbers_used": 1 / 4,  # 2, 3, 4 of 2, 3, 4, 9 against 2 and 3
    }


def test_by_the_answer_of_a_turn_not_by_agent(make_context, make_debate):
    # Agent 0 gave 20 with a right sum in round 0 before it went over to 6: that turn counts for the candidate 20.
    texts = [["4 x 5 = 20", "4 x 5 = 21", "2 x 3 = 6"], ["2 x 3 = 6", "4 x 5 = 21", "2 x 3 = 6"]]
    context = make_context(numeric(make_debate, "20,20,6 6,20,6", texts))
    # Candidate: turns (0, 0), (0, 1), (1, 1) with wrong shares 0, 1, 1. Majority: (0, 2), (1, 0), (1, 2), all right.
    assert values(context)["wrong_share"] == pytest.approx(2 / 3)
    assert values(context)["yields_answer"] == pytest.approx(1 / 3 - 1)


def test_turns_without_an_equation_are_left_out(make_context, make_debate):
    texts = [["2 x 3 = 6", "4 x 5 = 20", "no sums"], ["no sums", "no sums", "no sums"]]
    context = make_context(numeric(make_debate, "6,20,6 6,20,6", texts))
    assert values(context)["count"] == 0
    assert values(context)["yields_answer"] == 0


def test_missing_where_one_side_has_none(make_context, make_debate):
    texts = [["2 x 3 = 6", "no sums", "2 x 3 = 6"]]
    assert all(map(math.isnan, values(make_context(numeric(make_debate, "6,20,6", texts))).values()))


def test_unparsed_turns_belong_to_nobody(make_context, make_debate):
    texts = [["2 x 3 = 7", "4 x 5 = 20", "2 x 3 = 6"], ["2 x 3 = 6", "4 x 5 = 20", "2 x 3 = 6"]]
    context = make_context(numeric(make_debate, "-,20,6 6,20,6", texts))
    assert values(context)["wrong_share"] == 0


def test_choices_are_compared_by_what_they_say(make_debate, make_context):
    debate = make_debate("ABA", [["1 + 1 = 3", "1/2 of 0.5 = 0.25", "1 + 1 = 3"]], choices=("3", "0.25 mm", "a lot"))
    assert [answer_value(debate, letter) for letter in "ABCD"] == [3, 0.25, None, None]
    assert values(make_context(debate))["yields_answer"] == 1
    assert math.isnan(values(make_context(debate))["numbers_used"])  # the question names no number


def test_texts_and_booleans_have_no_value(make_debate):
    assert answer_value(make_debate("AAA", answer_type=AnswerType.TEXT), "12") is None
    assert answer_value(make_debate("AAA", answer_type=AnswerType.BOOLEAN), "true") is None
