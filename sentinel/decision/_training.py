"""What a sentinel was trained on and how its rule fared there: the part of it that is not a model.

In: fingerprints with known answers. Out: `TrainingRows` to fit on, and a `Training` that is stored with the sentinel.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sentinel.errors import DecisionError
from sentinel.fingerprint import FEATURE_GROUPS, Fingerprints, note_missing
from sentinel.records import Label
from sentinel.threshold import Picks, count_flips, pick_candidates
from sentinel.vote import Origin

FloatArray = npt.NDArray[np.float64]
_DEBATE_COLUMNS = ("gold", "domain", "agents", "rounds", "divergent", "minority_truth")
_CANDIDATE_COLUMNS = ("id", "question_key", "domain", "label", "weight", "size", "first_speaker", "origin")


@dataclass(frozen=True)
class DomainCounts:
    """Debates with a known answer in one domain."""

    debates: int
    divergent: int
    minority_truths: int


@dataclass(frozen=True)
class ReliabilityBin:
    """Candidates whose probability lies in one tenth of 0..1: how many, their mean probability, the share right."""

    low: float
    count: int
    probability: float
    right: float


@dataclass(frozen=True)
class Record:
    """How the rule fared on its own training debates, by out-of-fold probabilities.

    Cuts that were chosen, not fixed, were chosen on the same probabilities, so the flips flatter them. `contested`
    counts debates that have a candidate, `right_majorities` those of them whose majority is right. Brier scores are
    mean squared errors per candidate, `brier_of_rate` that of always predicting the share right.
    """

    debates: int
    contested: int
    right_majorities: int
    correct: int
    harmful: int
    neutral: int
    brier: float
    brier_of_rate: float
    reliability: tuple[ReliabilityBin, ...]


@dataclass(frozen=True)
class Training:
    """The reach of a sentinel: outside it, decisions carry warnings.

    `ranges` are the least and greatest value of each feature, None where none was present; `absent` the share of
    candidates in which a whole feature group was missing.
    """

    corpus: str
    data_hash: str
    simulated: bool
    agents: tuple[int, ...]
    rounds: tuple[int, ...]
    domains: Mapping[str, DomainCounts]
    ranges: Mapping[str, tuple[float, float] | None]
    absent: Mapping[str, float]
    record: Record
    notes: tuple[str, ...]

    def covers(self, features: tuple[str, ...]) -> bool:
        """Return whether the range of every feature and the absence of every group is known."""
        return set(features) == self.ranges.keys() and self.absent.keys() == group_columns(features).keys()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Training":
        """Read `to_dict`'s form; raises LookupError, TypeError, ValueError or AttributeError for any other."""
        record = dict(content["record"])
        record["reliability"] = tuple(ReliabilityBin(**item) for item in record["reliability"])
        return cls(
            corpus=str(content["corpus"]),
            data_hash=str(content["data_hash"]),
            simulated=bool(content["simulated"]),
            agents=tuple(int(k) for k in content["agents"]),
            rounds=tuple(int(r) for r in content["rounds"]),
            domains={str(name): DomainCounts(**counts) for name, counts in content["domains"].items()},
            ranges={
                str(name): None if ends is None else (float(ends[0]), float(ends[1]))
                for name, ends in content["ranges"].items()
            },
            absent={str(name): float(share) for name, share in content["absent"].items()},
            record=Record(**record),
            notes=tuple(str(note) for note in content["notes"]),
        )


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """The candidates (n,) of debates with a known answer, and the debates of each domain."""

    X: FloatArray
    y: npt.NDArray[np.int64]
    majority_correct: npt.NDArray[np.bool_]
    weight: FloatArray
    debate: npt.NDArray[np.str_]
    question: npt.NDArray[np.str_]
    domain: npt.NDArray[np.str_]
    size: npt.NDArray[np.int64]
    first_speaker: npt.NDArray[np.int64]
    given_up: npt.NDArray[np.bool_]
    totals: Mapping[str, int]

    def pick(self, probability: FloatArray) -> Picks:
        """Return the most probable candidate of each debate."""
        return pick_candidates(
            self.debate,
            probability,
            self.size,
            self.first_speaker,
            self.y == 1,
            self.majority_correct,
            self.domain,
            self.question,
            self.given_up,
        )


def gather_rows(fingerprints: Fingerprints, features: tuple[str, ...]) -> TrainingRows:
    """Return the rows to train on; raises DecisionError where there is nothing to learn from, or a column is wrong."""
    debates, candidates = fingerprints.debates, fingerprints.candidates
    if missing := [name for name in features if name not in candidates.columns]:
        raise DecisionError(
            f"features {', '.join(missing)}: not in the fingerprints of {fingerprints.name}; "
            "make them with the same feature_groups"
        )
    if wordy := [name for name in features if not candidates[name].dtype.is_numeric()]:
        raise DecisionError(f"features {', '.join(wordy)}: expected columns of numbers, null or NaN if missing")
    for table, needed in ((debates, _DEBATE_COLUMNS), (candidates, _CANDIDATE_COLUMNS)):
        if missing := [name for name in needed if name not in table.columns]:
            raise DecisionError(
                f"columns {', '.join(missing)}: not in the fingerprints of {fingerprints.name}; "
                "give what fingerprint_corpus returns"
            )
    known = debates.filter(debates["gold"].is_not_null())
    if known.is_empty():
        raise DecisionError(
            f"{fingerprints.name}: none of its {len(debates)} debates has a gold answer; training needs them"
            f"{fingerprints.gold_advice}"
        )
    rows = candidates.filter(candidates["label"].is_not_null())
    if rows.is_empty():
        raise DecisionError(
            f"{fingerprints.name}: none of its {len(known)} debates with a gold answer is divergent; "
            "train on debates in which agents disagree"
        )
    if rows["question_key"].n_unique() < 2:
        raise DecisionError(
            f"{fingerprints.name}: its {len(rows)} minority answers belong to one question; "
            "choosing a cut needs at least 2 questions"
        )
    label = rows["label"].to_numpy().astype(np.str_)
    columns = [rows[name].fill_null(float("nan")).to_numpy() for name in features]
    return TrainingRows(
        X=np.column_stack(columns).astype(np.float64),
        y=(label == Label.MINORITY_CORRECT).astype(np.int64),
        majority_correct=label == Label.MAJORITY_CORRECT,
        weight=rows["weight"].to_numpy().astype(np.float64),
        debate=rows["id"].to_numpy().astype(np.str_),
        question=rows["question_key"].to_numpy().astype(np.str_),
        domain=rows["domain"].to_numpy().astype(np.str_),
        size=rows["size"].to_numpy().astype(np.int64),
        first_speaker=rows["first_speaker"].to_numpy().astype(np.int64),
        given_up=(rows["origin"] == Origin.GIVEN_UP.value).to_numpy().astype(np.bool_),
        totals={str(name): int(count) for name, count in known["domain"].value_counts().iter_rows()},
    )


def describe_training(
    fingerprints: Fingerprints, features: tuple[str, ...], rows: TrainingRows, record: Record, notes: tuple[str, ...]
) -> Training:
    """Return the reach of a sentinel trained on these rows."""
    known = fingerprints.debates.filter(fingerprints.debates["gold"].is_not_null())
    domains = {}
    for name in sorted(rows.totals):
        members = known.filter(known["domain"] == name)
        domains[name] = DomainCounts(
            len(members), int(members["divergent"].sum()), int(members["minority_truth"].fill_null(False).sum())
        )
    ranges: dict[str, tuple[float, float] | None] = {}
    for name, column in zip(features, rows.X.T, strict=True):
        present = column[~np.isnan(column)]
        ranges[name] = (float(present.min()), float(present.max())) if len(present) else None
    absent = {
        group: float(np.isnan(rows.X[:, members]).all(axis=1).mean())
        for group, members in group_columns(features).items()
    }
    return Training(
        corpus=fingerprints.name,
        data_hash=fingerprints.data_hash,
        simulated=fingerprints.simulated,
        agents=tuple(sorted(int(k) for k in known["agents"].unique())),
        rounds=tuple(sorted(int(r) for r in known["rounds"].unique())),
        domains=domains,
        ranges=ranges,
        absent=absent,
        record=record,
        notes=(*fingerprints.notes, *note_missing(fingerprints, features), *notes),
    )


def measure(rows: TrainingRows, probability: FloatArray, picks: Picks, flip: npt.NDArray[np.bool_]) -> Record:
    """Return how flips (picks,) and probabilities (n,) fared."""
    counts = count_flips(picks, flip)
    bins = []
    tenth = np.minimum((probability * 10).astype(np.int64), 9)
    for i in np.unique(tenth):
        inside = tenth == i
        bins.append(
            ReliabilityBin(i / 10, int(inside.sum()), float(probability[inside].mean()), float(rows.y[inside].mean()))
        )
    return Record(
        debates=sum(rows.totals.values()),
        contested=len(picks),
        right_majorities=int((picks.outcome == -1).sum()),
        correct=counts.correct,
        harmful=counts.harmful,
        neutral=counts.neutral,
        brier=float(np.mean((probability - rows.y) ** 2)),
        brier_of_rate=float(rows.y.mean() * (1 - rows.y.mean())),
        reliability=tuple(bins),
    )


def group_columns(features: tuple[str, ...]) -> dict[str, list[int]]:
    """Return the columns of each feature group that has any among `features`."""
    columns = {
        str(group): [i for i, name in enumerate(features) if name in members]
        for group, members in FEATURE_GROUPS.items()
    }
    return {group: members for group, members in columns.items() if members}
