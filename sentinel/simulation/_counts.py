"""How many debates of each outcome a data set has, at any scale, and which camps a divergent or tied vote can have."""

import math
from enum import StrEnum

from sentinel.errors import SimulationError
from sentinel.settings import CorpusSettings
from sentinel.simulation._table import DatasetSpec


class Outcome(StrEnum):
    """How a simulated debate ends; the first three are the labels of a divergent debate."""

    MINORITY_CORRECT = "minority_correct"
    MAJORITY_CORRECT = "majority_correct"
    BOTH_WRONG = "both_wrong"
    AGREED_RIGHT = "agreed_right"
    AGREED_WRONG = "agreed_wrong"
    TIED_WRONG = "tied_wrong"
    UNANSWERED = "unanswered"


def round_half_up(value: float) -> int:
    """Return the nearest integer, halves upwards, so that counts grow with the scale."""
    return math.floor(value + 0.5)


def count_outcomes(spec: DatasetSpec, settings: CorpusSettings) -> dict[Outcome, int]:
    """Return how many debates of each outcome `spec` has: Table 2 times the scale, each count rounded on its own.

    Raises SimulationError where the shares ask for more debates of one kind than the counts leave room for.
    """
    total, divergent, truths, correct = (
        round_half_up(settings.scale * count)
        for count in (spec.total, spec.divergent, spec.minority_truths, spec.majority_correct)
    )
    both_wrong = 0 if spec.options == 2 else round_half_up(settings.both_wrong_share * (divergent - truths))
    majority_right = divergent - truths - both_wrong
    agreed = total - divergent
    agreed_right = correct - majority_right
    wrong = agreed - agreed_right
    if agreed_right < 0 or wrong < 0:
        raise SimulationError(
            f"{spec.name}: corpus.both_wrong_share={settings.both_wrong_share} at corpus.scale={settings.scale} makes "
            f"{both_wrong} of {divergent} divergent debates wrong on both sides, so that {agreed_right} of {agreed} "
            f"agreed debates would have to be right; {'raise' if agreed_right < 0 else 'lower'} the share, or take a "
            "corpus.scale of 0.05 or more"
        )
    tied = round_half_up(settings.tied_share * wrong) if _can_tie(spec, settings) else 0
    unanswered = round_half_up(settings.unparsed_share * (wrong - tied))
    return {
        Outcome.MINORITY_CORRECT: truths,
        Outcome.MAJORITY_CORRECT: majority_right,
        Outcome.BOTH_WRONG: both_wrong,
        Outcome.AGREED_RIGHT: agreed_right,
        Outcome.AGREED_WRONG: wrong - tied - unanswered,
        Outcome.TIED_WRONG: tied,
        Outcome.UNANSWERED: unanswered,
    }


def _can_tie(spec: DatasetSpec, settings: CorpusSettings) -> bool:
    """Return whether a tie is possible; where all agents cannot tie, one needs a turn without a readable answer."""
    return bool(list_ties(settings.agents, spec.options)) or settings.unparsed_share > 0


def list_splits(voters: int, options: int | None) -> tuple[tuple[int, ...], ...]:
    """Return the camp sizes, largest first, that make a vote of `voters` divergent: two or three camps, one largest.

    Two options allow two camps. More leave one at least outside the camps, so that the splits of a data set are the
    same whether any camp is right or none.
    """
    splits: list[tuple[int, ...]] = [(first, voters - first) for first in range(voters - 1, voters // 2, -1)]
    if options != 2:
        for first in range(voters - 2, 1, -1):
            rest = voters - first
            seconds = range(min(first, rest) - 1, (rest - 1) // 2, -1)
            splits += [(first, second, rest - second) for second in seconds]
    return tuple(splits)


def list_ties(voters: int, options: int | None) -> tuple[tuple[int, ...], ...]:
    """Return the camp sizes, largest first, that tie a vote of `voters`: two or three camps, the largest not unique."""
    ties: list[tuple[int, ...]] = [(voters // 2, voters // 2)] if voters % 2 == 0 else []
    if options != 2:
        for first in range(voters // 2, 0, -1):
            third = voters - 2 * first
            if 1 <= third <= first:
                ties.append((first, first, third))
    return tuple(ties)
