"""Turns debates into numbers: 22 features of each minority candidate in three groups, and further groups on request.

In: a `Corpus`, the fingerprint and decision settings. Out: `Fingerprints`, a table of debates and one of candidates.
A pure function of these; no model is called (sentence vectors, an extra, are computed locally).
"""

from sentinel.fingerprint._candidate_row import fingerprint_debate
from sentinel.fingerprint._corpus import fingerprint_corpus
from sentinel.fingerprint._feature import FEATURE_GROUPS, FEATURES, select_features
from sentinel.fingerprint._fingerprints import Fingerprints
from sentinel.fingerprint._notes import note_missing

__all__ = [
    "FEATURES",
    "FEATURE_GROUPS",
    "Fingerprints",
    "fingerprint_corpus",
    "fingerprint_debate",
    "note_missing",
    "select_features",
]
