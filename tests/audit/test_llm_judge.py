"""The model as judge, scripted: it reads all but names and gold answer, and its own answer is read like any other."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from sentinel.audit import judge_debate
from sentinel.llm import Caller
from sentinel.log_store import record_from_dict, record_to_dict
from sentinel.records import Agent, AnswerType, Debate, Ruling, Status, Turn
from sentinel.settings import JudgeSettings, LlmSettings

MODEL = JudgeSettings(model="mock/judge")
NAMES = ("rigorous", "balanced", "intuitive")


def make_debate(
    answer_type: AnswerType = AnswerType.NUMBER, choices: tuple[str, ...] | None = None, answers: str = "556"
) -> Debate:
    turns = [
        Turn(name, answer, Status.OK, f"I, {name}, say {answer}") for name, answer in zip(NAMES, answers, strict=True)
    ]
    last = [turns[0], Turn("balanced", None, Status.FAILED, error="timeout"), turns[2]]
    return Debate(
        id="debate-17",
        dataset="made",
        source=None,
        question_key="secret key",
        question="How many?",
        choices=choices,
        answer_type=answer_type,
        gold="90817",
        agents=tuple(Agent(name, "vendor/model") for name in NAMES),
        rounds=(tuple(turns), tuple(last)),
        meta={"note": "90817"},
    )


def judge(debate: Debate, replies: Sequence[str | None], redact: bool = False) -> tuple[Ruling, list[list[Any]]]:
    asked: list[list[Any]] = []
    left = list(replies)

    def reply(name: str, messages: Sequence[Any], params: Any) -> str | None:
        asked.append(list(messages))
        return left.pop(0)

    async def call() -> Ruling:
        async with Caller(LlmSettings(cache=None, retries=0), mock=reply) as caller:
            return await judge_debate(debate, caller, MODEL, 0, redact=redact)

    return asyncio.run(call()), asked


def test_the_judge_reads_every_turn_under_letters() -> None:
    _, asked = judge(make_debate(), ["5"])
    prompt = asked[0][1]["content"]
    assert "Agent A, round 0:\n| I, Agent A, say 5\nAnswer:\n| 5\n" in prompt
    assert "Agent B, round 1:\n(no text)\nAnswer:\n| none that could be read\n" in prompt
    assert "Agent C, round 1:\n| I, Agent C, say 6\nAnswer:\n| 6\n" in prompt
    assert prompt.index("Agent C, round 0") < prompt.index("Agent A, round 1")


def test_the_judge_knows_no_gold_answer_no_id_and_no_agent() -> None:
    _, asked = judge(make_debate(), ["none", "none"])
    prompt = "\n".join(message["content"] for messages in asked for message in messages)
    for secret in ("90817", "debate-17", "secret key", "vendor", "made", "majority", "minority", *NAMES):
        assert secret not in prompt, secret


@pytest.mark.parametrize(
    ("answer_type", "choices", "reply", "answer", "form"),
    [
        (AnswerType.NUMBER, None, "6", "6", "one number in digits, without unit"),
        (AnswerType.NUMBER, None, "<answer>$1,000.00</answer>", "1000", "one number in digits, without unit"),
        (AnswerType.CHOICE, ("oak", "elm", "ash"), "<answer>B</answer>", "B", "one letter from A to C"),
        (AnswerType.CHOICE, ("oak", "elm", "ash"), "**elm**", "B", "one letter from A to C"),
        (AnswerType.CHOICE, None, "D", "D", "the letter of one option"),
        (AnswerType.BOOLEAN, None, "<answer>No</answer>", "false", "true or false"),
        (
            AnswerType.TEXT,
            None,
            "<answer>Marie Curie.</answer>",
            "marie curie",
            "the answer in as few words as possible",
        ),
    ],
)
def test_the_ruling_is_a_canonical_answer(
    answer_type: AnswerType, choices: tuple[str, ...] | None, reply: str, answer: str, form: str
) -> None:
    ruling, asked = judge(make_debate(answer_type, choices, "AAB"), [reply])
    assert (ruling.answer, ruling.status, ruling.error) == (answer, Status.OK, None)
    assert (ruling.id, ruling.judge) == ("debate-17", "mock/judge")
    assert asked[0][1]["content"].endswith(f"<answer>{form}</answer>")


def test_an_unreadable_ruling_is_asked_for_once_more() -> None:
    ruling, asked = judge(make_debate(), ["Either of them.", "<answer>6</answer>"])
    assert (ruling.answer, ruling.status) == ("6", Status.OK)
    assert [message["role"] for message in asked[1]] == ["system", "user", "assistant", "user"]
    assert ruling.meta["calls"] == 2


def test_what_stays_unreadable_is_unparsed_and_what_never_came_failed() -> None:
    ruling, _ = judge(make_debate(), ["Either of them.", "Both."])
    assert (ruling.answer, ruling.status, ruling.error) == (None, Status.UNPARSED, "no answer could be read")
    ruling, _ = judge(make_debate(), [None, ""])
    assert (ruling.answer, ruling.status, ruling.error) == (None, Status.FAILED, "no reply")


def test_a_log_without_texts_is_not_judged() -> None:
    debate = make_debate()
    rounds = tuple(tuple(Turn(turn.agent, turn.answer, turn.status) for turn in turns) for turns in debate.rounds)
    ruling, asked = judge(replace(debate, rounds=rounds), [])
    assert (ruling.status, ruling.error) == (Status.FAILED, "the log keeps no text of this debate; nothing to judge")
    assert asked == []


def test_redacted_rulings_keep_no_text_and_rulings_survive_the_log() -> None:
    open_, _ = judge(make_debate(), ["PRIVATE: <answer>6</answer>"])
    redacted, _ = judge(make_debate(), ["PRIVATE: <answer>6</answer>"], redact=True)
    assert open_.meta["replies"] == ["PRIVATE: <answer>6</answer>"]
    assert "PRIVATE" not in json.dumps(record_to_dict(redacted))
    assert record_from_dict(json.loads(json.dumps(record_to_dict(open_)))) == open_
