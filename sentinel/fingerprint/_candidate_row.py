"""One debate's candidates as rows: who stands against the majority, who was right, and every feature's value."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from sentinel.audit import lexical_audit
from sentinel.fingerprint._context import CandidateContext, DebateContext
from sentinel.fingerprint._feature import FUNCTIONS
from sentinel.records import Audit, Debate
from sentinel.settings import DecisionSettings, FeatureGroup, FingerprintSettings
from sentinel.vote import Candidate, CandidateMode, Vote, label_candidate, list_candidates, take_vote

Audits = Mapping[tuple[str, str], Audit]

CANDIDATE_COLUMNS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "domain": pl.String(),
    "dataset": pl.String(),
    "source": pl.String(),
    "question_key": pl.String(),
    "candidate": pl.String(),
    "majority_answer": pl.String(),
    "origin": pl.String(),
    "size": pl.Int64(),
    "first_speaker": pl.Int64(),
    "agents": pl.Int64(),
    "weight": pl.Float64(),
    "label": pl.String(),
}


def list_groups(equations: bool) -> tuple[FeatureGroup, ...]:
    """Return the groups that are computed; equations cost time and are left out where nobody asks for them."""
    return tuple(group for group in FUNCTIONS if equations or group is not FeatureGroup.equations)


def fingerprint_debate(
    debate: Debate,
    audits: Audits,
    fingerprint: FingerprintSettings,
    decision: DecisionSettings,
    *,
    equations: bool,
    seed: int,
    lexical: bool,
) -> list[dict[str, Any]]:
    """Return one row for each candidate of a debate, with the columns of `Fingerprints.candidates`; none without one.

    `audits` is keyed by (debate id, candidate); `lexical` audits by text rules and leaves them aside. `seed` matters to
    the seeded tie-break only.
    """
    vote = take_vote(debate, decision.tie_break, decision.fallback, seed)
    return list_rows(debate, vote, audits, fingerprint, equations=equations, lexical=lexical)


def list_rows(
    debate: Debate, vote: Vote, audits: Audits, fingerprint: FingerprintSettings, *, equations: bool, lexical: bool
) -> list[dict[str, Any]]:
    """Return the rows of a debate whose vote has been taken."""
    # Unanimous debates are the many; only their given-up answers could be candidates.
    if not vote.divergent and fingerprint.candidates is CandidateMode.final_split:
        return []
    shared = DebateContext(debate, fingerprint)
    candidates = list_candidates(shared.grid, vote, fingerprint.candidates)
    functions = [function for group in list_groups(equations) for function in FUNCTIONS[group]]
    rows = []
    for candidate in candidates:
        audit = lexical_audit(debate, candidate) if lexical else audits.get((debate.id, candidate.answer))
        context = CandidateContext(shared, candidate, audit)
        row = _describe(debate, candidate, 1 / len(candidates))
        row |= {function.__name__: function(context) for function in functions}
        rows.append(row)
    return rows


def _describe(debate: Debate, candidate: Candidate, weight: float) -> dict[str, Any]:
    label = label_candidate(candidate, debate.gold)
    return {
        "id": debate.id,
        "domain": debate.domain,
        "dataset": debate.dataset,
        "source": debate.source,
        "question_key": debate.question_key,
        "candidate": candidate.answer,
        "majority_answer": candidate.majority_answer,
        "origin": candidate.origin.value,
        "size": len(candidate.holders),
        "first_speaker": candidate.holders[0],
        "agents": len(debate.agents),
        "weight": weight,
        "label": label.value if label else None,
    }
