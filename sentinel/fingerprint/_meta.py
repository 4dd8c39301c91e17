"""Voting metadata: four features of what the votes looked like. Examples are written as in `_dynamics`."""

from sentinel.fingerprint._context import CandidateContext


def vote_margin(context: CandidateContext) -> float:
    """Return |M| - |m|; 1 .. K - 2, below that only for answers given up on the way, high = a clear majority.

    Example: final "AABAC" and candidate B: 3 - 1 = 2.
    """
    return float(len(context.majority) - len(context.minority))


def num_unique_answers_r0(context: CandidateContext) -> float:
    """Return the number of distinct parsed answers in round 0; 0 .. K, high = no common first guess.

    Example: "AB-C AABA" has 3.
    """
    return float(len(set(context.shared.grid[0]) - {None}))


def num_unique_answers_final(context: CandidateContext) -> float:
    """Return the number of distinct parsed final answers; 1 .. K, high = split to the end.

    Example: "AB-C AABA" has 2.
    """
    return float(len(set(context.shared.grid[-1]) - {None}))


def answers_changed(context: CandidateContext) -> float:
    """Return the number of agents whose answer in round 0 differs from their final one, both parsed; 0 .. K.

    Example: "AB-C AABA" has 2: agents 1 and 3; agent 2 does not count.
    """
    first, last = context.shared.grid[0], context.shared.grid[-1]
    return float(sum(a is not None and b is not None and a != b for a, b in zip(first, last, strict=True)))


META = (vote_margin, num_unique_answers_r0, num_unique_answers_final, answers_changed)
