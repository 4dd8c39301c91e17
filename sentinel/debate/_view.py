"""What an agent gets to read: the question, the form its answer must have, and what it may see of earlier rounds.

In: the rules, the question, the rounds so far. Out: chat messages, one system and one user message, with worked
examples as turns between them where the agent wants some.
"""

import string
from collections.abc import Sequence

from sentinel.debate._prompts import Example, Prompts
from sentinel.debate._rules import Member, Rules
from sentinel.llm import clean, quote, seed_for
from sentinel.records import AnswerType, Question, Status, Turn
from sentinel.settings import SpeakingOrder, Visibility

Message = dict[str, str]


def first_messages(rules: Rules, member: Member, question: Question) -> list[Message]:
    """Return the messages of round 0, in which an agent knows of no other."""
    messages = _open(rules.prompts, member)
    for example in _examples(rules, member, question):
        messages += [_user(_ask_first(rules, member, _pose(example, question))), _assistant(_reply_to(example))]
    return [*messages, _user(_ask_first(rules, member, question))]


def debate_messages(
    rules: Rules, member: Member, question: Question, rounds: Sequence[Sequence[Turn]]
) -> list[Message]:
    """Return the messages of the round after `rounds`: what the agent said before and what it may see of the others."""
    messages = _open(rules.prompts, member)
    peer = next(other for other in rules.members if other is not member)
    for example in _examples(rules, member, question):
        asked = _ask_again(rules, member, _pose(example, question), [_first_turns(example, member, peer)])
        messages += [_user(asked), _assistant(_reply_to(example, debating=True))]
    return [*messages, _user(_ask_again(rules, member, question, rounds))]


def reminder_messages(prompts: Prompts, question: Question, asked: list[Message], reply: str | None) -> list[Message]:
    """Return the messages that ask once more for the answer alone, after a reply in which none was found."""
    reminder = prompts.fill("reask", answer_form=answer_form(prompts, question))
    if reply and reply.strip():
        return [*asked, _assistant(clean(reply)), _user(reminder)]
    # Some providers refuse an empty message.
    return [*asked[:-1], _user(f"{asked[-1]['content']}\n\n{reminder}")]


def speaking_order(rules: Rules, debate: str, round: int) -> list[str]:
    """Return the agents' names in the order of a round: as the panel, moved on by one a round, or drawn by the seed."""
    names = [member.name for member in rules.members]
    match rules.debate.order:
        case SpeakingOrder.fixed:
            return names
        case SpeakingOrder.rotated:
            shift = round % len(names)
            return names[shift:] + names[:shift]
        case SpeakingOrder.shuffled:
            return sorted(names, key=lambda name: seed_for(rules.seed, f"{debate} order", name, round))


def show_question(question: Question) -> str:
    """Return the question as an agent sees it: its passage quoted, then itself, then its options as "A) ..."."""
    parts = [] if question.context is None else [quote(question.context)]
    parts.append(clean(question.question).strip())
    if question.choices:
        parts.append(_show_choices(question.choices))
    return "\n\n".join(parts)


def answer_form(prompts: Prompts, question: Question) -> str:
    """Return how an answer to the question must be written."""
    if question.answer_type is AnswerType.CHOICE:
        if not question.choices:
            return prompts.word("answer_letter")
        return prompts.word("answer_choice", last=string.ascii_uppercase[len(question.choices) - 1])
    return prompts.word(f"answer_{question.answer_type.value}")


def _show_choices(choices: Sequence[str]) -> str:
    return "\n".join(
        f"{letter}) {clean(choice).strip()}" for letter, choice in zip(string.ascii_uppercase, choices, strict=False)
    )


def _open(prompts: Prompts, member: Member) -> list[Message]:
    return [{"role": "system", "content": prompts.fill("system", role=(member.settings.role.prompt or "").strip())}]


def _ask_first(rules: Rules, member: Member, question: Question) -> str:
    values = {"question": show_question(question), "answer_form": answer_form(rules.prompts, question)}
    if member.settings.examples:
        return rules.prompts.fill("brief", turns="", **values)
    return rules.prompts.fill("independent", **values)


def _ask_again(rules: Rules, member: Member, question: Question, rounds: Sequence[Sequence[Turn]]) -> str:
    prompts, visibility = rules.prompts, rules.debate.visibility
    names = {other.name: other.shown for other in rules.members}
    own, others = [], []
    for r in range(max(0, len(rounds) - rules.debate.history), len(rounds)):
        for turn in rounds[r]:
            if turn.agent == member.name:
                own.append(_show_turn(prompts, prompts.word("you"), r, turn, Visibility.full))
            else:
                others.append(_show_turn(prompts, names[turn.agent], r, turn, visibility))
    values = {"question": show_question(question), "answer_form": answer_form(prompts, question)}
    if member.settings.examples:
        # The examples have shown what is wanted; small models lose the thread in explanations.
        turns = own if visibility is Visibility.none else own + others
        return prompts.fill("brief", turns="\n\n".join(turns), **values)
    values |= {"own": "\n\n".join(own), "round": str(len(rounds)), "rounds": str(rules.debate.rounds)}
    if visibility is Visibility.none:
        return prompts.fill("reconsider", **values)
    return prompts.fill("debate", others="\n\n".join(others), **values)


def _show_turn(prompts: Prompts, speaker: str, round: int, turn: Turn, visibility: Visibility) -> str:
    answer = prompts.word("no_answer") if turn.answer is None else turn.answer
    if visibility is not Visibility.full:
        return prompts.fill("turn_answer", speaker=speaker, round=round, answer=answer)
    said = "\n".join(filter(None, (turn.reasoning, turn.change_reason))) or prompts.word("no_reply")
    return prompts.fill("turn", speaker=speaker, round=round, answer=answer, reasoning=quote(said))


def _examples(rules: Rules, member: Member, question: Question) -> Sequence[Example]:
    return rules.prompts.examples.get(question.answer_type.value, ()) if member.settings.examples else ()


def _pose(example: Example, like: Question) -> Question:
    """Return the example as a question of the same type as another."""
    return Question("example", "example", None, "example", example.question, example.choices, like.answer_type, None)


def _first_turns(example: Example, member: Member, peer: Member) -> list[Turn]:
    """Return a round 0 in which the member, if the example changes, or else its peer had the wrong answer."""
    right, wrong = (peer, member) if example.changes else (member, peer)
    return [
        Turn(right.name, example.answer, Status.OK, example.reasoning),
        Turn(wrong.name, example.wrong_answer, Status.OK, example.wrong_reasoning),
    ]


def _reply_to(example: Example, *, debating: bool = False) -> str:
    reply = f"<reasoning>\n{example.reasoning}\n</reasoning>\n<answer>{example.answer}</answer>"
    if not debating:
        return reply
    flag = "YES" if example.changes else "NO"
    return f"{reply}\n<stance_change>{flag}</stance_change>\n<change_reason>{example.change_reason}</change_reason>"


def _user(content: str) -> Message:
    return {"role": "user", "content": content}


def _assistant(content: str) -> Message:
    return {"role": "assistant", "content": content}
