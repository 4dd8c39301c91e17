"""MuSR: questions to long stories; the choices belong to the question, several questions to one story.

Owner: an array of `context`, `questions` of `question`, `choices`, `answer` (from 0); the file's name is the subject.
What is `intermediate` holds the gold reasoning and is left out. Hub: flat rows, `narrative`, `question`, `choices` (the
text of a Python list), `answer_index`; not checked against the hub's own file.
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row
from sentinel.foreign import show
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for file in files:
        task = Path(file).stem.removeprefix("small_")
        for row in read_rows([file]):
            if "narrative" in row:
                yield _draft_flat(row, None if task == "all" else task)
                continue
            story = row.text("context")
            for question in row.each("questions"):
                choices = question.texts("choices")
                yield _draft(question, task, story, choices, question.index("answer", len(choices)))


def _draft_flat(row: Row, task: str | None) -> Draft:
    try:
        choices = ast.literal_eval(row.text("choices"))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        choices = None
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise row.error(f"choices={show(row.need('choices'))}: expected the text of a list of texts")
    # From a CSV file every field is a text.
    index = row.need("answer_index")
    if str(index) not in map(str, range(len(choices))):
        raise row.error(f"answer_index={show(index)}: expected a number from 0 to {len(choices) - 1}")
    return _draft(row, task, row.text("narrative"), choices, int(index))


def _draft(row: Row, task: str | None, story: str, choices: list[str], gold: int) -> Draft:
    question = row.text("question")
    return Draft(
        id=digest(story, question, choices),
        place=row.place,
        question=question,
        gold=gold,
        choices=choices,
        context=story,
        subject=task,
    )


LOADER = Loader(
    read,
    files=("*_*.json", "all.csv"),
    origin="github.com/Zayne-sprague/MuSR (datasets/*.json) or hf://datasets/TAUR-Lab/MuSR/all.csv",
)
