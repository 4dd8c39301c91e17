"""Recomputes the plain arithmetic statements of a text, such as "12 x 4 = 48". The text is read, never evaluated."""

import re

_NUMBER = r"\$?\d+(?:,\d{3})*(?:\.\d+)?"
# At most nine operands, so that a text of nothing but sums is read in linear time.
_STATEMENT = re.compile(rf"(?<![\w.,^)]){_NUMBER}(?:\s*[-+*/x×÷]\s*{_NUMBER}){{1,8}}\s*=\s*{_NUMBER}(?![\w^%]|[.,]\d)")
_PART = re.compile(rf"{_NUMBER}|[-+*/x×÷=]")
_OPERATORS = frozenset("+-*/x×÷^(")


def check_sums(text: str) -> list[bool]:
    """Return for each plain statement of a lower-case text whether it is right, to half a unit of its last decimal.

    What may be a part of something longer (after a bracket or an operator, before one) is left out, not judged.
    """
    verdicts = []
    for found in _STATEMENT.finditer(text):
        before = text[max(0, found.start() - 8) : found.start()].rstrip()[-1:]
        after = text[found.end() : found.end() + 8].lstrip()[:1]
        if before in _OPERATORS or after in _OPERATORS:
            continue
        parts = _PART.findall(found.group())
        value = _compute(parts[:-2])
        if value is not None:
            decimals = len(parts[-1].partition(".")[2])
            verdicts.append(abs(value - _to_float(parts[-1])) <= 0.5 * 10.0**-decimals + 1e-9)
    return verdicts


def _to_float(number: str) -> float:
    return float(number.lstrip("$").replace(",", ""))


def _compute(parts: list[str]) -> float | None:
    """Return the value of number, operator, number, ...: products first; None for a division by zero."""
    terms = [_to_float(parts[0])]
    for operator, number in zip(parts[1::2], parts[2::2], strict=True):
        value = _to_float(number)
        if operator in "+-":
            terms.append(value if operator == "+" else -value)
        elif operator in "*x×":
            terms[-1] *= value
        elif value == 0:
            return None
        else:
            terms[-1] /= value
    return sum(terms)
