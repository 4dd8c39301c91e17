"""The paths of a mapping file: where a value stands inside a JSON value.

`a.b` goes into objects, `[0]` and `[-1]` into lists, `[*]` into every item (the result is then a list), `"a.b"` names a
key with dots, `.` is the value itself, `@key` the key under which the record, agent or round stands, and a final `?`
allows the value to be absent (it reads as null).
"""

import re
from dataclasses import dataclass
from typing import Any

from sentinel.errors import ImporterError
from sentinel.foreign import near_names, show
from sentinel.log_store.importer._document import Refused

KEY = "@key"
_SEGMENT = re.compile(r'\[(?P<index>-?\d+)\]|\[(?P<every>\*)\]|"(?P<quoted>[^"]*)"|(?P<name>[^.\[\]"@?][^.\[\]"?]*)')

Step = str | int | None


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A parsed path; a step is a key, an index, or None for every item."""

    text: str
    steps: tuple[Step, ...]
    keyed: bool = False
    optional: bool = False

    @property
    def spreads(self) -> bool:
        """Whether the path leads to a list of all matches."""
        return None in self.steps


def parse_path(text: object, where: str) -> FieldPath:
    """Return the path that a text spells; raises ImporterError naming the place in the mapping file."""
    if not isinstance(text, str) or not text.strip():
        raise ImporterError(f"{where}={show(text)}: expected a path such as messages[0].content")
    rest = text.strip()
    optional = rest.endswith("?")
    rest = rest.removesuffix("?")
    keyed = rest == KEY
    steps: list[Step] = []
    rest = "" if keyed or rest == "." else rest
    while rest:
        match = _SEGMENT.match(rest)
        if match is None:
            raise ImporterError(
                f"{where}={text}: not a path at {rest!r}; write keys with dots between, [n] or [*] for list items, "
                'and "quotes" around keys that hold other signs'
            )
        steps.append(_read_step(match))
        rest = rest[match.end() :]
        if rest.startswith(".") and len(rest) > 1:
            rest = rest[1:]
        elif rest and not rest.startswith("["):
            raise ImporterError(f"{where}={text}: not a path at {rest!r}; a dot stands between two keys")
    return FieldPath(text.strip(), tuple(steps), keyed, optional)


def resolve(path: FieldPath, value: Any, key: object = None) -> Any:
    """Return what a path leads to; `key` is what `@key` stands for. Raises Refused where it leads nowhere."""
    if path.keyed:
        if key is None:
            raise Refused(f"path {path.text}: there is no key, because the values stand in a list")
        return key
    found = [(value, "")]
    for step in path.steps:
        found = [item for holder, place in found for item in _enter(path, holder, place, step)]
    values = [item for item, _ in found]
    return values if path.spreads else (values[0] if values else None)


def _read_step(match: re.Match[str]) -> Step:
    if match["every"]:
        return None
    if match["index"]:
        return int(match["index"])
    return match["name"] if match["quoted"] is None else match["quoted"]


def _enter(path: FieldPath, holder: Any, place: str, step: Step) -> list[tuple[Any, str]]:
    """Return what one step leads to, with its place for messages; nothing where that is allowed."""
    here = place or "the value"
    if step is None:
        if isinstance(holder, list):
            return [(item, f"{place}[{i}]") for i, item in enumerate(holder)]
        raise Refused(f"path {path.text}: {here} is {show(holder)}, not a list")
    if isinstance(step, int):
        if isinstance(holder, list) and -len(holder) <= step < len(holder):
            return [(holder[step], f"{place}[{step}]")]
        problem = f"a list of {len(holder)}" if isinstance(holder, list) else f"{show(holder)}, not a list"
        problem = f"{here} is {problem}, so it has no [{step}]"
    elif isinstance(holder, dict):
        if step in holder:
            return [(holder[step], f"{place}.{step}" if place else step)]
        keys = [str(name) for name in holder]
        listed = ", ".join(keys[:12]) + (", ..." if len(keys) > 12 else "")
        problem = f"{here} has no {step!r}; it has: {listed or 'nothing'}{near_names(step, keys)}"
    else:
        problem = f"{here} is {show(holder)}, so it has no {step!r}"
    if path.optional and (holder is None or isinstance(holder, dict | list)):
        return [] if path.spreads else [(None, place)]
    raise Refused(f"path {path.text}: {problem}")
