"""The records of several files brought together: one for each key, answers canonical, the rest counted or explained."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Generic, TypeVar

from sentinel.answer import canonical_answer
from sentinel.errors import LogError
from sentinel.foreign import show
from sentinel.log_store._annotation_codec import Annotation
from sentinel.log_store._codec import is_success, key_of, kind_of, record_from_dict
from sentinel.log_store._field import count_of, misfit, printable
from sentinel.log_store._row import read_rows
from sentinel.log_store._unknown import UnknownFields
from sentinel.records import Audit, Ballots, Debate, Problem, Ruling, Samples, Status

_R = TypeVar("_R", Debate, Audit, Ruling, Samples, Ballots)


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What one file holds: readable records by kind, superseded ones included, and the SHA-256 of its content."""

    file: str
    records: dict[str, int]
    content_hash: str


class LastSuccess(Generic[_R]):
    """Keeps one record for each key, in the order the keys came: the last success, else the last failure."""

    def __init__(self) -> None:
        self.records: dict[Hashable, _R] = {}
        self.superseded = 0

    def put(self, record: _R) -> None:
        """Take in the next record."""
        held = self.records.get(key_of(record))
        if held is not None:
            self.superseded += 1
            if is_success(held) and not is_success(record):
                return
        self.records[key_of(record)] = record


class Gathering:
    """Reads files one after the other; `settle` ends the reading."""

    def __init__(self, *, strict: bool, reparse: bool) -> None:
        self._strict = strict
        self._reparse = reparse
        self._origins: dict[str, tuple[str, int]] = {}
        self._reused = 0
        self._annotations: list[tuple[Annotation, str, int]] = []
        self._unheld = 0
        self.debates: LastSuccess[Debate] = LastSuccess()
        self.audits: LastSuccess[Audit] = LastSuccess()
        self.rulings: LastSuccess[Ruling] = LastSuccess()
        self.samples: LastSuccess[Samples] = LastSuccess()
        self.ballots: LastSuccess[Ballots] = LastSuccess()
        self.files: list[FileSummary] = []
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.unknown = UnknownFields()

    def read(self, file: Path) -> None:
        """Take in all rows of a file; raises LogError for a bad one if strict."""
        name = str(file)
        digest = sha256()
        records: Counter[str] = Counter()
        for line, row in read_rows(file, digest):
            try:
                if isinstance(row, LogError):
                    raise row
                record = record_from_dict(row, reparse=self._reparse)
                if isinstance(record, Debate):
                    self._take_debate(record, name, line)
                else:
                    self._annotations.append((record, name, line))
                records[kind_of(record)] += 1
                self.unknown.look_at(row, kind_of(record))
            except LogError as error:
                self._report(name, line, error)
        self.files.append(FileSummary(name, dict(records), digest.hexdigest()))

    def settle(self) -> None:
        """Attach what was recorded about the debates to them, now that all are known."""
        orphans: Counter[str] = Counter()
        for record, file, line in self._annotations:
            debate = self.debates.records.get(record.id)
            if debate is None:
                orphans[kind_of(record)] += 1
                continue
            try:
                self._take_annotation(record, debate)
            except LogError as error:
                self._report(file, line, error)
        self._annotations.clear()
        self.problems.sort(key=lambda problem: (problem.file, problem.line))
        self.notes += [
            f"{kind}: {count_of(n, 'record')} of debates that no file holds, left out"
            for kind, n in sorted(orphans.items())
        ]
        if self._unheld:
            self.notes.append(f"{count_of(self._unheld, 'audit')} of an answer that no agent gave in its debate")
        self.notes += self.unknown.notes()
        if self.superseded:
            note = f"{count_of(self.superseded, 'record')} superseded: of several with one key the last success counts"
            if self._reused:
                reused = f"{count_of(self._reused, 'debate')} with an id of another file"
                note += f"; {reused}: rename the ids if these are other runs"
            self.notes.append(note)

    @property
    def superseded(self) -> int:
        """The number of records that are not used because another one of the same key is."""
        stores = (self.debates, self.audits, self.rulings, self.samples, self.ballots)
        return sum(store.superseded for store in stores)

    def _report(self, file: str, line: int, error: LogError) -> None:
        problem = Problem(file, line, str(error))
        if self._strict:
            raise LogError(show_problem(problem)) from None
        self.problems.append(problem)

    def _take_debate(self, debate: Debate, file: str, line: int) -> None:
        held = self.debates.records.get(debate.id)
        origin = self._origins.setdefault(debate.id, (file, line))
        # Two questions under one id are two debates; letting one replace the other would lose a debate unseen.
        if held is not None and held.question_key != debate.question_key:
            place = f"{origin[0]}:{origin[1]}"
            raise LogError(f"id={show(debate.id)} already names another question's debate ({place}); rename one")
        self._reused += origin[0] != file
        self.debates.put(debate)

    def _take_annotation(self, record: Annotation, debate: Debate) -> None:
        match record:
            case Audit():
                candidate = _canonical(record.candidate, debate)
                if candidate is None:
                    raise misfit("candidate", record.candidate, f"a {debate.answer_type.value} answer")
                most = len(debate.agents) - 1
                if record.blind_follower_count is not None and record.blind_follower_count > most:
                    raise misfit("blind_follower_count", record.blind_follower_count, f"at most K - 1 = {most}")
                # It would count as an audit and serve no candidate.
                self._unheld += all(turn.answer != candidate for turns in debate.rounds for turn in turns)
                self.audits.put(replace(record, candidate=candidate))
            case Ruling():
                self.rulings.put(_canonical_ruling(record, debate))
            case Samples():
                answers = tuple(_canonical(answer, debate) for answer in record.answers)
                self.samples.put(replace(record, answers=answers))
            case Ballots():
                self.ballots.put(record)


def show_problem(problem: Problem) -> str:
    """Return `file:line: reason`, without the line where the whole file is meant."""
    place = f"{problem.file}:{problem.line}" if problem.line else problem.file
    return printable(f"{place}: {problem.reason}", width=1000)


def _canonical(answer: str | None, debate: Debate) -> str | None:
    return None if answer is None else canonical_answer(answer, debate.answer_type, debate.choices)


def _canonical_ruling(ruling: Ruling, debate: Debate) -> Ruling:
    answer = _canonical(ruling.answer, debate)
    if ruling.answer is None or answer is not None:
        return replace(ruling, answer=answer)
    reason = f"the recorded answer {show(ruling.answer)} is not a {debate.answer_type.value} answer"
    return replace(ruling, answer=None, status=Status.UNPARSED, error=ruling.error or reason)
