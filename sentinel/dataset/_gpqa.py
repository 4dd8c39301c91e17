"""GPQA: graduate-level science, four choices in columns of their own, the right one first, so shuffle.

Columns `Question`, `Correct Answer`, `Incorrect Answer 1` to `3`, `Record ID`, `High-level domain` (the subject);
explanations are left out. White space around choices is cut: it could tell the right one. Written from public
knowledge of the columns; not checked against a real file (it is gated, and not to be published again).
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.settings import DatasetSettings

_CHOICES = ("Correct Answer", "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        yield Draft(
            id=row.name("Record ID"),
            place=row.place,
            question=row.text("Question"),
            gold=0,
            choices=[row.text(column).strip() for column in _CHOICES],
            subject=row.take_text("High-level domain"),
        )


LOADER = Loader(
    read,
    files=("gpqa_diamond.csv", "gpqa_main.csv"),
    origin="hf://datasets/Idavidrein/gpqa/gpqa_diamond.csv (gated: accept its terms, set HF_TOKEN)",
)
