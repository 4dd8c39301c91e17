"""Sums for the data set with numeric answers: quantities, one plan of steps for each answer, slips in writing it."""

from dataclasses import dataclass

from sentinel.simulation._behaviour import tilt
from sentinel.simulation._draws import Draws

QUANTITIES = 5
LARGEST = 10_000

# Log-odds between a right and a wrong answer at effect 1 and clarity 1: a written step being wrong, the last left out.
SLIPPING = -1.2
STOPPING_SHORT = -0.8


@dataclass(frozen=True, slots=True)
class Plan:
    """A chain of steps (left, sign, right, result) that leads to `value`."""

    steps: tuple[tuple[int, str, int, int], ...]

    @property
    def value(self) -> int:
        """The number the chain ends on."""
        return self.steps[-1][3]


def draw_quantities(draws: Draws) -> list[int]:
    """Return the distinct numbers that the question states."""
    return draws.sample(range(2, 40), QUANTITIES)


def draw_plans(draws: Draws, quantities: list[int], count: int) -> list[Plan]:
    """Return plans over the quantities with distinct, positive values; none is special, so any may be called right."""
    plans: list[Plan] = []
    values: set[int] = set()
    while len(plans) < count:
        plan = _draw_plan(draws, quantities)
        if plan.value not in values:
            values.add(plan.value)
            plans.append(plan)
    return plans


def _draw_plan(draws: Draws, quantities: list[int]) -> Plan:
    order = draws.sample(quantities, 3 + draws.below(QUANTITIES - 2))
    value = order[0]
    steps = []
    for number in order[1:]:
        signs = ["+"]
        if value > number:
            signs.append("-")
        if value * number < LARGEST:
            signs.append("x")
        sign = draws.pick(signs)
        result = value + number if sign == "+" else value - number if sign == "-" else value * number
        steps.append((value, sign, number, result))
        value = result
    return Plan(tuple(steps))


def write_steps(draws: Draws, plan: Plan, merit: float) -> list[str]:
    """Return the plan's steps as written in one turn, such as "12 x 4 = 48".

    A slip misstates one result and the rest goes on from the right one; a turn may stop short of the last step. The
    plan leads to the answer all the same, so neither betrays a wrong answer unless `merit` makes it.
    """
    slip = draws.below(len(plan.steps)) if draws.chance(tilt(0.25, SLIPPING * merit)) else None
    off = draws.pick((-10, -2, -1, 1, 2, 10))
    written = []
    for i, (left, sign, right, result) in enumerate(plan.steps):
        shown = result if i != slip else result + off if result + off > 0 else result + abs(off)
        written.append(f"{left} {sign} {right} = {shown}")
    return written[:-1] if draws.chance(tilt(0.2, STOPPING_SHORT * merit)) else written
