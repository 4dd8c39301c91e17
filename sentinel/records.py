"""The frozen domain types that rooms hand to each other.

A `Corpus` holds `Debate` records and what was appended about them later (`Audit`, `Ruling`, `Samples`, `Ballots`).
Answers in memory are canonical (see `sentinel.answer`): two answers are the same answer exactly when their strings are
equal. The JSON form of each record lives in `sentinel.log_store`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SCHEMA_VERSION = 1
# With fewer debates in which the minority is right, each of five folds holds fewer than four: too few to learn from.
FEW_TRUTHS = 20
# What tables call all domains together; no domain has this name.
OVERALL = "overall"


class AnswerType(StrEnum):
    """What kind of answer a question asks for; decides how answers are read and compared."""

    CHOICE = "choice"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"


class Status(StrEnum):
    """What came of one turn: an answer, a text without one, or no text at all."""

    OK = "ok"
    UNPARSED = "unparsed"
    FAILED = "failed"


class Label(StrEnum):
    """Who was right in a divergent debate, for one candidate; the paper folds the last two into y = 0."""

    MINORITY_CORRECT = "minority_correct"
    MAJORITY_CORRECT = "majority_correct"
    BOTH_WRONG = "both_wrong"


@dataclass(frozen=True, slots=True)
class Agent:
    """One participant of a debate. `name` is unique within the debate."""

    name: str
    model: str | None = None
    role: str | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What one agent said in one round. `answer` is canonical, and None unless `status` is ok.

    `reasoning` is the text that features read; `raw` is the model's whole output where it was recorded. `cost` is in US
    dollars and None when unknown; `latency` is in seconds.
    """

    agent: str
    answer: str | None
    status: Status
    reasoning: str = ""
    raw: str | None = None
    stance_change: bool | None = None
    change_reason: str | None = None
    confidence: float | None = None
    usage: Mapping[str, Any] | None = None
    cost: float | None = None
    latency: float | None = None
    attempts: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Debate:
    """One question debated by K agents: `rounds[0]` is independent, rounds 1..R follow an exchange.

    `question_key` identifies the underlying question; debates that share it are never split between training and test.
    """

    id: str
    dataset: str
    source: str | None
    question_key: str
    question: str
    choices: tuple[str, ...] | None
    answer_type: AnswerType
    gold: str | None
    agents: tuple[Agent, ...]
    rounds: tuple[tuple[Turn, ...], ...]
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def domain(self) -> str:
        """The pair (source, dataset) that thresholds and tables are kept for, as `source/dataset`.

        Two pairs never share a name: what follows the last slash is the dataset, with `%` and `/` in it written as
        %25 and %2F. Without a source it stands alone, but for one called `overall`, which is `/overall`.
        """
        dataset = self.dataset.replace("%", "%25").replace("/", "%2F")
        return f"{self.source or ''}/{dataset}" if self.source or dataset == OVERALL else dataset


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a benchmark as agents get it; `gold` is canonical and never shown to them.

    `choices` stand in the order in which they are shown, labelled A, B, ...; `context` is a passage to answer from.
    """

    id: str
    dataset: str
    source: str | None
    question_key: str
    question: str
    choices: tuple[str, ...] | None
    answer_type: AnswerType
    gold: str | None
    context: str | None = None
    subject: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit of one candidate's debate. The seven values are floats, None where the auditor gave none.

    The first four are 0 or 1, the two scores 1 to 5, `blind_follower_count` 0 to K - 1. `auditor` says who judged.
    """

    id: str
    candidate: str
    auditor: str
    minority_new_evidence: float | None = None
    majority_echo_chamber: float | None = None
    minority_finds_error: float | None = None
    majority_logical_gap: float | None = None
    minority_reasoning_score: float | None = None
    majority_reasoning_score: float | None = None
    blind_follower_count: float | None = None
    status: Status = Status.OK
    error: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """An LLM judge's answer to a divergent debate, canonical."""

    id: str
    answer: str | None
    status: Status
    judge: str
    error: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Samples:
    """Independent answers of one model to the debate's question, canonical; None where one did not parse."""

    id: str
    answers: tuple[str | None, ...]
    model: str
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ballots:
    """Votes cast under another protocol than plurality of final answers, kept as recorded."""

    id: str
    protocol: str
    ballots: tuple[Mapping[str, Any], ...]
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """A line of a log that could not be used: where it stands and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True)
class Corpus:
    """Debates and what was recorded about them, in reading order; iterating gives the debates.

    `audits` is keyed by (debate id, candidate), `rulings`, `samples` and `ballots` by debate id. `data_hash` is the
    SHA-256 of what determines the content. `problems` lists lines left out, `notes` what a reader of results must know.
    """

    name: str
    debates: tuple[Debate, ...]
    audits: Mapping[tuple[str, str], Audit] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    samples: Mapping[str, Samples] = field(default_factory=dict)
    ballots: Mapping[str, Ballots] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    data_hash: str = ""
    simulated: bool = False

    def __iter__(self) -> Iterator[Debate]:
        return iter(self.debates)

    def __len__(self) -> int:
        return len(self.debates)
