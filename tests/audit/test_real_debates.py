"""The lexical auditor on real third-party debates: values in range, the same every time."""

from pathlib import Path

import pytest

from sentinel.audit import lexical_audit
from sentinel.log_store import load_debates
from sentinel.records import Audit, Corpus
from sentinel.vote import answer_grid, list_candidates, take_vote

FLAGS = ("minority_new_evidence", "majority_echo_chamber", "minority_finds_error", "majority_logical_gap")
SCORES = ("minority_reasoning_score", "majority_reasoning_score")


def audit_all(corpus: Corpus) -> list[tuple[int, Audit]]:
    return [
        (len(debate.agents), lexical_audit(debate, candidate))
        for debate in corpus
        for candidate in list_candidates(answer_grid(debate), take_vote(debate))
    ]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["gsm-majority-error", "slm-personas"])
def test_values_are_in_range_and_repeatable(shared_data: Path, name: str) -> None:
    corpus = load_debates(shared_data / "debates" / f"{name}.jsonl.gz")
    audits = audit_all(corpus)
    assert len(audits) > 50
    for agents, audit in audits:
        assert all(getattr(audit, field) in (0.0, 1.0, None) for field in FLAGS)
        assert all(1.0 <= getattr(audit, field) <= 5.0 for field in SCORES if getattr(audit, field) is not None)
        assert audit.blind_follower_count is None or 0 <= audit.blind_follower_count <= agents - 1
    assert audit_all(corpus) == audits
