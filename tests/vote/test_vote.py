"""Votes, camps, candidates and labels on debates small enough to count by hand."""

import pytest

from sentinel.records import Agent, AnswerType, Debate, Label, Status, Turn
from sentinel.vote import (
    CandidateMode,
    Fallback,
    Origin,
    TieBreak,
    VoteState,
    answer_grid,
    label_candidate,
    list_candidates,
    take_vote,
)


def make_debate(*rounds: str, gold: str | None = "A") -> Debate:
    """Return a debate from one string of letters per round; "-" is an unparsed turn."""
    agents = tuple(Agent(f"agent_{k}") for k in range(len(rounds[0])))
    turns = tuple(
        tuple(
            Turn(agent.name, None if letter == "-" else letter, Status.UNPARSED if letter == "-" else Status.OK)
            for agent, letter in zip(agents, row, strict=True)
        )
        for row in rounds
    )
    return Debate("d", "toy", None, "q", "?", None, AnswerType.CHOICE, gold, agents, turns)


@pytest.mark.parametrize(
    ("final", "state", "answer", "divergent"),
    [
        ("AAB", VoteState.MAJORITY, "A", True),
        ("BAA", VoteState.MAJORITY, "A", True),
        ("AAA", VoteState.MAJORITY, "A", False),
        ("AA-", VoteState.MAJORITY, "A", False),
        ("A--", VoteState.MAJORITY, "A", False),
        ("AB-", VoteState.TIED, "A", False),
        ("CBA", VoteState.TIED, "C", False),
        ("BBAA", VoteState.TIED, "B", False),
        ("AABBC", VoteState.TIED, "A", False),
        ("CABBD", VoteState.MAJORITY, "B", True),
        ("---", VoteState.UNANSWERED, None, False),
    ],
)
def test_states_of_the_final_round(final: str, state: VoteState, answer: str | None, divergent: bool) -> None:
    vote = take_vote(make_debate(final))
    assert (vote.state, vote.answer, vote.divergent) == (state, answer, divergent)


def test_camps_stand_largest_first_then_by_first_speaker() -> None:
    vote = take_vote(make_debate("CABBD"))
    assert [(camp.answer, camp.holders) for camp in vote.camps] == [
        ("B", (2, 3)),
        ("C", (0,)),
        ("A", (1,)),
        ("D", (4,)),
    ]


def test_round0_plurality_breaks_a_tie_and_falls_back_to_the_first_speaker() -> None:
    assert take_vote(make_debate("BBA", "AB-"), TieBreak.round0_plurality).answer == "B"
    assert take_vote(make_debate("CCC", "AB-"), TieBreak.round0_plurality).answer == "A"


def test_seeded_tie_break_is_deterministic_and_uses_the_seed() -> None:
    debate = make_debate("AB-")
    answers = [take_vote(debate, TieBreak.seeded, seed=seed).answer for seed in range(20)]
    assert answers == [take_vote(debate, TieBreak.seeded, seed=seed).answer for seed in range(20)]
    assert set(answers) == {"A", "B"}


def test_fallback_reads_the_last_parsed_round_and_stays_unanswered() -> None:
    debate = make_debate("AAB", "BB-", "---")
    vote = take_vote(debate, fallback=Fallback.last_parsed_round)
    assert (vote.state, vote.answer, vote.round, vote.camps) == (VoteState.UNANSWERED, "B", 1, ())
    assert take_vote(make_debate("---", "---"), fallback=Fallback.last_parsed_round).answer is None


def test_turns_are_aligned_by_name_and_a_missing_agent_has_no_answer() -> None:
    debate = make_debate("AB")
    swapped = (debate.rounds[0][1], debate.rounds[0][0])
    assert answer_grid(Debate(**{**_fields(debate), "rounds": (swapped, swapped[:1])})) == (("A", "B"), (None, "B"))


def _fields(debate: Debate) -> dict[str, object]:
    return {name: getattr(debate, name) for name in Debate.__slots__}


def test_final_split_candidates_by_size_then_speaker() -> None:
    debate = make_debate("CABBBDD")
    found = list_candidates(answer_grid(debate), take_vote(debate))
    assert [(c.answer, c.holders, c.majority) for c in found] == [
        ("D", (5, 6), (2, 3, 4)),
        ("C", (0,), (2, 3, 4)),
        ("A", (1,), (2, 3, 4)),
    ]


def test_any_round_adds_what_was_given_up_even_under_a_unanimous_final_vote() -> None:
    debate = make_debate("ABB", "ABA", "BBB")
    assert list_candidates(answer_grid(debate), take_vote(debate)) == ()
    (candidate,) = list_candidates(answer_grid(debate), take_vote(debate), CandidateMode.any_round)
    # A's last holders before it was given up are agents 0 and 2 of round 1; M is the final camp without them.
    assert (candidate.answer, candidate.holders, candidate.majority) == ("A", (0, 2), (1,))
    assert candidate.origin is Origin.GIVEN_UP


def test_any_round_keeps_the_final_split_first() -> None:
    debate = make_debate("CDBA", "BBBA")
    found = list_candidates(answer_grid(debate), take_vote(debate), CandidateMode.any_round)
    assert [(c.answer, c.origin) for c in found] == [
        ("A", Origin.FINAL_SPLIT),
        ("C", Origin.GIVEN_UP),
        ("D", Origin.GIVEN_UP),
    ]


def test_a_tie_has_no_candidates() -> None:
    debate = make_debate("CCC", "ABC")
    assert list_candidates(answer_grid(debate), take_vote(debate), CandidateMode.any_round) == ()


@pytest.mark.parametrize(
    ("gold", "label"),
    [("B", Label.MINORITY_CORRECT), ("A", Label.MAJORITY_CORRECT), ("C", Label.BOTH_WRONG), (None, None)],
)
def test_three_labels(gold: str | None, label: Label | None) -> None:
    debate = make_debate("AAB", gold=gold)
    (candidate,) = list_candidates(answer_grid(debate), take_vote(debate))
    assert label_candidate(candidate, gold) is label
