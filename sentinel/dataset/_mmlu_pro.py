"""MMLU-Pro: mostly ten choices, at least one; the letter and the index of the answer must agree.

Owner's rows are the hub's: `question_id`, `question`, `options`, `answer`, `answer_index`, `category`, `cot_content`
(left out: a worked solution).
"""

import string
from collections.abc import Iterator, Sequence

from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        options = row.texts("options")
        gold = row.index("answer_index", len(options))
        if row.text("answer") != string.ascii_uppercase[gold]:
            raise row.error(f"answer={row.text('answer')} contradicts answer_index={gold}")
        yield Draft(
            id=row.name("question_id"),
            place=row.place,
            question=row.text("question"),
            gold=gold,
            choices=options,
            subject=row.text("category"),
        )


LOADER = Loader(
    read,
    files=("test.jsonl", "test-*.parquet"),
    origin="hf://datasets/TIGER-Lab/MMLU-Pro/data/test-00000-of-00001.parquet",
)
