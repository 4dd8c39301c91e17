"""The field paths of `dataset.fields`: where a value stands inside a record.

`a.b` goes into objects, `[0]` and `[-1]` into lists, `[*]` into every item (the result is a list); `"a.b"` names a key
with dots; a final `?` allows the value to be absent.
"""

import re
from typing import Any

from sentinel.dataset._row import Row
from sentinel.errors import DatasetError
from sentinel.foreign import near_names, show

_STEP = re.compile(r'\[(?P<index>-?\d+)\]|\[(?P<every>\*)\]|"(?P<quoted>[^"]+)"|(?P<name>[^.\[\]"?]+)')
_Path = tuple[tuple[str | int | None, ...], bool]


def parse_path(text: str, where: str) -> _Path:
    """Return the steps of a path (None for every item) and whether the value may be absent."""
    rest = text.strip()
    optional = rest.endswith("?")
    rest = rest.removesuffix("?")
    steps: list[str | int | None] = []
    while rest:
        match = _STEP.match(rest)
        if match is None:
            break
        if match["index"]:
            steps.append(int(match["index"]))
        else:
            steps.append(None if match["every"] else match["quoted"] or match["name"].strip())
        rest = rest[match.end() :]
        if len(rest) > 1 and rest[0] == "." and rest[1] != "[":
            rest = rest[1:]
        elif rest and rest[0] != "[":
            break
    if rest or not steps:
        raise DatasetError(f"{where}={text}: not a field path{f' at {rest!r}' if rest else ''}; e.g. answers[0].text")
    return tuple(steps), optional


def resolve(path: _Path, row: Row) -> Any:
    """Return what a path leads to in a row, None where that is absent and may be."""
    steps, optional = path
    values: list[Any] = [row.data]
    for step in steps:
        values = [item for value in values for item in _enter(value, step, row, optional)]
    return values if None in steps else values[0] if values else None


def _enter(value: Any, step: str | int | None, row: Row, optional: bool) -> list[Any]:
    if step is None and isinstance(value, list):
        return value
    if isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value):
        return [value[step]]
    if isinstance(step, str) and isinstance(value, dict) and step in value:
        return [value[step]]
    if optional:
        return []
    if isinstance(step, str) and isinstance(value, dict):
        names = [str(name) for name in value]
        raise row.error(f"no field {step!r}{near_names(step, names)}; have: {', '.join(names[:12]) or 'nothing'}")
    raise row.error(f"{show(value)} has no {'items' if step is None else show(step)}")
