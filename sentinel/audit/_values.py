"""Reads the auditor's judgements from its replies: flags, scores and a count.

A value that is unclear or out of range is no judgement: it is missing, never moved to the nearest that would fit.
"""

import re
from collections.abc import Sequence

from sentinel.audit._loose_json import find_fields

FOLLOWERS = "blind_follower_count"
_SCORE = "reasoning_score"
_JUDGED = ("new_evidence", "finds_error", "logical_gap", "echo_chamber", _SCORE)
ASKED = (*(f"side_{i}_{name}" for name in _JUDGED for i in (1, 2)), FOLLOWERS)

_FLAGS = {"yes": 1.0, "true": 1.0, "y": 1.0, "no": 0.0, "false": 0.0, "n": 0.0}
# "yes/no" and "true or false" repeat the request.
_FLAG = re.compile(r"(yes|true|y|no|false|n)\b(?!\s*(?:[/|]|or\b|and\b))", re.IGNORECASE)
_WORDS = {word: float(number) for number, word in enumerate("zero one two three four five six".split())}
_NUMBER = re.compile(
    r"(?P<number>-?\d+(?:\.\d+)?|[a-z]+)(?:\s*(?:/|out of|of)\s*(?P<total>\d+))?(?P<rest>(?:[\s(:;,.!-]\D*)?)",
    re.IGNORECASE,
)


def read_values(replies: Sequence[str], most: int) -> tuple[dict[str, float], dict[str, str]]:
    """Return the values that the replies give, later ones first, and what is wrong with those they do not give.

    `most` is the largest number of blind followers there can be. Text of the replies is not repeated in what is wrong.
    """
    values: dict[str, float] = {}
    faults: dict[str, str] = {field: f"{field} is missing" for field in ASKED}
    for reply in replies:
        for field, given in find_fields(reply, ASKED).items():
            value, expected = _read(field, given, most)
            if value is not None:
                values[field] = value
                faults.pop(field, None)
            elif field not in values:
                shown = f"={given}" if isinstance(given, int | float) and abs(given) < 1e6 else ""
                faults[field] = f"{field}{shown}: expected {expected}"
    return values, faults


def _read(field: str, given: object, most: int) -> tuple[float | None, str]:
    """Return the value of a field, None if it has none, and what it should be."""
    if field == FOLLOWERS:
        return _read_count(given, most), f"a whole number from 0 to {most}"
    if field.endswith(_SCORE):
        return _read_score(given), "a number from 1 to 5"
    return _read_flag(given), "true or false"


def _read_flag(value: object) -> float | None:
    """Return 1 for true, 1 and texts that say yes, 0 for false, 0 and texts that say no."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        text = value.strip(" *_.")
        found = _FLAG.match(text)
        if found:
            return _FLAGS[found[1].lower()]
        value = text if text in ("0", "1") else None
    number = _read_number(value, None)
    return number if number in (0.0, 1.0) else None


def _read_score(value: object) -> float | None:
    """Return a score from 1 to 5; a text may give it out of five ("4/5") or in a word, on no other scale."""
    number = _read_number(value, 5)
    return number if number is not None and 1.0 <= number <= 5.0 else None


def _read_count(value: object, most: int) -> float | None:
    """Return a whole number from 0 to `most`; a text may give it out of any total."""
    number = _read_number(value, None)
    return number if number is not None and 0.0 <= number <= most and number.is_integer() else None


def _read_number(value: object, total: int | None) -> float | None:
    """Return the finite number that a value is or a text opens with, if no other number follows in it."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if not isinstance(value, str):
        # An integer too large for a float is out of every range.
        return float(value) if abs(value) < 1e9 else None
    found = _NUMBER.fullmatch(value.strip(" *_"))
    if found is None or (found["total"] and total is not None and int(found["total"]) != total):
        return None
    number = found["number"].lower()
    return float(number) if number[-1].isdigit() else _WORDS.get(number)
