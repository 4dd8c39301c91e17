"""Counts of outcomes against the paper's Table 2, and the splits and ties a panel can have."""

import pytest

from sentinel.errors import SimulationError
from sentinel.settings import CorpusSettings
from sentinel.simulation._counts import Outcome, count_outcomes, list_splits, list_ties
from sentinel.simulation._table import DATASETS, DatasetSpec

BY_NAME = {spec.name: spec for spec in DATASETS}


def test_arc_by_hand() -> None:
    # Of 96 debates 33 diverge: 14 minority truths, 0.3 of the other 19 both wrong (5.7, so 6), 13 majority right. Of
    # the 63 others 69 - 13 = 56 are right and 7 wrong: one tied (0.7), none unanswered (0.02 of 6).
    assert count_outcomes(BY_NAME["arc_challenge"], CorpusSettings()) == {
        Outcome.MINORITY_CORRECT: 14,
        Outcome.MAJORITY_CORRECT: 13,
        Outcome.BOTH_WRONG: 6,
        Outcome.AGREED_RIGHT: 56,
        Outcome.AGREED_WRONG: 6,
        Outcome.TIED_WRONG: 1,
        Outcome.UNANSWERED: 0,
    }


@pytest.mark.parametrize("scale", [0.05, 0.13, 0.5, 1.0, 2.5, 10.0])
@pytest.mark.parametrize("spec", DATASETS, ids=lambda spec: spec.name)
def test_every_count_is_the_papers_times_the_scale(spec: DatasetSpec, scale: float) -> None:
    counts = count_outcomes(spec, CorpusSettings(scale=scale))
    divergent = [counts[Outcome.MINORITY_CORRECT], counts[Outcome.MAJORITY_CORRECT], counts[Outcome.BOTH_WRONG]]
    assert min(counts.values()) >= 0
    assert abs(sum(counts.values()) - scale * spec.total) <= 0.5
    assert abs(sum(divergent) - scale * spec.divergent) <= 0.5
    assert abs(divergent[0] - scale * spec.minority_truths) <= 0.5
    right = counts[Outcome.MAJORITY_CORRECT] + counts[Outcome.AGREED_RIGHT]
    assert abs(right - scale * spec.majority_correct) <= 0.5


def test_two_options_cannot_both_be_wrong() -> None:
    counts = count_outcomes(BY_NAME["winogrande"], CorpusSettings(both_wrong_share=1.0))
    assert counts[Outcome.BOTH_WRONG] == 0


def test_two_options_tie_an_odd_panel_only_by_an_unreadable_turn() -> None:
    spec = BY_NAME["winogrande"]
    # 332 - 150 agree, 281 - 129 of them rightly: 30 are wrong, a tenth of them tied.
    assert count_outcomes(spec, CorpusSettings())[Outcome.TIED_WRONG] == 3
    assert count_outcomes(spec, CorpusSettings(unparsed_share=0.0))[Outcome.TIED_WRONG] == 0
    assert count_outcomes(spec, CorpusSettings(unparsed_share=0.0, agents=4))[Outcome.TIED_WRONG] == 3


def test_impossible_counts_say_which() -> None:
    with pytest.raises(SimulationError, match=r"arc_challenge: corpus.both_wrong_share=1.0 .* lower the share"):
        count_outcomes(BY_NAME["arc_challenge"], CorpusSettings(both_wrong_share=1.0))


@pytest.mark.parametrize(
    ("voters", "options", "splits"),
    [
        (3, 4, {(2, 1)}),
        (4, 4, {(3, 1), (2, 1, 1)}),
        (5, 2, {(4, 1), (3, 2)}),
        (5, None, {(4, 1), (3, 2), (3, 1, 1)}),
        (7, 5, {(6, 1), (5, 2), (4, 3), (5, 1, 1), (4, 2, 1), (3, 2, 2)}),
    ],
)
def test_splits_have_one_largest_camp(voters: int, options: int | None, splits: set[tuple[int, ...]]) -> None:
    assert set(list_splits(voters, options)) == splits


@pytest.mark.parametrize(
    ("voters", "options", "ties"),
    [(3, 4, {(1, 1, 1)}), (3, 2, set()), (2, 2, {(1, 1)}), (5, 4, {(2, 2, 1)}), (6, 4, {(3, 3), (2, 2, 2)})],
)
def test_ties_have_no_single_largest_camp(voters: int, options: int | None, ties: set[tuple[int, ...]]) -> None:
    assert set(list_ties(voters, options)) == ties
