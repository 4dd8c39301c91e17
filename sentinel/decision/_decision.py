"""The answer to one debate, and what it rests on."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple


class Influence(NamedTuple):
    """A feature of the candidate, its value (NaN if missing), and what it adds to the log-odds of the minority."""

    feature: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Decision:
    """The voted answer, or the minority's where the debate flips.

    `candidate` is the most probable minority answer, `probability` that it is right, `tau` the cut it must exceed
    (None: never flip), `stand_in` whether that is the cut for all domains in place of a domain's own; all empty where
    there is no candidate. `abstained` says that strict mode kept the vote because of `warnings`. `supports` and
    `opposes` are the strongest features for and against a flip, None where the classifier does not tell.
    """

    id: str
    answer: str | None
    voted: str | None
    flipped: bool
    candidate: str | None
    probability: float | None
    tau: float | None
    stand_in: bool
    abstained: bool
    state: str
    warnings: tuple[str, ...] = ()
    supports: tuple[Influence, ...] | None = None
    opposes: tuple[Influence, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: canonical answers, null for what is missing."""
        return {
            "id": self.id,
            "answer": self.answer,
            "voted": self.voted,
            "flipped": self.flipped,
            "candidate": self.candidate,
            "probability": self.probability,
            "tau": self.tau,
            "stand_in": self.stand_in,
            "abstained": self.abstained,
            "state": self.state,
            "warnings": list(self.warnings),
            "supports": _influences(self.supports),
            "opposes": _influences(self.opposes),
        }


def _influences(influences: tuple[Influence, ...] | None) -> list[dict[str, Any]] | None:
    if influences is None:
        return None
    return [item._asdict() | {"value": None if math.isnan(item.value) else item.value} for item in influences]
