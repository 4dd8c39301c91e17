"""The sums of simulated solutions, recomputed here from what they print."""

import re

from sentinel.simulation._arithmetic import draw_plans, draw_quantities, write_steps
from sentinel.simulation._draws import Draws

STEP = re.compile(r"(\d+) ([-+x]) (\d+) = (\d+)")


def recompute(step: str) -> tuple[int, int]:
    """The value of a written step, and what it prints."""
    found = STEP.fullmatch(step)
    assert found is not None
    left, right = int(found[1]), int(found[3])
    return {"+": left + right, "-": left - right, "x": left * right}[found[2]], int(found[4])


def test_plans_chain_the_questions_numbers_to_distinct_positive_values() -> None:
    draws = Draws("plans")
    for _ in range(50):
        quantities = draw_quantities(draws)
        assert len(set(quantities)) == len(quantities)
        plans = draw_plans(draws, quantities, 5)
        assert len({plan.value for plan in plans}) == 5
        for plan in plans:
            used = [plan.steps[0][0], *(step[2] for step in plan.steps)]
            assert len(used) >= 3
            assert set(used) <= set(quantities)
            for (_, _, _, result), (left, _, _, _) in zip(plan.steps, plan.steps[1:], strict=False):
                assert left == result
            assert plan.value > 0


def test_a_turn_has_at_most_one_slip_and_goes_on_from_the_right_result() -> None:
    draws = Draws("steps")
    slips = short = 0
    for _ in range(300):
        plan = draw_plans(draws, draw_quantities(draws), 1)[0]
        written = write_steps(draws, plan, 0.0)
        assert len(plan.steps) - 1 <= len(written) <= len(plan.steps)
        short += len(written) < len(plan.steps)
        wrong = [value != printed for value, printed in map(recompute, written)]
        assert sum(wrong) <= 1
        slips += any(wrong)
        for step, (_, _, _, result) in zip(written, plan.steps, strict=False):
            assert recompute(step)[0] == result
    # A quarter slips, less the slips in steps left out; a fifth stops short.
    assert 40 < slips < 90
    assert 35 < short < 90


def test_merit_keeps_from_slipping() -> None:
    def slips(merit: float) -> int:
        draws = Draws("merit")
        plan = draw_plans(draws, draw_quantities(draws), 1)[0]
        steps = [step for _ in range(300) for step in write_steps(draws, plan, merit)]
        return sum(value != printed for value, printed in map(recompute, steps))

    assert slips(3.0) < slips(0.0) < slips(-3.0)
