"""Finds arithmetic statements in a text and recomputes them; the text is only ever read, never evaluated.

In: one turn's text. Out: its `Equation`s in reading order. A statement has an operation left of its sign of equality;
in a chain each pair of neighbours is one. No more than `WINDOW` characters beside a sign are read, which keeps time
linear in the text.
"""

import re
from typing import NamedTuple

from sentinel.fingerprint._expression import Expression, Token, Unreadable, read_expression, read_operand, tokenise
from sentinel.fingerprint._latex import flatten_latex

WINDOW = 160

_SIGNS = ("=", "≈", "≃", "＝")
_EQUALS = re.compile(r"(?<![<>!:=≤≥])[=＝≈≃]+(?![>=])")
_SPOKEN_EQUALS = re.compile(r" (?:which )?(?:equals(?: to)?|(?:is|are) equal to)\b")
# GSM8K calculator marks repeat the statement they stand in ("5 x 4 = <<5*4=20>>20"): the mark stands for both.
_MARK = re.compile(r"=?[ ]?[$]?<<([^<>\n]{1,200})>>")
_HEDGE = re.compile(r"[\s:~]*(?:(?:approximately|about|roughly|around|exactly|only|just)\b\s*)?")
_BOLD = re.compile(r"(?<![\d)])\*\*|\*\*(?![\d(])")
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?")
_BULLET = re.compile(r"^\s*[-+*–]\s")
_OPERATION = re.compile(r"\d.*[-+*/×÷−–·⋅∙(xX]|\b(?:times|of|plus|minus|by)\b")
_ENDS = ("\n", "; ", ": ", ", ", ". ", "? ", "! ")


class Equation(NamedTuple):
    """One recomputed statement: whether it holds, what it yields as printed on its right, the numbers in it."""

    right: bool
    result: float
    numbers: tuple[float, ...]


def find_equations(text: str) -> tuple[Equation, ...]:
    """Return the arithmetic statements of a text, in reading order.

    A statement is right when its two sides differ by at most half a unit of the last decimal printed on its right side:
    "10 / 3 = 3.33" is right, "10 / 3 = 3.34" wrong, "2 + 3 = 6" wrong.
    """
    if "equal" in text:
        text = _SPOKEN_EQUALS.sub(" =", text)
    if not any(sign in text for sign in (*_SIGNS, "\\approx", "\\simeq")):
        return ()
    if "<<" in text:
        text = _MARK.sub("\n\\1\n", text)
    if "\\" in text:
        text = flatten_latex(text)
    segments = _EQUALS.split(_BOLD.sub("", text) if "**" in text else text)
    equations = []
    for i in range(len(segments) - 1):
        left = _read_left(segments[i], starts_text=i == 0)
        if left is None:
            continue
        right = _read_right(segments[i + 1])
        if right is not None:
            equations.append(_compare(left, *right))
    return tuple(equations)


def read_value(text: str) -> float | None:
    """Return the value of a text that is one number or expression, units allowed ("0.25 mm", "5/6"), else None.

    As everywhere a percentage counts as it is printed: "60%" is 60.
    """
    tokens = tokenise((flatten_latex(text) if "\\" in text else text)[:WINDOW])
    try:
        expression, end = read_expression(tokens, 0)
    except Unreadable:
        return None
    return expression.printed if end == len(tokens) else None


def read_numbers(text: str) -> frozenset[float]:
    """Return the distinct numbers that a text names in digits."""
    return frozenset(float(number.replace(",", "")) for number in _NUMBER.findall(text))


def _compare(left: Expression, right: Expression, lead: Expression) -> Equation:
    """Return the statement "left = right".

    A running total holds by the number its right side starts with: in "3 + 4 = 7 + 1 = 8" each step is right.
    """
    numbers = left.numbers + right.numbers
    for side in (right, lead):
        slack = 0.5 * 10.0**-side.decimals + 1e-9 * max(1.0, abs(side.printed))
        # "9 / 12 = 75%" and "9 / 12 * 100 = 75%" are both how people write it.
        scales = (1, 100) if side.percent else (1,)
        if any(abs(left.value * scale - side.printed) <= slack for scale in scales):
            return Equation(True, side.printed, numbers)
    return Equation(False, right.printed, numbers)


def _read_left(segment: str, starts_text: bool) -> Expression | None:
    """Return the expression that ends where the segment ends, if it has an operation."""
    whole = len(segment) <= WINDOW
    piece = (segment if whole else segment[-WINDOW:]).rstrip(" \t\r\n&,$")
    cut = max([piece.rfind(end) + len(end) for end in _ENDS if end in piece], default=0)
    line_start = piece[cut - 1] == "\n" if cut else starts_text and whole
    piece = piece[cut:] if cut or whole else "^" + piece
    if not _OPERATION.search(piece):
        return None
    tokens = tokenise(_BULLET.sub("", piece) if line_start else piece)
    start = 0
    found = None
    while start < len(tokens):
        if not _may_start(tokens, start):
            start += 1
            continue
        try:
            expression, end = read_expression(tokens, start)
        except Unreadable as stop:
            start = max(stop.at, start) + 1
            continue
        found = expression if end == len(tokens) and _is_free(tokens, start) else None
        start = max(end, start + 1)
    return found if found is not None and found.operations else None


def _read_right(segment: str) -> tuple[Expression, Expression] | None:
    """Return the expression that the segment begins with, and the number that it begins with (or itself)."""
    begin = _HEDGE.match(segment)
    assert begin is not None
    piece = segment[begin.end() : begin.end() + WINDOW].lstrip("& \t\r\n")
    cut = min([piece.find(end) for end in _ENDS if end in piece], default=len(piece))
    tokens = tokenise(piece[:cut] if cut < WINDOW else piece[:cut] + "^")
    try:
        expression, _ = read_expression(tokens, 0)
    except Unreadable:
        return None
    lead = read_operand(tokens)
    return expression, expression if lead.operations else lead


def _may_start(tokens: list[Token], at: int) -> bool:
    token = tokens[at]
    if token.kind in ("number", "open"):
        return True
    if token.text not in "-−–" or at + 1 == len(tokens) or not token.attached_next:
        return False
    before = tokens[at - 1] if at else None
    return before is None or (before.kind in ("word", "soft") and not before.attached_next)


def _is_free(tokens: list[Token], at: int) -> bool:
    """Return whether nothing before the expression belongs to it: no operator, number, power or function name."""
    if at == 0:
        return True
    before = tokens[at - 1]
    if before.kind in ("operator", "bad", "number", "percent"):
        return False
    return not (before.attached_next and before.kind in ("word", "close"))
