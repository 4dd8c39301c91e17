"""Who may spend what is left of a run's budget: items begun first are finished first.

In: the bounds, the tally, and the items under way with the calls each may take. A call of an item waits while the rest
of the budget is spoken for by older items; so a run that ends at a bound leaves finished items, not many begun ones.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field

from sentinel.errors import BudgetReached
from sentinel.llm._request import Completion
from sentinel.llm._tally import Tally
from sentinel.settings import LlmSettings

# How many times its calls so far an item may come to cost, until one has been finished: requests grow from round to
# round, and some replies are asked for again.
_CAUTION = 3.0


_USED: dict[str, Callable[[Tally], float]] = {
    "max_calls": lambda tally: tally.live_calls + tally.failures + tally.in_flight,
    "max_tokens": lambda tally: tally.tokens,
    "max_cost_usd": lambda tally: round(tally.known_cost, 6),
}


class _BoundReached(BudgetReached):
    """Says what is used by the time it is read: calls in flight still end after it was raised."""

    def __init__(self, name: str, bound: float, tally: Tally) -> None:
        super().__init__(name, bound, tally)
        self._name, self._bound, self._tally = name, bound, tally

    def __str__(self) -> str:
        used = f"{_USED[self._name](self._tally)} used in this run"
        if self._name == "max_calls" and self._tally.failures:
            used += f", {self._tally.failures} of them failed"
        return f"llm.{self._name}={self._bound}: reached ({used}); raise it and run the same command again"


@dataclass(eq=False, slots=True)
class _Item:
    """Something that takes about `expected` calls, of which `begun` have begun; or several such things."""

    expected: int = 0
    begun: int = 0
    tally: Tally = field(default_factory=Tally)

    def left(self, growth: float) -> float:
        """How many further calls it may take, where items take `growth` times the calls expected."""
        return max(0.0, growth * self.expected - self.begun)


# A call knows its item by the task it is made in; what lies between need not pass it on.
_item: ContextVar[_Item | None] = ContextVar("item", default=None)


class Budget:
    """The bounds of one run."""

    def __init__(self, settings: LlmSettings, tally: Tally) -> None:
        self._settings = settings
        self._tally = tally
        self._open: list[_Item] = []
        self._ended = _Item()
        self._changed = asyncio.Event()

    @contextlib.contextmanager
    def item(self, calls: int) -> Iterator[None]:
        """Take the calls made in here, and in tasks created in here, for those of one item."""
        item = _Item(calls)
        self._open.append(item)
        token = _item.set(item)
        try:
            yield
            self._ended.expected += item.expected
            self._ended.begun += item.begun
            self._ended.tally.add(item.tally)
        finally:
            _item.reset(token)
            self._open.remove(item)
            self.wake()

    def begin(self) -> None:
        """Count a call of the item as begun, or as answered from the cache."""
        if (item := _item.get()) is not None:
            item.begun += 1

    def count(self, completion: Completion) -> None:
        """Take in a reply to a call of the item."""
        if (item := _item.get()) is not None:
            item.tally.count(completion)

    def wake(self) -> None:
        """Have those that wait look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Wait until a call or an item has ended."""
        await self._changed.wait()

    def check(self) -> None:
        """Raise BudgetReached if no further call may start; of those in flight only the number is known yet."""
        for name, bound, used in self._bounds():
            if used >= bound:
                raise _BoundReached(name, bound, self._tally)

    def is_spoken_for(self) -> bool:
        """Whether older items need what is left; never so for the oldest, which keeps the run going."""
        item = _item.get()
        bounds = self._bounds()
        if not bounds or item is None or item is self._open[0]:
            return False
        # Of what is finished it is known what it took; replies from the cache say nothing of that.
        known = self._ended.tally if self._ended.tally.live_calls else self._tally
        growth = self._ended.begun / self._ended.expected if known is self._ended.tally else _CAUTION
        older = self._open[: self._open.index(item)]
        needed = sum(other.left(growth) for other in older) + max(item.left(growth), 1.0)
        for name, bound, used in bounds:
            if name == "max_calls":
                price, pending = 1.0, 0
            elif known.live_calls:
                price = (known.tokens if name == "max_tokens" else known.known_cost) / known.live_calls
                pending = self._tally.in_flight
            else:
                return True
            if used + price * (pending + needed) > bound:
                return True
        return False

    def _bounds(self) -> list[tuple[str, float, float]]:
        """Return name and value of each bound that is set, and what is used of it."""
        bounds = ((name, getattr(self._settings, name)) for name in _USED)
        return [(name, bound, _USED[name](self._tally)) for name, bound in bounds if bound is not None]
