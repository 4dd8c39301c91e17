"""One debate as a row: how the vote went, who was right, and what was recorded about it beside the turns."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from sentinel.records import Debate, Ruling, Samples, Status
from sentinel.vote import Vote, VoteState

DEBATE_COLUMNS = pl.Schema(
    {
        "id": pl.String(),
        "domain": pl.String(),
        "dataset": pl.String(),
        "source": pl.String(),
        "question_key": pl.String(),
        "agents": pl.Int64(),
        "rounds": pl.Int64(),
        "state": pl.String(),
        "voted": pl.String(),
        "gold": pl.String(),
        "voted_correct": pl.Boolean(),
        "any_correct": pl.Boolean(),
        "divergent": pl.Boolean(),
        "minority_truth": pl.Boolean(),
        "both_wrong": pl.Boolean(),
        "given_up_truth": pl.Boolean(),
        "fallback": pl.Boolean(),
        "unparsed_final": pl.Int64(),
        "agent_names": pl.List(pl.String()),
        "agent_correct": pl.List(pl.Boolean()),
        "ruling": pl.String(),
        "ruling_correct": pl.Boolean(),
        "samples": pl.Int64(),
        "samples_correct": pl.Boolean(),
    }
)


def describe_debate(
    debate: Debate, vote: Vote, given_up: Sequence[str], ruling: Ruling | None, samples: Samples | None
) -> dict[str, Any]:
    """Return the row of a debate; `given_up` are the candidates that are no final answer.

    Whatever says who was right is null without a gold answer. An answer that did not parse is never right.
    """
    gold = debate.gold
    final = {turn.agent: turn.answer for turn in debate.rounds[-1]}
    answers = [final.get(agent.name) for agent in debate.agents]
    minority = [camp.answer for camp in vote.camps[1:]] if vote.divergent else []
    answered = ruling is not None and ruling.status is not Status.FAILED
    return {
        "id": debate.id,
        "domain": debate.domain,
        "dataset": debate.dataset,
        "source": debate.source,
        "question_key": debate.question_key,
        "agents": len(debate.agents),
        "rounds": len(debate.rounds) - 1,
        "state": vote.state.value,
        "voted": vote.answer,
        "gold": gold,
        "voted_correct": None if gold is None else vote.answer == gold,
        "any_correct": None if gold is None else gold in answers,
        "divergent": vote.divergent,
        "minority_truth": None if gold is None else gold in minority,
        "both_wrong": None if gold is None else vote.divergent and gold not in (vote.answer, *minority),
        "given_up_truth": None if gold is None else gold in given_up,
        "fallback": vote.state is VoteState.UNANSWERED and vote.answer is not None,
        "unparsed_final": answers.count(None),
        "agent_names": [agent.name for agent in debate.agents],
        "agent_correct": [None if gold is None else answer == gold for answer in answers],
        "ruling": ruling.answer if ruling else None,
        "ruling_correct": ruling.answer == gold if ruling and answered and gold is not None else None,
        "samples": len(samples.answers) if samples else None,
        "samples_correct": _poll(samples, len(debate.agents) * len(debate.rounds)) == gold
        if samples and gold is not None
        else None,
    }


def _poll(samples: Samples, calls: int) -> str | None:
    """Return the plurality of the first `calls` samples, as many as the debate made; equal: the one drawn first."""
    counts: dict[str, int] = {}
    for answer in samples.answers[:calls]:
        if answer is not None:
            counts[answer] = counts.get(answer, 0) + 1
    return max(counts, key=counts.__getitem__) if counts else None
