"""Self-consistency: one agent answers a question many times without seeing anybody, for a baseline at equal calls."""

import difflib
from collections import Counter

from sentinel.debate._engine import together
from sentinel.debate._identity import debate_id
from sentinel.debate._rules import Member, Rules
from sentinel.debate._turn import take_turn
from sentinel.debate._view import first_messages
from sentinel.errors import DebateError
from sentinel.llm import Caller, Made, add_up, seed_for
from sentinel.records import Question, Samples, Status


def find_sampler(rules: Rules) -> Member:
    """Return the agent to sample from, the panel's first unless `debate.sampler` names another."""
    name = rules.debate.sampler
    if name is None:
        return rules.members[0]
    names = [member.name for member in rules.members]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise DebateError(f"debate.sampler={name}: no such agent; {hint}have: {', '.join(names)}")
    return rules.members[names.index(name)]


async def draw_samples(
    caller: Caller, rules: Rules, sampler: Member, question: Question, key: str, count: int
) -> Made[Samples]:
    """Return `count` answers, in a fixed order, and how many of them came about, failed or could not be read."""
    messages = first_messages(rules, sampler, question)
    spoken = await together(
        [
            take_turn(
                caller,
                rules,
                sampler,
                question,
                messages,
                seed_for(rules.seed, f"{debate_id(question, '')} sample", sampler.name, i),
                debating=False,
                sample=i,
            )
            for i in range(count)
        ]
    )
    completions = [completion for said in spoken for completion in said.completions]
    totals = add_up(completions)
    errors = [said.turn.error for said in spoken if said.turn.status is Status.FAILED]
    samples = Samples(
        id=key,
        answers=tuple(said.turn.answer for said in spoken),
        model=sampler.settings.model,
        meta={
            "agent": sampler.name,
            "role": sampler.settings.role.name,
            "temperature": sampler.temperature,
            "prompts": rules.prompts.hash,
            "seed": rules.seed,
            "usage": totals.usage,
            "cost": totals.cost,
            "calls": len(completions),
            "cached_calls": sum(completion.cached for completion in completions),
            "errors": errors,
        },
    )
    fault = next((said.turn.error for said in spoken if said.turn.status is not Status.OK), None)
    return Made(samples, Counter(said.turn.status for said in spoken), fault)
