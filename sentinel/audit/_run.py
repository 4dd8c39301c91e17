"""Puts many debates to the auditor or the judge, a bounded number at a time; what is done already is skipped."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeVar

from sentinel.audit._exchange import endpoint_of
from sentinel.audit._judge import judge_debate
from sentinel.audit._llm_audit import audit_with_llm
from sentinel.debate._window import run_window
from sentinel.llm import Caller, Tally, check_credentials
from sentinel.records import Audit, Debate, Ruling, Status
from sentinel.settings import AuditSettings, JudgeSettings, LlmSettings
from sentinel.vote import Candidate, CandidateMode, answer_grid, list_candidates, take_vote

_Item = TypeVar("_Item")
_Record = TypeVar("_Record", Audit, Ruling)


@dataclass(frozen=True, slots=True)
class JudgingReport:
    """What a run did: audits or rulings `finished` now, those `skipped` as done before, and what it took.

    `failed` and `unparsed` are among the finished. `stopped` says why the run ended early, None where it did not.
    """

    finished: int
    skipped: int
    failed: int
    unparsed: int
    tally: Tally
    stopped: str | None


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
) -> JudgingReport:
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
) -> JudgingReport:
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
) -> JudgingReport:
    check_credentials([endpoint_of(settings)], scripted=mock is not None)
    counts: Counter[Status] = Counter()

    def keep(record: _Record) -> None:
        sink(record)
        counts[record.status] += 1

    outcome = run_window(todo, work, keep, llm=llm, in_flight=llm.concurrency, unit=unit, total=len(todo), mock=mock)
    return JudgingReport(
        outcome.finished, skipped, counts[Status.FAILED], counts[Status.UNPARSED], outcome.tally, outcome.stopped
    )
