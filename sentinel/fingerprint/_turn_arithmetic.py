"""What the arithmetic of one turn amounts to: how much there is, how much is wrong, whether it yields the answer."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from sentinel.fingerprint._arithmetic import Equation, read_value
from sentinel.records import AnswerType, Debate


class TurnArithmetic(NamedTuple):
    """Six numbers about one turn that has equations; NaN where the answer or the question has no number to compare."""

    statements: float
    wrong: float
    wrong_share: float
    yields_answer: float
    last_yields_answer: float
    numbers_used: float


def measure_turn(
    equations: Sequence[Equation], answer: float | None, question_numbers: frozenset[float]
) -> TurnArithmetic:
    """Return the numbers of a turn with at least one equation.

    Example: "2 + 3 = 5, 5 x 4 = 21" with the answer 5 and a question that names 2, 3 and 9: two equations, one wrong,
    share 1/2; a right one yields the answer (1), the last does not (0); two of three numbers are used (2/3).
    """
    wrong = sum(not equation.right for equation in equations)
    yields = [equation.right and answer is not None and _same(equation.result, answer) for equation in equations]
    used = question_numbers & {number for equation in equations for number in equation.numbers}
    return TurnArithmetic(
        statements=float(len(equations)),
        wrong=float(wrong),
        wrong_share=wrong / len(equations),
        yields_answer=math.nan if answer is None else float(any(yields)),
        last_yields_answer=math.nan if answer is None else float(yields[-1]),
        numbers_used=len(used) / len(question_numbers) if question_numbers else math.nan,
    )


def answer_value(debate: Debate, answer: str) -> float | None:
    """Return the number an answer states: itself, or what its option says ("B" for "0.25 mm" is 0.25); else None."""
    if debate.answer_type is AnswerType.NUMBER:
        return read_value(answer)
    if debate.answer_type is AnswerType.CHOICE and debate.choices and len(answer) == 1:
        position = ord(answer) - ord("A")
        return read_value(debate.choices[position]) if 0 <= position < len(debate.choices) else None
    return None


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
