"""Reads one arithmetic expression from a list of tokens: + - * /, brackets, percent, units after a number, "3 times 4".

What cannot be part of an expression ends it; what might belong to it and cannot be read (a variable, a power, a bracket
that holds something else) makes the whole unreadable, so that no half of a formula is taken for a statement.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

UNIT_WORDS = 5

_TOKEN = re.compile(
    r"""(?P<bad>\d+(?::\d+)+ | [\^!√±⁄_<>⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺])
      | (?P<number>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)? | \d+(?:\.\d+)? | \.\d+)
      | (?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)
      | (?P<operator>[-+*/×÷−–·⋅∙])
      | (?P<open>[(\[]) | (?P<close>[)\]]) | (?P<percent>%)
      | (?P<soft>[^\s$€£])""",
    re.VERBOSE,
)
_SIGNS = {"-": "-", "−": "-", "–": "-", "+": "+", "*": "*", "×": "*", "·": "*", "⋅": "*", "∙": "*", "/": "/", "÷": "/"}
_SPOKEN = {"x": "*", "X": "*", "times": "*", "of": "*", "plus": "+", "minus": "-"}
_SPOKEN_BY = {"multiplied": "*", "divided": "/"}
_ATTACHED_UNITS = frozenset("kg mg lb lbs oz km cm mm ft ml hr hrs min mins mph kmh kcal".split())
# One letter after a space: these name a unit or go on with the sentence ("$5 a day"); any other is a variable.
_LETTERS = frozenset("aAImglhsVJNW")
_FACTORS = frozenset("hundred thousand million billion trillion dozen".split())


class Token:
    """A piece of text; `attached_next` says that the next token follows without a space."""

    __slots__ = ("attached_next", "kind", "match", "text")

    def __init__(self, kind: str, text: str, attached_next: bool) -> None:
        self.kind = kind
        self.text = text
        self.attached_next = attached_next
        self.match = -1


class Unreadable(Exception):
    """What stands at token `at` makes the expression unreadable."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Expression(NamedTuple):
    """What was read: its value, the numbers printed in it, the most decimals among them, how many operations.

    `percent` says that it is one percentage; its value is a share then.
    """

    value: float
    numbers: tuple[float, ...]
    decimals: int
    operations: int
    percent: bool

    @property
    def printed(self) -> float:
        """The value as it stands on the page: 75 for "75%"."""
        return self.value * 100 if self.percent else self.value


def tokenise(text: str) -> list[Token]:
    """Return the tokens of a short text; currency signs are dropped, and a bracket knows its partner (`match`)."""
    tokens: list[Token] = []
    opened: list[int] = []
    end = -1
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        assert kind is not None
        start = found.start()
        if tokens:
            tokens[-1].attached_next = start == end
        end = found.end()
        if kind == "open":
            opened.append(len(tokens))
        tokens.append(Token(kind, found[0], False))
        if kind == "close":
            if opened:
                partner = opened.pop()
                tokens[partner].match = len(tokens) - 1
                tokens[-1].match = partner
            else:
                tokens[-1].kind = "soft"
    for at in opened:
        tokens[at].kind = "soft"
    return tokens


def read_expression(tokens: list[Token], start: int) -> tuple[Expression, int]:
    """Return the longest expression that starts at a token, and the index after it and its units.

    Raises Unreadable where something that might belong to it cannot be read.
    """
    reader = _Reader(tokens)
    value, end = reader.sum(start)
    percent = reader.percent and not reader.operations
    return Expression(value, tuple(reader.numbers), reader.decimals, reader.operations, percent), end


def read_operand(tokens: list[Token]) -> Expression:
    """Return the first operand of an expression that starts the tokens."""
    reader = _Reader(tokens)
    value, _, percent = reader.operand(0)
    return Expression(value, tuple(reader.numbers), reader.decimals, reader.operations, percent)


@dataclass(slots=True)
class _Reader:
    tokens: list[Token]
    numbers: list[float] = field(default_factory=list)
    decimals: int = 0
    operations: int = 0
    percent: bool = False

    def sum(self, at: int) -> tuple[float, int]:
        total, at, of_percent = self.product(at)
        while True:
            sign, after = self.sign(at)
            if sign not in ("+", "-"):
                return total, at
            self.operations += 1
            value, at, percent = self.product(after)
            if percent and not of_percent:
                value *= total  # "$50 + 20%" adds a fifth of the fifty
            total = total + value if sign == "+" else total - value

    def product(self, at: int) -> tuple[float, int, bool]:
        """Return a product, the index after it, and whether it is a percentage standing alone."""
        value, at, percent = self.operand(at)
        while True:
            sign, after = self.sign(at)
            if sign not in ("*", "/"):
                return value, at, percent
            self.operations += 1
            percent = False
            factor, end, _ = self.operand(after)
            if sign == "*":
                value *= factor
            elif factor == 0:
                raise Unreadable(after)
            else:
                value /= factor
            at = end

    def operand(self, at: int) -> tuple[float, int, bool]:
        tokens = self.tokens
        if at >= len(tokens):
            raise Unreadable(at)
        token = tokens[at]
        percent = False
        if token.kind == "number":
            value = float(token.text.replace(",", ""))
            self.numbers.append(value)
            point = token.text.find(".")
            if point >= 0:
                self.decimals = max(self.decimals, len(token.text) - point - 1)
            at += 1
        elif token.kind == "open":
            value, end = self.sum(at + 1)
            if end != token.match:
                raise Unreadable(end)
            at = end + 1
        elif _SIGNS.get(token.text) == "-":
            value, at, percent = self.operand(at + 1)
            return -value, at, percent
        else:
            raise Unreadable(at)
        if at < len(tokens) and tokens[at].kind == "percent":
            value, percent, at = value / 100, True, at + 1
            self.percent = True
        return value, self.skip_units(at), percent

    def sign(self, at: int) -> tuple[str | None, int]:
        """Return the operation at a token and where its right operand starts; None where the expression ends."""
        tokens = self.tokens
        if at >= len(tokens):
            return None, at
        token = tokens[at]
        if token.kind == "operator":
            return _SIGNS[token.text], at + 1
        if token.kind == "word":
            return self.spoken(at) or (None, at)
        before = tokens[at - 1]
        if token.kind == "open":
            return ("*", at) if before.attached_next and before.kind != "word" else (None, at)
        if token.kind in ("bad", "percent") or (token.kind == "number" and before.kind != "word"):
            raise Unreadable(at)
        return None, at

    def spoken(self, at: int) -> tuple[str, int] | None:
        """Return the operation that a word stands for, and where its right operand starts, if it stands for one."""
        if at + 1 == len(self.tokens):
            return None
        word, following = self.tokens[at].text, self.tokens[at + 1]
        if word in _SPOKEN_BY:
            return (_SPOKEN_BY[word], at + 2) if following.text == "by" else None
        # "25% of 80" multiplies, "6 clusters with a total of 80" does not.
        if word not in _SPOKEN or (word == "of" and self.tokens[at - 1].kind == "word"):
            return None
        return (_SPOKEN[word], at + 1) if following.kind in ("number", "open") else None

    def check_word(self, at: int) -> None:
        """Raise Unreadable if a word is a variable ("2x", "3 y", "180/n", "2 (x + 3)") or a factor ("2 million")."""
        word, before = self.tokens[at].text, self.tokens[at - 1]
        attached = before.attached_next and before.kind in ("number", "close")
        variable = word not in _ATTACHED_UNITS if attached else len(word) == 1 and word not in _LETTERS
        if variable or word in _FACTORS:
            raise Unreadable(at)

    def skip_units(self, at: int) -> int:
        """Return the index after the words that name what was counted: "4 legs each", "$20/hour", "20 (dogs)".

        Words that neither an operation nor the end of the text follows belong to the sentence, not to the expression.
        """
        tokens = self.tokens
        first = at
        words = 0
        while at < len(tokens):
            token = tokens[at]
            if token.kind == "word":
                if self.spoken(at):
                    return at
                if at == first:
                    self.check_word(at)
                words += 1
                at += 1
            elif token.text == "/" and token.attached_next and tokens[at + 1].kind == "word":
                self.check_word(at + 1)
                at += 1
            elif token.kind == "open" and not tokens[at - 1].attached_next and tokens[at + 1].kind == "word":
                self.check_word(at + 1)
                at = token.match + 1
            else:
                break
            if words > UNIT_WORDS:
                return first
        if at < len(tokens) and tokens[at].kind in ("number", "bad", "soft") and at > first:
            return first
        return at
