"""What a loader gives: a question in its owner's words and order, and where such files come from."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sentinel.records import AnswerType
from sentinel.settings import DatasetSettings

# A local file, or the address of one on the hub.
File = Path | str


@dataclass(frozen=True, slots=True)
class Draft:
    """One question as its file has it; `place` names the record for messages.

    With `choices` (in the owner's order) `gold` is the index of the right one, else the answer as recorded; None where
    the file has none. `twin` names the item that several questions are variants of, where the answer to one tells that
    of the others: they share a question key.
    """

    id: str
    place: str
    question: str
    gold: int | str | bool | None
    answer_type: AnswerType = AnswerType.CHOICE
    choices: Sequence[str] | None = None
    context: str | None = None
    subject: str | None = None
    twin: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loader:
    """How one kind of dataset is read.

    `files` are the names looked for in a folder: all files that match the first pattern with a match. `origin` says
    where a user gets them. `read` turns files into drafts; without `origin` it needs no file.
    """

    read: Callable[[DatasetSettings, Sequence[File]], Iterable[Draft]]
    files: tuple[str, ...] = ()
    origin: str | None = None
