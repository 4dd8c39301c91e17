"""What a budget leaves behind: finished debates, as many as it pays for, and not many begun ones."""

import itertools
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sentinel.debate import collect_samples, run_debates
from sentinel.errors import BudgetReached
from sentinel.llm import Completion, RunReport
from sentinel.llm._budget import Budget
from sentinel.llm._tally import Tally
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


@pytest.mark.parametrize("bound", [{"max_tokens": 20}, {"max_cost_usd": 0.02}, {"max_calls": 7}])
def test_a_bound_names_what_was_used_once_all_calls_had_ended(
    ask: Callable[..., Question], trio: Panel, say: Callable[..., str], bound: dict[str, Any]
) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> Completion:
        return Completion(say("A"), usage={"prompt_tokens": 3, "completion_tokens": 1}, cost=0.004)

    report = hold([ask(f"q{i}") for i in range(60)], trio, script, **bound)
    tally = report.tally
    used = {"max_tokens": tally.tokens, "max_cost_usd": round(tally.known_cost, 6), "max_calls": tally.live_calls}
    (name,) = bound
    assert f": reached ({used[name]} used in this run)" in str(report.stopped)


def test_what_a_bound_says_follows_the_tally() -> None:
    tally = Tally(live_calls=3, in_flight=1)
    budget = Budget(LlmSettings(max_calls=4), tally)
    with pytest.raises(BudgetReached) as reached:
        budget.check()
    assert "reached (4 used in this run);" in str(reached.value)
    # The call in flight fails, and two more that had begun come back.
    tally.in_flight, tally.failures, tally.live_calls = 0, 1, 5
    assert "reached (6 used in this run, 1 of them failed);" in str(reached.value)
