"""Pluralities, camps and candidates of one debate, as pure functions over its stored answers.

In: a `Debate` with canonical answers. Out: its `Vote` (majority, tied or unanswered) and the minority `Candidate`s that
may overturn it, each with a label where the gold answer is known.
"""

from sentinel.vote._candidate import Candidate, CandidateMode, Origin, label_candidate, list_candidates
from sentinel.vote._plurality import Camp, Fallback, TieBreak, Vote, VoteState, answer_grid, take_vote

__all__ = [
    "Camp",
    "Candidate",
    "CandidateMode",
    "Fallback",
    "Origin",
    "TieBreak",
    "Vote",
    "VoteState",
    "answer_grid",
    "label_candidate",
    "list_candidates",
    "take_vote",
]
