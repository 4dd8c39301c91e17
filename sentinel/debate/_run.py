"""Runs the debates of any number of questions, or draws independent samples for them, a bounded number at a time."""

import dataclasses
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

from sentinel.debate._engine import hold_debate
from sentinel.debate._identity import debate_id
from sentinel.debate._rules import Rules, make_rules
from sentinel.debate._samples import draw_samples, find_sampler
from sentinel.llm import Caller, Endpoint, Made, RunReport, check_credentials, run_window
from sentinel.records import Debate, Question, Samples
from sentinel.settings import AgentSettings, DebateSettings, LlmSettings

_Record = TypeVar("_Record", Debate, Samples)


def run_debates(
    questions: Iterable[Question],
    agents: Mapping[str, AgentSettings],
    debate: DebateSettings,
    llm: LlmSettings,
    seed: int,
    *,
    done: AbstractSet[Any] = frozenset(),
    sink: Callable[[Debate], None],
    mock: Any = None,
) -> RunReport:
    """Debate all questions whose debate is not in `done` and hand each finished debate to `sink`.

    Questions are taken as they are needed. A reached bound or Ctrl-C ends the run early; run again, with what is done
    and the same call cache, it goes on where it was. Raises DebateError for an unusable panel, before any call, and
    CredentialError.
    """
    rules = make_rules(agents, debate, seed)

    async def work(caller: Caller, item: tuple[str, Question]) -> Made[Debate]:
        return await hold_debate(caller, rules, item[1], item[0])

    endpoints = [member.endpoint for member in rules.members]
    return _run(_Todo(questions, rules, done), work, sink, endpoints, rules, llm, rules.calls, "debates", mock)


def collect_samples(
    questions: Iterable[Question],
    agents: Mapping[str, AgentSettings],
    debate: DebateSettings,
    llm: LlmSettings,
    seed: int,
    *,
    done: AbstractSet[Any] = frozenset(),
    sink: Callable[[Samples], None],
    mock: Any = None,
) -> RunReport:
    """Ask one agent (`debate.sampler`) each question many times, independently, and hand the answers to `sink`.

    They are kept under the id of the question's debate, and are `debate.samples` or, for 0, as many as that debate
    makes calls. Raises and ends early as `run_debates` does.
    """
    rules = make_rules(agents, debate, seed)
    sampler = find_sampler(rules)
    count = debate.samples or rules.calls

    async def work(caller: Caller, item: tuple[str, Question]) -> Made[Samples]:
        return await draw_samples(caller, rules, sampler, item[1], item[0], count)

    endpoints = [sampler.endpoint] * count
    return _run(_Todo(questions, rules, done), work, sink, endpoints, rules, llm, count, "questions", mock)


def list_debate_ids(
    questions: Iterable[Question], agents: Mapping[str, AgentSettings], debate: DebateSettings, seed: int
) -> list[str]:
    """Return the ids of the debates that `run_debates` holds for the same arguments, in the questions' order."""
    rules = make_rules(agents, debate, seed)
    return [debate_id(question, rules.hash) for question in questions]


def fill_window(endpoints: Sequence[Endpoint], llm: LlmSettings) -> int:
    """Return how many items keep every server busy, where each item calls all the endpoints at once.

    Half as many again as the server takes, since an item is not always waiting for all of them. A model in this process
    answers one call at a time: there one item after another is finished.
    """
    if all(endpoint.provider == "gguf" for endpoint in endpoints):
        return 1
    busiest = max(Counter((endpoint.provider, endpoint.base_url) for endpoint in endpoints).values())
    return math.ceil(1.5 * llm.concurrency / busiest)


class _Todo:
    """The debates to be held, as (debate id, question); a list is looked through at once, another iterable lazily."""

    def __init__(self, questions: Iterable[Question], rules: Rules, done: AbstractSet[Any]) -> None:
        self.skipped = 0
        self.pairs: Iterable[tuple[str, Question]] = self._look_through(questions, rules, done)
        self.total: int | None = None
        if isinstance(questions, Sized):
            self.pairs = list(self.pairs)
            self.total = len(self.pairs)

    def _look_through(
        self, questions: Iterable[Question], rules: Rules, done: AbstractSet[Any]
    ) -> Iterator[tuple[str, Question]]:
        begun: set[str] = set()
        for question in questions:
            key = debate_id(question, rules.hash)
            if key in done or key in begun:
                self.skipped += 1
                continue
            begun.add(key)
            yield key, question


def _run(
    todo: _Todo,
    work: Callable[[Caller, tuple[str, Question]], Awaitable[Made[_Record]]],
    sink: Callable[[_Record], None],
    endpoints: Sequence[Endpoint],
    rules: Rules,
    llm: LlmSettings,
    calls: int,
    unit: str,
    mock: Any,
) -> RunReport:
    """Work through the questions, each of which calls all the endpoints at once."""
    check_credentials(endpoints, llm=llm, scripted=mock is not None)
    in_flight = rules.debate.in_flight or fill_window(endpoints, llm)
    report = run_window(
        todo.pairs, work, sink, llm=llm, in_flight=in_flight, calls=calls, unit=unit, total=todo.total, mock=mock
    )
    return dataclasses.replace(report, skipped=todo.skipped)
