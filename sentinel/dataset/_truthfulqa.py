"""TruthfulQA, multiple choice with one right answer (MC1); the right one always stands first, so shuffle.

Owner: `mc_task.json`, `mc1_targets` = {text: 0 or 1}; or `TruthfulQA.csv`, whose best answer and incorrect answers make
the choices and whose category is the subject. Hub: `mc1_targets` = {`choices`: [], `labels`: []} (multiple_choice), or
the CSV's fields as lists (generation). Ids come from the question: the releases differ in order.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        if "Best Answer" in row:
            question, subject = row.text("Question"), row.take_text("Category")
            choices, gold = [row.text("Best Answer"), *_split(row.text("Incorrect Answers"))], 0
        elif "best_answer" in row:
            question, subject = row.text("question"), row.take_text("category")
            choices, gold = [row.text("best_answer"), *row.texts("incorrect_answers")], 0
        else:
            question, subject = row.text("question"), None
            choices, gold = _read_targets(row.inside("mc1_targets"))
        yield Draft(
            id=digest(question), place=row.place, question=question, gold=gold, choices=choices, subject=subject
        )


def _split(answers: str) -> list[str]:
    # Lists end in a separator here and there, which leaves an empty last answer.
    return [answer.strip() for answer in answers.split(";") if answer.strip()]


def _read_targets(targets: Row) -> tuple[list[str], int]:
    if "labels" in targets:
        choices, labels = targets.texts("choices"), targets.items("labels")
    else:
        choices, labels = list(targets.data), list(targets.data.values())
    if len(labels) != len(choices) or labels.count(1) != 1:
        raise targets.error(f"{labels.count(1)} of {len(choices)} choices are marked right; expected exactly one")
    return choices, labels.index(1)


LOADER = Loader(
    read,
    files=("mc_task.json", "data/mc_task.json", "TruthfulQA.csv", "validation-*.parquet"),
    origin="github.com/sylinrl/TruthfulQA (data/mc_task.json) or "
    "hf://datasets/truthfulqa/truthful_qa/multiple_choice/validation-00000-of-00001.parquet",
)
