"""Turns drafts into questions: ids told apart, choices shuffled with the key remapped, gold canonical, keys set."""

import string
from collections.abc import Iterable

from sentinel.answer import canonical_answer
from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft
from sentinel.errors import DatasetError
from sentinel.foreign import show
from sentinel.records import AnswerType, Question
from sentinel.settings import DatasetSettings

LETTERS = string.ascii_uppercase


def finish_questions(drafts: Iterable[Draft], settings: DatasetSettings) -> list[Question]:
    """Return one question per draft, in order; records that share an id get -2, -3, ... appended."""
    taken: set[str] = set()
    questions = []
    for draft in drafts:
        name, repeat = draft.id, 1
        while name in taken:
            repeat += 1
            name = f"{draft.id}-{repeat}"
        taken.add(name)
        questions.append(_finish(draft, name, settings))
    return questions


def _finish(draft: Draft, name: str, settings: DatasetSettings) -> Question:
    choices, gold = draft.choices, draft.gold
    if choices is not None:
        if not 1 <= len(choices) <= len(LETTERS):
            raise DatasetError(
                f"{draft.place}: {len(choices)} choices; expected 1 to {len(LETTERS)}, for letters A to Z"
            )
        order = _order(len(choices), settings, name)
        choices = tuple(choices[i] for i in order)
        gold = LETTERS[order.index(gold)] if isinstance(gold, int) else None
    elif gold is not None:
        gold = _read_gold(draft)
    return Question(
        id=name,
        dataset=settings.name,
        source=None,
        question_key=_key(draft),
        question=draft.question,
        choices=choices,
        answer_type=draft.answer_type,
        gold=gold,
        context=draft.context,
        subject=draft.subject,
        meta={"place": draft.place, **draft.meta},
    )


def _order(count: int, settings: DatasetSettings, name: str) -> list[int]:
    """Return the owner's positions in the order shown; it depends on seed and id only, so a sample keeps it."""
    positions = range(count)
    if not settings.shuffle_choices:
        return list(positions)
    return sorted(positions, key=lambda i: digest("choice", settings.seed, name, i))


def _read_gold(draft: Draft) -> str:
    gold = canonical_answer(draft.gold, draft.answer_type)
    if gold is None:
        raise DatasetError(f"{draft.place}: the gold answer {show(draft.gold)} is no {draft.answer_type.value}")
    return gold


def _key(draft: Draft) -> str:
    if draft.twin is not None:
        return digest("twin", draft.twin)
    return digest("question", draft.question, draft.context, sorted(draft.choices or ()))


def warn_of_constant_gold(questions: Iterable[Question]) -> str | None:
    """Return a warning where one letter is the right answer to every choice question of at least 20, else None."""
    golds = [question.gold for question in questions if question.answer_type is AnswerType.CHOICE]
    if len(golds) >= 20 and golds[0] is not None and len(set(golds)) == 1:
        return f"the gold answer is {golds[0]} in all {len(golds)} questions; set dataset.shuffle_choices=true"
    return None
