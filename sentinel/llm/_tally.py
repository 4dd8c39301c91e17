"""Counts what a run has called."""

import dataclasses
from dataclasses import dataclass

from sentinel.llm._request import Completion


@dataclass(slots=True)
class Tally:
    """What was called so far. Costs are in US dollars, those of live and of cached calls apart.

    `known_cost` leaves out the `unpriced_calls`; `tokens` are those of live calls that reported them.
    """

    live_calls: int = 0
    cached_calls: int = 0
    in_flight: int = 0
    tokens: int = 0
    known_cost: float = 0.0
    cached_cost: float = 0.0
    unpriced_calls: int = 0
    retries: int = 0
    failures: int = 0

    @property
    def calls(self) -> int:
        """Replies, live and cached."""
        return self.live_calls + self.cached_calls

    @property
    def live_cost(self) -> float | None:
        """What the live calls cost, None if that is unknown of any of them."""
        return None if self.unpriced_calls else self.known_cost

    def count(self, completion: Completion) -> None:
        """Take in a reply."""
        if completion.cached:
            self.cached_calls += 1
            self.cached_cost += completion.cost or 0.0
            return
        self.live_calls += 1
        self.tokens += sum((completion.usage or {}).get(part, 0) for part in ("prompt_tokens", "completion_tokens"))
        if completion.cost is None:
            self.unpriced_calls += 1
        else:
            self.known_cost += completion.cost

    def add(self, other: "Tally") -> None:
        """Take in all that another one has counted."""
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
