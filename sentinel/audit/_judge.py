"""A model as the judge of a debate: it reads all that was said, without names and gold answer, and gives an answer."""

from collections.abc import Sequence
from string import ascii_uppercase

from sentinel.answer import parse_answer
from sentinel.audit._exchange import ask_model
from sentinel.audit._prompts import fill_prompt, hash_prompts
from sentinel.audit._quoting import label_agents, quote_answer, quote_question, rename_agents, text_of
from sentinel.llm import Caller, quote
from sentinel.records import AnswerType, Debate, Ruling, Status
from sentinel.settings import JudgeSettings

_PROMPTS = ("judge_system", "judge", "judge_repair")
_NO_TEXT = "(no text)"
_NO_ANSWER = "none that could be read"


async def judge_debate(
    debate: Debate, caller: Caller, settings: JudgeSettings, seed: int, *, redact: bool = False
) -> Ruling:
    """Return the model's ruling on one debate: ok with an answer, unparsed without, failed without reply.

    A log that keeps no text is not put to the model. Raises CredentialError and BudgetReached.
    """
    transcript = _write_transcript(debate)
    if transcript is None:
        error = "the log keeps no text of this debate; nothing to judge"
        return Ruling(debate.id, None, Status.FAILED, settings.model, error)
    form = _answer_form(debate)

    def read(replies: Sequence[str]) -> str | None:
        answers = [parse_answer(reply, debate.answer_type, debate.choices).answer for reply in replies]
        return next((answer for answer in answers if answer is not None), None)

    exchange = await ask_model(
        caller,
        settings,
        fill_prompt("judge_system"),
        fill_prompt("judge", question=quote_question(debate), transcript=transcript, answer_form=form),
        lambda replies: None if read(replies) is not None else fill_prompt("judge_repair", answer_form=form),
        seed,
        f"{debate.id} ruling",
    )
    answer = read(exchange.replies)
    if answer is not None:
        status, faults = Status.OK, []
    elif exchange.replies:
        status, faults = Status.UNPARSED, ["no answer could be read"]
    else:
        status, faults = Status.FAILED, ["no reply"]
    meta = exchange.describe(settings, seed, hash_prompts(*_PROMPTS), redact)
    return Ruling(debate.id, answer, status, settings.model, exchange.explain(faults), meta)


def _write_transcript(debate: Debate) -> str | None:
    """Return all turns in the order in which they stand, None where none has a text."""
    labels = label_agents(debate)
    rename = rename_agents(labels)
    turns = []
    spoken = False
    for r, row in enumerate(debate.rounds):
        for turn in row:
            text = quote(rename(text_of(turn)))
            spoken = spoken or bool(text)
            answer = quote(_NO_ANSWER) if turn.answer is None else quote_answer(debate, turn.answer)
            turns.append(f"{labels[turn.agent]}, round {r}:\n{text or _NO_TEXT}\nAnswer:\n{answer}")
    return "\n\n".join(turns) if spoken else None


def _answer_form(debate: Debate) -> str:
    match debate.answer_type:
        case AnswerType.CHOICE:
            if debate.choices:
                return f"one letter from A to {ascii_uppercase[len(debate.choices) - 1]}"
            return "the letter of one option"
        case AnswerType.NUMBER:
            return "one number in digits, without unit"
        case AnswerType.BOOLEAN:
            return "true or false"
        case AnswerType.TEXT:
            return "the answer in as few words as possible"
