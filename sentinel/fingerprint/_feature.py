"""The features by name: the paper's 22 in their order, further groups, and which of them a classifier sees."""

from collections.abc import Callable

from sentinel.fingerprint._audit import AUDIT
from sentinel.fingerprint._context import CandidateContext
from sentinel.fingerprint._dynamics import DYNAMICS
from sentinel.fingerprint._equations import EQUATIONS
from sentinel.fingerprint._meta import META
from sentinel.settings import FeatureGroup, FeatureGroupsSettings

Feature = Callable[[CandidateContext], float]

FUNCTIONS: dict[FeatureGroup, tuple[Feature, ...]] = {
    FeatureGroup.dynamics: DYNAMICS,
    FeatureGroup.meta: META,
    FeatureGroup.audit: AUDIT,
    FeatureGroup.equations: EQUATIONS,
}
FEATURE_GROUPS: dict[FeatureGroup, tuple[str, ...]] = {
    group: tuple(function.__name__ for function in functions) for group, functions in FUNCTIONS.items()
}
PAPER_GROUPS = (FeatureGroup.dynamics, FeatureGroup.meta, FeatureGroup.audit)
FEATURES: tuple[str, ...] = tuple(name for group in PAPER_GROUPS for name in FEATURE_GROUPS[group])


def select_features(settings: FeatureGroupsSettings) -> tuple[str, ...]:
    """Return the columns that the chosen groups stand for, in the canonical order whatever order they are named in."""
    chosen = {*settings.groups, *settings.extra}
    return tuple(name for group, names in FEATURE_GROUPS.items() if group in chosen for name in names)
