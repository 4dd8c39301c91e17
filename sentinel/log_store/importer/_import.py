"""Reads foreign files, converts their records and appends the debates to a log; what is left out has a reason."""

import glob
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sentinel.errors import ConfigError, ImporterError, LogError
from sentinel.foreign import list_names, show
from sentinel.log_store._codec import record_from_dict
from sentinel.log_store._field import count_of, printable
from sentinel.log_store._row import parse_line
from sentinel.log_store._writer import LogWriter
from sentinel.log_store.importer._diversity_of_thought import DIVERSITY_OF_THOUGHT
from sentinel.log_store.importer._document import (
    Document,
    Entry,
    Form,
    Refused,
    check_repeats,
    list_entries,
    object_entries,
    read_document,
)
from sentinel.log_store.importer._du import DU
from sentinel.log_store.importer._layout import Draft
from sentinel.log_store.importer._mallm import MALLM
from sentinel.log_store.importer._mapping import convert_record
from sentinel.log_store.importer._mapping_file import Mapping, RecordsLayout, read_mapping
from sentinel.log_store.importer._multi_agent_attack import MULTI_AGENT_ATTACK
from sentinel.log_store.importer._path import resolve
from sentinel.records import Debate, Problem
from sentinel.settings import ImporterKind, ImporterSettings

_LAYOUTS = {
    ImporterKind.du: DU,
    ImporterKind.multi_agent_attack: MULTI_AGENT_ATTACK,
    ImporterKind.mallm: MALLM,
    ImporterKind.diversity_of_thought: DIVERSITY_OF_THOUGHT,
}
_SUFFIX = re.compile(r"\.(json|jsonl|ndjson)(\.gz)?$")
Convert = Callable[[Entry, str | None], Draft]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What came of an import: the number of debates written, records left out (indices from 0), and notes."""

    debates: int
    skipped: tuple[Problem, ...]
    notes: tuple[str, ...]


class _Notes:
    """Counts what is said of single debates, and keeps where each was seen first."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, str]] = {}

    def add(self, note: str, debate: str) -> None:
        count, first = self._seen.get(note, (0, debate))
        self._seen[note] = count + 1, first

    def listed(self) -> tuple[str, ...]:
        return tuple(
            printable(f"{count_of(count, 'debate')}: {note} (first: {first})", width=1000)
            for note, (count, first) in self._seen.items()
        )


def import_log(importer: ImporterSettings, source: Path | str, out: Path) -> ImportReport:
    """Append the debates of the files that `source` names, a path or a glob, to the log `out`; idempotent.

    A debate that `out` holds already is not written again; one that now reads differently supersedes it. Raises
    ImporterError, before anything is written, for a file that is damaged or not in the importer's layout.
    """
    mapping = _read_mapping(importer)
    files = _find_files(source)
    if Path(out).resolve() in {file.resolve() for file in files}:
        raise ImporterError(f"out={out}: is the foreign log itself; choose another name")
    notes = _Notes()
    debates: dict[str, Debate] = {}
    skipped: list[Problem] = []
    for file in files:
        document = read_document(file)
        skipped += document.problems
        if mapping is None:
            entries = _list_entries(document, importer.kind)
            convert: Convert = _LAYOUTS[importer.kind].convert
        else:
            entries, convert = _list_mapped(document, mapping), _bind(mapping)
        for entry in entries:
            try:
                debate = _build_debate(entry, convert, importer, file, notes)
                if debate.id in debates:
                    raise Refused(f"the id {debate.id} occurs twice; ids must be unique")
                debates[debate.id] = debate
            except (Refused, LogError) as error:
                skipped.append(_explain(str(file), entry.index, entry.line, error))
    written = _write(debates, out, skipped, notes)
    return ImportReport(written, tuple(skipped), notes.listed())


def _explain(file: str, record: int, line: int, reason: object) -> Problem:
    return Problem(file, line, printable(f"record {record}: {reason}", width=1000))


def _read_mapping(importer: ImporterSettings) -> Mapping | None:
    if importer.kind is ImporterKind.mapping:
        if importer.mapping is None:
            raise ConfigError(
                "importer.mapping=null: importer=mapping needs a YAML file of paths, importer.mapping=FILE"
            )
        return read_mapping(Path(importer.mapping))
    if importer.mapping is not None:
        raise ConfigError(f"importer.mapping={importer.mapping}: only importer=mapping reads it, not {importer.kind}")
    return None


def _bind(mapping: Mapping) -> Convert:
    return lambda entry, model: convert_record(entry, mapping, model)


def _find_files(source: Path | str) -> list[Path]:
    literal = Path(source).expanduser()
    if literal.is_dir():
        raise ImporterError(f"source={source}: is a folder; name its files, e.g. {literal / '*.json'}")
    if literal.is_file():
        return [literal]
    if literal.exists():
        raise ImporterError(f"source={source}: is a pipe or a device; save it as a file first")
    files = sorted(Path(name) for name in glob.glob(str(literal), recursive=True))
    files = [file for file in files if file.is_file()]
    if not files:
        raise ImporterError(f"source={source}: no such file, and as a glob it matches none")
    return files


def _list_entries(document: Document, kind: ImporterKind) -> list[Entry]:
    """Return the records of a document; raises ImporterError where it is not in the importer's layout."""
    layout = _LAYOUTS[kind]
    entries = _split(document)
    if document.form not in layout.forms or not any(map(layout.matches, entries)):
        found = _describe(document, entries)
        fit = f"; {_suggest(document, entries)}"
        raise ImporterError(f"{document.path}: importer={kind} expects {layout.expected}, found {found}{fit}")
    return entries


def _split(document: Document) -> list[Entry]:
    match document.form:
        case Form.LINES:
            return list(document.value)
        case Form.LIST:
            return list_entries(document.value)
        case Form.OBJECT:
            return object_entries(document.value)
        case _:
            return []


def _describe(document: Document, entries: Sequence[Entry]) -> str:
    if not entries:
        return f"{document.form.value} without records"
    first = entries[0]
    held = f"a record with {printable(list_names(first.value))}" if isinstance(first.value, dict) else ""
    held = held or ("a list" if isinstance(first.value, list) else "neither an object nor a list")
    keyed = f" under the key {show(first.key)}" if first.key is not None else ""
    return f"{document.form.value} whose first value is {held}{keyed}"


def _suggest(document: Document, entries: Sequence[Entry]) -> str:
    for kind, layout in _LAYOUTS.items():
        if document.form in layout.forms and any(map(layout.matches, entries)):
            return f"importer={kind} probably fits"
    if any(
        isinstance(entry.value, dict) and {"rounds", "agents", "question"} <= entry.value.keys() for entry in entries
    ):
        return "it looks like a debate log already: read it with corpus=file"
    return "importer=mapping reads other layouts by a YAML file of paths"


def _list_mapped(document: Document, mapping: Mapping) -> list[Entry]:
    """Return the records of a document where a mapping says they are."""
    layout, form = mapping.records_layout, document.form
    if (layout is RecordsLayout.lines) is not (form is Form.LINES):
        fit = "lines" if form is Form.LINES else "list, object or single"
        raise ImporterError(f"{document.path}: records.layout={layout}, but the file holds {form.value}; use {fit}")
    if layout is RecordsLayout.lines:
        return list(document.value)
    path = mapping.records_path
    try:
        value = resolve(path, document.value)
    except Refused as error:
        raise ImporterError(f"{document.path}: records.path: {error}") from None
    if layout is RecordsLayout.single:
        return list_entries([value])
    if layout is RecordsLayout.list and isinstance(value, list):
        return list_entries(value)
    if layout is RecordsLayout.object and isinstance(value, dict):
        return object_entries(value)
    found = "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else show(value)
    raise ImporterError(f"{document.path}: records.layout={layout}, but {path.text} leads to {found}")


def _build_debate(entry: Entry, convert: Convert, importer: ImporterSettings, file: Path, notes: _Notes) -> Debate:
    check_repeats(entry.value)
    draft = convert(entry, importer.model)
    stem = _SUFFIX.sub("", file.name)
    digest = entry.digest
    name = draft.id or f"{stem}-{entry.index}-{digest[:8]}"
    known = None if importer.kind is ImporterKind.mapping else importer.kind.value
    data = {"id": name, "source": importer.source_name or draft.data.get("source") or known}
    data["dataset"] = importer.dataset or draft.dataset or stem
    origin = {"file": file.name, "record": entry.index, "sha256": digest}
    debate = record_from_dict({**draft.data, **data, "meta": {**draft.data.get("meta", {}), "import": origin}})
    assert isinstance(debate, Debate)
    for note in draft.notes:
        notes.add(note, name)
    if not (importer.dataset or draft.dataset):
        notes.add("the dataset is not recorded and taken from the file name; importer.dataset names it", name)
    if not any(turn.answer for turns in debate.rounds for turn in turns):
        notes.add("no answer can be read from any turn", name)
    if debate.gold is None:
        notes.add("no gold answer", name)
    if any(turn.error and "recorded answer" in turn.error for turns in debate.rounds for turn in turns):
        notes.add("a recorded answer cannot be read and counts as unparsed", name)
    if len(debate.rounds) == 1:
        notes.add("only round 0, so there was no exchange", name)
    return debate


def _write(debates: dict[str, Debate], out: Path, skipped: list[Problem], notes: _Notes) -> int:
    """Append what the log does not hold yet, and return how many were written."""
    written = 0
    with LogWriter(out) as writer:
        present = _read_present(out)
        for name, debate in debates.items():
            before = present.get(name)
            if before == debate:
                notes.add("already in the log", name)
                continue
            origin = debate.meta["import"]
            if before is not None:
                known = before.meta.get("import")
                if not isinstance(known, dict) or known.get("sha256") != origin["sha256"]:
                    reason = f"{out} has another debate with the id {name}; import into another file"
                    skipped.append(_explain(origin["file"], origin["record"], 0, reason))
                    continue
                notes.add("supersedes an earlier import that read the record differently", name)
            writer.append(debate)
            written += 1
    return written


def _read_present(out: Path) -> dict[str, Debate]:
    present = {}
    with out.open("rb") as lines:
        for line in lines:
            try:
                record = record_from_dict(parse_line(line))
            except LogError:
                # Left to the reader of the log, which reports it with its place.
                continue
            if isinstance(record, Debate):
                present[record.id] = record
    return present
