"""Choosing the cut: by net gain under a floor on preservation, fixed, or with a bound on the risk."""

from collections.abc import Mapping
from typing import Self

import numpy as np

from sentinel.errors import ThresholdError
from sentinel.settings import ThresholdKind, ThresholdScope, ThresholdSettings
from sentinel.threshold._picks import HARMFUL, BoolArray, FloatArray, Picks
from sentinel.threshold._sweep import grid, sweep
from sentinel.threshold._thresholds import Thresholds


class ThresholdSelector:
    """Learns `thresholds_` from picks with known outcomes; a cut for all domains is always learned too."""

    thresholds_: Thresholds

    def __init__(self, settings: ThresholdSettings) -> None:
        self.settings = settings

    def fit(self, picks: Picks, totals: Mapping[str, int]) -> Self:
        """Choose the cuts; `totals` are all debates of each domain, ties and unanswered ones included.

        A domain without a pick gets no cut of its own. Raises ThresholdError for a domain with more picks than debates.
        """
        if self.settings.kind is ThresholdKind.fixed:
            self.thresholds_ = Thresholds({}, self.settings.tau, ThresholdScope.all)
            return self
        by_domain = {}
        for domain in (str(name) for name in np.unique(picks.domain)):
            members = picks.select(picks.domain == domain)
            total = totals.get(domain, 0)
            if total < len(members):
                raise ThresholdError(f"domain {domain}: {len(members)} debates with candidates out of {total} debates")
            if self.settings.per is ThresholdScope.domain:
                by_domain[domain] = self._choose(members, total)
        self.thresholds_ = Thresholds(by_domain, self._choose(picks, sum(totals.values())), self.settings.per)
        return self

    def _choose(self, picks: Picks, total: int) -> float | None:
        if self.settings.kind is ThresholdKind.risk_controlled:
            return risk_controlled_cut(picks, self.settings)
        return best_cut(picks, total, self.settings)


def best_cut(picks: Picks, n_total: int, settings: ThresholdSettings) -> float | None:
    """Return the tau of largest net gain that preserves enough majorities, the largest among equals; None (never flip)
    unless the gain is above zero."""
    counts = sweep(picks, n_total, grid(settings))
    # Rounded, so that a cost like 0.1 cannot break a tie by the last bit.
    gain = np.round(counts.correct - settings.wrong_flip_cost * counts.wrong(settings.accounting), 9)
    allowed = counts.preservation(settings.accounting) >= settings.preservation - 1e-9
    gain = np.where(allowed, gain, 0.0)
    if gain.max() <= 0:
        return None
    return float(counts.tau[np.flatnonzero(gain == gain.max())[-1]])


def risk_controlled_cut(picks: Picks, settings: ThresholdSettings) -> float | None:
    """Return the smallest tau that Learn-then-Test accepts, None (never flip) where it accepts none.

    Risk: among questions with a right majority in some divergent debate, the share in which a flip overturns one (exact
    accounting). Such questions only, so the bound is the cautious one: majorities that nobody contests are left out.
    From the largest tau down, H: risk > alpha is rejected while P(Binomial(n, alpha) <= harmed) <= delta (fixed
    sequence, so the first that stands ends it). With confidence 1 - delta the risk is then at most alpha, given
    questions like these. Debates with a final split and without (answers given up on the way) each have a risk of their
    own, and a tau is accepted where both tests accept it, so the promise holds for each kind that has candidates; two
    tests that must both reject need no correction. Under scope `domain` the confidence holds for each domain by itself,
    not for all at once.
    """
    taus = grid(settings)
    accepted = np.ones(len(taus), dtype=np.bool_)
    for kind in (picks.given_up, ~picks.given_up):
        if kind.any():
            accepted &= _low_risk(picks.select(kind), taus, settings)
    stands = np.flatnonzero(~accepted)
    first = int(stands[-1]) + 1 if len(stands) else 0
    return float(taus[first]) if len(picks) and first < len(taus) else None


def _low_risk(picks: Picks, taus: FloatArray, settings: ThresholdSettings) -> BoolArray:
    """Return for which taus (t,) the exact binomial test rejects a risk above alpha."""
    from scipy.special import bdtr

    exposed = picks.outcome == HARMFUL
    questions, inverse = np.unique(picks.question[exposed], return_inverse=True)
    # A question is harmed as soon as its most probable harmful flip is made.
    highest = np.zeros(len(questions))
    np.maximum.at(highest, inverse, picks.probability[exposed])
    harmed = len(questions) - np.searchsorted(np.sort(highest), taus, side="right")
    return np.asarray(bdtr(harmed.astype(np.float64), len(questions), settings.alpha) <= settings.delta)
