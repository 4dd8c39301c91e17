"""One record of a dataset's file: typed access to its fields; what does not fit is named with its place."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sentinel.errors import DatasetError
from sentinel.foreign import list_names, near_names, read_object, show


def parse_json(text: str) -> Any:
    """Return what a JSON text holds, halves of cut surrogate pairs as U+FFFD: no request and no log can hold them.

    Raises json.JSONDecodeError, with the position, for whatever cannot be read.
    """
    try:
        value = json.loads(text, object_pairs_hook=read_object)
    except RecursionError:
        raise json.JSONDecodeError("nested too deeply", text, 0) from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        # What Python adds on longer integers is no advice for a file.
        raise json.JSONDecodeError(str(error).partition(";")[0], text, 0) from None
    if "\\ud" not in text.lower():
        return value
    whole = json.dumps(value, ensure_ascii=False)
    return json.loads(whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


@dataclass(frozen=True, slots=True)
class Row:
    """A record: its fields by name, and its place in the file, e.g. "test.jsonl:3"."""

    data: Mapping[str, Any]
    place: str

    def error(self, message: str) -> DatasetError:
        return DatasetError(f"{self.place}: {message}")

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def need(self, key: str) -> Any:
        """Return a field that must be there."""
        if key not in self.data:
            raise self.error(f"no field {key!r}{near_names(key, self.data)}; the record has: {list_names(self.data)}")
        return self.data[key]

    def text(self, key: str) -> str:
        """Return a text that must be there and not be blank, as it stands."""
        value = self.need(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(f"{key}={show(value)}: expected a text that is not blank")
        return value

    def take_text(self, key: str) -> str | None:
        """Return a text, or None where it is absent, null or blank."""
        value = self.data.get(key)
        return value if isinstance(value, str) and value.strip() else None

    def name(self, key: str) -> str:
        """Return an id that must be there: a text or a whole number."""
        value = self.need(key)
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else self.text(key)

    def items(self, key: str) -> list[Any]:
        """Return a list that must be there and not be empty."""
        value = self.need(key)
        if not isinstance(value, list) or not value:
            raise self.error(f"{key}={show(value)}: expected a list that is not empty")
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of texts that must be there; its items are kept as they stand."""
        values = self.items(key)
        for value in values:
            if not isinstance(value, str):
                raise self.error(f"{key} holds {show(value)}: expected texts")
        return values

    def inside(self, key: str) -> "Row":
        """Return an object among the fields as a row of its own."""
        return self.wrap(self.need(key), key)

    def each(self, key: str) -> list["Row"]:
        """Return the objects of a list as rows of their own."""
        return [self.wrap(item, f"{key}[{i}]") for i, item in enumerate(self.items(key))]

    def wrap(self, value: object, key: str) -> "Row":
        if not isinstance(value, dict):
            raise self.error(f"{key}={show(value)}: expected an object")
        return Row(value, f"{self.place} {key}")

    def index_of(self, key: str, labels: Sequence[str]) -> int:
        """Return the position of the label that a field names; the label must occur once."""
        label = self.need(key)
        if labels.count(label) != 1:
            raise self.error(f"{key}={show(label)}: expected one of the labels {list_names(labels)}")
        return labels.index(label)

    def index(self, key: str, count: int) -> int:
        """Return a position from 0 to count - 1."""
        value = self.need(key)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
            raise self.error(f"{key}={show(value)}: expected a number from 0 to {count - 1}, the place of a choice")
        return value
