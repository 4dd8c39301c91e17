"""Real third-party debates: their counts against the table that came with them.

The table's script counts on its own definitions, but on the answers recorded in the files, as we do; so all agree.
"""

from pathlib import Path

import pytest

from sentinel.log_store import describe_log, load_debates

pytestmark = pytest.mark.shared

# debates, questions, diverged, minority right, tied, majority accuracy and unparsed final turns (no text included) in %
TABLE = {
    "amayuelas-mad-adversarial": (1492, 529, 755, 195, 69, 27.5, 2.5),
    "amayuelas-mad": (3436, 513, 552, 170, 50, 55.4, 5.3),
    "diverse-minds-temperature": (460, 80, 110, 28, 18, 87.0, 0.0),
    "gsm-gpt35-tt6746690": (119, 100, 11, 3, 0, 73.9, 0.0),
    "gsm-majority-error": (416, 100, 101, 20, 27, 39.4, 0.2),
    "multi-llm-samkha": (25, 25, 0, 0, 0, 100.0, 12.0),
    "slm-personas": (558, 52, 81, 29, 24, 78.3, 2.4),
}


@pytest.mark.parametrize("name", TABLE)
def test_counts_are_those_of_the_table(shared_data: Path, name: str) -> None:
    corpus = load_debates(shared_data / "debates" / f"{name}.jsonl.gz", strict=True)
    whole = describe_log(corpus).overall
    counts = (whole.debates, whole.questions, whole.divergent, whole.minority_truths, whole.tied)
    accuracy = round(100 * whole.majority_correct / whole.debates, 1)
    unread = round(100 * (whole.unparsed + whole.failed) / whole.final_turns, 1)
    assert (*counts, accuracy, unread) == TABLE[name]
    assert corpus.name == name


def test_the_adversarial_file_can_be_excluded(shared_data: Path) -> None:
    corpus = load_debates(shared_data / "debates" / "*.jsonl.gz", exclude=["*adversarial*"])
    assert len(corpus) == 6506 - 1492
    assert not any(debate.meta.get("adversarial") for debate in corpus)
    # The count of unanswered debates that DESIGN section 4 gives for these files.
    assert describe_log(corpus).overall.unanswered == 83
