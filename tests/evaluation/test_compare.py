"""Sign test against scipy, Holm by hand, paired differences on small runs."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import binomtest

from sentinel.errors import EvaluationError
from sentinel.evaluation import holm, paired_difference
from sentinel.evaluation._compare import sign_test


def run(outcomes: list[str], questions: list[str] | None = None, domain: str = "s/d") -> pl.DataFrame:
    ids = [f"d{i}" for i in range(len(outcomes))]
    return pl.DataFrame(
        {
            "id": ids,
            "domain": [domain] * len(ids),
            "question_key": questions or ids,
            "outcome_cross_fitted": outcomes,
        }
    )


@pytest.mark.parametrize(("gained", "lost"), [(39, 9), (3, 3), (0, 5), (1, 0), (120, 90)])
def test_the_sign_test_is_the_exact_binomial_one(gained: int, lost: int) -> None:
    gain = np.array([1] * gained + [-1] * lost + [0] * 10)
    found = sign_test(gain, np.arange(len(gain)))
    assert (found.gained, found.lost) == (gained, lost)
    assert found.p_value == pytest.approx(binomtest(gained, gained + lost).pvalue, rel=1e-9)


def test_a_question_counts_once_by_its_net_gain() -> None:
    # Question 0 gains twice, question 1 gains and loses, question 2 loses: one gained, one lost.
    found = sign_test(np.array([1, 1, 1, -1, -1]), np.array([0, 0, 1, 1, 2]))
    assert (found.gained, found.lost, found.p_value) == (1, 1, 1.0)


def test_no_change_is_no_evidence() -> None:
    assert sign_test(np.zeros(4, dtype=np.int64), np.arange(4)).p_value == 1.0


def test_holm_by_hand() -> None:
    # Sorted 0.01 x 3 = 0.03, 0.03 x 2 = 0.06, 0.04 x 1 = 0.04, raised to 0.06 to stay in order.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_paired_difference_counts_what_changed() -> None:
    # a: two correct, one harmful; b: one correct, one neutral. Gains 1, 1, -1, 0 against 1, 0, 0, 0 on ten debates.
    kept = ["kept"] * 6
    a = run(["correct_flip", "correct_flip", "harmful_flip", "kept", *kept])
    b = run(["correct_flip", "kept", "kept", "neutral_flip", *kept])
    found = paired_difference(a, b)
    assert found.difference == 0.0
    assert (found.gained, found.lost, found.p_value) == (1, 1, 1.0)
    assert found.low < 0 < found.high
    assert found.low == pytest.approx(-found.high, abs=0.1)


def test_a_clear_difference_is_told_from_zero_and_changes_sign_with_the_order() -> None:
    better = run(["correct_flip"] * 12 + ["kept"] * 28)
    worse = run(["kept"] * 40)
    found, reverse = paired_difference(better, worse), paired_difference(worse, better)
    assert found.difference == pytest.approx(0.3)
    assert 0 < found.low < 0.3 < found.high
    assert found.p_value == pytest.approx(2 / 2**12)
    assert (reverse.difference, reverse.low, reverse.high) == pytest.approx((-0.3, -found.high, -found.low))


def test_runs_are_joined_by_id_not_by_position() -> None:
    a = run(["correct_flip", "kept", "kept"])
    assert paired_difference(a, a.reverse()).difference == 0.0
    assert paired_difference(a, a.reverse()).p_value == 1.0


def test_repeats_of_a_question_move_together() -> None:
    outcomes = ["correct_flip"] * 5 + ["kept"] * 15
    alone = paired_difference(run(outcomes), run(["kept"] * 20))
    questions = [f"q{i // 5}" for i in range(20)]
    repeated = paired_difference(run(outcomes, questions), run(["kept"] * 20, questions))
    assert repeated.difference == alone.difference
    assert (repeated.gained, repeated.p_value) == (1, 1.0)
    assert repeated.high - repeated.low > alone.high - alone.low


def test_other_debates_cannot_be_compared() -> None:
    a = run(["kept"] * 3)
    with pytest.raises(EvaluationError, match="same debates"):
        paired_difference(a, a.head(2))
    with pytest.raises(EvaluationError, match="same debates"):
        paired_difference(a, a.with_columns(id=pl.col("id") + "x"))
    with pytest.raises(EvaluationError, match="corpora differ"):
        paired_difference(a, run(["kept"] * 3, domain="s/other"))
    with pytest.raises(EvaluationError, match="outcome_paper: the first run has no such reading"):
        paired_difference(a, a, reading="paper")
    with pytest.raises(EvaluationError, match="nothing to compare"):
        paired_difference(a.head(0), a.head(0))
