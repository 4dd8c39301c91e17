"""Picking one candidate a debate, and counting what flips come to."""

import math

import numpy as np
import pytest

from sentinel.errors import ThresholdError
from sentinel.settings import Accounting
from sentinel.threshold import FlipCounts, Picks, count_flips, pick_candidates

PAPER, EXACT = Accounting.paper, Accounting.exact


def pick(debate, probability, size=None, first_speaker=None, correct=None, majority_correct=None, given_up=None):
    n = len(debate)
    fill = [0] * n
    return pick_candidates(
        debate, probability, size or [1] * n, first_speaker or fill, correct or fill, majority_correct or fill,
        np.array(["d"] * n, dtype=object), [f"q{code}" for code in debate], given_up or fill,
    )  # fmt: skip


def test_the_most_probable_candidate_of_each_debate_in_order_of_appearance():
    picks = pick([7, 7, 2, 5, 5, 5], [0.1, 0.6, 0.3, 0.2, 0.9, 0.4])
    assert picks.row.tolist() == [1, 2, 4]
    assert picks.probability.tolist() == [0.6, 0.3, 0.9]
    assert picks.question.tolist() == ["q7", "q2", "q5"]


def test_equal_probabilities_go_to_the_larger_camp_then_the_first_speaker():
    picks = pick([0, 0, 0, 1, 1], [0.5] * 5, size=[1, 2, 2, 1, 1], first_speaker=[0, 3, 1, 4, 2])
    assert picks.row.tolist() == [2, 4]


def test_outcomes_are_those_of_the_picked_candidate():
    # Debate 0: the right candidate is the less probable one, so flipping to the other is neutral.
    picks = pick(
        [0, 0, 1, 2], [0.9, 0.8, 0.5, 0.5], correct=[0, 1, 1, 0], majority_correct=[0, 0, 0, 1]
    )  # fmt: skip
    assert picks.outcome.tolist() == [0, 1, -1]


def test_a_debate_is_given_up_only_without_any_final_candidate():
    # Debate 0 has a final split beside the given-up answer that is picked; debate 1 has given-up answers only.
    picks = pick([0, 0, 1, 1, 2], [0.2, 0.9, 0.5, 0.4, 0.3], given_up=[0, 1, 1, 1, 0])
    assert picks.row.tolist() == [1, 2, 4]
    assert picks.given_up.tolist() == [False, True, False]
    assert picks.select(picks.given_up).row.tolist() == [2]


def test_debates_may_be_named_and_unsorted():
    picks = pick(["b", "a", "b", "a"], [0.1, 0.2, 0.3, 0.4])
    assert picks.row.tolist() == [2, 3]


def test_no_candidates():
    picks = pick([], [])
    assert len(picks) == 0
    assert count_flips(picks, np.zeros(0, dtype=bool)) == FlipCounts(0, 0, 0)


@pytest.mark.parametrize("bad", [1.5, -0.1, math.nan])
def test_probabilities_are_checked(bad):
    with pytest.raises(ThresholdError, match="between 0 and 1"):
        pick([0], [bad])


def test_lengths_are_checked():
    with pytest.raises(ThresholdError, match="2 rows"):
        pick([0, 1], [0.5])


def test_the_two_accountings_by_hand():
    # 5 flips: 2 correct, 1 harmful, 2 neutral; 10 debates.
    counts = FlipCounts(correct=2, harmful=1, neutral=2)
    assert (counts.wrong(PAPER), counts.wrong(EXACT)) == (3, 1)
    assert (counts.precision(PAPER), counts.precision(EXACT)) == (2 / 5, 2 / 3)
    assert counts.net_gain(10, PAPER) == pytest.approx(-0.1)
    assert counts.net_gain(10, EXACT) == pytest.approx(0.1)
    assert counts.net_gain(10, EXACT, cost=2.0) == 0.0
    assert math.isnan(FlipCounts(0, 0, 3).precision(EXACT))
    assert math.isnan(counts.net_gain(0, PAPER))


def test_net_gain_under_exact_accounting_is_the_change_in_accuracy():
    generator = np.random.default_rng(0)
    outcome = generator.integers(-1, 2, 200).astype(np.int8)
    names = np.array(["d"] * 200)
    picks = Picks(np.arange(200), generator.random(200), outcome, names, names, np.zeros(200, dtype=bool))
    flip = picks.probability > 0.4
    before = (outcome == -1).sum()
    after = ((outcome == -1) & ~flip).sum() + ((outcome == 1) & flip).sum()
    assert count_flips(picks, flip).net_gain(300, EXACT) == pytest.approx((after - before) / 300)


def test_the_arithmetic_of_the_paper():
    # Tables 2 to 4: 1,754 debates, 686 divergent, 175 with the minority right, 39 correct and 9 wrong flips.
    outcome = np.repeat(np.array([1, -1], dtype=np.int8), [175, 511])
    names = np.array(["all"] * 686)
    picks = Picks(np.arange(686), np.full(686, 0.5), outcome, names, names, np.zeros(686, dtype=bool))
    flip = np.zeros(686, dtype=bool)
    flip[:39] = flip[175 : 175 + 9] = True
    counts = count_flips(picks, flip)
    assert counts == FlipCounts(39, 9, 0)
    assert counts.precision(PAPER) == 0.8125
    assert round(100 * counts.correct / 175, 1) == 22.3
    assert round(100 * counts.net_gain(1754, PAPER), 2) == 1.71
    everything = count_flips(picks, np.ones(686, dtype=bool))
    assert round(100 * everything.net_gain(1754, PAPER), 2) == -19.16
    assert round(100 * everything.precision(PAPER), 1) == 25.5
    assert round(100 * FlipCounts(70, 94, 0).net_gain(1754, PAPER), 2) == -1.37
    by_domain = {(5, 0, 96): 5.21, (3, 2, 253): 0.40, (11, 0, 137): 8.03, (16, 7, 726): 1.24, (3, 0, 210): 1.43}
    for (correct, wrong, n), gain in by_domain.items():
        assert round(100 * FlipCounts(correct, wrong, 0).net_gain(n, PAPER), 2) == gain
