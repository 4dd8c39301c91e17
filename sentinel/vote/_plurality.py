"""The vote of one debate: who holds which final answer, and whether there is a majority."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sentinel.records import Debate

Grid = tuple[tuple[str | None, ...], ...]


class VoteState(StrEnum):
    """Majority: a unique plurality of parsed final answers. Tied: none is unique. Unanswered: none parsed."""

    MAJORITY = "majority"
    TIED = "tied"
    UNANSWERED = "unanswered"


class TieBreak(StrEnum):
    """Which of the tied answers is the voted one."""

    first_speaker = "first_speaker"
    round0_plurality = "round0_plurality"
    seeded = "seeded"


class Fallback(StrEnum):
    """What an unanswered debate answers: nothing, or the plurality of the last round in which an answer parsed."""

    none = "none"
    last_parsed_round = "last_parsed_round"


@dataclass(frozen=True, slots=True)
class Camp:
    """One answer and the agents (indices into `debate.agents`, ascending) that hold it."""

    answer: str
    holders: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Vote:
    """The outcome of the final round.

    `camps` are the final camps, largest first, then by first speaker; empty when unanswered. `answer` is the voted
    answer, which a tie-break or a fallback may have supplied; `round` is the round it was read from.
    """

    state: VoteState
    answer: str | None
    camps: tuple[Camp, ...]
    round: int

    @property
    def divergent(self) -> bool:
        """A majority exists and some parsed final answer differs from it."""
        return self.state is VoteState.MAJORITY and len(self.camps) > 1


def answer_grid(debate: Debate) -> Grid:
    """Return the canonical answers as rounds x agents, in the order of `debate.agents`; None where none parsed."""
    index = {agent.name: k for k, agent in enumerate(debate.agents)}
    rows = []
    for turns in debate.rounds:
        row: list[str | None] = [None] * len(index)
        for turn in turns:
            row[index[turn.agent]] = turn.answer
        rows.append(tuple(row))
    return tuple(rows)


def group_camps(answers: Sequence[str | None]) -> tuple[Camp, ...]:
    """Return the camps of one round, largest first, then by first speaker."""
    holders: dict[str, list[int]] = {}
    for k, answer in enumerate(answers):
        if answer is not None:
            holders.setdefault(answer, []).append(k)
    camps = [Camp(answer, tuple(agents)) for answer, agents in holders.items()]
    return tuple(sorted(camps, key=lambda camp: (-len(camp.holders), camp.holders[0])))


def take_vote(
    debate: Debate,
    tie_break: TieBreak = TieBreak.first_speaker,
    fallback: Fallback = Fallback.none,
    seed: int = 0,
) -> Vote:
    """Return the plurality vote over the final round's parsed answers; `seed` matters to the seeded tie-break only."""
    grid = answer_grid(debate)
    last = len(grid) - 1
    camps = group_camps(grid[last])
    if not camps:
        if fallback is Fallback.last_parsed_round:
            for r in range(last - 1, -1, -1):
                if earlier := group_camps(grid[r]):
                    answer = _break_tie(debate, grid, earlier, tie_break, seed)
                    return Vote(VoteState.UNANSWERED, answer, (), r)
        return Vote(VoteState.UNANSWERED, None, (), last)
    unique = len(camps) == 1 or len(camps[0].holders) > len(camps[1].holders)
    answer = _break_tie(debate, grid, camps, tie_break, seed)
    return Vote(VoteState.MAJORITY if unique else VoteState.TIED, answer, camps, last)


def _break_tie(debate: Debate, grid: Grid, camps: tuple[Camp, ...], tie_break: TieBreak, seed: int) -> str:
    """Return the plurality answer of `camps`, by `tie_break` where several are equally large."""
    tied = [camp for camp in camps if len(camp.holders) == len(camps[0].holders)]
    if len(tied) == 1 or tie_break is TieBreak.first_speaker:
        return tied[0].answer
    if tie_break is TieBreak.round0_plurality:
        return max(tied, key=lambda camp: sum(answer == camp.answer for answer in grid[0])).answer
    digest = hashlib.sha256(f"{seed}\0{debate.id}".encode()).digest()
    return sorted(camp.answer for camp in tied)[int.from_bytes(digest[:8], "big") % len(tied)]
