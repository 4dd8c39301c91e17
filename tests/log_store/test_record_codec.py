import json
from typing import Any

import pytest

from sentinel.errors import LogError
from sentinel.log_store import Record, record_from_dict, record_to_dict
from sentinel.records import Audit, Ballots, Ruling, Samples, Status

AUDIT = Audit(
    id="d1",
    candidate="B",
    auditor="lexical",
    minority_new_evidence=1.0,
    majority_echo_chamber=0.0,
    minority_finds_error=None,
    majority_logical_gap=0.0,
    minority_reasoning_score=4.5,
    majority_reasoning_score=2.0,
    blind_follower_count=1.0,
    meta={"order": "minority first"},
)
RULING = Ruling(id="d1", answer="B", status=Status.OK, judge="openai/x", meta={"cost": 0.01})
FAILED_RULING = Ruling(id="d1", answer=None, status=Status.FAILED, judge="openai/x", error="timeout")
SAMPLES = Samples(id="d1", answers=("A", None, "B"), model="openai/x")
BALLOTS = Ballots(id="d1", protocol="approval", ballots=({"agent": "a", "approves": ["A", "B"]},))


@pytest.mark.parametrize("record", [AUDIT, RULING, FAILED_RULING, SAMPLES, BALLOTS], ids=lambda r: type(r).__name__)
def test_records_about_debates_survive_their_json_form(record: Record) -> None:
    data = json.loads(json.dumps(record_to_dict(record)))
    assert data["kind"] == type(record).__name__.lower()
    assert data["schema_version"] == 1
    assert record_from_dict(data) == record


def test_an_audit_holds_its_seven_values_and_no_computed_one() -> None:
    assert set(record_to_dict(AUDIT)) == {
        *("schema_version", "kind", "id", "candidate", "auditor", "status", "error", "meta"),
        *("minority_new_evidence", "majority_echo_chamber", "minority_finds_error", "majority_logical_gap"),
        *("minority_reasoning_score", "majority_reasoning_score", "blind_follower_count"),
    }


def test_statuses_are_derived_where_a_line_has_none() -> None:
    audit = {"kind": "audit", "id": "d", "candidate": "B", "auditor": "x"}
    ruling = {"kind": "ruling", "id": "d", "judge": "x"}
    assert record_from_dict(audit).status is Status.FAILED  # type: ignore[union-attr]
    assert record_from_dict(audit | {"minority_finds_error": True}).status is Status.OK  # type: ignore[union-attr]
    assert record_from_dict(ruling).status is Status.FAILED  # type: ignore[union-attr]
    assert record_from_dict(ruling | {"answer": 7}) == Ruling("d", "7", Status.OK, "x")


BAD_RECORDS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "ballot"}, "kind='ballot': no such record; have: debate, audit, ruling, samples, ballots; near: ballots"),
    ({"kind": 3}, "kind=3: no such record"),
    ({"schema_version": 2}, "schema_version=2: expected 1, the newest this release reads; upgrade it"),
    ({"schema_version": "1"}, "schema_version='1': expected 1"),
    ({"kind": "audit", "candidate": "B", "auditor": "x"}, "id is missing"),
    ({"kind": "audit", "id": "d", "auditor": "x"}, "candidate is missing"),
    (
        {"kind": "audit", "id": "d", "candidate": "B", "auditor": "x", "minority_reasoning_score": 9},
        "minority_reasoning_score=9: expected a finite number between 1 and 5",
    ),
    (
        {"kind": "audit", "id": "d", "candidate": "B", "auditor": "x", "blind_follower_count": -1},
        "blind_follower_count=-1: expected a finite number of at least 0",
    ),
    ({"kind": "ruling", "id": "d", "judge": "x", "status": "ok"}, "answer=None contradicts status=ok"),
    ({"kind": "ruling", "id": "d", "judge": "x", "status": "failed", "answer": "A"}, "contradicts status=failed"),
    ({"kind": "samples", "id": "d", "model": "x", "answers": []}, "answers=[]: expected a list that is not empty"),
    ({"kind": "samples", "id": "d", "model": "x", "answers": [[1]]}, "answers[0]=[1]: expected a string"),
    ({"kind": "ballots", "id": "d", "protocol": "x", "ballots": ["A"]}, "ballots[0]='A': expected an object"),
]


@pytest.mark.parametrize(("data", "reason"), BAD_RECORDS, ids=[reason for _, reason in BAD_RECORDS])
def test_a_bad_record_says_what_is_wrong(data: dict[str, Any], reason: str) -> None:
    with pytest.raises(LogError) as raised:
        record_from_dict(data)
    assert reason in str(raised.value)
