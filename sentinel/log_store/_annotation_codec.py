"""Audits, rulings, samples and ballots as JSON objects and back.

Their answers are read as recorded: what is canonical depends on the debate, which may stand in another file, so the
reader canonicalises them once it has all debates.
"""

from typing import Any

from sentinel.errors import LogError
from sentinel.log_store._field import (
    Data,
    misfit,
    need_list,
    need_text,
    take_mapping,
    take_member,
    take_number,
    take_text,
)
from sentinel.records import SCHEMA_VERSION, Audit, Ballots, Ruling, Samples, Status

Annotation = Audit | Ruling | Samples | Ballots

# The range of each audited value; the last one's upper end is K - 1, which only the debate knows.
AUDIT_RANGES: dict[str, tuple[float, float]] = {
    "minority_new_evidence": (0, 1),
    "majority_echo_chamber": (0, 1),
    "minority_finds_error": (0, 1),
    "majority_logical_gap": (0, 1),
    "minority_reasoning_score": (1, 5),
    "majority_reasoning_score": (1, 5),
    "blind_follower_count": (0, float("inf")),
}


def annotation_to_dict(record: Annotation) -> dict[str, Any]:
    """Return the complete JSON object of a record appended about a debate."""
    head: dict[str, Any] = {"schema_version": SCHEMA_VERSION, "kind": type(record).__name__.lower(), "id": record.id}
    match record:
        case Audit():
            body: dict[str, Any] = {"candidate": record.candidate, "auditor": record.auditor}
            body |= {name: getattr(record, name) for name in AUDIT_RANGES}
            body |= {"status": record.status.value, "error": record.error}
        case Ruling():
            body = {"answer": record.answer, "status": record.status.value, "judge": record.judge}
            body["error"] = record.error
        case Samples():
            body = {"answers": list(record.answers), "model": record.model}
        case Ballots():
            body = {"protocol": record.protocol, "ballots": [dict(ballot) for ballot in record.ballots]}
    return head | body | {"meta": dict(record.meta)}


def audit_from_dict(data: Data) -> Audit:
    """Return the audit of a JSON object; without a status it is ok if any of the seven values is there, else failed."""
    values = {name: take_number(data, name, low, high) for name, (low, high) in AUDIT_RANGES.items()}
    given = any(value is not None for value in values.values())
    return Audit(
        id=need_text(data, "id"),
        candidate=need_text(data, "candidate"),
        auditor=need_text(data, "auditor"),
        status=take_member(data, "status", Status) or (Status.OK if given else Status.FAILED),
        error=take_text(data, "error"),
        meta=take_mapping(data, "meta") or {},
        **values,
    )


def ruling_from_dict(data: Data) -> Ruling:
    """Return the judge's ruling of a JSON object; without a status it is ok if there is an answer, else failed."""
    answer = _read_answer(data, "answer", data.get("answer"))
    status = take_member(data, "status", Status) or (Status.FAILED if answer is None else Status.OK)
    if (answer is None) is (status is Status.OK):
        raise LogError(f"answer={answer!r} contradicts status={status.value}")
    return Ruling(
        id=need_text(data, "id"),
        answer=answer,
        status=status,
        judge=need_text(data, "judge"),
        error=take_text(data, "error"),
        meta=take_mapping(data, "meta") or {},
    )


def samples_from_dict(data: Data) -> Samples:
    """Return the independent answers of a JSON object."""
    answers = need_list(data, "answers")
    return Samples(
        id=need_text(data, "id"),
        answers=tuple(_read_answer(data, f"answers[{i}]", answer) for i, answer in enumerate(answers)),
        model=need_text(data, "model"),
        meta=take_mapping(data, "meta") or {},
    )


def ballots_from_dict(data: Data) -> Ballots:
    """Return the ballots of a JSON object, kept as recorded."""
    ballots = need_list(data, "ballots")
    for i, ballot in enumerate(ballots):
        if not isinstance(ballot, dict):
            raise misfit(f"ballots[{i}]", ballot, "an object")
    return Ballots(
        id=need_text(data, "id"),
        protocol=need_text(data, "protocol"),
        ballots=tuple(ballots),
        meta=take_mapping(data, "meta") or {},
    )


def _read_answer(data: Data, key: str, value: object) -> str | None:
    """Return a recorded answer as a string; numbers and booleans as JSON writes them."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float) and value == value:
        return repr(value)
    return take_text({key: value}, key)
