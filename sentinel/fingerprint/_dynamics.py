"""Debate dynamics: ten features of how the agents argued.

In the examples a debate is written by rounds, one letter for each agent's answer, "-" where none parsed: "ABA AAB" has
three agents and one debate round. M is the majority's camp, m the candidate's, both by final answers; R debate rounds.
"""

import math

from sentinel.fingerprint._context import CandidateContext


def total_stance_changes(context: CandidateContext) -> float:
    """Return how often any agent's answer differs from its last parsed one; 0 .. K R, high = restless.

    Example: "ABA A-B AAB" has 2: agent 2 changes in round 1, agent 1 (B, unparsed, A) in round 2.
    """
    return float(sum(map(sum, context.shared.changes)))


def majority_convert_ratio(context: CandidateContext) -> float:
    """Return the share of M that gave the candidate's answer in round 0; 0 .. 1, high = M was won over from m.

    Example: "BBA ABA" has M = {0, 2} and candidate B: 1/2. NaN where M is empty.
    """
    first = context.shared.grid[0]
    held = [first[k] == context.candidate.answer for k in context.majority]
    return sum(held) / len(held) if held else math.nan


def minority_persistence(context: CandidateContext) -> float:
    """Return 1 if every agent of m gave the candidate's answer in every round, else 0; an unparsed turn breaks it.

    Example: for candidate B, "ABA ABA" has 1, "AAA ABA" and "AB- A-A ABA" have 0.
    """
    answer = context.candidate.answer
    return float(all(row[k] == answer for row in context.shared.grid for k in context.minority))


def minority_new_info_ratio(context: CandidateContext) -> float:
    """Return the share of debate rounds in which some agent of m wrote something new; 0 .. 1, high = m keeps arguing.

    A turn is new when at least `novelty_cut` of its content trigrams stand in no earlier round nor in the question.
    Example: R = 2, m repeats itself in round 1 and brings a new argument in round 2: 1/2. NaN where m has no text.
    """
    return _new_info_ratio(context, context.minority)


def majority_new_info_ratio(context: CandidateContext) -> float:
    """Return the share of debate rounds in which some agent of M wrote something new; 0 .. 1, low = an echo.

    Example: R = 2, one of the two in M is new in round 1, none in round 2: 1/2. NaN where M has no text.
    """
    return _new_info_ratio(context, context.majority)


def majority_agreement_count(context: CandidateContext) -> float:
    """Return the endorsements that agents of M received, from anybody; 0 .. |M| (K - 1) R, high = M is agreed with.

    Example: "ABA ABA" without texts, M = {0, 2}: each of the two repeats the other's answer, 2. NaN where unreadable.
    """
    return _agreement_count(context, context.majority)


def minority_agreement_count(context: CandidateContext) -> float:
    """Return the endorsements that agents of m received, from anybody; 0 .. |m| (K - 1) R, high = m is taken seriously.

    Example: "ABA ABA", agent 0 writes "I agree with Agent B": 1. NaN where unreadable.
    """
    return _agreement_count(context, context.minority)


def agreement_diff(context: CandidateContext) -> float:
    """Return majority_agreement_count - minority_agreement_count; high = endorsement goes to M.

    Example: "ABA ABA", agent 0 writes "I agree with Agent B", the rest is silent: M has 1 (agent 2 repeats agent 0's
    answer), m has 1, the difference is 0.
    """
    return majority_agreement_count(context) - minority_agreement_count(context)


def explicit_changes_majority(context: CandidateContext) -> float:
    """Return the changes that agents of M declared, by answers where a turn declares nothing; 0 .. |M| R.

    Example: "BBA ABA" has 1 by answers (agent 0); if agent 0 declares "no change", 0.
    """
    return _explicit_changes(context, context.majority)


def explicit_changes_minority(context: CandidateContext) -> float:
    """Return the changes that agents of m declared, by answers where a turn declares nothing; 0 .. |m| R.

    Example: "AAA ABA" has 1 by answers (agent 1).
    """
    return _explicit_changes(context, context.minority)


DYNAMICS = (
    total_stance_changes,
    majority_convert_ratio,
    minority_persistence,
    minority_new_info_ratio,
    majority_new_info_ratio,
    majority_agreement_count,
    minority_agreement_count,
    agreement_diff,
    explicit_changes_majority,
    explicit_changes_minority,
)


def _new_info_ratio(context: CandidateContext, camp: tuple[int, ...]) -> float:
    cut = context.shared.settings.novelty_cut
    rounds = [[row[k] for k in camp] for row in context.shared.novelty[1:]]
    if all(math.isnan(share) for row in rounds for share in row):
        return math.nan
    return sum(any(share >= cut for share in row) for row in rounds) / len(rounds)


def _agreement_count(context: CandidateContext, camp: tuple[int, ...]) -> float:
    received = context.shared.endorsements
    return math.nan if received is None else float(sum(received[k] for k in camp))


def _explicit_changes(context: CandidateContext, camp: tuple[int, ...]) -> float:
    total = 0
    for turns, changes in zip(context.shared.turns[1:], context.shared.changes[1:], strict=True):
        for k in camp:
            turn = turns[k]
            declared = turn.stance_change if turn else None
            total += changes[k] if declared is None else declared
    return float(total)
