"""Equations: six features of whose arithmetic holds, beyond the paper's 22.

Each is the mean over the turns that gave the candidate's answer minus the mean over the turns that gave the majority's,
in any round and by any agent: what counts is the answer a turn gave, for agents change sides. Turns without an equation
are left out; NaN where one side has none. In the examples the candidate's turn reads "2 + 3 = 5, 5 x 4 = 20" and
answers 20, the majority's reads "2 + 3 = 6" and answers 6; the question names 2, 3, 4 and 9.
"""

from sentinel.fingerprint._context import CandidateContext, mean


def equation_count(context: CandidateContext) -> float:
    """Return the difference in equations a turn; high = the candidate's side calculates more. Example: 2 - 1 = 1."""
    return _difference(context, "statements")


def equation_wrong_count(context: CandidateContext) -> float:
    """Return the difference in wrong equations a turn; low = M miscalculates. Example: 0 - 1 = -1."""
    return _difference(context, "wrong")


def equation_wrong_share(context: CandidateContext) -> float:
    """Return the difference in the share of wrong equations; -1 .. 1, low = M miscalculates. Example: 0 - 1 = -1."""
    return _difference(context, "wrong_share")


def equation_yields_answer(context: CandidateContext) -> float:
    """Return the difference in turns of which a right equation yields the stated answer; -1 .. 1. Example: 1 - 0."""
    return _difference(context, "yields_answer")


def equation_last_yields_answer(context: CandidateContext) -> float:
    """Return the difference in turns whose last equation is right and yields the answer; -1 .. 1. Example: 1 - 0."""
    return _difference(context, "last_yields_answer")


def equation_numbers_used(context: CandidateContext) -> float:
    """Return the difference in the share of the question's numbers that equations use; -1 .. 1. Example: 3/4 - 1/2."""
    return _difference(context, "numbers_used")


EQUATIONS = (
    equation_count,
    equation_wrong_count,
    equation_wrong_share,
    equation_yields_answer,
    equation_last_yields_answer,
    equation_numbers_used,
)


def _difference(context: CandidateContext, measure: str) -> float:
    candidate, majority = (
        mean(getattr(turn, measure) for turn in context.shared.arithmetic.get(answer, ()))
        for answer in (context.candidate.answer, context.candidate.majority_answer)
    )
    return candidate - majority
