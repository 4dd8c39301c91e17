"""SQuAD 2.0: a short answer from a passage, or "no answer" where the passage has none.

Owner: articles with `paragraphs` with `qas`; hub: flat rows with `answers` = {`text`: [], `answer_start`: []}. Answers
are compared with one string, so gold is the answer that most annotators gave (the first of equals) in canonical form;
all accepted ones stand in `meta.accepted`. `plausible_answers` are wrong ones and are left out.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from sentinel.answer import canonical_answer
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row
from sentinel.foreign import show
from sentinel.records import AnswerType
from sentinel.settings import DatasetSettings

NO_ANSWER = "no answer"
_RULE = f'Answer with the fewest words of the passage; if the passage does not answer it, the answer is "{NO_ANSWER}".'


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        if "paragraphs" not in row:
            answers = row.inside("answers")
            texts = answers.texts("text") if answers.need("text") != [] else []
            yield _draft(row, row.text("context"), row.text("title"), texts)
            continue
        for paragraph in row.each("paragraphs"):
            for question in paragraph.each("qas"):
                texts = [] if question.data.get("is_impossible") else [a.text("text") for a in question.each("answers")]
                yield _draft(question, paragraph.text("context"), row.text("title"), texts)


def _draft(row: Row, context: str, title: str, answers: Sequence[str]) -> Draft:
    given = Counter(filter(None, (canonical_answer(answer, AnswerType.TEXT) for answer in answers)))
    if answers and not given:
        raise row.error(f"answers={show(list(answers))}: none of them is a text that can be compared")
    accepted = list(given) or [NO_ANSWER]
    return Draft(
        id=row.name("id"),
        place=row.place,
        question=f"{row.text('question')}\n{_RULE}",
        gold=max(accepted, key=lambda answer: given[answer]),
        answer_type=AnswerType.TEXT,
        context=context,
        subject=title,
        meta={"accepted": accepted},
    )


LOADER = Loader(
    read,
    files=("dev-v2.0.json", "validation-*.parquet"),
    origin="rajpurkar.github.io/SQuAD-explorer (dev-v2.0.json) or "
    "hf://datasets/rajpurkar/squad_v2/squad_v2/validation-00000-of-00001.parquet",
)
