"""VitaminC: claims against one sentence of evidence each, in contrastive pairs: the claim alone is no key.

Owner and hub: `claim`, `evidence`, `label` (SUPPORTS, ...), `unique_id`; a known copy has lower-case labels and `id`.
Ids are hashed: their last digit goes with the label. BIG-bench task: `input` = page, evidence, claim; `target_scores`.
The owner's own file was not at hand: its field names are those of the hub's description.
"""

from collections.abc import Iterator, Sequence

from sentinel.dataset._claim import ask_about_claim, read_label
from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._reading import read_rows
from sentinel.foreign import show
from sentinel.settings import DatasetSettings

_CHOICES = ("it supports it", "it refutes it", "not enough information")
_LABELS = {"supports": 0, "refutes": 1, "not enough info": 2}
_SCORES = ("True", "False", "Neither")
_CLAIM = "\nClaim: "


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    for row in read_rows(files):
        if "target_scores" in row:
            evidence, mark, claim = row.text("input").partition(_CLAIM)
            if not mark or _CLAIM in claim:
                raise row.error("input: expected exactly one line that begins with 'Claim: '")
            scores = [row.inside("target_scores").need(name) for name in _SCORES]
            if scores.count(1) != 1:
                raise row.error(f"target_scores={show(scores)}: expected exactly one 1")
            name, gold = digest(evidence, claim), scores.index(1)
        else:
            evidence, claim = row.text("evidence"), row.text("claim")
            name = digest(row.name("unique_id" if "unique_id" in row else "id"))
            gold = read_label(row, "label", _LABELS)
        yield Draft(
            id=name,
            place=row.place,
            question=ask_about_claim(claim),
            gold=gold,
            choices=_CHOICES,
            context=evidence,
        )


LOADER = Loader(
    read,
    files=("test.jsonl",),
    origin="github.com/TalSchuster/VitaminC or hf://datasets/tals/vitaminc/test.jsonl",
)
