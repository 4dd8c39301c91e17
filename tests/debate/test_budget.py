"""What a budget leaves behind: finished debates, as many as it pays for, and not many begun ones."""

import itertools
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sentinel.debate import collect_samples, run_debates
from sentinel.llm import Completion, RunReport
from sentinel.records import Question
from sentinel.settings import AgentSettings, DebateSettings, LlmSettings, Visibility

Panel = dict[str, AgentSettings]
# Half as many again as a server takes: with these, 96 calls are made before any debate has a second round.
OPEN = 32


def hold(
    questions: list[Question], trio: Panel, script: Any, debate: DebateSettings | None = None, **bounds: Any
) -> RunReport:
    llm = LlmSettings(cache=None, retries=0, backoff=0.0, **bounds)
    debate = debate or DebateSettings(in_flight=OPEN)
    return run_debates(questions, trio, debate, llm, 0, sink=lambda _: None, mock=script)


@pytest.mark.parametrize(("bound", "finished"), [(5, 0), (9, 1), (100, 11), (450, 50)])
def test_a_budget_of_calls_finishes_as_many_debates_as_it_pays_for(
    ask: Callable[..., Question], trio: Panel, say: Callable[..., str], bound: int, finished: int
) -> None:
    questions = [ask(f"q{i}") for i in range(60)]
    report = hold(questions, trio, lambda *_: say("A"), max_calls=bound)
    # A debate takes nine calls.
    assert (report.finished, report.left) == (finished, 60 - finished)
    assert report.tally.live_calls == bound
    assert str(report.stopped).startswith(f"llm.max_calls={bound}: reached")


def test_reminders_take_from_the_youngest(ask: Callable[..., Question], trio: Panel, say: Callable[..., str]) -> None:
    replies = itertools.cycle(["Hm.", say("A"), say("B"), say("A")])
    report = hold([ask(f"q{i}") for i in range(60)], trio, lambda *_: next(replies), max_calls=200)
    # A quarter of the replies is asked for again, which makes about twelve calls a debate and could not be known.
    assert 14 <= report.finished <= 18


def test_a_budget_of_money_finishes_as_many_debates_as_it_pays_for(
    ask: Callable[..., Question], trio: Panel, say: Callable[..., str]
) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> Completion:
        # What an agent reads grows from round to round.
        cost = 0.0004 if re.search(r"round [01]", messages[-1]["content"]) else 0.0002
        return Completion(say("A"), usage={"prompt_tokens": 1, "completion_tokens": 1}, cost=cost)

    report = hold([ask(f"q{i}") for i in range(90)], trio, script, max_cost_usd=0.06)
    # 3 x 0.02 cents and 6 x 0.04 cents make 0.3 cents a debate, so that 20 can be paid for.
    assert 17 <= report.finished <= 20
    assert 0.06 <= float(report.tally.live_cost or 0) < 0.06 + OPEN * 3 * 0.0004


def test_a_budget_finishes_whole_sets_of_samples(
    ask: Callable[..., Question], trio: Panel, say: Callable[..., str]
) -> None:
    llm = LlmSettings(cache=None, max_calls=50)
    questions = [ask(f"q{i}") for i in range(20)]
    debate = DebateSettings(in_flight=OPEN)
    report = collect_samples(questions, trio, debate, llm, 0, sink=lambda _: None, mock=lambda *_: say("A"))
    assert report.finished == 5 and report.tally.live_calls == 50


def test_round_0_is_paid_for_once_under_any_protocol(ask: Callable[..., Question], stub: Any, tmp_path: Path) -> None:
    with stub.StubServer() as server:
        panel = {name: AgentSettings(model="vllm/m", base_url=server.base_url) for name in ("ann", "bob", "cleo")}
        llm = LlmSettings(cache=str(tmp_path / "calls.sqlite"))
        reports = [
            run_debates([ask(f"q{i}") for i in range(4)], panel, debate, llm, 0, sink=lambda _: None)
            for debate in (DebateSettings(), DebateSettings(visibility=Visibility.none), DebateSettings(rounds=0))
        ]
    assert [(report.tally.live_calls, report.tally.cached_calls) for report in reports] == [(36, 0), (24, 12), (0, 12)]
    assert server.requests == 60
