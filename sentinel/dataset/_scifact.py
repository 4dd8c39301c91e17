"""SciFact: a scientific claim against each abstract that its source cites.

Owner: `claims_dev.jsonl` with `id`, `claim`, `evidence` = {doc id: [{`sentences`, `label`: SUPPORT or CONTRADICT}]},
`cited_doc_ids`; beside it `corpus.jsonl` with `doc_id`, `title`, `abstract` (sentences). A cited abstract without
evidence does not have enough information. Written from the owner's description; not checked against a real file.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from sentinel.dataset._claim import ask_about_claim, read_label
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row
from sentinel.errors import DatasetError
from sentinel.foreign import show
from sentinel.settings import DatasetSettings

_CHOICES = ("it supports it", "it contradicts it", "not enough information")
_LABELS = {"support": 0, "contradict": 1}
_CORPUS = "corpus.jsonl"


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for file in files:
        abstracts = _read_corpus(file)
        for row in read_rows([file]):
            evidence = row.inside("evidence")
            cited = [str(document) for document in row.items("cited_doc_ids")]
            for document in dict.fromkeys([*cited, *evidence.data]):
                if document not in abstracts:
                    raise row.error(f"cites document {show(document)}, which {_CORPUS} does not hold")
                yield Draft(
                    id=f"{row.name('id')}-{document}",
                    place=row.place,
                    question=ask_about_claim(row.text("claim")),
                    gold=_read_verdict(evidence, document),
                    choices=_CHOICES,
                    context=abstracts[document],
                )


def _read_verdict(evidence: Row, document: str) -> int:
    if document not in evidence:
        return 2
    verdicts = {read_label(rationale, "label", _LABELS) for rationale in evidence.each(document)}
    if len(verdicts) > 1:
        raise evidence.error(f"document {document} both supports and contradicts the claim")
    return verdicts.pop()


def _read_corpus(file: File) -> dict[str, str]:
    corpus = file.parent / _CORPUS if isinstance(file, Path) else None
    if corpus is None or not corpus.is_file():
        raise DatasetError(f"{file}: needs {_CORPUS} beside it, which holds the abstracts (local files only)")
    return {
        row.name("doc_id"): "\n".join([row.text("title"), " ".join(row.texts("abstract"))])
        for row in read_rows([corpus])
    }


LOADER = Loader(
    read,
    files=("claims_dev.jsonl", "data/claims_dev.jsonl"),
    origin="github.com/allenai/scifact (data.tar.gz: claims_dev.jsonl and corpus.jsonl)",
)
