"""One debate: who is asked what and when, what the record keeps, and what happens to replies that go wrong."""

import asyncio
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from sentinel.answer import parse_answer
from sentinel.debate import run_debates
from sentinel.llm import Completion
from sentinel.log_store import debate_from_dict, record_to_dict
from sentinel.records import AnswerType, Debate, Question, Status
from sentinel.settings import AgentSettings, DebateSettings, LlmSettings, SpeakingOrder
from sentinel.vote import answer_grid

Panel = dict[str, AgentSettings]


@pytest.fixture
def debate(ask: Callable[..., Question], trio: Panel, uncached: LlmSettings) -> Callable[..., Debate]:
    """Return a function that holds one debate with a script for all agents."""

    def hold(script: Any, question: Question | None = None, **settings: Any) -> Debate:
        finished: list[Debate] = []
        run_debates(
            [question or ask()], trio, DebateSettings(**settings), uncached, 0, sink=finished.append, mock=script
        )
        return finished[0]

    return hold


def test_a_debate_is_recorded_as_it_went(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    held = debate(
        {
            "ann": [say("A"), say("A", changed=False), say("B", "bob has it", True, "bob's step 2")],
            "bob": [say("B"), say("B", changed=False), say("B", changed=False)],
            "cleo": [say("A"), say("B", changed=True), say("B", changed=False)],
        }
    )
    assert answer_grid(held) == (("A", "B", "A"), ("A", "B", "B"), ("B", "B", "B"))
    assert [[turn.stance_change for turn in turns] for turns in held.rounds] == [
        [None, None, None],
        [False, False, True],
        [True, False, False],
    ]
    last = held.rounds[2][0]
    assert (last.reasoning, last.change_reason, last.status) == ("bob has it", "bob's step 2", Status.OK)
    assert last.raw == say("B", "bob has it", True, "bob's step 2")
    assert last.attempts == 1 and last.cost == 0.0 and last.error is None
    assert last.usage is not None and last.usage["prompt_tokens"] > 0
    assert [(agent.name, agent.model, agent.role, agent.temperature) for agent in held.agents] == [
        (name, f"mock/{name}", f"role of {name}", 0.7) for name in ("ann", "bob", "cleo")
    ]
    assert (held.dataset, held.question_key, held.gold) == ("tests", "key of q1", "B")
    assert {name: held.meta[name] for name in ("question_id", "seed", "visibility", "debate_rounds", "calls")} == {
        "question_id": "q1",
        "seed": 0,
        "visibility": "full",
        "debate_rounds": 2,
        "calls": 9,
    }
    assert held.meta["cached_calls"] == 0 and "cut_off" not in held.meta


def test_what_is_written_is_read_back_the_same(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> str | None:
        return {"ann": say("A"), "bob": "no idea", "cleo": None}[name]

    for redact in (False, True):
        held = debate(script, redact=redact)
        read = debate_from_dict(record_to_dict(held))
        # A failed turn has no text of its own; the reader adds none.
        assert read == held


def test_agents_of_a_round_are_asked_at_once_and_rounds_one_after_another(
    debate: Callable[..., Debate], say: Callable[..., str]
) -> None:
    waiting: list[str] = []
    together: list[set[str]] = []
    gate: list[asyncio.Event] = []

    async def script(name: str, messages: Sequence[Any], params: Any) -> str:
        if not waiting:
            gate.append(asyncio.Event())
        waiting.append(name)
        if len(waiting) == 3:
            together.append(set(waiting))
            waiting.clear()
            gate[-1].set()
        else:
            await asyncio.wait_for(gate[-1].wait(), 5)
        return say("A")

    debate(script)
    assert together == [{"ann", "bob", "cleo"}] * 3


def test_each_call_has_a_seed_of_its_own_and_the_agents_temperature(
    debate: Callable[..., Debate], trio: Panel, say: Callable[..., str]
) -> None:
    trio["bob"].temperature = 0.1
    trio["bob"].params = {"top_p": 0.9}
    calls: list[tuple[str, Any]] = []

    def script(name: str, messages: Sequence[Any], params: Any) -> str:
        calls.append((name, params))
        return say("A")

    debate(script, answer_tokens=77)
    assert len({params.seed for _, params in calls}) == 9
    assert {(name, params.temperature) for name, params in calls} == {("ann", 0.7), ("bob", 0.1), ("cleo", 0.7)}
    assert {params.max_tokens for _, params in calls} == {77}
    assert {name for name, params in calls if params.extra == {"top_p": 0.9}} == {"bob"}
    assert {params.grammar for _, params in calls} == {None}


def test_an_unreadable_answer_is_asked_for_again(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    asked: list[list[str]] = []

    def script(name: str, messages: Sequence[Any], params: Any) -> str:
        if name != "ann":
            return say("B")
        asked.append([message["role"] for message in messages])
        return "<reasoning>A or C, who knows</reasoning>" if len(asked) == 1 else "<answer>C</answer>"

    held = debate(script, rounds=0)
    turn = held.rounds[0][0]
    assert asked == [["system", "user"], ["system", "user", "assistant", "user"]]
    assert (turn.answer, turn.status, turn.attempts) == ("C", Status.OK, 2)
    # The argument stands in the first reply; the second was to hold the answer alone.
    assert turn.reasoning == "A or C, who knows"
    assert turn.raw == "<reasoning>A or C, who knows</reasoning>\n\n<answer>C</answer>"
    assert parse_answer(turn.raw, held.answer_type, held.choices).answer == "C"
    assert held.meta["calls"] == 4


@pytest.mark.parametrize(("reasks", "calls"), [(0, 1), (1, 2), (3, 4)])
def test_reminders_are_bounded_and_the_debate_goes_on(
    debate: Callable[..., Debate], say: Callable[..., str], reasks: int, calls: int
) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> str:
        return "Who can say?" if name == "ann" else say("B")

    held = debate(script, reasks=reasks, rounds=1)
    for turns in held.rounds:
        assert (turns[0].answer, turns[0].status, turns[0].attempts) == (None, Status.UNPARSED, calls)
        assert turns[0].reasoning == "Who can say?"
        assert turns[0].error is not None and turns[0].error.startswith("no answer could be read")
    assert answer_grid(held)[1] == (None, "B", "B")


@pytest.mark.parametrize("nothing", [None, "", "  \n"])
def test_a_reply_without_text_has_failed(
    debate: Callable[..., Debate], say: Callable[..., str], nothing: str | None
) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> str | None:
        return nothing if name == "ann" else say("B")

    turn = debate(script, rounds=0).rounds[0][0]
    assert (turn.status, turn.answer, turn.raw, turn.reasoning) == (Status.FAILED, None, None, "")
    assert turn.error is not None and turn.error.startswith("no text came in 2 replies")


def test_a_call_that_fails_is_recorded_and_the_others_go_on(
    debate: Callable[..., Debate], say: Callable[..., str]
) -> None:
    held = debate({"ann": [say("A")], "bob": [say("B")] * 3, "cleo": [say("C"), say("B"), say("B")]})
    failed = held.rounds[1][0]
    assert (failed.agent, failed.status, failed.answer, failed.reasoning) == ("ann", Status.FAILED, None, "")
    assert failed.error is not None and "no replies left in its script" in failed.error
    assert answer_grid(held) == (("A", "B", "C"), (None, "B", "B"), (None, "B", "B"))


def test_a_failed_reminder_leaves_the_text_that_came(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    turn = debate({"ann": ["Hm."], "bob": [say("B")], "cleo": [say("B")]}, rounds=0).rounds[0][0]
    assert (turn.status, turn.raw, turn.attempts) == (Status.UNPARSED, "Hm.", 1)
    assert turn.error is not None and "no replies left" in turn.error


def test_a_reply_cut_off_is_named(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> Completion | str:
        return Completion("<reasoning>and so on", finish_reason="length") if name == "bob" else say("B")

    held = debate(script, rounds=1)
    assert held.meta["cut_off"] == [[0, "bob"], [1, "bob"]]
    assert "finish_reason=length" in str(held.rounds[0][1].error)


def test_a_cost_or_usage_unknown_in_part_is_unknown(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    known = Completion("Hm.", usage={"prompt_tokens": 5, "completion_tokens": 1}, cost=0.25)
    priced = dataclasses.replace(known, text=say("B"))
    replies = {
        "ann": [known, priced],
        "bob": [known, dataclasses.replace(priced, cost=None)],
        "cleo": [known, dataclasses.replace(priced, usage=None)],
    }
    ann, bob, cleo = debate(replies, rounds=0).rounds[0]
    assert (ann.cost, ann.usage) == (0.5, {"prompt_tokens": 10, "completion_tokens": 2})
    assert (bob.cost, bob.usage) == (None, {"prompt_tokens": 10, "completion_tokens": 2})
    assert (cleo.cost, cleo.usage) == (0.5, None)


def test_turns_are_stored_in_the_order_of_speaking(debate: Callable[..., Debate], say: Callable[..., str]) -> None:
    held = debate(lambda name, *_: say("A"), order=SpeakingOrder.rotated)
    assert [[turn.agent for turn in turns] for turns in held.rounds] == [
        ["ann", "bob", "cleo"],
        ["bob", "cleo", "ann"],
        ["cleo", "ann", "bob"],
    ]
    assert [agent.name for agent in held.agents] == ["ann", "bob", "cleo"]


def test_redaction_keeps_answers_and_numbers_and_no_text(
    debate: Callable[..., Debate], say: Callable[..., str]
) -> None:
    seen: list[str] = []

    def script(name: str, messages: Sequence[Any], params: Any) -> str:
        seen.append(messages[-1]["content"])
        return say("A", f"{name} speaks freely", changed=False, why="private")

    held = debate(script, redact=True)
    text = str(record_to_dict(held))
    assert "speaks freely" not in text and "private" not in text
    assert {turn.answer for turns in held.rounds for turn in turns} == {"A"}
    assert all(turn.raw is None and turn.usage and turn.stance_change is not True for turn in held.rounds[1])
    # Within the debate nothing is hidden.
    assert "| bob speaks freely" in seen[-1] or "| ann speaks freely" in seen[-1]


def test_a_passage_becomes_part_of_the_recorded_question(
    debate: Callable[..., Debate], ask: Callable[..., Question], say: Callable[..., str]
) -> None:
    question = ask(context="The passage.", question="What does it say?", subject="reading", meta={"place": "line 3"})
    held = debate(lambda *_: say("A"), question)
    assert held.question == "The passage.\n\nWhat does it say?"
    assert (held.meta["subject"], held.meta["place"]) == ("reading", "line 3")


def test_a_grammar_and_examples_reach_the_model_that_wants_them(
    debate: Callable[..., Debate], ask: Callable[..., Question], trio: Panel, say: Callable[..., str]
) -> None:
    trio["ann"].grammar = True
    grammars: list[str] = []

    def script(name: str, messages: Sequence[Any], params: Any) -> str:
        if params.grammar is not None:
            assert name == "ann"
            grammars.append(params.grammar)
            return "<reasoning>\nno end" if len(grammars) == 1 else say("1")
        return say("1")

    debate(script, ask(answer_type=AnswerType.NUMBER, choices=None, gold="1"), rounds=1)
    alone, again, debating = grammars
    assert "reasoning" in alone and "stance_change" not in alone
    assert "reasoning" not in again
    assert "stance_change" in debating
