"""The cuts that a selector learned, and which of them a domain uses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sentinel.errors import ThresholdError
from sentinel.settings import ThresholdScope
from sentinel.threshold._picks import BoolArray, Picks


@dataclass(frozen=True)
class Thresholds:
    """A debate flips when P > tau; None is never flip.

    `overall` holds for all domains under scope `all`, and under scope `domain` stands in for one without its own.
    """

    by_domain: Mapping[str, float | None]
    overall: float | None
    scope: ThresholdScope

    def lookup(self, domain: str) -> tuple[float | None, bool]:
        """Return the domain's tau, and whether it is a stand-in for a domain that has none of its own."""
        if self.scope is ThresholdScope.all:
            return self.overall, False
        if domain in self.by_domain:
            return self.by_domain[domain], False
        return self.overall, True

    def apply(self, picks: Picks) -> BoolArray:
        """Return which picks (n,) flip."""
        names, inverse = np.unique(picks.domain, return_inverse=True)
        taus = [self.lookup(str(name))[0] for name in names]
        cut = np.array([np.inf if tau is None else tau for tau in taus], dtype=np.float64)
        return picks.probability > cut[inverse]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form; null is never flip."""
        return {"scope": str(self.scope), "overall": self.overall, "by_domain": dict(self.by_domain)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Thresholds":
        """Read `to_dict`'s form; raises ThresholdError where it is not of that form."""
        try:
            by_domain = {str(domain): _read_tau(tau) for domain, tau in content["by_domain"].items()}
            return cls(by_domain, _read_tau(content["overall"]), ThresholdScope(content["scope"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ThresholdError(f"thresholds: not as saved ({error!r}); train again") from error


def _read_tau(value: Any) -> float | None:
    if value is None:
        return None
    tau = float(value)
    if not 0.0 <= tau <= 1.0:
        raise ValueError(f"tau {tau} is not between 0 and 1")
    return tau
