"""Reads a mapping file into a `Mapping`; every key is checked, a misspelt one is an ImporterError with near names.

What the keys mean is documented in `_mapping`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import yaml
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from sentinel.errors import ImporterError
from sentinel.foreign import near_names, show
from sentinel.log_store.importer._path import FieldPath, parse_path
from sentinel.records import AnswerType

COUNT = "@count"

RecordsLayout = StrEnum("RecordsLayout", ["lines", "list", "object", "single"])
RoundsLayout = StrEnum("RoundsLayout", ["rounds_of_agents", "agents_of_rounds", "flat"])
_Member = TypeVar("_Member", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Value:
    """Where a value comes from: a path or a literal; then what is cut out of its text, and whether it is an index."""

    path: FieldPath | None
    literal: Any = None
    after: str | None = None
    regex: re.Pattern[str] | None = None
    counted_from: int | None = None


@dataclass(frozen=True, slots=True)
class Agents:
    """Who takes part, beyond what the rounds say."""

    name: FieldPath | None = None
    names: tuple[str, ...] | None = None
    model: Value | None = None
    models: dict[str, str] = field(default_factory=dict)
    role: Value | None = None
    roles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rounds:
    """How rounds, agents and turns are nested, and where a turn's fields stand."""

    layout: RoundsLayout
    path: FieldPath
    turns: FieldPath
    text: FieldPath | None
    answer: Value | None
    agent: FieldPath | None
    round: FieldPath | None
    counted: bool
    where: tuple[tuple[FieldPath, tuple[Any, ...]], ...]
    order: tuple[str, ...] | None
    missing_failed: bool
    extra: dict[str, FieldPath]


@dataclass(frozen=True, slots=True)
class Mapping:
    """A whole mapping file."""

    records_layout: RecordsLayout
    records_path: FieldPath
    question: Value
    rounds: Rounds
    agents: Agents
    answer_type: AnswerType | None
    choices: FieldPath | None
    id: Value | None
    question_key: Value | None
    gold: Value | None
    dataset: Value | None
    source: Value | None


def read_mapping(file: Path) -> Mapping:
    """Return the mapping that a YAML file spells; raises ImporterError naming file, key and the way out."""
    try:
        content = OmegaConf.to_container(OmegaConf.load(file), resolve=False)
    except OSError as error:
        raise ImporterError(f"importer.mapping={file}: cannot be read ({error.strerror})") from None
    except RecursionError:
        raise ImporterError(f"{file}: nested too deeply, or an anchor holds itself") from None
    except (yaml.YAMLError, OmegaConfBaseException, UnicodeDecodeError) as error:
        raise ImporterError(f"{file}: not a YAML file: {' '.join(str(error).split())}") from None
    top = _Section(content, str(file))
    top.check(
        "records", "question", "rounds", optional="id question_key choices gold answer_type dataset source agents"
    )
    records = top.section("records")
    records.check("layout", optional="path")
    layout = records.member("layout", RecordsLayout)
    if layout is RecordsLayout.lines and "path" in records.data:
        raise ImporterError(f"{records.where}.path: JSON lines are records themselves; leave it out")
    return Mapping(
        records_layout=layout,
        records_path=records.path("path") or parse_path(".", records.where),
        question=top.need_value("question"),
        rounds=_read_rounds(top.section("rounds")),
        agents=_read_agents(top.section("agents")) if "agents" in top.data else Agents(),
        answer_type=top.member("answer_type", AnswerType) if "answer_type" in top.data else None,
        choices=top.path("choices"),
        id=top.value("id"),
        question_key=top.value("question_key"),
        gold=top.value("gold"),
        dataset=top.value("dataset"),
        source=top.value("source"),
    )


class _Section:
    """One block of the file, with its place for messages."""

    def __init__(self, data: Any, where: str) -> None:
        if not isinstance(data, dict):
            raise ImporterError(f"{where}: expected keys with values, found {show(data)}")
        self.data: dict[str, Any] = {str(key): value for key, value in data.items()}
        self.where = where

    def check(self, *required: str, optional: str = "") -> None:
        known = [*required, *optional.split()]
        for key in self.data:
            if key not in known:
                advice = near_names(key, known) or f"; have: {', '.join(known)}"
                raise ImporterError(f"{self.where}: no such key: {key}{advice}")
        absent = [key for key in required if self.data.get(key) is None]
        if absent:
            raise ImporterError(f"{self.where}: {', '.join(absent)} must be given")

    def place(self, key: str) -> str:
        return f"{self.where}: {key}" if ": " not in self.where else f"{self.where}.{key}"

    def section(self, key: str) -> "_Section":
        return _Section(self.data[key], self.place(key))

    def path(self, key: str) -> FieldPath | None:
        value = self.data.get(key)
        return None if value is None else parse_path(value, self.place(key))

    def member(self, key: str, members: type[_Member]) -> _Member:
        value = self.data[key]
        if value not in list(members):
            raise ImporterError(f"{self.place(key)}={show(value)}: expected one of {', '.join(members)}")
        return members(value)

    def value(self, key: str) -> Value | None:
        data = self.data.get(key)
        if data is None:
            return None
        if not isinstance(data, dict):
            return Value(parse_path(data, self.place(key)))
        block = _Section(data, self.place(key))
        block.check(optional="path value after regex counted_from")
        if ("path" in data) is ("value" in data):
            raise ImporterError(f"{block.where}: give either path or value")
        after, counted_from = data.get("after"), data.get("counted_from")
        if after is not None and (not isinstance(after, str) or not after):
            raise ImporterError(f'{block.where}.after={show(after)}: expected a text, in quotes, e.g. "####"')
        if counted_from not in (None, 0, 1) or isinstance(counted_from, bool):
            raise ImporterError(f"{block.where}.counted_from={show(counted_from)}: expected 0 or 1")
        return Value(block.path("path"), data.get("value"), after, _read_regex(block), counted_from)

    def need_value(self, key: str) -> Value:
        value = self.value(key)
        if value is None:
            raise ImporterError(f"{self.where}: {key} must be given")
        return value

    def texts(self, key: str) -> tuple[str, ...] | None:
        value = self.data.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or not value or len(set(map(str, value))) < len(value):
            raise ImporterError(f"{self.place(key)}={show(value)}: expected a list of different names")
        return tuple(map(str, value))

    def names(self, key: str) -> dict[str, str]:
        value = self.data.get(key) or {}
        if not isinstance(value, dict):
            raise ImporterError(f"{self.place(key)}={show(value)}: expected agent names with one value each")
        return {str(name): str(item) for name, item in value.items()}


def _read_regex(block: _Section) -> re.Pattern[str] | None:
    text = block.data.get("regex")
    if text is None:
        return None
    try:
        pattern = re.compile(str(text))
    except re.error as error:
        raise ImporterError(f"{block.where}.regex={text}: not a regular expression: {error}") from None
    if pattern.groups != 1:
        raise ImporterError(f"{block.where}.regex={text}: expected one group in brackets, the part to take")
    return pattern


def _read_agents(block: _Section) -> Agents:
    block.check(optional="name names model models role roles")
    if {"name", "names"} <= block.data.keys():
        raise ImporterError(f"{block.where}: give either name (a path) or names (a list)")
    return Agents(
        name=block.path("name"),
        names=block.texts("names"),
        model=block.value("model"),
        models=block.names("models"),
        role=block.value("role"),
        roles=block.names("roles"),
    )


_EXTRA = ("stance_change", "change_reason", "confidence")


def _read_rounds(block: _Section) -> Rounds:
    extra = ("turns", "text", "answer", "agent", "round", "where", "order", "missing", *_EXTRA)
    block.check("layout", "path", optional=" ".join(extra))
    layout = block.member("layout", RoundsLayout)
    text, answer = block.path("text"), block.value("answer")
    if text is None and answer is None:
        raise ImporterError(f"{block.where}: give text, from which answers are read, or answer, or both")
    if layout is RoundsLayout.flat:
        _require(block, layout, needed=("agent", "round"), useless=("turns",))
    elif layout is RoundsLayout.rounds_of_agents:
        _require(block, layout, needed=(), useless=("round",))
    else:
        _require(block, layout, needed=(), useless=("agent",))
    counted = block.data.get("round") == COUNT
    if counted and layout is not RoundsLayout.flat:
        raise ImporterError(
            f"{block.where}.round={COUNT}: only layout=flat needs it; turns in a list are counted anyway"
        )
    path = block.path("path")
    assert path is not None
    return Rounds(
        layout=layout,
        path=path,
        turns=block.path("turns") or parse_path(".", block.where),
        text=text,
        answer=answer,
        agent=block.path("agent"),
        round=None if counted else block.path("round"),
        counted=counted,
        where=_read_filter(block),
        order=block.texts("order"),
        missing_failed=_read_missing(block),
        extra={key: parse_path(block.data[key], block.place(key)) for key in _EXTRA if key in block.data},
    )


def _require(block: _Section, layout: RoundsLayout, needed: Iterable[str], useless: Iterable[str]) -> None:
    for key in needed:
        if block.data.get(key) is None:
            raise ImporterError(f"{block.where}: layout={layout} needs {key}")
    for key in useless:
        if key in block.data:
            raise ImporterError(f"{block.place(key)}: means nothing with layout={layout}; leave it out")


def _read_filter(block: _Section) -> tuple[tuple[FieldPath, tuple[Any, ...]], ...]:
    if "where" not in block.data:
        return ()
    conditions = block.section("where")
    return tuple(
        (parse_path(key, conditions.where), tuple(value) if isinstance(value, list) else (value,))
        for key, value in conditions.data.items()
    )


def _read_missing(block: _Section) -> bool:
    value = block.data.get("missing", "refuse")
    if value not in ("refuse", "failed"):
        raise ImporterError(f"{block.place('missing')}={show(value)}: expected refuse or failed")
    return bool(value == "failed")
