"""CommonsenseQA: five choices, some of them twice; the test split has no answers, so the dev split is read."""

from collections.abc import Iterator, Sequence

from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._labelled import draft_labelled
from sentinel.dataset._reading import read_rows
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    return map(draft_labelled, read_rows(files))


LOADER = Loader(
    read,
    files=("dev_rand_split.jsonl", "validation-*.parquet"),
    origin="tau-nlp.org/commonsenseqa (dev_rand_split.jsonl) or "
    "hf://datasets/tau/commonsense_qa/data/validation-00000-of-00001.parquet",
)
