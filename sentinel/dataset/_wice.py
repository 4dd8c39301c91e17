"""WiCE: Wikipedia claims against the sentences of a cited page, whole (up to 1,500 sentences) or the oracle chunks.

`claim`, `evidence` (sentences), `label`, `meta.id`, which in oracle chunks is shared by several records.
`supporting_sentences` points at the answer and is left out.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._claim import ask_about_claim, read_label
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.settings import DatasetSettings

_CHOICES = ("it supports it", "it supports it in part", "it does not support it")
_LABELS = {"supported": 0, "partially_supported": 1, "not_supported": 2}


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        yield Draft(
            id=row.inside("meta").name("id"),
            place=row.place,
            question=ask_about_claim(row.text("claim")),
            gold=read_label(row, "label", _LABELS),
            choices=_CHOICES,
            context="\n".join(row.texts("evidence")),
        )


LOADER = Loader(
    read,
    files=("test.jsonl", "claim/test.jsonl"),
    origin="github.com/ryokamoi/wice (data/entailment_retrieval/claim/test.jsonl)",
)
