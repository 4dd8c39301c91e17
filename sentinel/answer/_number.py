"""Reads numbers, exactly: a canonical number is a plain decimal, or a fraction "1/3" where no decimal is exact."""

import re
from fractions import Fraction

from sentinel.answer._mark import find_statements
from sentinel.answer._markup import strip_markup

# A longer number is no answer; the bound keeps arithmetic on hostile text cheap.
MAX_DIGITS = 100
_TAIL = 20_000
# A longer span is running text, wherever it stands.
_MAX_SPAN = 500
_MAX_LEAD = 60

_CANONICAL = re.compile(r"-?(?:0|[1-9][0-9]{0,20})(?:\.[0-9]{0,20}[1-9])?")
_NUMBER = re.compile(
    r"""(?<![\w^,])(?<!\^[-{(])(?<!\^\{-)(?<!_\{)(?<![0-9][.:/])(?<![0-9]\s/)(?<![0-9]\s/\s)
    (?:
        10\s?\^\s?[{(]?(?P<power>[+-]?[0-9]{1,4})(?![0-9])[})]?
      | (?P<digits>[0-9]{1,2}(?:,[0-9]{2}(?![0-9]))++,[0-9]{3}(?!,?[0-9])
          |[0-9]{1,3}(?:,[0-9]{3})++(?!,?[0-9])
          |[0-9]++)
        (?:
            \s{1,2}(?:and\s)?(?P<part>[0-9]{1,9})\s?/\s?(?P<parts>[0-9]{1,9})(?![0-9])
          | \s?/\s?(?P<below>[0-9]++)
          | (?P<decimals>\.[0-9]++)?+
            (?:[eE](?P<e>[+-]?[0-9]{1,4})(?!\w)
              |\s?[×x*·]\s?10\s?\^\s?[{(]?(?P<times>[+-]?[0-9]{1,4})(?![0-9])[})]?
            )?+
        )
      | (?<!\.)(?P<point>\.[0-9]++)
    )
    (?![0-9]|[.,:][0-9]|\s?\^|\s?/\s?[0-9]|[nxyzXYZ](?:\b|[0-9]))""",
    re.VERBOSE,
)
_BARE = re.compile(r"[$€£¥₹(]{0,2}\s?(-?[$€£¥₹]?[0-9.][0-9.,/ ×*·^eE{}+-]{0,60})\s?[%.$€£¥₹)]{0,2}")
_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALE = re.compile(r"[\s-]?(hundred|thousand|million|billion|trillion)s?\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_LABELLED = re.compile(
    r"\b(?:agent|step|round|solution|option|case|equation|part|question|problem|method|assistant|response)s?\s?#?$",
    re.IGNORECASE,
)
_LIST_MARKER = re.compile(r"[.)]\s+\S")
# A hyphen after a digit or bracket, with or without a space, subtracts or spans a range.
_MINUS = re.compile(
    r"(?<![\w)\]%}])(?<![0-9)\]%]\s)-[$€£¥₹]?$|[=≈(]\s?-\s$|(?<![0-9]\s)\b(?:minus|negative)\s[$€£¥₹]?$", re.IGNORECASE
)
_PARENTHESIS = re.compile(r"\([^()]*\)")
_EXPRESSION = re.compile(r"#\s?[-+*/×÷·]{1,2}\s?[#(]")
_OPERATOR = re.compile(r"\s?[-+*/×÷·]\s?[0-9(]")
_ASIDE = re.compile(r"\b(?:since|because|than|between)\b")
_OR = re.compile(r"\s(?:or|and)\s[$€£¥₹]?")
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)|\n")
# Algebra, roots and bounds: beside them, the numbers in a span are not its value.
_NOT_A_VALUE = re.compile(r"[√π^≤≥<>±]|\\[a-zA-Z]|[0-9)][nxyzXYZ]\b|[A-Za-z)]/[ (]|/[nxyzXYZ]\b|\b[xyzXYZ]\s?[-+*/]")
_EQUATIONS = re.compile(r"[a-z]\s?=[^=]*,\s?[a-z]\s?=")
_CALCULATION = re.compile(r"<<[^<>]{0,200}>>")
_SPACED = re.compile(r"-?[$€£¥₹]?[0-9]{1,3}(?: [0-9]{3})+(?:\.[0-9]+)?")

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_WORDS = {word: i for i, word in enumerate([*_UNITS, "seventeen", "eighteen", "nineteen"])}
_TENS = {
    word: 10 * i for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_NUMBER_WORDS = re.compile(r"\W*(minus |negative )?([a-z]+)(?:[- ]([a-z]+))?\W*")


def canonical_number(value: Fraction) -> str | None:
    """Return the canonical string of an exact value, or None past 100 characters."""
    above, below = value.numerator, value.denominator
    if below == 1:
        return _bounded(str(above)) if abs(above) < 10**MAX_DIGITS else None
    twos = (below & -below).bit_length() - 1
    rest = below >> twos
    fives = 0
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    places = max(twos, fives)
    if rest != 1 or places >= MAX_DIGITS:
        return _bounded(f"{above}/{below}") if rest != 1 else None
    digits = str(abs(above) * 10**places // below).rjust(places + 1, "0")
    return _bounded(("-" if above < 0 else "") + digits[:-places] + "." + digits[-places:])


def read_number(span: str) -> str | None:
    """Return the one number that `span` (folded) gives, canonical; None where it gives none or several."""
    if _CANONICAL.fullmatch(span):
        return "0" if span == "-0" else span
    if len(span) > _MAX_SPAN or "####" in span:
        return find_number(span)
    if _SPACED.fullmatch(span):
        span = span.replace(" ", "")
    for statement in find_statements(span):
        if values := _read_statement(statement):
            return values[0] if len(values) == 1 else None
    return _read_value(_plain(span))


def read_bare_number(span: str) -> str | None:
    """Return the number where folded `span` is nothing but one, with at most a currency or percent sign; else None."""
    match = _BARE.fullmatch(span.strip())
    return read_number(match[1]) if match else None


def find_number(text: str) -> str | None:
    """Return the number that running `text` (folded) answers with: after ####, after "the answer is", else the last."""
    tail = _plain(text[-_TAIL:])
    hashed = tail.rfind("####")
    if hashed >= 0 and (value := _read_value(tail[hashed + 4 :].strip().partition("\n")[0])):
        return value
    for statement in find_statements(tail):
        if values := _read_statement(statement):
            return values[0] if len(values) == 1 else None
    tail = tail.rstrip()
    # Such a text was cut within a calculation, and its last number is an operand.
    if tail.endswith(("=", "+", "*", "/", "×", "÷", "(")):
        return None
    for start in (max(0, len(tail) - 300), 0):
        for match in reversed(list(_NUMBER.finditer(tail, start))):
            if _is_quantity(tail, match) and (value := _value_of(tail, match)):
                return value
    return None


def _plain(text: str) -> str:
    return _CALCULATION.sub("", strip_markup(text))


def _read_statement(statement: str) -> list[str]:
    """Return the number that a statement begins with, two where it says "5 or 6", none where it is no plain number."""
    end = _SENTENCE_END.search(statement)
    sentence = _plain(statement[: end.start()] if end else statement)
    sentence = sentence[_last_equation(sentence) :]
    match = _NUMBER.search(sentence)
    if match is None or match.start() > _MAX_LEAD or _OPERATOR.match(sentence, match.end()):
        return []
    lead, rest = sentence[: match.start()], sentence[match.end() :]
    if _ASIDE.search(lead) or _NOT_A_VALUE.search(f"{lead} {rest[:2]}"):
        return []
    values = [_value_of(sentence, match)]
    rival = _OR.match(sentence, match.end())
    if rival and (other := _NUMBER.match(sentence, rival.end())):
        values.append(_value_of(sentence, other))
    return list(dict.fromkeys(value for value in values if value is not None))


def _read_value(span: str) -> str | None:
    if _EQUATIONS.search(span):
        return None
    span = span[_last_equation(span) :]
    if _NOT_A_VALUE.search(_NUMBER.sub(" ", span)):
        return None
    found = _distinct_values(span)
    if len(found) > 1:
        span = _PARENTHESIS.sub(" ", span)
        found = _distinct_values(span)
    if len(found) != 1:
        return None if found else _read_words(span)
    return None if _EXPRESSION.search(_NUMBER.sub("#", span)) else found.pop()


def _distinct_values(span: str) -> set[str | None]:
    return {_value_of(span, match) for match in _NUMBER.finditer(span)}


def _last_equation(span: str) -> int:
    """Return where the last equals sign with a number behind it stands, else 0."""
    at = max(span.rfind("="), span.rfind("≈"))
    return at if at >= 0 and _NUMBER.search(span, at + 1) else 0


def _is_quantity(text: str, match: re.Match[str]) -> bool:
    """Tell a quantity from an ordinal, the number of an agent or step, and the marker of a list item."""
    start, end = match.span()
    if _ORDINAL.match(text, end) or _LABELLED.search(text, max(0, start - 15), start):
        return False
    line = text[max(0, start - 8) : start].rstrip(" ")
    return not ((not line or line.endswith("\n")) and _LIST_MARKER.match(text, end))


def _value_of(text: str, match: re.Match[str]) -> str | None:
    digits, decimals, below = match["digits"], match["decimals"] or match["point"], match["below"]
    if len(match[0]) > MAX_DIGITS:
        return None
    exponent = match["power"] or match["e"] or match["times"]
    scale = _SCALE.match(text, match.end())
    sign = "-" if _is_negative(text, match.start()) else ""
    if digits and not (decimals or below or exponent or scale or match["part"]):
        plain = digits.replace(",", "").lstrip("0")
        return sign + plain if plain else "0"
    if exponent and abs(int(exponent)) > MAX_DIGITS:
        return None
    value = Fraction((digits or "0").replace(",", "")) if not match["power"] else Fraction(1)
    if decimals:
        value += Fraction(f"0{decimals}")
    divisor = below or match["parts"]
    if divisor is not None:
        if int(divisor) == 0:
            return None
        value = value / int(divisor) if below else value + Fraction(int(match["part"]), int(divisor))
    if exponent:
        value *= Fraction(10) ** int(exponent)
    if scale:
        value *= _SCALES[scale[1].lower()]
    return canonical_number(-value if sign else value)


def _is_negative(text: str, start: int) -> bool:
    return (
        text[start - 1 : start] in ("-", "$", "€", "£", "¥", "₹", " ")
        and _MINUS.search(text, max(0, start - 12), start) is not None
    )


def _read_words(span: str) -> str | None:
    match = _NUMBER_WORDS.fullmatch(span.lower()) if len(span) < 40 else None
    if match is None:
        return None
    first, second = match[2], match[3]
    if first in _TENS and (second is None or 1 <= _WORDS.get(second, 0) <= 9):
        value = _TENS[first] + _WORDS.get(second or "", 0)
    elif first in _WORDS and second is None:
        value = _WORDS[first]
    else:
        return None
    return str(-value if match[1] else value)


def _bounded(number: str) -> str | None:
    return number if len(number) <= MAX_DIGITS else None
