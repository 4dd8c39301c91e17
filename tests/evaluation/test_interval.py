"""Intervals against scipy and against a bootstrap written as a loop."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from sentinel.evaluation._interval import net_gain_intervals, question_units, resample_sums, wilson
from sentinel.evaluation._metric import CORRECT, HARMFUL, KEPT, NEUTRAL
from sentinel.evaluation._sample import DebateArrays


def debates_of(domain: list[int], question: list[int]) -> DebateArrays:
    flags = np.zeros(len(domain), dtype=np.bool_)
    names = tuple(f"s/{code}" for code in range(max(domain) + 1))
    return DebateArrays(names, np.array(domain), np.array(question), flags, flags, flags, flags, flags)


@pytest.mark.parametrize(("successes", "n", "level"), [(39, 48, 0.95), (0, 7, 0.95), (7, 7, 0.9), (1, 2, 0.99)])
def test_wilson_is_scipys(successes: int, n: int, level: float) -> None:
    expected = binomtest(successes, n).proportion_ci(level, method="wilson")
    assert wilson(successes / n, n, level) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_a_question_of_two_domains_is_two_units() -> None:
    unit = question_units(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 7]))
    assert unit[0] == unit[1]
    assert len(set(unit.tolist())) == 3


def test_one_debate_a_question_gives_binomial_quantiles() -> None:
    # 100 questions, 20 correct flips: resampled counts are Binomial(100, 0.2), whose quantiles scipy knows.
    outcome = np.array([CORRECT] * 20 + [KEPT] * 80)
    found = net_gain_intervals(debates_of([0] * 100, list(range(100))), outcome, 20_000, 0.95, seed=1)
    low, high = found[None].exact
    assert 100 * low == pytest.approx(binom.ppf(0.025, 100, 0.2), abs=1)
    assert 100 * high == pytest.approx(binom.ppf(0.975, 100, 0.2), abs=1)
    assert found["s/0"] == found[None]


def test_questions_are_resampled_within_their_domain() -> None:
    # One question a domain: every sample is the data itself, so the interval is the point.
    debates = debates_of([0, 1, 1], [0, 1, 1])
    found = net_gain_intervals(debates, np.array([CORRECT, HARMFUL, NEUTRAL]), 200, 0.95, seed=0)
    assert found[None].exact == (0.0, 0.0)
    assert found[None].paper == pytest.approx((-1 / 3, -1 / 3))
    assert found["s/0"].exact == (1.0, 1.0)
    assert found["s/1"].exact == (-0.5, -0.5)


def test_sums_are_those_of_a_bootstrap_written_as_a_loop() -> None:
    # Questions of 1 to 4 debates: the number of debates varies between samples, and whole questions come together.
    rng = np.random.default_rng(3)
    unit = np.repeat(np.arange(30), rng.integers(1, 5, 30))
    gain = rng.integers(-1, 2, len(unit))
    values = np.stack([np.ones(len(unit), dtype=np.int64), gain], axis=1)
    drawn = resample_sums(np.zeros(len(unit), dtype=np.int64), unit, values, 20_000, np.random.default_rng(0))[0]
    loop = []
    for _ in range(4000):
        sample = rng.integers(0, 30, 30)
        rows = np.concatenate([values[unit == question] for question in sample])
        loop.append(rows.sum(axis=0))
    expected = np.array(loop)
    assert drawn.mean(axis=0) == pytest.approx(expected.mean(axis=0), abs=0.4)
    assert drawn.std(axis=0) == pytest.approx(expected.std(axis=0), rel=0.05)
    correlation = np.corrcoef(drawn.T)[0, 1]
    assert correlation == pytest.approx(np.corrcoef(expected.T)[0, 1], abs=0.06)


def test_repeats_of_a_question_widen_the_interval() -> None:
    # 20 debates of 20 questions, or of 4: the flips agree within a question, so there is less to learn from.
    outcome = np.array([CORRECT] * 5 + [KEPT] * 15)
    alone = net_gain_intervals(debates_of([0] * 20, list(range(20))), outcome, 4000, 0.95, seed=0)[None].exact
    repeated = net_gain_intervals(debates_of([0] * 20, [i // 5 for i in range(20)]), outcome, 4000, 0.95, seed=0)
    low, high = repeated[None].exact
    assert high - low > 1.5 * (alone[1] - alone[0])


def test_the_seed_decides_the_resamples() -> None:
    debates = debates_of([0] * 50, list(range(50)))
    outcome = np.array([CORRECT] * 7 + [HARMFUL] * 6 + [KEPT] * 37)
    first, again = (net_gain_intervals(debates, outcome, 150, 0.9, seed=4) for _ in range(2))
    assert first == again
    assert first != net_gain_intervals(debates, outcome, 150, 0.9, seed=5)
