"""A foreign file as records: JSON, or JSON lines, packed or not.

A record keeps its place in the file for messages, its key where records are an object's values, and a digest of its
content, by which a repeated import recognises it.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from sentinel.errors import ImporterError, LogError
from sentinel.log_store._row import read_rows
from sentinel.records import Problem

_WHOLE_FILE = 0


class Refused(Exception):
    """One record cannot be imported; the message is the reason."""


class Form(StrEnum):
    """What a file holds."""

    LINES = "JSON lines"
    LIST = "a JSON list"
    OBJECT = "a JSON object"
    VALUE = "a single JSON value"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record: its index from 0, its line (0 where a file is not read by lines), its key in an object of records."""

    index: int
    line: int
    value: Any
    key: str | None = None

    @property
    def digest(self) -> str:
        """The start of the SHA-256 of key and value."""
        return hashlib.sha256(json.dumps([self.key, self.value]).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content: `value` is what JSON gives, or the entries of JSON lines; `problems` are lines left out."""

    path: Path
    form: Form
    value: Any
    problems: tuple[Problem, ...] = ()


class _Repeating(dict[str, Any]):
    """A JSON object in which a key occurs twice; a plain dict would lose the first."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def read_document(path: Path) -> Document:
    """Return the content of a file; raises ImporterError where it is damaged, naming the place."""
    name = path.name.removesuffix(".gz")
    if name.endswith((".jsonl", ".ndjson")):
        return _read_lines(path)
    try:
        text = (gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()).decode("utf-8-sig")
        value = json.loads(text, object_pairs_hook=_read_object, parse_constant=_read_constant)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return _read_lines(path)
        place = f"line {error.lineno} column {error.colno}"
        raise ImporterError(
            f"{path}: not JSON at {place} ({error.msg}); the file is cut short or damaged, nothing of it is imported"
        ) from None
    except UnicodeDecodeError as error:
        raise ImporterError(f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8") from None
    except (EOFError, zlib.error, OSError) as error:
        raise ImporterError(f"{path}: cannot be read ({error})") from None
    except (RecursionError, ValueError) as error:
        raise ImporterError(f"{path}: not readable as JSON ({error})") from None
    form = Form.LIST if isinstance(value, list) else Form.OBJECT if isinstance(value, dict) else Form.VALUE
    return Document(path, form, value)


def list_entries(value: list[Any]) -> list[Entry]:
    """Return the items of a list as records."""
    return [Entry(i, _WHOLE_FILE, _clean(item)) for i, item in enumerate(value)]


def object_entries(value: dict[str, Any]) -> list[Entry]:
    """Return the values of an object as records with keys; a key that occurs twice gives two."""
    pairs = value.pairs if isinstance(value, _Repeating) else value.items()
    return [Entry(i, _WHOLE_FILE, _clean(item), _clean(key)) for i, (key, item) in enumerate(pairs)]


def check_repeats(value: Any) -> None:
    """Raise Refused where some object inside a record has a key twice, since one of the two values would be lost."""
    for key in _find_repeats(value):
        raise Refused(f"the key {key!r} occurs twice in one object, so one of its values would be lost")


def _read_lines(path: Path) -> Document:
    entries, problems = [], []
    for index, (line, row) in enumerate(read_rows(path, hashlib.sha256())):
        if not isinstance(row, LogError):
            entries.append(Entry(index, line, row))
        elif line == _WHOLE_FILE:
            raise ImporterError(f"{path}: {row}")
        else:
            problems.append(Problem(str(path), line, f"record {index}: {row}"))
    if not entries:
        raise ImporterError(f"{path}: no line holds a JSON object; line {problems[0].line}: {problems[0].reason}")
    return Document(path, Form.LINES, entries, tuple(problems))


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    return plain if len(plain) == len(pairs) else _Repeating(pairs)


def _read_constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"{name} is no number a log can hold")


def _clean(value: Any) -> Any:
    """Return the value with halves of cut surrogate pairs as U+FFFD: no log can hold them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return value


def _find_repeats(value: Any) -> Iterator[str]:
    if isinstance(value, _Repeating):
        keys = [key for key, _ in value.pairs]
        yield next(key for key in keys if keys.count(key) > 1)
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _find_repeats(item)
