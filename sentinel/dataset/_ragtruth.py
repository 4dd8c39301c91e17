"""RAGTruth: does a model's response hold to the text it was given; the test split, where splits are named.

Owner: `response.jsonl` with `id`, `source_id`, `response`, `labels` (marked spans: any counts), `split`; beside it
`source_info.jsonl` with `source_id`, `task_type` (the subject), `prompt` (the context). Ids are hashed: their order
goes with the model. Written from the owner's description; not checked against a real file.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sentinel.dataset._claim import FAITHFULNESS
from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row
from sentinel.errors import DatasetError
from sentinel.foreign import show
from sentinel.settings import DatasetSettings

_SOURCES = "source_info.jsonl"


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for file in files:
        sources = _read_sources(file)
        for row in read_rows([file]):
            if row.take_text("split") == "train":
                continue
            name = row.name("source_id")
            if name not in sources:
                raise row.error(f"source_id={show(name)}: {_SOURCES} does not hold it")
            labels = row.need("labels")
            if not isinstance(labels, list):
                raise row.error(f"labels={show(labels)}: expected a list of spans, empty where there are none")
            yield Draft(
                id=digest(row.name("id")),
                place=row.place,
                question=_ask(row.text("response")),
                gold=0 if labels else 1,
                choices=FAITHFULNESS,
                context=sources[name].text("prompt"),
                subject=sources[name].text("task_type"),
            )


def _ask(response: str) -> str:
    return (
        "A model was given this text and replied. Does the reply contain a hallucination: something that the text "
        f"contradicts or does not say?\nReply: {response}"
    )


def _read_sources(file: File) -> dict[str, Row]:
    sources = file.parent / _SOURCES if isinstance(file, Path) else None
    if sources is None or not sources.is_file():
        raise DatasetError(f"{file}: needs {_SOURCES} beside it, which holds the given texts (local files only)")
    return {row.name("source_id"): row for row in read_rows([sources])}


LOADER = Loader(
    read,
    files=("response.jsonl", "dataset/response.jsonl"),
    origin="github.com/ParticleMedia/RAGTruth (dataset/response.jsonl and source_info.jsonl)",
)
