"""StrategyQA: yes or no, by facts that the question does not name.

Authors: an array of `qid`, `question`, `answer` (a JSON boolean); facts, decomposition and evidence are left out.
BIG-bench task: `examples` of `input`, `target_scores` = {`Yes`, `No`}; `target` (answer and rationale) is left out.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.foreign import show
from sentinel.records import AnswerType
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        if "target_scores" in row:
            question = row.text("input")
            scores = row.inside("target_scores")
            marks = [scores.need("Yes"), scores.need("No")]
            if sorted(map(str, marks)) != ["0", "1"]:
                raise scores.error(f"Yes={show(marks[0])}, No={show(marks[1])}: expected 1 for the right one, else 0")
            name, answer = digest(question), marks[0] == 1
        else:
            question, name, answer = row.text("question"), row.name("qid"), row.need("answer")
        if not isinstance(answer, bool):
            raise row.error(f"answer={show(answer)}: expected true or false")
        yield Draft(id=name, place=row.place, question=question, gold=answer, answer_type=AnswerType.BOOLEAN)


LOADER = Loader(
    read,
    files=("dev.json", "data/strategyqa/dev.json"),
    origin="github.com/eladsegal/strategyqa (data/strategyqa/dev.json)",
)
