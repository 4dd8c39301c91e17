from dataclasses import replace

import pytest

from sentinel.fingerprint._endorsement import count_endorsements, read_stand
from sentinel.records import Agent
from sentinel.settings import Endorsement

ZERO_BASED = tuple(Agent(f"agent_{k}", model="gpt-x") for k in range(3))
ONE_BASED = tuple(Agent(f"agent_{k}") for k in (1, 2, 3))
LETTERS = (Agent("A"), Agent("B"), Agent("C"))
ROLES = (
    Agent("alpha", "openai/gpt-4o-mini", "rigorous_auditor"),
    Agent("beta", "gemini-2.0-flash", "balanced analyst"),
    Agent("gamma", "claude-haiku", "challenger"),
)
FIVE = tuple(Agent(f"agent_{k}") for k in range(5))


@pytest.mark.parametrize(
    ("agents", "speaker", "text", "expected"),
    [
        (LETTERS, 0, "I agree with Agent B.", {1}),
        (LETTERS, 0, "Having read it all, I fully agree with the reasoning provided by Agent C, so (A).", {2}),
        (ZERO_BASED, 0, "agent_1 is right about the units.", {1}),
        (ZERO_BASED, 2, "agent_1's answer is correct.", {1}),
        (ZERO_BASED, 0, "I agree with Agent C that it is late.", {2}),  # letters by position
        (ZERO_BASED, 1, "Both agents are right.", {0, 2}),
        (ZERO_BASED, 1, "I concur with the other agents.", {0, 2}),
        (ZERO_BASED, 1, "I side with both other agents here.", {0, 2}),
        (ZERO_BASED, 2, "In agreement with the first agent, I answer 4.", {0}),
        (ZERO_BASED, 0, "I am convinced by the first agent's argument.", {1}),  # it cannot mean itself
        (ZERO_BASED, 1, "The second agent's solution is correct.", {2}),
        (ONE_BASED, 0, "I agree with Agent 2.", {1}),
        (ONE_BASED, 2, "I agree with agents 1 and 2.", {0, 1}),
        (ONE_BASED, 2, "Agent 1 and Agent 2 are correct.", {0, 1}),
        (ROLES, 2, "I agree with the rigorous auditor.", {0}),
        (ROLES, 2, "Beta is right.", {1}),
        (ROLES, 1, "gpt-4o-mini is right and I stand with Gamma.", {0, 2}),
        (FIVE, 4, "I agree with all other agents.", {0, 1, 2, 3}),
        (FIVE, 4, "All of the agents are right.", {0, 1, 2, 3}),
        (ZERO_BASED, 0, "I agree with Agent B, but Agent C is wrong.", {1}),
        (ZERO_BASED, 0, "I do not agree with Agent C. However, I agree with Agent B.", {1}),
        (ZERO_BASED, 0, "I AGREE WITH AGENT_2", {2}),
    ],
)
def test_endorsements_in_words(agents, speaker, text, expected):
    assert read_stand(text, speaker, agents).endorsed == expected


@pytest.mark.parametrize(
    "text",
    [
        "I disagree with Agent B.",
        "I don't agree with Agent B.",
        "I do not agree with Agent B.",
        "I cannot say that I agree with Agent B.",
        "I no longer agree with Agent B.",
        "I never agree with Agent B.",
        "I don't think Agent B is right.",
        "I doubt that Agent B is right.",
        "Agent B is not right.",
        "Agent B isn't right.",
        "Agent B is incorrect.",
        "Neither Agent B nor Agent C is right.",
        "None of the other agents is right.",
        "If Agent B is right, the sum is 4.",
        "Agent C says Agent B is right.",
        "Agent C agrees with Agent B.",
        "Both agents agree with Agent B.",
        "I see that both agents agree with Agent C.",
        "Is it possible that Agent B is right?",
        "Agent B claims D is right.",
        "Agent B thinks it is correct.",
        "Both A and C are correct.",
        "I agree that the answer is 4.",
        "I agree with the view that trees grow.",
        "The answer is right.",
        "I agree with agent_0.",  # the speaker itself
        "",
    ],
)
def test_what_endorses_nobody(text):
    assert read_stand(text, 0, ZERO_BASED).endorsed == set()


@pytest.mark.parametrize(
    ("agents", "speaker", "text"),
    [
        (ZERO_BASED, 2, "I agree with Agent 1."),  # its name, or the first of all or of the others
        (ZERO_BASED, 0, "I agree with the second agent."),  # agent_1 of all, agent_2 of the others
        (ZERO_BASED, 0, "I agree with the other agent."),  # which of the two
        (FIVE, 0, "Both agents are right."),  # which two of four
        (ZERO_BASED, 0, "gpt-x is right."),  # all are
    ],
)
def test_ambiguous_references_are_left_alone(agents, speaker, text):
    assert read_stand(text, speaker, agents).endorsed == set()


def test_numbers_resolve_where_all_readings_agree():
    # For agent_1, "Agent 1" can be no one but agent_0: its own name is out, and agent_0 is first among all and others.
    assert read_stand("I agree with Agent 1.", 1, ZERO_BASED).endorsed == {0}


def test_each_pair_counts_once_a_round(make_debate):
    texts = [["", "", ""], ["I agree with Agent B. Agent B is right. I concur with Agent B.", "", ""], ["", "", ""]]
    debate = make_debate("ABC ABC ABC", texts)
    assert count_endorsements(debate, Endorsement.textual) == (0, 1, 0)


def test_round_0_endorses_nobody(make_debate):
    debate = make_debate("ABA ABA", [["I agree with Agent B.", "", ""], ["Fine.", "", ""]])
    assert count_endorsements(debate, Endorsement.textual) == (0, 0, 0)


def test_positional_looks_at_the_round_before(make_debate):
    # Round 1: agent 1 takes agent 0's A and agent 2's A; agents 0 and 2 repeat each other.
    assert count_endorsements(make_debate("ABA AAA"), Endorsement.positional) == (2, 0, 2)
    # An unparsed turn gives and receives nothing.
    assert count_endorsements(make_debate("A-A -AA"), Endorsement.positional) == (2, 0, 1)


def test_textual_else_positional(make_debate):
    # Agent 0 names agent 1; agent 2 names nobody and repeats agent 0's answer; agent 1's B is nobody else's.
    debate = make_debate("ABA ABA", [["", "", ""], ["I agree with Agent B.", "Still B.", "Still A."]])
    assert count_endorsements(debate, Endorsement.textual_else_positional) == (1, 1, 0)
    assert count_endorsements(debate, Endorsement.textual) == (0, 1, 0)
    assert count_endorsements(debate, Endorsement.positional) == (1, 0, 1)


@pytest.mark.parametrize(
    "text", ["I disagree with Agent A. Still A.", "I don't agree with Agent B.", "I doubt that Agent A is right."]
)
def test_a_turn_that_speaks_against_somebody_is_not_read_by_position(make_debate, text):
    # Agent 2 repeats agent 0's A, but says in words whom it is against.
    debate = make_debate("ABA ABA", [["", "", ""], ["I agree with Agent B.", "Still B.", text]])
    assert count_endorsements(debate, Endorsement.textual_else_positional) == (0, 1, 0)


def test_the_reason_of_a_change_is_read_too(make_debate):
    debate = make_debate("ABC BBC", [["", "", ""], ["", "", ""]])
    first = replace(debate.rounds[1][0], change_reason="The answer of Agent C is sound, I was hasty.")
    debate = replace(debate, rounds=(debate.rounds[0], (first, *debate.rounds[1][1:])))
    assert count_endorsements(debate, Endorsement.textual) == (0, 0, 1)


def test_nothing_to_read_is_missing_and_no_round_is_zero(make_debate):
    assert count_endorsements(make_debate("ABA ABA"), Endorsement.textual) is None
    assert count_endorsements(make_debate("ABA ---"), Endorsement.positional) is None
    assert count_endorsements(make_debate("ABA"), Endorsement.textual) == (0, 0, 0)
