"""One debate from its question to its record: round 0 apart, then the exchange, all agents of a round at once."""

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Coroutine, Sequence
from typing import Any

from sentinel.debate._identity import debate_id
from sentinel.debate._rules import ENGINE_VERSION, Member, Rules, protocol
from sentinel.debate._turn import Spoken, take_turn
from sentinel.debate._view import debate_messages, first_messages, speaking_order
from sentinel.errors import BudgetReached
from sentinel.llm import Caller, Made, seed_for
from sentinel.records import Debate, Question, Status, Turn


async def hold_debate(caller: Caller, rules: Rules, question: Question, key: str) -> Made[Debate]:
    """Return the finished debate under the id `key`; raises what must stop the run, once the round's calls are back."""
    rounds: list[tuple[Turn, ...]] = []
    spoken: list[dict[str, Spoken]] = []
    for r in range(rules.debate.rounds + 1):
        turns = await together([_speak(caller, rules, member, question, rounds) for member in rules.members])
        spoken.append({said.turn.agent: said for said in turns})
        rounds.append(tuple(spoken[r][name].turn for name in speaking_order(rules, key, r)))
    if rules.debate.redact:
        rounds = [tuple(map(redact, turns)) for turns in rounds]
    debate = Debate(
        id=key,
        dataset=question.dataset,
        source=question.source,
        question_key=question.question_key,
        # The passage is part of what was asked: novelty, auditors and judges have to know it.
        question=question.question if question.context is None else f"{question.context}\n\n{question.question}",
        choices=question.choices,
        answer_type=question.answer_type,
        gold=question.gold,
        agents=tuple(member.to_agent() for member in rules.members),
        rounds=tuple(rounds),
        meta=_describe(rules, question, spoken),
    )
    said = [turn for turns in rounds for turn in turns]
    fault = next((turn.error for turn in said if turn.status is not Status.OK), None)
    return Made(debate, Counter(turn.status for turn in said), fault)


def redact(turn: Turn) -> Turn:
    """Return the turn without what the model wrote; its answer and its numbers stay."""
    return dataclasses.replace(turn, raw=None, reasoning="", change_reason=None)


async def _speak(
    caller: Caller, rules: Rules, member: Member, question: Question, rounds: Sequence[Sequence[Turn]]
) -> Spoken:
    if rounds:
        messages = debate_messages(rules, member, question, rounds)
    else:
        messages = first_messages(rules, member, question)
    # Not from the debate's own id: under other rules the same request is then found in the cache, as in round 0.
    seed = seed_for(rules.seed, debate_id(question, ""), member.name, len(rounds))
    return await take_turn(caller, rules, member, question, messages, seed, debating=bool(rounds))


async def together(turns: Sequence[Coroutine[Any, Any, Spoken]]) -> list[Spoken]:
    """Take the turns at once; a bound reached by one lets the calls of the others, which are paid for, end."""
    tasks = [asyncio.create_task(turn) for turn in turns]
    try:
        return await asyncio.gather(*tasks)
    except BudgetReached:
        await asyncio.wait(tasks)
        raise
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        raise


def _describe(rules: Rules, question: Question, spoken: Sequence[dict[str, Spoken]]) -> dict[str, Any]:
    completions = [completion for turns in spoken for said in turns.values() for completion in said.completions]
    cut_off = [[r, name] for r, turns in enumerate(spoken) for name, said in turns.items() if said.cut_off]
    meta: dict[str, Any] = {
        **question.meta,
        "question_id": question.id,
        "subject": question.subject,
        "engine": ENGINE_VERSION,
        "prompts": rules.prompts.hash,
        **protocol(rules.debate),
        "redacted": rules.debate.redact,
        "seed": rules.seed,
        "calls": len(completions),
        "cached_calls": sum(completion.cached for completion in completions),
    }
    if cut_off:
        meta["cut_off"] = cut_off
    return meta
