"""ARC-Challenge: science questions for schools, 3 to 5 choices, labelled A-E or 1-4."""

from collections.abc import Iterator, Sequence

from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._labelled import draft_labelled
from sentinel.dataset._reading import read_rows
from sentinel.settings import DatasetSettings


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    return map(draft_labelled, read_rows(files))


LOADER = Loader(
    read,
    files=("ARC-Challenge-Test.jsonl", "test-*.parquet"),
    origin="allenai.org/data/arc (ARC-Challenge-Test.jsonl) or "
    "hf://datasets/allenai/ai2_arc/ARC-Challenge/test-00000-of-00001.parquet",
)
