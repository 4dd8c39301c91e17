"""One agent's turn: a call, the reading of its reply, and a bounded number of requests to repeat an unreadable answer.

A turn always comes about: what fails is recorded in it; only what must stop the run (a refused key, a bound) is raised.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sentinel.debate._grammar import answer_grammar, reply_grammar
from sentinel.debate._reply import Reply, read_reply
from sentinel.debate._rules import Member, Rules
from sentinel.debate._view import Message, reminder_messages
from sentinel.errors import CallFailed, ContextOverflow
from sentinel.llm import Caller, Completion, Params, add_up
from sentinel.records import Question, Status, Turn

_CUT_OFF = "length"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn and the completions it was made from."""

    turn: Turn
    completions: tuple[Completion, ...]

    @property
    def cut_off(self) -> bool:
        """Whether some reply ended at the token limit."""
        return any(completion.finish_reason == _CUT_OFF for completion in self.completions)


async def take_turn(
    caller: Caller,
    rules: Rules,
    member: Member,
    question: Question,
    messages: list[Message],
    seed: int,
    *,
    debating: bool,
    sample: int = 0,
) -> Spoken:
    """Return what the member replies to the messages.

    A reply without a readable answer is followed by at most `debate.reasks` reminders; then its status is unparsed, or
    failed where no text came at all. Raises CredentialError and BudgetReached.
    """
    completions: list[Completion] = []
    replies: list[Reply] = []
    error: str | None = None
    asked = messages
    for ask in range(1 + rules.debate.reasks):
        params = _params(rules, member, question, seed, debating=debating, first=ask == 0)
        try:
            completion = await caller.call(member.endpoint, asked, params, sample)
        except (CallFailed, ContextOverflow) as failure:
            error = str(failure)
            break
        completions.append(completion)
        replies.append(read_reply(completion.text, question))
        if replies[-1].status is Status.OK:
            break
        asked = reminder_messages(rules.prompts, question, messages, completion.text)
    return Spoken(_make_turn(member.name, completions, replies, error, debating), tuple(completions))


def _params(rules: Rules, member: Member, question: Question, seed: int, *, debating: bool, first: bool) -> Params:
    grammar = None
    if member.settings.grammar:
        grammar = reply_grammar(question, debating=debating) if first else answer_grammar(question)
    return Params(
        temperature=member.temperature,
        max_tokens=rules.debate.answer_tokens,
        seed=seed,
        extra=member.settings.params,
        grammar=grammar,
    )


def _make_turn(
    agent: str, completions: Sequence[Completion], replies: Sequence[Reply], error: str | None, debating: bool
) -> Turn:
    texts = [completion.text for completion in completions if completion.text and completion.text.strip()]
    answer = replies[-1].answer if replies else None
    if answer is not None:
        status = Status.OK
    else:
        status = Status.UNPARSED if texts else Status.FAILED
        error = error or _describe(completions, len(texts))
    flags = [reply.stance_change for reply in replies]
    totals = add_up(completions)
    # A reminder asks for the answer alone: what came before it is the reasoning.
    return Turn(
        agent=agent,
        answer=answer,
        status=status,
        reasoning=next((reply.reasoning for reply in replies if reply.reasoning), ""),
        raw="\n\n".join(texts) or None,
        stance_change=next((flag for flag in flags if flag is not None), None) if debating else None,
        change_reason=next((reply.change_reason for reply in replies if reply.change_reason), None)
        if debating
        else None,
        usage=totals.usage,
        cost=totals.cost,
        latency=totals.latency,
        attempts=sum(completion.attempts for completion in completions) or None,
        error=error,
    )


def _describe(completions: Sequence[Completion], texts: int) -> str:
    reason = "no answer could be read" if texts else "no text came"
    replies = "1 reply" if len(completions) == 1 else f"{len(completions)} replies"
    return f"{reason} in {replies}; the last one ended with finish_reason={completions[-1].finish_reason}"
