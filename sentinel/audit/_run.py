"""Puts many debates to the auditor or the judge, a bounded number at a time; what is done already is skipped."""

import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

from sentinel.audit._exchange import endpoint_of
from sentinel.audit._judge import judge_debate
from sentinel.audit._llm_audit import audit_with_llm
from sentinel.llm import Caller, Made, RunReport, check_credentials, run_window
from sentinel.records import Audit, Debate, Ruling, Status
from sentinel.settings import AuditSettings, JudgeSettings, LlmSettings
from sentinel.vote import Candidate, CandidateMode, answer_grid, list_candidates, take_vote

_Item = TypeVar("_Item")
_Record = TypeVar("_Record", Audit, Ruling)


def run_audits(
    debates: Iterable[Debate],
    settings: AuditSettings,
    llm: LlmSettings,
    seed: int,
    *,
    candidates: CandidateMode = CandidateMode.final_split,
    redact: bool = False,
    done: AbstractSet[Any] = frozenset(),
    sink: Callable[[Audit], None],
    mock: Any = None,
) -> RunReport:
    """Audit every candidate whose (debate id, answer) is not in `done`, and hand each audit to `sink` as it comes.

    A reached bound or Ctrl-C ends the run early; run again, it goes on where it was. Raises CredentialError, before any
    call where the key is missing.
    """
    everything = [
        (debate, candidate)
        for debate in debates
        for candidate in list_candidates(answer_grid(debate), take_vote(debate), candidates)
    ]
    todo = [(debate, candidate) for debate, candidate in everything if (debate.id, candidate.answer) not in done]

    async def work(caller: Caller, item: tuple[Debate, Candidate]) -> Audit:
        return await audit_with_llm(*item, caller, settings, seed, redact=redact)

    return _run(todo, work, sink, settings, llm, "audits", len(everything) - len(todo), mock)


def run_judge(
    debates: Iterable[Debate],
    settings: JudgeSettings,
    llm: LlmSettings,
    seed: int,
    *,
    redact: bool = False,
    done: AbstractSet[Any] = frozenset(),
    sink: Callable[[Ruling], None],
    mock: Any = None,
) -> RunReport:
    """Have every divergent debate judged whose id is not in `done`; ends early and raises as `run_audits` does."""
    divergent = [debate for debate in debates if take_vote(debate).divergent]
    todo = [debate for debate in divergent if debate.id not in done]

    async def work(caller: Caller, debate: Debate) -> Ruling:
        return await judge_debate(debate, caller, settings, seed, redact=redact)

    return _run(todo, work, sink, settings, llm, "rulings", len(divergent) - len(todo), mock)


def _run(
    todo: Sequence[_Item],
    work: Callable[[Caller, _Item], Awaitable[_Record]],
    sink: Callable[[_Record], None],
    settings: AuditSettings | JudgeSettings,
    llm: LlmSettings,
    unit: str,
    skipped: int,
    mock: Any,
) -> RunReport:
    check_credentials([endpoint_of(settings)], scripted=mock is not None)

    async def make(caller: Caller, item: _Item) -> Made[_Record]:
        record = await work(caller, item)
        return Made(record, Counter([record.status]), None if record.status is Status.OK else record.error)

    report = run_window(
        todo, make, sink, llm=llm, in_flight=llm.concurrency, calls=1, unit=unit, total=len(todo), mock=mock
    )
    return dataclasses.replace(report, skipped=skipped)
