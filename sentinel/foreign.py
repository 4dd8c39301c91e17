"""What every reader of foreign files needs: short words for its messages, and JSON objects that lose no key."""

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60
_SHOWN = 12


def show(value: object) -> str:
    """Return the repr of a value, shortened for a message."""
    return _SHORT.repr(value)


def list_names(names: Iterable[object]) -> str:
    """Return names with commas between, the first dozen of many."""
    listed = [str(name) for name in names]
    return (", ".join(listed[:_SHOWN]) + (", ..." if len(listed) > _SHOWN else "")) or "nothing"


def near_names(name: str, names: Iterable[str], cutoff: float = 0.5) -> str:
    """Return "; near: a, b" for the names most like `name`, or "" where none is alike."""
    near = get_close_matches(name, sorted(names), n=3, cutoff=cutoff)
    return f"; near: {', '.join(near)}" if near else ""


def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, as json's `object_pairs_hook`; raises ValueError for a key that occurs twice."""
    read = dict(pairs)
    if len(read) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {show(twice)} occurs twice in one object, so one of its values would be lost")
    return read
