"""Typed access to the fields of one JSON object; what does not fit is a LogError that names field and value."""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

from sentinel.errors import LogError
from sentinel.foreign import near_names, show

_Member = TypeVar("_Member", bound=StrEnum)

Data = Mapping[str, Any]


def printable(text: str, width: int = 300) -> str:
    """Return foreign text safe for a terminal: one line, no control characters, cut to a width."""
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in " ".join(text.split()))
    return line if len(line) <= width else f"{line[: width - 1]}…"


def legible(name: str) -> str:
    """Return a name as it is, but in quotes and escaped where blanks or control characters would hide in it."""
    odd = any(part != " ".join(part.split()) or not part.isprintable() for part in name.split("/"))
    return repr(name) if odd else name


def count_of(number: int, noun: str) -> str:
    """Return "1 line", "2 lines"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def misfit(key: str, value: object, expected: str) -> LogError:
    """Return the error for a field whose value is not what is expected."""
    return LogError(f"{key}={show(value)}: expected {expected}")


def _missing(data: Data, key: str) -> LogError:
    near = near_names(key, data.keys() - {key}, cutoff=0.75)
    return LogError(f"{key} is {'null' if key in data else 'missing'}{near}")


def is_missing(value: object) -> bool:
    """Return whether a value is null or NaN, which data frames write for null."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def take_text(data: Data, key: str) -> str | None:
    """Return a string or None."""
    value = data.get(key)
    if value is None or type(value) is str:
        return value
    if is_missing(value):
        return None
    raise misfit(key, value, "a string or null")


def need_text(data: Data, key: str) -> str:
    """Return a string that must be there and not be blank; an integer (ids often are) becomes its digits."""
    value = data.get(key)
    if type(value) is int:
        return str(value)
    if type(value) is str and value.strip():
        return value
    if is_missing(value):
        raise _missing(data, key)
    raise misfit(key, value, "a string that is not blank")


def take_number(data: Data, key: str, low: float = -math.inf, high: float = math.inf) -> float | None:
    """Return a finite number within [low, high], or None where it is null or NaN."""
    value = data.get(key)
    if value is None or is_missing(value):
        return None
    if isinstance(value, int | float):
        # An integer too large for a float counts as out of range.
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number) and low <= number <= high:
            return number
    limits = f" between {low:g} and {high:g}" if math.isfinite(low) and math.isfinite(high) else ""
    limits = limits or (f" of at least {low:g}" if math.isfinite(low) else "")
    raise misfit(key, value, f"a finite number{limits}")


def take_flag(data: Data, key: str) -> bool | None:
    """Return a boolean (0 and 1 count as one) or None."""
    value = data.get(key)
    if value is None or is_missing(value):
        return None
    if value in (0, 1) and isinstance(value, bool | int | float):
        return bool(value)
    raise misfit(key, value, "true, false or null")


def take_mapping(data: Data, key: str) -> dict[str, Any] | None:
    """Return an object or None."""
    value = data.get(key)
    if value is None or is_missing(value):
        return None
    if isinstance(value, dict):
        return value
    raise misfit(key, value, "an object or null")


def need_list(data: Data, key: str) -> list[Any]:
    """Return a list that must be there and not be empty."""
    value = data.get(key)
    if isinstance(value, list) and value:
        return value
    if is_missing(value):
        raise _missing(data, key)
    raise misfit(key, value, "a list that is not empty")


def take_member(data: Data, key: str, members: type[_Member]) -> _Member | None:
    """Return the enum member that a string names, or None."""
    value = data.get(key)
    if value is None or is_missing(value):
        return None
    try:
        return members(str(value))
    except ValueError:
        raise misfit(key, value, f"one of {', '.join(members)}") from None
