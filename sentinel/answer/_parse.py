"""The three entry points: a recorded answer, an agent's text, and the type of answer a question asks for."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from sentinel.answer._boolean import BOOLEANS, find_boolean, read_boolean
from sentinel.answer._choice import find_choice, read_choice
from sentinel.answer._free_text import canonical_text, find_text
from sentinel.answer._mark import drop_thinking, find_marked
from sentinel.answer._markup import fold_unicode
from sentinel.answer._number import MAX_DIGITS, find_number, read_bare_number, read_number
from sentinel.answer._option import LETTERS, prepare_options
from sentinel.records import AnswerType, Status


class Parsed(NamedTuple):
    """What came of a text: a canonical answer with status ok, or None with status unparsed or failed."""

    answer: str | None
    status: Status


def canonical_answer(value: object, answer_type: AnswerType, choices: Sequence[str] | None = None) -> str | None:
    """Return the canonical form of a recorded or gold answer, or None where it gives no answer of that type.

    Choice "A".."Z" by position; number a plain decimal, or "1/3"; boolean "true" or "false"; text casefolded.
    Canonical answers stay as they are.
    """
    # Most of a log: a letter in use needs no options prepared.
    if answer_type is AnswerType.CHOICE and isinstance(value, str) and len(value) == 1:
        if value in (LETTERS[: len(choices)] if choices else LETTERS):
            return value
    if isinstance(value, bool):
        return str(value).lower() if answer_type is AnswerType.BOOLEAN else None
    if value is None or isinstance(value, (list, tuple, dict)):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        return None
    text = fold_unicode(str(value)).strip()
    marked = find_marked(text)
    return _read(text if marked is None else marked, answer_type, choices)


def parse_answer(text: str | None, answer_type: AnswerType, choices: Sequence[str] | None = None) -> Parsed:
    """Return the answer an agent's `text` gives: what its last answer tag or box holds, else what its sentences state.

    Status is `failed` where there is no text, `unparsed` where it gives no answer, several, or one that is no choice.
    """
    if text is None or not (text := text.strip()):
        return Parsed(None, Status.FAILED)
    spoken, finished = drop_thinking(fold_unicode(text))
    marked = find_marked(spoken)
    if marked is not None:
        answer = _read(marked, answer_type, choices)
    else:
        answer = _find(spoken, answer_type, choices) if finished else None
    return Parsed(answer, Status.UNPARSED if answer is None else Status.OK)


def infer_answer_type(gold: object, choices: Sequence[str] | None) -> AnswerType:
    """Return the type of a question's answer: by its choices, else by what its gold answer looks like, else text."""
    if choices:
        return AnswerType.CHOICE
    if isinstance(gold, bool):
        return AnswerType.BOOLEAN
    text = fold_unicode(str(gold)).strip() if gold is not None else ""
    if len(text) == 1 and text in LETTERS:
        return AnswerType.CHOICE
    if text.lower() in BOOLEANS and len(text) > 1:
        return AnswerType.BOOLEAN
    if "####" in text or read_bare_number(text) is not None:
        return AnswerType.NUMBER
    return AnswerType.TEXT


def _read(span: str, answer_type: AnswerType, choices: Sequence[str] | None) -> str | None:
    match answer_type:
        case AnswerType.CHOICE:
            return read_choice(span.strip(), prepare_options(choices))
        case AnswerType.NUMBER:
            return read_number(span.strip())
        case AnswerType.BOOLEAN:
            return read_boolean(span)
        case AnswerType.TEXT:
            return canonical_text(span)


def _find(text: str, answer_type: AnswerType, choices: Sequence[str] | None) -> str | None:
    match answer_type:
        case AnswerType.CHOICE:
            return find_choice(text, prepare_options(choices))
        case AnswerType.NUMBER:
            return find_number(text)
        case AnswerType.BOOLEAN:
            return find_boolean(text)
        case AnswerType.TEXT:
            return find_text(text)
