"""Re-reads recorded debates from their texts and compares with what their sources' maintainers read."""

import gzip
import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from sentinel.answer import canonical_answer, infer_answer_type, parse_answer

# The recorded reading is no ground truth. By eye, most disagreements are texts that name several options or refuse
# all of them, where the record takes the last letter and we answer nothing. The floors lie about one point below what
# was measured over all debates; every second one is read here. The file whose answers come from fields of their own,
# not from the texts, is left out.
FLOORS = {
    "amayuelas-mad-adversarial": 0.945,
    "amayuelas-mad": 0.93,
    "diverse-minds-temperature": 0.98,
    "gsm-gpt35-tt6746690": 0.98,
    "gsm-majority-error": 0.965,
    "slm-personas": 0.96,
}


@pytest.mark.shared
@pytest.mark.parametrize(("name", "floor"), FLOORS.items())
def test_recorded_answers_are_read_from_their_texts(shared_data: Path, name: str, floor: float) -> None:
    outcomes: Counter[bool] = Counter()
    with gzip.open(shared_data / "debates" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, 2):
            debate = json.loads(line)
            choices = debate["choices"]
            answer_type = infer_answer_type(debate["gold"], choices)
            for turn in (turn for turns in debate["rounds"] for turn in turns):
                recorded = canonical_answer(turn["answer"], answer_type, choices)
                assert (recorded is None) == (turn["answer"] is None), turn["answer"]
                outcomes[parse_answer(turn["reasoning"], answer_type, choices).answer == recorded] += 1
    assert outcomes[True] / outcomes.total() >= floor
