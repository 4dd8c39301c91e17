"""GSM8K: grade-school sums with a whole number as the answer.

Owner's and hub's rows alike: `question`, `answer` (a worked solution, the number after the last "####"). The solution
is left out: it must not reach an agent.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.records import AnswerType
from sentinel.settings import DatasetSettings

_MARK = "####"


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        question = row.text("question")
        _, mark, number = row.text("answer").rpartition(_MARK)
        if not mark:
            raise row.error(f"answer has no {_MARK} before its number")
        yield Draft(
            id=digest(question),
            place=row.place,
            question=question,
            gold=number.strip(),
            answer_type=AnswerType.NUMBER,
        )


LOADER = Loader(
    read,
    files=("test.jsonl", "test-*.parquet"),
    origin="github.com/openai/grade-school-math (grade_school_math/data/test.jsonl) or "
    "hf://datasets/openai/gsm8k/main/test-00000-of-00001.parquet",
)
