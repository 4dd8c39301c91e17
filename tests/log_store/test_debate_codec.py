import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from sentinel.errors import LogError
from sentinel.log_store import debate_from_dict, record_to_dict
from sentinel.records import Agent, AnswerType, Debate, Status, Turn

Build = Callable[..., dict[str, Any]]


def change_turn(line: dict[str, Any], r: int, i: int, **changes: Any) -> dict[str, Any]:
    line["rounds"][r][i] |= changes
    return line


def test_a_complete_debate_survives_its_json_form() -> None:
    turn = Turn(
        agent="ada",
        answer="60",
        status=Status.OK,
        reasoning="12 x 5 = 60 — naïve",
        raw="<reasoning>12 x 5 = 60</reasoning><answer>60</answer>",
        stance_change=True,
        change_reason="Bob's sum",
        confidence=0.75,
        usage={"prompt_tokens": 12},
        cost=0.0015,
        latency=1.25,
        attempts=2,
    )
    silent = Turn(agent="bob", answer=None, status=Status.FAILED, error="timeout after 60 s")
    vague = Turn(agent="bob", answer=None, status=Status.UNPARSED, reasoning="who knows")
    debate = Debate(
        id="gsm8k/7",
        dataset="gsm8k",
        source="mine",
        question_key="gsm8k:7",
        question="How much is 12 x 5?",
        choices=None,
        answer_type=AnswerType.NUMBER,
        gold="60",
        agents=(Agent("ada", "openai/x", "auditor", 0.2), Agent("bob")),
        rounds=((turn, vague), (turn, silent)),
        meta={"run": "r1", "seed": 3},
    )
    data = json.loads(json.dumps(record_to_dict(debate)))
    assert list(data)[:3] == ["schema_version", "kind", "id"]
    assert data["schema_version"] == 1 and data["kind"] == "debate"
    fields = (
        "agent answer status raw reasoning stance_change change_reason confidence usage cost latency attempts error"
    )
    assert set(data["rounds"][0][0]) == set(fields.split())
    assert debate_from_dict(data) == debate


def test_a_third_party_line_gets_what_can_be_derived(make_line: Build) -> None:
    debate = debate_from_dict(make_line(meta={"question_key": "quiz:1", "run": "r"}))
    assert debate.question_key == "quiz:1"
    assert debate.answer_type is AnswerType.CHOICE
    assert debate.domain == "made/up/quiz"
    assert debate.rounds[0][2] == Turn("agent_2", "B", Status.OK, "say B")
    assert debate.agents[0] == Agent("agent_0", "m")


def test_the_top_level_question_key_comes_first(make_line: Build) -> None:
    assert debate_from_dict(make_line(question_key="top", meta={"question_key": "inner"})).question_key == "top"


def test_without_a_key_the_question_itself_groups_debates(make_line: Build) -> None:
    line = make_line(question="What  is\nit?")
    content = json.dumps(["quiz", "What is it?", line["choices"]])
    key = debate_from_dict(line).question_key
    assert key == f"quiz:{hashlib.sha256(content.encode()).hexdigest()[:12]}"
    assert debate_from_dict(make_line("d2", question=" What is it? ")).question_key == key
    assert debate_from_dict(make_line(question="What is it?", dataset="other")).question_key != key
    assert debate_from_dict(make_line(question="What is it?", choices=["x", "y"])).question_key != key


def test_recorded_answers_and_gold_become_canonical(make_line: Build) -> None:
    line = make_line(choices=None, gold="1,000.0")
    for turns in line["rounds"]:
        for turn, answer in zip(turns, ["1000", "$1,000", 1000], strict=True):
            turn["answer"] = answer
    debate = debate_from_dict(line)
    assert debate.answer_type is AnswerType.NUMBER
    assert {debate.gold} == {turn.answer for turns in debate.rounds for turn in turns} == {"1000"}


@pytest.mark.parametrize(
    ("turn", "answer", "status"),
    [
        ({"answer": None, "reasoning": "a text"}, None, Status.UNPARSED),
        ({"answer": "", "reasoning": "a text"}, None, Status.UNPARSED),
        ({"answer": None, "reasoning": ""}, None, Status.FAILED),
        ({"answer": None, "reasoning": None, "raw": "whole output"}, None, Status.UNPARSED),
        ({"answer": float("nan"), "reasoning": "a text"}, None, Status.UNPARSED),
        ({"answer": None, "reasoning": "half an out", "status": "failed"}, None, Status.FAILED),
        ({"answer": "no idea", "reasoning": "a text"}, None, Status.UNPARSED),
        ({"answer": "Z", "reasoning": "a text"}, None, Status.UNPARSED),
        ({"answer": "(C)", "reasoning": "The answer is B"}, "C", Status.OK),
        ({"answer": "c", "reasoning": ""}, "C", Status.OK),
    ],
)
def test_status_follows_from_answer_and_text(
    make_line: Build, turn: dict[str, Any], answer: str | None, status: Status
) -> None:
    read = debate_from_dict(change_turn(make_line(), 1, 0, **turn)).rounds[1][0]
    assert (read.answer, read.status) == (answer, status)


def test_an_answer_that_cannot_be_read_is_named(make_line: Build) -> None:
    turn = debate_from_dict(change_turn(make_line(), 1, 0, answer="no idea")).rounds[1][0]
    assert turn.error == "the recorded answer 'no idea' is not one of the 4 choices"


def test_an_absent_answer_is_read_from_the_text(make_line: Build) -> None:
    line = make_line()
    line["rounds"][1][0] = {"agent": "agent_0", "raw": "So it must be second. The answer is (B)."}
    turn = debate_from_dict(line).rounds[1][0]
    assert (turn.answer, turn.status) == ("B", Status.OK)
    assert turn.reasoning == turn.raw == "So it must be second. The answer is (B)."


def test_reparse_reads_texts_again_and_keeps_what_has_none(make_line: Build) -> None:
    line = change_turn(make_line(), 1, 0, answer="A", reasoning="The answer is (B).")
    change_turn(line, 1, 1, answer="C", reasoning="")
    change_turn(line, 1, 2, answer=None, reasoning="The answer is (D).")
    change_turn(line, 0, 0, answer=None, status="failed", reasoning="The answer is (D).")
    assert [turn.answer for turn in debate_from_dict(line).rounds[1]] == ["A", "C", None]
    again = debate_from_dict(line, reparse=True)
    assert [turn.answer for turn in again.rounds[1]] == ["B", "C", "D"]
    assert again.rounds[0][0].status is Status.FAILED


@pytest.mark.parametrize(
    ("answers", "expected"),
    [(["12", "13"], AnswerType.NUMBER), (["A", "B"], AnswerType.CHOICE), (["12", "a pie"], AnswerType.TEXT)],
)
def test_without_gold_and_choices_the_answers_tell_their_type(
    make_line: Build, answers: list[str], expected: AnswerType
) -> None:
    line = make_line(rounds=("AB",), gold=None, choices=None)
    for turn, answer in zip(line["rounds"][0], answers, strict=True):
        turn["answer"] = answer
    assert debate_from_dict(line).answer_type is expected


def test_agents_are_derived_only_where_none_are_listed(make_line: Build) -> None:
    line = make_line(rounds=("AB", "AB"))
    line["rounds"][0].reverse()
    del line["agents"]
    assert [agent.name for agent in debate_from_dict(line).agents] == ["agent_1", "agent_0"]
    assert debate_from_dict(make_line(agents=["agent_0", "agent_1", "agent_2"])).agents[1] == Agent("agent_1")


def test_an_agent_missing_from_a_round_has_a_failed_turn(make_line: Build) -> None:
    line = make_line()
    del line["rounds"][1][1]
    turns = debate_from_dict(line).rounds[1]
    assert [turn.agent for turn in turns] == ["agent_0", "agent_2", "agent_1"]
    assert turns[2] == Turn("agent_1", None, Status.FAILED, error="no turn recorded")


def test_unknown_keys_are_kept_in_meta(make_line: Build) -> None:
    debate = debate_from_dict(make_line(difficulty=3, meta={"run": "r"}))
    assert debate.meta == {"difficulty": 3, "run": "r"}


def test_nan_is_missing(make_line: Build) -> None:
    line = change_turn(make_line(gold=float("nan")), 1, 0, confidence=float("nan"), cost=None)
    debate = debate_from_dict(line)
    assert debate.gold is None
    assert debate.rounds[1][0].confidence is None


BAD_FIELDS = [
    ({"id": None}, "id is null"),
    ({"id": "  "}, "id='  ': expected a string that is not blank"),
    ({"dataset": None}, "dataset is null"),
    ({"question": None}, "question and question_key are both missing"),
    ({"question": 7}, "question=7: expected a string"),
    ({"choices": {"A": "x"}}, "choices={'A': 'x'}: expected a list"),
    ({"choices": [["x"]]}, "choices=['x']: expected options that are strings or numbers"),
    ({"choices": ["x"] * 27}, "expected a list of at most 26 options"),
    ({"gold": "E"}, "gold='E': expected one of the 4 choices"),
    ({"answer_type": "letter"}, "answer_type='letter': expected one of choice, number, boolean, text"),
    ({"answer_type": "number", "gold": "many", "choices": None}, "gold='many': expected a number answer"),
    ({"rounds": []}, "rounds=[]: expected a list that is not empty"),
    ({"rounds": None}, "rounds is null"),
    ({"rounds": [[]]}, "rounds[0]=[]: expected a list of turns that is not empty"),
    ({"rounds": [{"agent": "agent_0"}]}, "rounds[0]={'agent': 'agent_0'}: expected a list of turns"),
    ({"rounds": [["A", "B"]]}, "rounds[0]=['A', 'B']: expected a list of turns that is not empty, each an object"),
    ({"agents": [{"name": "a"}, {"name": "a"}]}, "agents: the name 'a' occurs 2 times"),
    ({"agents": [{"model": "m"}]}, "agents[0]: name is missing"),
    ({"agents": [3]}, "agents[0]: 3: expected a name or an object with one"),
    ({"agents": ["agent_0", "agent_1", "agnt_2"]}, "rounds[0][2]: agent='agent_2' is not among the agents"),
    ({"meta": "x"}, "meta='x': expected an object"),
]


@pytest.mark.parametrize(("changes", "reason"), BAD_FIELDS, ids=[reason for _, reason in BAD_FIELDS])
def test_a_bad_field_is_named_with_its_value(make_line: Build, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(LogError) as raised:
        debate_from_dict(make_line() | changes)
    assert reason in str(raised.value)


BAD_TURNS = [
    ({"agent": None}, "rounds[1][0]: agent is null"),
    ({"agent": "agent_1"}, "rounds[1][1]: agent='agent_1' has two turns in this round"),
    ({"agent": "agentX0"}, "agent='agentX0' is not among the agents agent_0, agent_1, agent_2; near: agent_0"),
    ({"confidence": "high"}, "rounds[1][0]: confidence='high': expected a finite number"),
    ({"cost": float("inf")}, "cost=inf: expected a finite number"),
    ({"latency": 10**400}, "expected a finite number"),
    ({"attempts": -1}, "attempts=-1: expected a finite number of at least 0"),
    ({"stance_change": "yes"}, "stance_change='yes': expected true, false or null"),
    ({"usage": [1]}, "usage=[1]: expected an object"),
    ({"reasoning": ["x"]}, "reasoning=['x']: expected a string"),
    ({"status": "fine"}, "status='fine': expected one of ok, unparsed, failed"),
    ({"answer": "A", "status": "failed"}, "answer='A' contradicts status=failed"),
]


@pytest.mark.parametrize(("changes", "reason"), BAD_TURNS, ids=[reason for _, reason in BAD_TURNS])
def test_a_bad_turn_is_named_with_its_place(make_line: Build, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(LogError) as raised:
        debate_from_dict(change_turn(make_line(), 1, 0, **changes))
    assert str(raised.value).startswith("debate 'd1': ")
    assert reason in str(raised.value)


def test_a_long_value_does_not_flood_the_message(make_line: Build) -> None:
    with pytest.raises(LogError) as raised:
        debate_from_dict(change_turn(make_line(), 1, 0, reasoning=["x" * 5000] * 5000))
    assert len(str(raised.value)) < 500
