"""Semantic audit: eight features of who made the stronger case, read from an `Audit`; NaN where it says nothing.

Every example is the audit (new_evidence 1, echo 0, finds_error 1, gap None, scores 4 and 2.5, followers 1).
"""

import math

from sentinel.fingerprint._context import CandidateContext


def minority_new_evidence(context: CandidateContext) -> float:
    """Return 1 if m brings evidence that M did not consider, else 0. Example: 1."""
    return _read(context, "minority_new_evidence")


def majority_echo_chamber(context: CandidateContext) -> float:
    """Return 1 if the agents of M repeat each other in place of arguing, else 0. Example: 0."""
    return _read(context, "majority_echo_chamber")


def minority_finds_error(context: CandidateContext) -> float:
    """Return 1 if m points to an error in M's reasoning, else 0. Example: 1."""
    return _read(context, "minority_finds_error")


def majority_logical_gap(context: CandidateContext) -> float:
    """Return 1 if M's reasoning lacks a step, else 0. Example: NaN, the audit gave none."""
    return _read(context, "majority_logical_gap")


def minority_reasoning_score(context: CandidateContext) -> float:
    """Return the quality of m's reasoning; 1 (poor) .. 5 (sound). Example: 4."""
    return _read(context, "minority_reasoning_score")


def majority_reasoning_score(context: CandidateContext) -> float:
    """Return the quality of M's reasoning; 1 (poor) .. 5 (sound). Example: 2.5."""
    return _read(context, "majority_reasoning_score")


def reasoning_score_diff(context: CandidateContext) -> float:
    """Return minority_reasoning_score - majority_reasoning_score; -4 .. 4, high = m argues better. Example: 1.5."""
    return minority_reasoning_score(context) - majority_reasoning_score(context)


def blind_follower_count(context: CandidateContext) -> float:
    """Return how many agents changed sides without a reason of substance; 0 .. K - 1. Example: 1."""
    return _read(context, "blind_follower_count")


AUDIT = (
    minority_new_evidence,
    majority_echo_chamber,
    minority_finds_error,
    majority_logical_gap,
    minority_reasoning_score,
    majority_reasoning_score,
    reasoning_score_diff,
    blind_follower_count,
)


def _read(context: CandidateContext, name: str) -> float:
    value = getattr(context.audit, name) if context.audit else None
    return math.nan if value is None else float(value)
