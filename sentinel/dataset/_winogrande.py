"""WinoGrande: which of two options fills the blank; the test split has no answers, so the dev split is read.

Owner: `qID`, `sentence`, `option1`, `option2`, `answer` ("1" or "2"); hub: the same without `qID`. A `qID` is the base
of a pair of twins, a dash and the answer itself: ids come from the sentence, and twins (opposite answers) share a key.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.settings import DatasetSettings

_BLANK = "_____"


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        sentence = row.text("sentence")
        if sentence.count("_") != 1:
            raise row.error(f"sentence has {sentence.count('_')} blanks (_); expected one")
        options = [row.text("option1"), row.text("option2")]
        pair = row.take_text("qID")
        yield Draft(
            id=digest(sentence, options),
            place=row.place,
            question=f"Which option belongs in the blank?\n{sentence.replace('_', _BLANK)}",
            gold=row.index_of("answer", ["1", "2"]),
            choices=options,
            twin=pair and pair.rpartition("-")[0],
        )


LOADER = Loader(
    read,
    files=("dev.jsonl", "validation-*.parquet"),
    origin="winogrande.allenai.org (dev.jsonl of the archive) or "
    "hf://datasets/allenai/winogrande/winogrande_xl/validation-00000-of-00001.parquet",
)
