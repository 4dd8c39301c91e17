"""Debates written in a line: "ABA AAB" is three agents and one debate round, "-" an answer that did not parse."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from sentinel.fingerprint._context import CandidateContext, DebateContext
from sentinel.records import Agent, AnswerType, Audit, Debate, Status, Turn
from sentinel.settings import FingerprintSettings
from sentinel.vote import CandidateMode, list_candidates, take_vote

Texts = Sequence[Sequence[str]]
MakeDebate = Callable[..., Debate]
MakeContext = Callable[..., CandidateContext]


def build_debate(
    answers: str,
    texts: Texts | None = None,
    declared: dict[tuple[int, int], bool] | None = None,
    gold: str | None = None,
    names: Sequence[str] | None = None,
    question: str = "",
    id: str = "d1",
    answer_type: AnswerType = AnswerType.CHOICE,
    choices: tuple[str, ...] | None = None,
) -> Debate:
    """`texts` is rounds x agents; `declared` maps (round, agent) to what the turn says about a change."""
    rows = [row.split(",") if "," in row else list(row) for row in answers.split()]
    names = names or [f"agent_{k}" for k in range(len(rows[0]))]
    rounds = tuple(
        tuple(
            Turn(
                agent=names[k],
                answer=None if answer == "-" else answer,
                status=Status.UNPARSED if answer == "-" else Status.OK,
                reasoning=texts[r][k] if texts else "",
                stance_change=(declared or {}).get((r, k)),
            )
            for k, answer in enumerate(row)
        )
        for r, row in enumerate(rows)
    )
    return Debate(
        id=id,
        dataset="quiz",
        source="lab",
        question_key=f"q-{id}",
        question=question,
        choices=choices,
        answer_type=answer_type,
        gold=gold,
        agents=tuple(Agent(name) for name in names),
        rounds=rounds,
    )


@pytest.fixture
def make_debate() -> MakeDebate:
    return build_debate


@pytest.fixture
def make_context() -> MakeContext:
    """Return the context of one candidate of a debate: the first, or the one whose answer is named."""

    def make(
        debate: Debate | str,
        candidate: str | None = None,
        audit: Audit | None = None,
        mode: CandidateMode = CandidateMode.final_split,
        **settings: object,
    ) -> CandidateContext:
        if isinstance(debate, str):
            debate = build_debate(debate)
        shared = DebateContext(debate, replace(FingerprintSettings(), candidates=mode, **settings))
        found = list_candidates(shared.grid, take_vote(debate), mode)
        chosen = next(item for item in found if candidate in (None, item.answer))
        return CandidateContext(shared, chosen, audit)

    return make
