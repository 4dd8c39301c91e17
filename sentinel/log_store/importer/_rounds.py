"""Collects the turns of a record by a mapping, and puts them into rounds in natural order, so that 10 follows 9."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sentinel.foreign import near_names, show
from sentinel.log_store.importer._document import Refused
from sentinel.log_store.importer._mapping_file import Agents, Rounds, RoundsLayout
from sentinel.log_store.importer._path import resolve

# Python refuses to read longer numbers than some thousand digits.
_NUMBER = re.compile(r"(\d{1,999})")


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as found: who, in which round, the value it stands in, and the value and key its agent stands in."""

    agent: str
    label: str
    turn: Any
    holder: Any
    key: str | None = None


def collect_turns(record: Any, rounds: Rounds, agents: Agents) -> list[Said]:
    """Return all turns of a record that pass the filter; raises Refused where one cannot be placed for certain."""
    container = resolve(rounds.path, record)
    if rounds.layout is RoundsLayout.flat:
        return _collect_flat(container, rounds)
    if rounds.layout is RoundsLayout.rounds_of_agents:
        return _collect_rounds(container, rounds, agents)
    return _collect_agents(container, rounds, agents)


def arrange_turns(
    said: Sequence[Said], rounds: Rounds, agents: Agents
) -> tuple[list[str], list[list[Said]], list[str]]:
    """Return agents, turns by round, and notes; raises Refused for gaps, doubles and rounds without an order."""
    if not said:
        raise Refused("there are no turns" + (", or where leaves out all of them" if rounds.where else ""))
    ranks, notes = rank_labels([turn.label for turn in said], rounds.order)
    table: list[list[Said]] = [[] for _ in range(max(ranks.values()) + 1)]
    for turn in said:
        row = table[ranks[turn.label]]
        if any(other.agent == turn.agent for other in row):
            raise Refused(f"round {turn.label}: {turn.agent} has two turns")
        row.append(turn)
    spoken = said if rounds.layout is RoundsLayout.agents_of_rounds else [turn for row in table for turn in row]
    names = list(dict.fromkeys(turn.agent for turn in spoken))
    if agents.names is not None:
        for name in names:
            if name not in agents.names:
                near = near_names(name, agents.names) or f"; agents.names has: {', '.join(agents.names)}"
                raise Refused(f"{name} takes part but is not in agents.names{near}")
        names = list(agents.names)
    if len(names) < 2:
        raise Refused(f"expected at least two agents, found {', '.join(names)} alone")
    for row in table:
        absent = [name for name in names if name not in {turn.agent for turn in row}]
        if absent and not rounds.missing_failed:
            raise Refused(
                f"round {row[0].label}: no turn of {', '.join(absent)}; with missing: failed in the mapping such turns "
                "count as failed"
            )
        if absent:
            notes.append("turns are missing and count as failed")
    return names, table, notes


def rank_labels(labels: Sequence[str], order: Sequence[str] | None = None) -> tuple[dict[str, int], list[str]]:
    """Return the rank of each label from 0, and notes.

    Labels may differ in their numbers only (3; round_10; r2.s1), unless `order` lists them.
    """
    different = list(dict.fromkeys(labels))
    if order is not None:
        for label in different:
            if label not in order:
                raise Refused(f"round {label!r} is not in rounds.order: {', '.join(order)}{near_names(label, order)}")
        present = [label for label in order if label in different]
        return {label: rank for rank, label in enumerate(present)}, []
    parts = {label: _NUMBER.split(label) for label in different}
    if len({tuple(split[::2]) for split in parts.values()}) > 1 or (len(parts) > 1 and len(parts[different[0]]) == 1):
        listed = ", ".join(different[:8]) + (", ..." if len(different) > 8 else "")
        raise Refused(f"rounds {listed}: the labels do not tell their order by a number; list them in rounds.order")
    numbers = {label: tuple(int(number) for number in split[1::2]) for label, split in parts.items()}
    ordered = sorted(set(numbers.values()))
    notes = []
    if ordered and len(ordered[0]) == 1 and ordered[-1][0] - ordered[0][0] != len(ordered) - 1:
        notes.append("round numbers have gaps; rounds are taken in the order of those that exist")
    return {label: ordered.index(number) for label, number in numbers.items()}, notes


def _collect_rounds(container: Any, rounds: Rounds, agents: Agents) -> list[Said]:
    said: list[Said] = []
    counts: list[int] = []
    for label, held in _items(container, "rounds.path"):
        turns = resolve(rounds.turns, held, label)
        inner = [(key, turn) for key, turn in _items(turns, "rounds.turns") if _passes(turn, rounds)]
        _check_any(inner, f"round {label}", rounds)
        named = isinstance(turns, dict)
        counts.append(0 if named or rounds.agent else len(inner))
        for place, (key, turn) in enumerate(inner):
            if rounds.agent:
                agent = _read_name(resolve(rounds.agent, turn, key if named else None))
            else:
                agent = key if named else _name_of_place(place, agents)
            said.append(Said(agent, label, turn, turn, key if named else None))
    _check_equal(counts, "the rounds hold", agents)
    return said


def _collect_agents(container: Any, rounds: Rounds, agents: Agents) -> list[Said]:
    said: list[Said] = []
    counts: list[int] = []
    named = isinstance(container, dict)
    for place, (key, held) in enumerate(_items(container, "rounds.path")):
        if agents.name:
            agent = _read_name(resolve(agents.name, held, key if named else None))
        else:
            agent = key if named else _name_of_place(place, agents)
        turns = resolve(rounds.turns, held, key if named else None)
        inner = [(label, turn) for label, turn in _items(turns, "rounds.turns") if _passes(turn, rounds)]
        _check_any(inner, agent, rounds)
        if isinstance(turns, list) and rounds.round is None:
            inner = [(str(position), turn) for position, (_, turn) in enumerate(inner)]
            counts.append(len(inner))
        elif rounds.round is not None:
            inner = [(_read_label(resolve(rounds.round, turn, label)), turn) for label, turn in inner]
        if any(agent == other.agent for other in said):
            raise Refused(f"two agents are called {agent}")
        said += [Said(agent, label, turn, held, key if named else None) for label, turn in inner]
    _check_equal(counts, "the agents have", None)
    return said


def _collect_flat(container: Any, rounds: Rounds) -> list[Said]:
    assert rounds.agent is not None
    items = _items(container, "rounds.path")
    if isinstance(container, dict) and rounds.counted:
        ranks, _ = rank_labels([key for key, _ in items])
        items = sorted(items, key=lambda item: ranks[item[0]])
    said: list[Said] = []
    spoken: Counter[str] = Counter()
    for name, turn in items:
        if not _passes(turn, rounds):
            continue
        key = name if isinstance(container, dict) else None
        agent = _read_name(resolve(rounds.agent, turn, key))
        if rounds.round is not None:
            label = _read_label(resolve(rounds.round, turn, key))
        else:
            most = max(spoken.values(), default=0)
            spoken[agent] += 1
            if spoken[agent] < most:
                raise Refused(
                    f"{agent} speaks for time {spoken[agent]} after others spoke {most} times; rounds overlap"
                )
            label = str(spoken[agent])
        said.append(Said(agent, label, turn, turn))
    return said


def _items(container: Any, where: str) -> list[tuple[str, Any]]:
    """Return the members of an object or a list with their keys or positions."""
    if isinstance(container, dict):
        return list(container.items())
    if isinstance(container, list):
        return [(str(i), item) for i, item in enumerate(container)]
    raise Refused(f"{where} leads to {show(container)}; expected a list or an object")


def _passes(turn: Any, rounds: Rounds) -> bool:
    return all(resolve(path, turn) in allowed for path, allowed in rounds.where)


def _check_any(turns: Sequence[object], whose: str, rounds: Rounds) -> None:
    """Raise Refused where a round or an agent would vanish for lack of turns."""
    if not turns:
        raise Refused(f"{whose} has no turns" + (" that rounds.where lets pass" if rounds.where else ""))


def _check_equal(counts: Sequence[int], subject: str, agents: Agents | None) -> None:
    """Raise Refused where positions stand for agents or rounds and their numbers differ."""
    if len(set(counts)) > 1:
        raise Refused(
            f"{subject} unequal numbers of turns, {', '.join(map(str, counts))}, "
            "so positions cannot tell which is which"
        )
    if agents and agents.names and counts and counts[0] not in (0, len(agents.names)):
        raise Refused(f"{subject} {counts[0]} turns each, and agents.names lists {len(agents.names)} names")


def _name_of_place(place: int, agents: Agents) -> str:
    if agents.names is None:
        return f"agent_{place}"
    if place >= len(agents.names):
        raise Refused(f"there are more agents than the {len(agents.names)} of agents.names")
    return agents.names[place]


def _read_name(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise Refused(f"the agent's name is {show(value)}; expected a text or a number")
    return str(value)


def _read_label(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise Refused(f"the round is {show(value)}; expected a number or a text with one")
    return str(value)
