"""How many calls may be in flight to one server: fewer after it turned calls away, as many as before once it is well.

The limit is halved when more than a tenth of the latest calls were turned away. If most still are and none succeeds,
calls stop but for one probe at a time, at growing intervals. After a success the limit doubles every half second up to
half of what it was when the trouble began, and every four seconds from there; in time, not calls, for slow models.
"""

import asyncio
import contextlib
import logging
import math
import random
from collections import deque
from collections.abc import AsyncIterator

log = logging.getLogger(__name__)

_TOLERATED = 0.1
_LEAST_REFUSALS = 3
_MOST = 0.5
_FAST_DOUBLING = 0.5
_SLOW_DOUBLING = 4.0
# Bounds how long a server that is well again may go unnoticed.
_LONGEST_PROBE_WAIT = 4.0
_TICK = 0.05
_SECONDS_BETWEEN_LINES = 60.0


class Lane:
    """The calls to one server; `cap` bounds those in flight.

    `backoff` is the first wait in seconds, `longest` the longest Retry-After that is obeyed in full.
    """

    def __init__(self, name: str, cap: int, backoff: float, longest: float) -> None:
        self.name = name
        self.cap = cap
        self._first_wait = min(backoff, _LONGEST_PROBE_WAIT)
        self._longest = longest
        self._active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._limit = float(cap)
        self._knee = float(cap)
        self._grows_since: float | None = 0.0
        self._cuts_in_a_row = 0
        self._cut_at = self._logged_at = -math.inf
        self._opens_at = -math.inf
        # Both are counted from the last cut on, and fade.
        self._begun = 0.0
        self._refusals = 0.0
        # Without jitter every process that shares a key would come back at the same moment.
        self._random = random.Random(name)

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[float]:
        """Wait for a place in flight and hold it; yields the time at which it was taken."""
        await self._enter()
        self._begun += 1
        if self._begun > 2 * self.cap:
            self._begun /= 2
            self._refusals /= 2
        try:
            yield _now()
        finally:
            self._active -= 1
            self._admit()

    def report_success(self, began: float) -> None:
        """Take note that a call begun at that time was answered."""
        if self._grows_since is None and began > self._cut_at:
            self._grows_since = _now()
            self._cuts_in_a_row = 0
            self._opens_at = -math.inf

    def report_refusal(self, began: float, retry_after: float | None) -> float:
        """Take note that a call begun at that time was turned away; return the seconds it should wait by itself."""
        wait = self._first_wait * 2 ** min(self._cuts_in_a_row, 16)
        wait = min(wait, _LONGEST_PROBE_WAIT) * self._random.uniform(0.75, 1.25)
        if retry_after is not None:
            wait = min(retry_after, self._longest) * self._random.uniform(1.0, 1.05)
        if began > self._cut_at:
            self._refusals += 1
            # Calls still in flight speak for the server: refusals come back sooner than replies.
            share = self._refusals / self._begun
            in_trouble = self._grows_since is None
            if share > _MOST if in_trouble else self._refusals >= _LEAST_REFUSALS and share > _TOLERATED:
                self._cut(in_trouble)
        # Behind a closed gate there is no need to wait apart, except as the server asked.
        if self._grows_since is None:
            if self._cuts_in_a_row > 1 or retry_after is not None:
                self._opens_at = max(self._opens_at, _now() + wait)
        return 0.0 if _now() < self._opens_at and retry_after is None else wait

    @property
    def limit(self) -> float:
        """How many calls may be in flight now."""
        if self._grows_since is None:
            return self._limit
        elapsed = _now() - self._grows_since
        fast = _FAST_DOUBLING * max(0.0, math.log2(self._knee / self._limit))
        doublings = (
            elapsed / _FAST_DOUBLING if elapsed < fast else fast / _FAST_DOUBLING + (elapsed - fast) / _SLOW_DOUBLING
        )
        return min(float(self.cap), self._limit * 2 ** min(doublings, 32.0))

    def _cut(self, in_trouble: bool) -> None:
        before = self.limit
        if in_trouble:
            self._limit = 1.0
        else:
            self._limit = self._knee = max(1.0, before / 2)
        self._cuts_in_a_row += 1
        self._grows_since = None
        self._cut_at = _now()
        self._begun = self._refusals = 0.0
        if self._cut_at >= self._logged_at + _SECONDS_BETWEEN_LINES:
            self._logged_at = self._cut_at
            log.warning("%s turns calls away: %.0f instead of %.0f in flight", self.name, self._limit, before)

    async def _enter(self) -> None:
        if not self._waiting and self._is_open():
            self._active += 1
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if place.cancelled():
                with contextlib.suppress(ValueError):
                    self._waiting.remove(place)
            else:
                self._active -= 1
                self._admit()
            raise

    def _is_open(self) -> bool:
        return self._active < max(1, math.floor(self.limit)) and _now() >= self._opens_at

    def _admit(self) -> None:
        """Let in whoever may go, and look again later if somebody is left."""
        while self._waiting and self._is_open():
            place = self._waiting.popleft()
            if not place.done():
                self._active += 1
                place.set_result(None)
        if self._waiting and self._timer is None and self._active < self.cap:
            delay = max(_TICK, self._opens_at - _now())
            self._timer = asyncio.get_running_loop().call_later(delay, self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        self._admit()

    def close(self) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()


def _now() -> float:
    return asyncio.get_running_loop().time()
