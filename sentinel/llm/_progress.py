"""How far a run is: a bar on a terminal; elsewhere a line now and then, for runs that go on for days into a file."""

import sys
import time
from types import TracebackType
from typing import Never, Self

from tqdm import tqdm

from sentinel.llm._tally import Tally

_LINE_SECONDS = 60.0


class Progress:
    """Counts on standard error what is finished; `tally` is what it shows beside the count."""

    def __init__(self, unit: str, total: int | None) -> None:
        self.tally: Tally | None = None
        self._unit = unit
        self._total = total
        self._finished = 0
        self._started = self._lined = time.monotonic()
        # disable=None: only where standard error is a terminal.
        self._bar: tqdm[Never] = tqdm(total=total, unit=f" {unit}", file=sys.stderr, disable=None, dynamic_ncols=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()

    def advance(self) -> None:
        """Count one more as finished."""
        self._finished += 1
        self.show()
        self._bar.update()

    def show(self) -> None:
        """Bring the figures up to date."""
        if self.tally is None:
            return
        now = time.monotonic()
        if not self._bar.disable:
            self._bar.set_postfix_str(describe_tally(self.tally, now - self._started), refresh=False)
        elif now - self._lined >= _LINE_SECONDS:
            self._lined = now
            of = "" if self._total is None else f" of {self._total}"
            figures = describe_tally(self.tally, now - self._started)
            print(f"{self._finished}{of} {self._unit}: {figures}", file=sys.stderr, flush=True)


def describe_tally(tally: Tally, seconds: float) -> str:
    """Return the figures in one line; a cost that is not known for every call is "unknown"."""
    cost = "unknown" if tally.live_cost is None else f"${tally.live_cost:.4f}"
    return (
        f"{tally.live_calls / max(seconds, 1e-9):.1f} calls/s, {tally.tokens} tokens, cost {cost}, "
        f"{tally.failures} failed, {tally.cached_calls} cached"
    )
