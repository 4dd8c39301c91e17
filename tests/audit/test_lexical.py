"""The seven judgements of the lexical auditor, each on texts small enough to judge by hand."""

from dataclasses import replace

import pytest

from sentinel.audit import lexical_audit
from sentinel.records import Agent, AnswerType, Audit, Debate, Status, Turn
from sentinel.vote import CandidateMode, answer_grid, list_candidates, take_vote

NAMES = ("Agent A", "Agent B", "Agent C")
FIELDS = (
    "minority_new_evidence",
    "majority_echo_chamber",
    "minority_finds_error",
    "majority_logical_gap",
    "minority_reasoning_score",
    "majority_reasoning_score",
    "blind_follower_count",
)
RIVER = "the wide river bends north"
TOWER = "the old tower leans south"


def make_debate(*rounds: tuple[tuple[str, str], ...], question: str = "Which way?") -> Debate:
    """Each round is one (answer, text) for each agent; an empty answer stands for none."""
    return Debate(
        id="d",
        dataset="made",
        source=None,
        question_key="d",
        question=question,
        choices=None,
        answer_type=AnswerType.CHOICE,
        gold=None,
        agents=tuple(Agent(name) for name in NAMES),
        rounds=tuple(
            tuple(
                Turn(name, answer or None, Status.OK if answer else Status.UNPARSED, text)
                for name, (answer, text) in zip(NAMES, row, strict=True)
            )
            for row in rounds
        ),
    )


def audit(debate: Debate, mode: CandidateMode = CandidateMode.final_split) -> Audit:
    grid = answer_grid(debate)
    return lexical_audit(debate, list_candidates(grid, take_vote(debate), mode)[0])


def split(ours: str, theirs: str = RIVER, others: str = TOWER, opening: str = "no idea yet") -> Audit:
    """One debate round in which Agent C ("B") says `ours` against `theirs` and `others` ("A")."""
    start = (("A", opening), ("A", opening), ("B", opening))
    return audit(make_debate(start, (("A", theirs), ("A", others), ("B", ours))))


def test_new_words_are_new_evidence_where_nobody_states_numbers() -> None:
    assert split("seven geese crossed before dawn").minority_new_evidence == 1.0


def test_repeating_the_first_round_is_no_new_evidence() -> None:
    said = "geese crossed before dawn today"
    assert split(said, opening=said).minority_new_evidence == 0.0


def test_where_numbers_are_stated_new_evidence_needs_a_new_one() -> None:
    opening = "the sheet lists 12 crates"
    assert split("geese crossed before dawn, 12 in all", opening=opening).minority_new_evidence == 0.0
    assert split("geese crossed before dawn, 13 in all", opening=opening).minority_new_evidence == 1.0


def test_a_number_of_the_question_is_not_new() -> None:
    start = (("A", "no idea"), ("A", "no idea"), ("B", "no idea"))
    last = (("A", RIVER), ("A", TOWER), ("B", "geese crossed before dawn, 40 in all"))
    assert audit(make_debate(start, last, question="Are there 40 geese?")).minority_new_evidence == 0.0
    assert audit(make_debate(start, last, question="Are there geese?")).minority_new_evidence == 1.0


def test_members_who_say_the_same_are_an_echo_chamber() -> None:
    # Wide river bends north today, wide river bends north: 3 and 2 trigrams, of which the 2 are shared.
    assert split("x y z", RIVER + " today", RIVER).majority_echo_chamber == 1.0
    assert split("x y z", RIVER, TOWER).majority_echo_chamber == 0.0


def test_a_majority_that_only_repeats_round_0_is_an_echo_chamber() -> None:
    start = (("A", RIVER), ("A", TOWER), ("B", "no idea"))
    assert audit(make_debate(start, (("A", RIVER), ("A", TOWER), ("B", "no")))).majority_echo_chamber == 1.0
    fresh = (("A", "cold wind blows inland"), ("A", "warm rain falls often"), ("B", "no"))
    assert audit(make_debate(start, fresh)).majority_echo_chamber == 0.0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Agent A made a mistake in the second step.", 1.0),
        ("The other solutions are incorrect.", 1.0),
        ("Their total should be 48.", 1.0),
        ("I think Agent B is wrong about the river.", 1.0),
        ("I disagree with Agent A: the second step is incorrect.", 1.0),
        ("Agent A made no mistake.", 0.0),
        ("There isn't any error in their solution.", 0.0),
        ("I made a mistake, as Agent A says.", 0.0),
        ("My earlier answer was wrong and Agent A is right.", 0.0),
        ("A common mistake is to add the tax.", 0.0),  # nobody's in particular
        ("Agent A takes the river. The sign is wrong.", 0.0),  # two sentences, none with both
        ("I agree with Agent A.", 0.0),
    ],
)
def test_naming_an_error_of_others(text: str, found: float) -> None:
    assert split(text).minority_finds_error == found


def test_an_error_named_in_round_0_does_not_count() -> None:
    start = (("A", RIVER), ("A", TOWER), ("B", "Agent A made a mistake."))
    assert audit(make_debate(start, (("A", RIVER), ("A", TOWER), ("B", "north")))).minority_finds_error == 0.0


def test_assertion_without_derivation_is_a_logical_gap() -> None:
    assert split("x", "It is A.", "Surely A.").majority_logical_gap == 1.0
    # Three reasons and one: two a turn on average, which is enough.
    derived = "Because it rains, the soil swells, so it slides, since it is wet."
    assert split("x", derived, "It is wet, so A.").majority_logical_gap == 0.0
    # Two and one: 1.5 a turn.
    assert split("x", "Because it rains, the soil swells, so A.", "It is wet, so A.").majority_logical_gap == 1.0


def test_right_sums_are_derivation_and_a_wrong_one_is_a_gap() -> None:
    assert split("x", "2 + 2 = 4 and 4 x 3 = 12", "2 + 2 = 4 and 4 x 3 = 12").majority_logical_gap == 0.0
    assert split("x", "2 + 2 = 4 and 4 x 3 = 12", "2 + 2 = 4 and 4 x 3 = 13").majority_logical_gap == 1.0


def test_the_reasoning_score_adds_four_shares_to_one() -> None:
    start = (("A", ""), ("A", ""), ("B", ""))
    text = "First, we count the red crates. The crates weigh 9. It follows. Fine then"
    last = (("A", RIVER), ("A", TOWER), ("B", text))
    question = "How heavy are red crates, blue drums?"
    # Four sentences: one opens as a step (2 * 1/4), one reason, "follows" (2 * 1/4). Of the question's heavy, red,
    # crates, blue, drums two are used (2 * 2/5). No sums: 0.5. Together 1 + 0.5 + 0.5 + 0.8 + 0.5.
    assert audit(make_debate(start, last, question=question)).minority_reasoning_score == pytest.approx(3.3)


def test_the_reasoning_score_is_the_mean_over_the_turns_of_the_camp() -> None:
    start = (("A", "crates"), ("A", ""), ("B", ""))
    last = (("A", "2 + 2 = 4"), ("A", "2 + 2 = 5"), ("B", "x"))
    # "crates": 1 + 0 + 0 + 1 + 0.5. Right sum: step 1, nothing else, sums 1. Wrong: step 1, sums 0. Mean of 2.5, 3, 2.
    assert audit(make_debate(start, last, question="Crates?")).majority_reasoning_score == pytest.approx(2.5)


def test_a_turn_that_gave_another_answer_speaks_for_neither_camp() -> None:
    # Agent A argued for B at first; that turn is not the majority's.
    start = (("B", "2 + 2 = 5"), ("A", "2 + 2 = 4"), ("B", "x"))
    last = (("A", "2 + 2 = 4 and 3 x 3 = 9"), ("A", "2 + 2 = 4 and 3 x 3 = 9"), ("B", "x"))
    assert audit(make_debate(start, last)).majority_logical_gap == 0.0


def test_followers_without_reason_or_news_are_blind() -> None:
    start = (("A", RIVER), ("B", "no idea"), ("B", "no idea"))

    def blind(text: str) -> float | None:
        return audit(make_debate(start, (("A", RIVER), ("A", text), ("B", "no idea")))).blind_follower_count

    assert blind(RIVER) == 1.0  # repeats Agent A
    assert blind("everyone else prefers that other option") == 1.0  # new words, no reason
    assert blind("Because cold geese crossed before dawn, it holds") == 0.0


def test_nobody_came_over_nobody_followed() -> None:
    assert split("x").blind_follower_count == 0.0


def test_an_unreadable_turn_in_between_does_not_hide_a_change() -> None:
    first = (("A", RIVER), ("B", "x"), ("B", "x"))
    middle = (("A", RIVER), ("", "unsure"), ("B", "x"))
    assert audit(make_debate(first, middle, (("A", RIVER), ("A", RIVER), ("B", "x")))).blind_follower_count == 1.0


def test_missing_texts_give_none_and_never_zero() -> None:
    nothing = audit(make_debate((("A", ""), ("B", ""), ("B", "")), (("A", ""), ("A", ""), ("B", ""))))
    assert [getattr(nothing, name) for name in FIELDS] == [None] * 7
    ours_missing = split("")
    assert ours_missing.minority_new_evidence is None
    assert ours_missing.minority_finds_error is None
    assert ours_missing.majority_echo_chamber == 0.0


def test_a_debate_of_one_round_has_no_debate_to_judge() -> None:
    single = audit(make_debate((("A", RIVER), ("A", TOWER), ("B", "x"))))
    assert single.minority_new_evidence is None
    assert single.majority_logical_gap is None
    assert single.minority_reasoning_score is not None
    assert single.blind_follower_count == 0.0


def test_raw_output_stands_in_for_a_missing_reasoning() -> None:
    debate = make_debate(
        (("A", RIVER), ("A", TOWER), ("B", "x")), (("A", RIVER), ("A", TOWER), ("B", "Agent A made a mistake."))
    )
    rounds = tuple(tuple(replace(turn, reasoning="", raw=turn.reasoning) for turn in turns) for turns in debate.rounds)
    assert lexical_fields(replace(debate, rounds=rounds)) == lexical_fields(debate)


def lexical_fields(debate: Debate) -> list[float | None]:
    result = audit(debate)
    return [getattr(result, name) for name in FIELDS]


def test_a_given_up_answer_is_judged_against_the_others_only() -> None:
    start = (("A", RIVER), ("A", TOWER), ("B", "Agent A made a mistake."))
    middle = (("A", RIVER), ("A", TOWER), ("B", "Agent B made a mistake."))
    last = (("A", RIVER), ("A", TOWER), ("A", RIVER))
    result = audit(make_debate(start, middle, last), CandidateMode.any_round)
    assert result.candidate == "B"
    assert result.minority_finds_error == 1.0
    assert result.blind_follower_count == 1.0  # Agent C came over with Agent A's words


def test_the_audit_says_what_it_is_about_and_who_judged() -> None:
    result = split("x")
    assert (result.id, result.candidate, result.auditor, result.status) == ("d", "B", "lexical", Status.OK)
