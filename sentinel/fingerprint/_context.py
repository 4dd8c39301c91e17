"""What the features of one candidate read: its debate's grid of answers, the two camps, and what candidates share.

In: a debate, a candidate and its audit. Novelty, endorsements and arithmetic are worked out at most once for a debate.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sentinel.fingerprint._arithmetic import Equation, find_equations, read_numbers
from sentinel.fingerprint._endorsement import count_endorsements
from sentinel.fingerprint._novelty import measure_novelty
from sentinel.fingerprint._turn_arithmetic import TurnArithmetic, answer_value, measure_turn
from sentinel.records import Audit, Debate, Turn
from sentinel.settings import FingerprintSettings
from sentinel.vote import Candidate, answer_grid


class DebateContext:
    """One debate as rounds x agents: turns, canonical answers, changes, new turns, endorsements, equations."""

    def __init__(self, debate: Debate, settings: FingerprintSettings) -> None:
        self.debate = debate
        self.settings = settings
        self.grid = answer_grid(debate)

    @cached_property
    def turns(self) -> tuple[tuple[Turn | None, ...], ...]:
        """The turns in the order of `debate.agents`; None where an agent has none."""
        names = [agent.name for agent in self.debate.agents]
        rows = ({turn.agent: turn for turn in row} for row in self.debate.rounds)
        return tuple(tuple(row.get(name) for name in names) for row in rows)

    @cached_property
    def changes(self) -> tuple[tuple[bool, ...], ...]:
        """Whether a turn's answer differs from the agent's last parsed one; never for an unparsed turn."""
        last: list[str | None] = [None] * len(self.debate.agents)
        rows = []
        for row in self.grid:
            rows.append(tuple(a is not None and b is not None and a != b for a, b in zip(row, last, strict=True)))
            last = [a if a is not None else b for a, b in zip(row, last, strict=True)]
        return tuple(rows)

    @cached_property
    def novelty(self) -> tuple[tuple[float, ...], ...]:
        """The new share of each turn; NaN in round 0 and where a turn has no text."""
        texts = [[turn.reasoning if turn and turn.reasoning.strip() else None for turn in row] for row in self.turns]
        return measure_novelty(self.debate.question, texts, self.settings.novelty)

    @cached_property
    def endorsements(self) -> tuple[int, ...] | None:
        """The endorsements each agent received, or None where nothing could be read."""
        return count_endorsements(self.debate, self.settings.endorsement)

    @cached_property
    def arithmetic(self) -> dict[str, list[TurnArithmetic]]:
        """The arithmetic of the turns that gave an answer, by answer; turns without an equation are left out."""
        numbers = read_numbers(self.debate.question)
        known: dict[str, tuple[Equation, ...]] = {}
        values: dict[str, float | None] = {}
        by_answer: dict[str, list[TurnArithmetic]] = {}
        for turn in (turn for row in self.turns for turn in row if turn and turn.answer is not None):
            if turn.reasoning not in known:
                known[turn.reasoning] = find_equations(turn.reasoning)
            if equations := known[turn.reasoning]:
                assert turn.answer is not None
                if turn.answer not in values:
                    values[turn.answer] = answer_value(self.debate, turn.answer)
                measured = measure_turn(equations, values[turn.answer], numbers)
                by_answer.setdefault(turn.answer, []).append(measured)
        return by_answer


@dataclass(frozen=True, slots=True)
class CandidateContext:
    """One candidate of a debate: its camp m (`candidate.holders`) against the camp M (`candidate.majority`)."""

    shared: DebateContext
    candidate: Candidate
    audit: Audit | None = None

    @property
    def minority(self) -> tuple[int, ...]:
        """The agents of m."""
        return self.candidate.holders

    @property
    def majority(self) -> tuple[int, ...]:
        """The agents of M; empty where every one of them once held a given-up candidate's answer last."""
        return self.candidate.majority


def mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are not NaN; NaN where there are none."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
