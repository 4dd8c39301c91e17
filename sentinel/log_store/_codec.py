"""Any record of a log as a JSON object and back, its key, and whether it is a success."""

from collections.abc import Callable, Hashable
from typing import Any

from sentinel.errors import LogError
from sentinel.foreign import list_names, near_names, show
from sentinel.log_store._annotation_codec import (
    Annotation,
    annotation_to_dict,
    audit_from_dict,
    ballots_from_dict,
    ruling_from_dict,
    samples_from_dict,
)
from sentinel.log_store._debate_codec import debate_from_dict, debate_to_dict
from sentinel.log_store._field import Data, misfit
from sentinel.records import SCHEMA_VERSION, Audit, Debate, Ruling, Samples, Status

Record = Debate | Annotation

_ANNOTATIONS: dict[str, Callable[[Data], Annotation]] = {
    "audit": audit_from_dict,
    "ruling": ruling_from_dict,
    "samples": samples_from_dict,
    "ballots": ballots_from_dict,
}
KINDS = ("debate", *_ANNOTATIONS)


def record_to_dict(record: Record) -> dict[str, Any]:
    """Return the complete JSON object of a record, with `schema_version` and `kind`."""
    return debate_to_dict(record) if isinstance(record, Debate) else annotation_to_dict(record)


def record_from_dict(data: Data, *, reparse: bool = False) -> Record:
    """Return the record of a JSON object, a debate where it names no kind; raises LogError with field and reason."""
    version = data.get("schema_version")
    if version is not None and (version != SCHEMA_VERSION or isinstance(version, bool)):
        newer = isinstance(version, int) and version > SCHEMA_VERSION
        advice = f"{SCHEMA_VERSION}, the newest this release reads; upgrade it" if newer else f"{SCHEMA_VERSION}"
        raise misfit("schema_version", version, advice)
    kind = "debate" if data.get("kind") is None else data["kind"]
    if kind == "debate":
        return debate_from_dict(data, reparse=reparse)
    if kind not in KINDS:
        raise LogError(f"kind={show(kind)}: no such record; have: {', '.join(KINDS)}{near_names(str(kind), KINDS)}")
    return _ANNOTATIONS[kind](data)


def explain_foreign(data: Data) -> str | None:
    """Return why a JSON object is no record of this version at all, None for one, even one that cannot be read."""
    if data.get("schema_version") not in (None, SCHEMA_VERSION):
        return f"schema_version={show(data['schema_version'])}: this release writes {SCHEMA_VERSION}"
    kind = "debate" if data.get("kind") is None else data["kind"]
    if kind not in KINDS:
        return f"kind={show(kind)}: no such record"
    absent = [key for key in ("id", "rounds") if key not in data and (key == "id" or kind == "debate")]
    return f"a {kind} without {' and '.join(absent)}; it has: {list_names(data)}" if absent else None


def kind_of(record: Record) -> str:
    """Return the `kind` a record is written under."""
    return type(record).__name__.lower()


def key_of(record: Record) -> Hashable:
    """Return what a record is about: (debate id, candidate) for an audit, the debate id for all others."""
    return (record.id, record.candidate) if isinstance(record, Audit) else record.id


def is_success(record: Record) -> bool:
    """Return whether a record need not be made again.

    A debate succeeded when some turn of its final round has a text, an audit or a ruling when its status is ok.
    """
    match record:
        case Debate():
            return any(turn.status is not Status.FAILED for turn in record.rounds[-1])
        case Audit() | Ruling():
            return record.status is Status.OK
        case Samples():
            return any(answer is not None for answer in record.answers)
        case _:
            return True
