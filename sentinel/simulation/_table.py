"""What is fixed about the six simulated data sets, and the roles of the panel."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatasetSpec:
    """One simulated data set.

    The four counts are those of Table 2 in the Minority Sentinel paper, for the whole data set at scale 1. `options` is
    the number of choices, None where the answer is a number. `doubt` is the chance that a balanced agent gave another
    answer before its final one: the data set's difficulty as the debate shows it. `clarity` scales the planted effect:
    how much of who is right shows in how agents behave.
    """

    name: str
    total: int
    divergent: int
    minority_truths: int
    majority_correct: int
    options: int | None
    doubt: float
    clarity: float


DATASETS = (
    DatasetSpec("arc_challenge", 96, 33, 14, 69, 4, 0.40, 1.1),
    DatasetSpec("commonsense_qa", 253, 115, 54, 139, 5, 0.46, 0.6),
    DatasetSpec("gsm8k", 137, 76, 16, 97, None, 0.42, 4.0),
    DatasetSpec("mmlu_stem", 726, 236, 49, 587, 4, 0.42, 1.0),
    DatasetSpec("truthfulqa", 210, 76, 21, 131, 4, 0.44, 0.8),
    DatasetSpec("winogrande", 332, 150, 21, 281, 2, 0.44, 0.6),
)


@dataclass(frozen=True, slots=True)
class RoleSpec:
    """One role: `sway` scales the chance of having come over, `dissent` the chance of ending in the minority."""

    name: str
    sway: float
    dissent: float


ROLES = (RoleSpec("auditor", 0.6, 1.3), RoleSpec("analyst", 1.0, 1.0), RoleSpec("challenger", 1.4, 0.8))
