"""What a blind auditor sees: as much of one side as of the other, in a drawn order, with nobody named."""

from collections import Counter
from pathlib import Path

import pytest

from sentinel.audit._quoting import hide_agents, label_agents, rename_agents, text_of
from sentinel.audit._sides import MAJORITY, MINORITY, View, view_candidate
from sentinel.log_store import load_debates
from sentinel.records import Agent, AnswerType, Debate, Status, Turn
from sentinel.vote import CandidateMode, answer_grid, list_candidates, take_vote

NAMES = ("auditor", "analyst", "challenger", "skeptic", "writer")


def make_debate(*rounds: str, names: tuple[str, ...] = NAMES) -> Debate:
    """Each round is one letter for each agent, "-" for none; agent 0's text in round 2 is "text 0 of round 2"."""
    return Debate(
        id="d",
        dataset="made",
        source=None,
        question_key="d",
        question="Which?",
        choices=None,
        answer_type=AnswerType.TEXT,
        gold=None,
        agents=tuple(Agent(name) for name in names[: len(rounds[0])]),
        rounds=tuple(
            tuple(
                Turn(names[k], None, Status.UNPARSED, f"text {k} of round {r}")
                if answer == "-"
                else Turn(names[k], answer, Status.OK, f"text {k} of round {r}")
                for k, answer in enumerate(row)
            )
            for r, row in enumerate(rounds)
        ),
    )


def view(debate: Debate, seed: int = 0, mode: CandidateMode = CandidateMode.final_split) -> View:
    return view_candidate(debate, list_candidates(answer_grid(debate), take_vote(debate), mode)[0], seed)


def said(shown: View, camp: str) -> list[tuple[int, str]]:
    return next([*side.statements] for side in shown.sides if side.camp == camp)


@pytest.mark.parametrize("seed", range(5))
def test_one_against_two_shows_one_text_of_each_side_a_round(seed: int) -> None:
    shown = view(make_debate("aab", "aab", "aab"), seed)
    assert said(shown, MINORITY) == [(r, f"text 2 of round {r}") for r in range(3)]
    assert [r for r, _ in said(shown, MAJORITY)] == [0, 1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_the_members_of_a_side_take_turns(seed: int) -> None:
    speakers = [text.split()[1] for _, text in said(view(make_debate("aab", "aab", "aab"), seed), MAJORITY)]
    assert speakers in (["0", "1", "0"], ["1", "0", "1"])


def test_two_against_three_show_two_texts_of_each_side() -> None:
    shown = view(make_debate("aaabb", "aaabb"))
    assert [r for r, _ in said(shown, MINORITY)] == [r for r, _ in said(shown, MAJORITY)] == [0, 0, 1, 1]
    # Who was silent in round 0 speaks in round 1.
    assert {text.split()[1] for _, text in said(shown, MAJORITY)} == {"0", "1", "2"}


def test_a_side_speaks_through_turns_that_gave_its_answer() -> None:
    # Agent 0 held b in round 0 and gave nothing in round 1; agent 2 came to b in round 1.
    shown = view(make_debate("baa", "-ab", "aab"))
    assert said(shown, MINORITY) == [(1, "text 2 of round 1"), (2, "text 2 of round 2")]
    assert said(shown, MAJORITY)[:2] == [(0, "text 1 of round 0"), (1, "text 1 of round 1")]


def test_a_given_up_answer_speaks_through_its_last_holders() -> None:
    shown = view(make_debate("aab", "aab", "aaa"), mode=CandidateMode.any_round)
    assert said(shown, MINORITY) == [(0, "text 2 of round 0"), (1, "text 2 of round 1")]
    assert not any(text.startswith("text 2") for _, text in said(shown, MAJORITY))


def test_every_agent_that_changed_is_heard_once_at_its_last_change() -> None:
    # Agent 0 never changes; agent 1 at round 1 and 3; agent 2 gives nothing, then what it gave before: no change.
    changes = view(make_debate("aab", "ab-", "abb", "aab")).changes
    assert changes == ("text 1 of round 3",)
    assert sorted(view(make_debate("abc", "cac", "caa")).changes) == [
        "text 0 of round 1",
        "text 1 of round 1",
        "text 2 of round 2",
    ]


def test_the_order_of_the_sides_is_drawn_by_the_seed_and_near_even() -> None:
    debate = make_debate("aab", "aab")
    first = [view(debate, seed).sides[0].camp for seed in range(200)]
    assert [view(debate, seed).sides[0].camp for seed in range(200)] == first
    # Of 200 fair draws 70 to 130 fall on one side but for a chance below 1 in 10,000.
    assert 70 <= first.count(MINORITY) <= 130


@pytest.mark.parametrize("seed", range(10))
def test_the_order_does_not_depend_on_which_answer_has_the_majority(seed: int) -> None:
    one, other = view(make_debate("aab", "aab"), seed), view(make_debate("abb", "abb"), seed)
    assert [side.answer for side in one.sides] == [side.answer for side in other.sides]
    assert one.sides[0].camp != other.sides[0].camp


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("The auditor is right, Analyst is not.", "a participant is right, a participant is not."),
        ("Agents A and B agree; so does Agent C.", "a participant agree; so does a participant."),
        ("Agents 1, 2 and 3 agree with agent 4.", "a participant agree with a participant."),
        ("The auditors' analysts", "The auditors' analysts"),  # other words
        ("A secret agent Acted.", "A secret agent Acted."),
    ],
)
def test_nobody_is_named(text: str, hidden: str) -> None:
    assert hide_agents(make_debate("aab"))(text) == hidden


def test_names_become_letters_and_short_ones_stay_words() -> None:
    debate = make_debate("aab", names=("A", "Agent 1", "Agent 10"))
    labels = label_agents(debate)
    assert labels == {"A": "Agent A", "Agent 1": "Agent B", "Agent 10": "Agent C"}
    assert rename_agents(labels)("A farmer, says Agent 10, not Agent 1.") == "A farmer, says Agent C, not Agent B."


def test_a_turn_argues_with_its_reasoning_and_its_reason_to_change() -> None:
    assert text_of(Turn("x", "a", Status.OK, " because ", change_reason="I erred")) == "because\nI erred"
    assert text_of(Turn("x", "a", Status.OK, "I erred, so a", change_reason="I erred")) == "I erred, so a"
    assert text_of(Turn("x", "a", Status.OK, "", raw="all of it")) == "all of it"
    assert text_of(Turn("x", "a", Status.OK)) == ""


@pytest.mark.shared
def test_real_debates_show_both_sides_in_equal_measure(shared_data: Path) -> None:
    corpus = load_debates(shared_data / "debates" / "gsm-majority-error.jsonl.gz")
    views = 0
    for debate in corpus:
        for candidate in list_candidates(answer_grid(debate), take_vote(debate)):
            one, other = (Counter(r for r, _ in side.statements) for side in view_candidate(debate, candidate, 0).sides)
            assert all(one[r] == other[r] for r in one.keys() & other.keys())
            assert one and other
            views += 1
    assert views > 50
