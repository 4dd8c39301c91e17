"""The minority answers that may overturn a majority, and who was right."""

from dataclasses import dataclass
from enum import StrEnum

from sentinel.records import Label
from sentinel.vote._plurality import Grid, Vote, VoteState


class CandidateMode(StrEnum):
    """Which answers are candidates: those of the final split, or also those given up during the debate."""

    final_split = "final_split"
    any_round = "any_round"


class Origin(StrEnum):
    """Where a candidate comes from; results of the two are reported apart."""

    FINAL_SPLIT = "final_split"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One minority answer: its camp m, the majority camp M it stands against, and where it comes from.

    For a given-up answer `holders` are its last holders, and `majority` is the final majority camp without them.
    """

    answer: str
    holders: tuple[int, ...]
    majority: tuple[int, ...]
    majority_answer: str
    origin: Origin


def list_candidates(grid: Grid, vote: Vote, mode: CandidateMode = CandidateMode.final_split) -> tuple[Candidate, ...]:
    """Return the candidates of a debate with a majority, the larger camp first, then the first speaker; else none.

    Under `any_round`, answers given up on the way follow those of the final split, under the same order among them.
    """
    if vote.state is not VoteState.MAJORITY:
        return ()
    majority = vote.camps[0]
    candidates = [
        Candidate(camp.answer, camp.holders, majority.holders, majority.answer, Origin.FINAL_SPLIT)
        for camp in vote.camps[1:]
    ]
    if mode is CandidateMode.any_round:
        standing = {camp.answer for camp in vote.camps}
        last_holders: dict[str, tuple[int, ...]] = {}
        for row in grid[:-1]:
            for answer in row:
                if answer is not None and answer not in standing:
                    last_holders[answer] = tuple(k for k, other in enumerate(row) if other == answer)
        given_up = sorted(last_holders.items(), key=lambda item: (-len(item[1]), item[1][0], item[0]))
        for answer, holders in given_up:
            rest = tuple(k for k in majority.holders if k not in holders)
            candidates.append(Candidate(answer, holders, rest, majority.answer, Origin.GIVEN_UP))
    return tuple(candidates)


def label_candidate(candidate: Candidate, gold: str | None) -> Label | None:
    """Return who was right, or None where the gold answer is unknown."""
    if gold is None:
        return None
    if candidate.answer == gold:
        return Label.MINORITY_CORRECT
    return Label.MAJORITY_CORRECT if candidate.majority_answer == gold else Label.BOTH_WRONG
