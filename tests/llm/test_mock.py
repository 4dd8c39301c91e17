import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from sentinel.errors import CallFailed
from sentinel.llm import Caller, Completion, Endpoint, Params
from sentinel.llm._mock import behave, mock_names
from sentinel.settings import LlmSettings

CHOICE = "Which is it?\n\nA) one\nB) two\nC) three\n\n<answer>one letter from A to C</answer>"
SUM = (
    "Ada has 12 apples. A friend brings 9 more. Then 5 of them get lost. Then the number grows to 3 times as many. "
    "Then all of them are shared out evenly among 4 people, and only one share is kept. How many apples does Ada have?"
    "\n\nSolve it.\n<answer>a number in digits</answer>"
)
SPLIT = "You, round 0:\n| answer: A\n| because\n\nskeptic, round 0:\n| answer: B\n\nanalyst, round 0:\n| answer: B\n"
ALONE = "You, round 0:\n| answer: A\n\nskeptic, round 0:\n| answer: A\n\nanalyst, round 0:\n| answer: A\n"


def said(name: str, prompt: str, seed: int) -> str:
    text = behave(name, [{"role": "user", "content": prompt}], Params(seed=seed))
    return text.partition("<answer>")[2].partition("</answer>")[0]


def test_a_reply_follows_from_the_request_alone() -> None:
    messages = [{"role": "user", "content": CHOICE}]
    assert behave("agreeable", messages, Params(seed=1)) == behave("agreeable", messages, Params(seed=1))
    assert len({behave("agreeable", messages, Params(seed=seed)) for seed in range(20)}) > 10


@pytest.mark.parametrize("name", mock_names())
def test_an_option_is_chosen_and_not_always_the_same(name: str) -> None:
    answers = Counter(said(name, CHOICE, seed) for seed in range(60))
    assert set(answers) == {"A", "B", "C"}


def test_a_sum_in_words_is_worked_out_more_or_less_often() -> None:
    # ((12 + 9 - 5) * 3) / 4 = 12
    right = {name: sum(said(name, SUM, seed) == "12" for seed in range(200)) / 200 for name in mock_names()}
    assert right["careful"] > 0.8 > right["stubborn"] > 0.45
    assert all(0.25 < share < 1 for share in right.values())


def test_characters_meet_disagreement_in_their_own_ways() -> None:
    asked = f"{CHOICE}\n{SPLIT}"
    assert {said("stubborn", asked, seed) for seed in range(30)} == {"A"}
    assert {said("agreeable", asked, seed) for seed in range(30)} == {"B"}
    assert {said("contrarian", asked, seed) for seed in range(30)} == {"A"}
    assert {said(name, f"{CHOICE}\n{ALONE}", seed) for name in mock_names() for seed in range(9)} == {"A"}


def test_a_change_is_declared() -> None:
    text = behave("agreeable", [{"role": "user", "content": f"{CHOICE}\n{SPLIT}"}], Params(seed=1))
    assert "<stance_change>YES</stance_change>" in text and "<change_reason>" in text
    text = behave("stubborn", [{"role": "user", "content": f"{CHOICE}\n{SPLIT}"}], Params(seed=1))
    assert "<stance_change>NO</stance_change>" in text


def test_values_asked_for_as_json_are_given() -> None:
    asked = (
        "- side_1_gap, side_2_gap (true or false): a gap.\n- side_1_score (a number from 1 to 5): how sound.\n"
        "- followers (a whole number from 0 to 2): how many.\n\nReply with one JSON object."
    )
    given = [json.loads(behave("careful", [{"role": "user", "content": asked}], Params(seed=n))) for n in range(40)]
    assert all(list(values) == ["side_1_gap", "side_2_gap", "side_1_score", "followers"] for values in given)
    assert {values["side_1_gap"] for values in given} == {True, False}
    assert {values["side_1_score"] for values in given} == {1, 2, 3, 4, 5}
    assert {values["followers"] for values in given} == {0, 1, 2}


def call(script: Any, count: int = 1, model: str = "mock/x") -> list[Completion]:
    async def main() -> list[Completion]:
        async with Caller(LlmSettings(cache=None, retries=0), mock=script) as caller:
            messages = [{"role": "user", "content": CHOICE}]
            return [await caller.call(Endpoint(model), messages, Params(seed=number)) for number in range(count)]

    return asyncio.run(main())


def test_a_script_lists_replies_by_model() -> None:
    replies = call({"x": ["<answer>A</answer>", None, ""], "y": []}, 3)
    assert [reply.text for reply in replies] == ["<answer>A</answer>", None, ""]
    with pytest.raises(CallFailed, match="mock/x: no replies left"):
        call({"x": ["one"]}, 2)
    with pytest.raises(CallFailed, match="mock/y"):
        call({"y": []}, 1, "mock/y")


def test_a_callable_gets_the_request_and_may_wait() -> None:
    async def reply(name: str, messages: Sequence[Any], params: Params) -> str:
        await asyncio.sleep(0)
        return f"{name} {len(messages)} {params.seed}"

    assert [reply.text for reply in call(reply, 2)] == ["x 1 0", "x 1 1"]


def test_a_callable_may_give_the_whole_completion_or_fail() -> None:
    (reply,) = call(lambda *_: Completion("cut", finish_reason="length", cost=0.5))
    assert (reply.text, reply.finish_reason, reply.cost) == ("cut", "length", 0.5)

    def fail(*_: Any) -> str:
        raise CallFailed("as told")

    with pytest.raises(CallFailed, match="as told"):
        call(fail)


def test_a_mock_costs_nothing_and_is_not_cached(tmp_path: Any) -> None:
    async def main() -> list[Completion]:
        async with Caller(LlmSettings(cache=str(tmp_path / "calls.sqlite"))) as caller:
            messages = [{"role": "user", "content": CHOICE}]
            return [await caller.call(Endpoint("mock/agreeable"), messages, Params(seed=1)) for _ in range(2)]

    first, second = asyncio.run(main())
    assert first.cost == 0.0 and first.usage is not None and first.usage["prompt_tokens"] == len(CHOICE) // 4
    assert not second.cached and first.text == second.text
