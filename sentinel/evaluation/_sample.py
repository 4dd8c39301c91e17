"""The arrays of one evaluation, taken from the fingerprints once and shared by all that refits or resamples.

In: fingerprints. Out: a `Sample` of the debates whose gold answer is known, as numpy arrays and integer codes.
"""

from dataclasses import dataclass, fields, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sentinel.errors import EvaluationError
from sentinel.fingerprint import Fingerprints
from sentinel.records import Label
from sentinel.vote import Origin

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
StrArray = npt.NDArray[np.str_]


@dataclass(frozen=True, eq=False)
class Rows:
    """The candidate rows (n,), all that fitting and cutting need.

    `debate` and `question` are codes, `question_key` and `domain` the names. `y` is 1 where the minority is right;
    `majority_correct` tells the two kinds of y = 0 apart. `weight` is 1/candidates of the debate.
    """

    x: FloatArray
    y: IntArray
    majority_correct: BoolArray
    weight: FloatArray
    debate: IntArray
    question: IntArray
    question_key: StrArray
    domain: StrArray
    size: IntArray
    first_speaker: IntArray
    given_up: BoolArray

    def __len__(self) -> int:
        return len(self.y)

    def take(self, index: npt.NDArray[np.generic]) -> Self:
        """Return the rows that a mask or an index array selects."""
        return type(self)(**{field.name: getattr(self, field.name)[index] for field in fields(self)})

    def relabel(self, order: IntArray) -> Self:
        """Return the rows with row i labelled as row order[i] was."""
        return replace(self, y=self.y[order], majority_correct=self.majority_correct[order])


@dataclass(frozen=True, eq=False)
class DebateArrays:
    """The debates (N,): their domain and question as codes, and what their votes came to.

    `given_up` marks those without a final split whose candidates were given up on the way; divergent ones never are.
    `recoverable` marks those with a right candidate of either kind.
    """

    domains: tuple[str, ...]
    domain: IntArray
    question: IntArray
    voted_correct: BoolArray
    divergent: BoolArray
    minority_truth: BoolArray
    given_up: BoolArray
    recoverable: BoolArray

    def __len__(self) -> int:
        return len(self.domain)

    @property
    def totals(self) -> dict[str, int]:
        """The number of debates of each domain, the denominator of net gain."""
        counts = np.bincount(self.domain, minlength=len(self.domains))
        return {name: int(count) for name, count in zip(self.domains, counts, strict=True)}


@dataclass(frozen=True, eq=False)
class Sample:
    """What is evaluated: the frames without the debates that cannot be scored, and their arrays."""

    debate_frame: pl.DataFrame
    candidate_frame: pl.DataFrame
    features: tuple[str, ...]
    debates: DebateArrays
    rows: Rows
    excluded: int


def build_sample(fingerprints: Fingerprints, features: tuple[str, ...]) -> Sample:
    """Return the scorable part of the fingerprints.

    Raises EvaluationError where no debate has a gold answer, ids repeat or do not match, or a feature is missing.
    """
    debates = fingerprints.debates.filter(pl.col("gold").is_not_null())
    excluded = len(fingerprints.debates) - len(debates)
    if debates.is_empty():
        raise EvaluationError(
            f"{fingerprints.name}: none of its {excluded} debates has a gold answer; add `gold` to the log's debates"
            f"{fingerprints.gold_advice}"
        )
    if missing := [name for name in features if name not in fingerprints.candidates.columns]:
        raise EvaluationError(
            f"features {', '.join(missing)}: not in the fingerprints of {fingerprints.name}; compute them with "
            "feature_groups that include them"
        )
    position = {identity: i for i, identity in enumerate(debates["id"])}
    if len(position) < len(debates):
        twice = debates["id"].filter(debates["id"].is_duplicated())[0]
        raise EvaluationError(f"{fingerprints.name}: id {twice} stands for several debates; ids must be unique")
    known = set(fingerprints.debates["id"])
    if strangers := [identity for identity in fingerprints.candidates["id"] if identity not in known]:
        raise EvaluationError(f"{fingerprints.name}: candidates of {strangers[0]}, which is not among the debates")
    candidates = fingerprints.candidates.filter(pl.col("id").is_in(list(position)))
    keys, question = np.unique(np.asarray(debates["question_key"].to_list(), dtype=np.str_), return_inverse=True)
    domains = tuple(debates["domain"].unique(maintain_order=True))
    code = {name: i for i, name in enumerate(domains)}
    debate = np.array([position[identity] for identity in candidates["id"]], dtype=np.int64)
    labels = np.asarray(candidates["label"].to_list(), dtype=object)
    divergent, minority_truth = _flags(debates, "divergent"), _flags(debates, "minority_truth")
    contested, recoverable = np.zeros(len(debates), dtype=np.bool_), minority_truth.copy()
    contested[debate] = True
    recoverable[debate[labels == Label.MINORITY_CORRECT]] = True
    arrays = DebateArrays(
        domains=domains,
        domain=np.array([code[name] for name in debates["domain"]], dtype=np.int64),
        question=question.astype(np.int64),
        # A debate without any answer has nothing that could be right.
        voted_correct=_flags(debates, "voted_correct"),
        divergent=divergent,
        minority_truth=minority_truth,
        given_up=contested & ~divergent,
        recoverable=recoverable,
    )
    rows = Rows(
        x=np.ascontiguousarray(
            candidates.select(pl.col(features).cast(pl.Float64).fill_null(float("nan"))).to_numpy(), dtype=np.float64
        ).reshape(len(candidates), len(features)),
        y=(labels == Label.MINORITY_CORRECT).astype(np.int64),
        majority_correct=(labels == Label.MAJORITY_CORRECT).astype(np.bool_),
        weight=candidates["weight"].to_numpy().astype(np.float64),
        debate=debate,
        question=arrays.question[debate],
        question_key=keys[arrays.question[debate]],
        domain=np.asarray(domains, dtype=np.str_)[arrays.domain[debate]],
        size=candidates["size"].to_numpy().astype(np.int64),
        first_speaker=candidates["first_speaker"].to_numpy().astype(np.int64),
        given_up=(candidates["origin"] == Origin.GIVEN_UP.value).to_numpy().astype(np.bool_),
    )
    return Sample(debates, candidates, features, arrays, rows, excluded)


def _flags(frame: pl.DataFrame, column: str) -> BoolArray:
    return frame[column].fill_null(False).to_numpy().astype(np.bool_)
