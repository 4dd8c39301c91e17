"""HaluEval: does an answer contain a hallucination; JSON Lines, though the files are called .json.

General: `ID`, `user_query`, `chatgpt_response`, `hallucination` (yes, no); its spans are left out. QA: `knowledge`,
`question`, `right_answer`, `hallucinated_answer`: one record gives two questions, which share a key (their answers are
opposite) and whose ids do not tell which is which. `qa_data.json` itself was not at hand; a file with its fields was.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._claim import FAITHFULNESS, ask_about_answer, read_label
from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        if "user_query" in row:
            yield Draft(
                id=row.name("ID"),
                place=row.place,
                question=_ask(row.text("user_query"), row.text("chatgpt_response")),
                gold=read_label(row, "hallucination", {"yes": 0, "no": 1}),
                choices=FAITHFULNESS,
                subject="general",
            )
        else:
            yield from _draft_pair(row)


def _ask(query: str, response: str) -> str:
    return (
        "Does this response contain a hallucination: something invented, false or impossible to verify?\n"
        f"Query: {query}\nResponse: {response}"
    )


def _draft_pair(row: Row) -> Iterator[Draft]:
    knowledge, question = row.text("knowledge"), row.text("question")
    for key, gold in (("right_answer", 1), ("hallucinated_answer", 0)):
        answer = row.text(key)
        yield Draft(
            id=digest(knowledge, question, answer),
            place=row.place,
            question=ask_about_answer(question, answer),
            gold=gold,
            choices=FAITHFULNESS,
            context=knowledge,
            subject="qa",
            twin=f"{knowledge}\n{question}",
        )


LOADER = Loader(
    read,
    files=("general_data.json", "qa_data.json", "data/general_data.json"),
    origin="github.com/RUCAIBox/HaluEval (data/general_data.json, data/qa_data.json)",
)
