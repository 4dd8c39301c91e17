"""Fields that the format does not know, counted by record; one that looks like a slip names the field it may mean."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from sentinel.log_store._field import count_of, is_missing, legible
from sentinel.records import Agent, Audit, Ballots, Debate, Ruling, Samples, Turn

_ALIKE = 0.75
_HEAD = frozenset(("schema_version", "kind"))
_AGENT = frozenset(field.name for field in fields(Agent))
_TURN = frozenset(field.name for field in fields(Turn))
_RECORDS = {
    kind.__name__.lower(): _HEAD.union(field.name for field in fields(kind))
    for kind in (Debate, Audit, Ruling, Samples, Ballots)
}

Data = Mapping[str, Any]


class UnknownFields:
    """Looks at the objects of readable records; a null says nothing and is passed over.

    `counts` holds the number of records by field; `agents[].x` and `rounds[][].x` stand for fields of agents and turns.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._slips: Counter[tuple[str, str]] = Counter()

    def look_at(self, data: Data, kind: str) -> None:
        """Take in the object of one record."""
        found = dict.fromkeys(_find(data, _RECORDS[kind], ""))
        if kind == "debate":
            for agent in data.get("agents") or ():
                if isinstance(agent, dict) and not agent.keys() <= _AGENT:
                    found.update(dict.fromkeys(_find(agent, _AGENT, "agents[].")))
            for turns in data["rounds"]:
                for turn in turns:
                    # Hundreds of thousands of them, nearly all without.
                    if not turn.keys() <= _TURN:
                        found.update(dict.fromkeys(_find(turn, _TURN, "rounds[][].")))
        if not found:
            return
        self.counts.update(list(dict.fromkeys(name for name, _ in found)))
        self._slips.update((name, meant) for name, meant in found if meant)

    def notes(self) -> list[str]:
        """Return one note for each likely slip."""
        return [
            f"unknown field {legible(name)} in {count_of(count, 'record')}: did you mean {meant}?"
            for (name, meant), count in sorted(self._slips.items())
        ]


def _find(data: Data, known: frozenset[str], place: str) -> Iterator[tuple[str, str]]:
    """Yield the unknown fields of an object, each with the known field it may mean, or ""; one that is there is not."""
    if data.keys() <= known:
        return
    absent = [name for name in sorted(known) if is_missing(data.get(name))]
    for key, value in data.items():
        if key not in known and not is_missing(value):
            yield f"{place}{key}", _guess(key, absent)


def _guess(key: str, absent: list[str]) -> str:
    """Return the absent field that a key spells nearly, or has among its words (gold_answer), else ""."""
    near = get_close_matches(key.lower(), absent, n=1, cutoff=_ALIKE)
    return next((word for word in re.split(r"[\W_]+", key.lower()) if word in absent), near[0] if near else "")
