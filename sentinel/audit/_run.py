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
    tried: AbstractSet[Any] = frozenset(),
    sink: Callable[[Audit], None],
    mock: Any = None,
) -> RunReport:
    """Audit every candidate whose (debate id, answer) is not in `done`, and hand each audit to `sink` as it comes.

    Of those in `tried`, what again cannot be read, from the cache, is counted and not handed over. A reached bound or
    Ctrl-C ends the run early; run again, it goes on where it was. Raises CredentialError, before any call where the key
    is missing.
    """
    everything = [
        (debate, candidate)
        for debate in debates
        for candidate in list_candidates(answer_grid(debate), take_vote(debate), candidates)
    ]
    todo = [(debate, candidate) for debate, candidate in everything if (debate.id, candidate.answer) not in done]

    async def work(caller: Caller, item: tuple[Debate, Candidate]) -> Audit:
        return await audit_with_llm(*item, caller, settings, seed, redact=redact)

    def is_tried(audit: Audit) -> bool:
        return (audit.id, audit.candidate) in tried

    return _run(todo, work, is_tried, sink, settings, llm, "audits", len(everything) - len(todo), mock)


def run_judge(
    debates: Iterable[Debate],
    settings: JudgeSettings,
    llm: LlmSettings,
    seed: int,
    *,
    redact: bool = False,
    done: AbstractSet[Any] = frozenset(),
    tried: AbstractSet[Any] = frozenset(),
    sink: Callable[[Ruling], None],
    mock: Any = None,
) -> RunReport:
    """Have every divergent debate judged whose id is not in `done`; ends early and raises as `run_audits` does."""
    divergent = [debate for debate in debates if take_vote(debate).divergent]
    todo = [debate for debate in divergent if debate.id not in done]

    async def work(caller: Caller, debate: Debate) -> Ruling:
        return await judge_debate(debate, caller, settings, seed, redact=redact)

    def is_tried(ruling: Ruling) -> bool:
        return ruling.id in tried

    return _run(todo, work, is_tried, sink, settings, llm, "rulings", len(divergent) - len(todo), mock)


def _run(
    todo: Sequence[_Item],
    work: Callable[[Caller, _Item], Awaitable[_Record]],
    is_tried: Callable[[_Record], bool],
    sink: Callable[[_Record], None],
    settings: AuditSettings | JudgeSettings,
    llm: LlmSettings,
    unit: str,
    skipped: int,
    mock: Any,
) -> RunReport:
    check_credentials([endpoint_of(settings)], llm=llm, scripted=mock is not None)

    async def make(caller: Caller, item: _Item) -> Made[_Record]:
        record = await work(caller, item)
        return Made(record, Counter([record.status]), None if record.status is Status.OK else record.error)

    known = 0

    def keep(record: _Record) -> None:
        nonlocal known
        if is_tried(record) and _is_repeated(record):
            known += 1
        else:
            sink(record)

    report = run_window(
        todo, make, keep, llm=llm, in_flight=llm.concurrency, calls=1, unit=unit, total=len(todo), mock=mock
    )
    left = None if report.left is None else report.left + known
    return dataclasses.replace(report, finished=report.finished - known, left=left, skipped=skipped)


def _is_repeated(record: Audit | Ruling) -> bool:
    """Whether the record only repeats, from the cache, that the replies of an earlier run could not be read."""
    calls = record.meta.get("calls", 0)
    return record.status is Status.UNPARSED and 0 < calls == record.meta["cached_calls"]
