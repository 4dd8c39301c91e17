"""MMLU: four choices; the subject stands in the file's name (owner) or in a field (hub).

Owner: `<subject>_<split>.csv` without a header: question, four choices, a letter A-D. Copies with a header count the
answer from 0. Hub: `question`, `subject`, `choices`, `answer` (0-3). Ids are subject, split and row: some questions
stand twice in one file.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_cells, read_rows
from sentinel.errors import DatasetError
from sentinel.foreign import show
from sentinel.settings import DatasetSettings

_NAME = re.compile(r"(?P<subject>.+)_(?:test|val|dev)")
_ANSWERS = {**dict(zip("ABCD", range(4), strict=True)), **dict(zip("0123", range(4), strict=True))}


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for file in files:
        if isinstance(file, Path) and file.suffix.lower() == ".csv":
            yield from _read_owner(file)
        else:
            yield from _read_hub(file)


def _read_owner(file: Path) -> Iterator[Draft]:
    name = _NAME.fullmatch(file.stem)
    if name is None:
        raise DatasetError(f"{file.name}: the subject is read from the name: expected <subject>_test.csv, _val or _dev")
    number = 0
    for place, cells in read_cells(file):
        if number == 0 and cells[0].strip().lower() == "question" and cells[-1].strip().lower() == "answer":
            continue
        if len(cells) != 6:
            raise DatasetError(f"{place}: {len(cells)} fields; expected a question, four choices and the answer")
        answer = cells[5].strip()
        if answer not in _ANSWERS:
            raise DatasetError(f"{place}: the answer {show(answer)} is none of A-D (or 0-3)")
        yield Draft(
            id=f"{file.stem}-{number}",
            place=place,
            question=cells[0],
            gold=_ANSWERS[answer],
            choices=cells[1:5],
            subject=name["subject"],
        )
        number += 1


def _read_hub(file: File) -> Iterator[Draft]:
    split = Path(file).name.split("-")[0].split(".")[0]
    numbers: Counter[str] = Counter()
    for row in read_rows([file]):
        subject, choices = row.text("subject"), row.texts("choices")
        yield Draft(
            id=f"{subject}_{split}-{numbers[subject]}",
            place=row.place,
            question=row.text("question"),
            gold=row.index("answer", len(choices)),
            choices=choices,
            subject=subject,
        )
        numbers[subject] += 1


LOADER = Loader(
    read,
    files=("*_test.csv", "test/*_test.csv", "test-*.parquet", "*_val.csv", "*_dev.csv"),
    origin="github.com/hendrycks/test (data.tar: the folder test/) or "
    "hf://datasets/cais/mmlu/all/test-00000-of-00001.parquet",
)
