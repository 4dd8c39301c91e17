"""What an importer of a known layout is: a test for its records and a converter of one record.

A converter gives the neutral form of a debate that `log_store` reads (DESIGN section 3), without an id. What it leaves
out there is derived on reading: answers from texts, statuses, answer types, question keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sentinel.foreign import list_names, show
from sentinel.log_store.importer._document import Entry, Form, Refused

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Stands before the answer at the end of a GSM8K solution.
SOLUTION_MARK = "####"


@dataclass(frozen=True, slots=True)
class Draft:
    """One converted record: the debate's fields, the dataset the layout tells, and what a reader of it must know."""

    data: dict[str, Any]
    dataset: str | None = None
    id: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """`matches` looks at a record's shape only; `convert` takes the record and the model that settings name."""

    expected: str
    forms: tuple[Form, ...]
    matches: Callable[[Entry], bool]
    convert: Callable[[Entry, str | None], Draft]


def need(record: Mapping[str, Any], key: str, kind: type | tuple[type, ...], expected: str) -> Any:
    """Return a field of a record; raises Refused where it is absent or of another type."""
    if key not in record:
        raise Refused(f"{key} is missing; there are: {list_names(record)}")
    if not isinstance(record[key], kind):
        raise Refused(f"{key}={show(record[key])}: expected {expected}")
    return record[key]


def text_after(text: str, marker: str) -> str:
    """Return what follows the last `marker` in a text, stripped; raises Refused where nothing does."""
    rest = text.rpartition(marker)[2].strip()
    if not rest:
        raise Refused(f"nothing follows {marker} in {show(text)}")
    return rest
