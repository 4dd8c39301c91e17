"""Works through any number of items, a bounded number at a time, so that memory does not grow with their number.

In: an iterable, read only as fast as work is done, and a coroutine for one item. Out: each result to a sink at once.
Ctrl-C lets the work in flight end; a second one drops it.
"""

import asyncio
import contextlib
import signal
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tqdm import tqdm

from sentinel.errors import BudgetReached, ConfigError, CredentialError, SentinelError
from sentinel.llm._caller import Caller
from sentinel.llm._progress import Progress
from sentinel.llm._tally import Tally
from sentinel.records import Status
from sentinel.settings import LlmSettings

Item = TypeVar("Item")
Record = TypeVar("Record")

INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Made(Generic[Record]):
    """A finished record, how many answers in it are ok, failed or unparsed, and why one of them is not ok, if so."""

    record: Record
    statuses: Counter[Status]
    error: str | None


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did: records `finished` now, `skipped` as done before, and `left` (None where that is not known).

    `answered`, `failed` and `unparsed` count the answers asked for: read, without a text, and without a readable
    answer; `error` is of one that was not read. `stopped` says why the run ended early, None where it did not.
    """

    finished: int
    left: int | None
    answered: int
    failed: int
    unparsed: int
    error: str | None
    tally: Tally
    stopped: str | None
    skipped: int = 0


def run_window(
    items: Iterable[Item],
    work: Callable[[Caller, Item], Awaitable[Made[Record]]],
    sink: Callable[[Record], None],
    *,
    llm: LlmSettings,
    in_flight: int,
    calls: int,
    unit: str,
    total: int | None = None,
    mock: Any = None,
) -> RunReport:
    """Work on all items, each of which takes about `calls`, and hand each record to `sink` as soon as it is finished.

    A bound reached (BudgetReached) or Ctrl-C ends the run early and is named in the report. Whatever else is raised,
    by work or sink, cancels the rest and is raised here; records handed over before stay.
    """

    async def run() -> RunReport:
        with Progress(unit, total) as progress:
            window = _Window(iter(items), work, sink, calls, progress)
            async with Caller(llm, mock=mock, progress=progress.show) as caller:
                progress.tally = caller.tally
                window.workers = [asyncio.create_task(window.drain(caller)) for _ in range(in_flight)]
                with _interrupts(window.interrupt):
                    await _finish(window.workers)
                if window.fatal is not None:
                    raise window.fatal
                return RunReport(
                    finished=window.finished,
                    left=None if total is None else total - window.finished,
                    answered=window.counts[Status.OK],
                    failed=window.counts[Status.FAILED],
                    unparsed=window.counts[Status.UNPARSED],
                    error=window.error,
                    tally=caller.tally,
                    stopped=None if window.stopped is None else str(window.stopped),
                )

    return asyncio.run(run())


@dataclass
class _Window(Generic[Item, Record]):
    items: Iterator[Item]
    work: Callable[[Caller, Item], Awaitable[Made[Record]]]
    sink: Callable[[Record], None]
    calls: int
    progress: Progress
    finished: int = 0
    counts: Counter[Status] = field(default_factory=Counter)
    error: str | None = None
    busy: int = 0
    # An error as it is, since what a bound says of what was used changes until all calls have ended.
    stopped: str | SentinelError | None = None
    interrupts: int = 0
    fatal: SentinelError | None = None
    workers: list["asyncio.Task[None]"] = field(default_factory=list)

    async def drain(self, caller: Caller) -> None:
        """Take items until there are none or the run is to stop."""
        for item in self.items:
            if self.stopped is not None:
                return
            self.busy += 1
            try:
                with caller.item(self.calls):
                    made = await self.work(caller, item)
            except BudgetReached as bound:
                self.stopped = self.stopped or bound
                return
            except (CredentialError, ConfigError) as fault:
                # The caller starts no further call; replies in flight are paid for, so they are waited for and kept.
                self.fatal = self.fatal or fault
                self.stopped = self.stopped or fault
                return
            finally:
                self.busy -= 1
            self.sink(made.record)
            self.finished += 1
            self.counts.update(made.statuses)
            self.error = self.error or made.error
            self.progress.advance()

    def interrupt(self) -> None:
        """Stop after the work in flight; asked again, stop at once."""
        self.interrupts += 1
        if self.interrupts > 1:
            for worker in self.workers:
                worker.cancel()
            return
        self.stopped = INTERRUPTED
        tqdm.write(f"interrupted: ending the {self.busy} in flight; Ctrl-C again to drop them", file=sys.stderr)


async def _finish(workers: "list[asyncio.Task[None]]") -> None:
    """Wait for all workers; the first error among them cancels the others and is raised."""
    try:
        done, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    for worker in done:
        if not worker.cancelled() and (error := worker.exception()) is not None:
            raise error


@contextlib.contextmanager
def _interrupts(handle: Callable[[], None]) -> Iterator[None]:
    """Call `handle` in the loop on SIGINT, at most twice; signals can be caught in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    seen = 0

    def on_signal(_: int, __: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 2:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        # Also wakes the loop where it waits for the network.
        loop.call_soon_threadsafe(handle)

    signal.signal(signal.SIGINT, on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
