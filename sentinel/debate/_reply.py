"""Takes a model's reply apart: the answer, the reasoning, and what it says of changing its mind.

Nothing here fails: what a reply lacks is None, and a text without tags is all reasoning. Time is linear in its length.
"""

import re
from dataclasses import dataclass

from sentinel.answer import parse_answer
from sentinel.records import Question, Status

_TAG = re.compile(r"<\s{0,3}(/?)\s{0,3}(reasoning|answer|stance[_ ]change|change[_ ]reason)\s{0,3}>", re.IGNORECASE)
_FLAG = re.compile(r"\W*(yes|no|true|false)\b", re.IGNORECASE)
_THOUGHT_END = "</think>"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says. `answer` is canonical, None unless `status` is ok; `reasoning` is "" only without any text."""

    answer: str | None
    status: Status
    reasoning: str
    stance_change: bool | None
    change_reason: str | None


def read_reply(text: str | None, question: Question) -> Reply:
    """Return what a reply to the question says; a thinking model's closed thoughts count for nothing but its answer."""
    answer, status = parse_answer(text, question.answer_type, question.choices)
    spoken = _drop_thoughts(text or "")
    parts = read_parts(spoken)
    flag = _FLAG.match(parts.get("stance_change", ""))
    return Reply(
        answer=answer,
        status=status,
        reasoning=parts.get("reasoning") or spoken,
        stance_change=None if flag is None else flag[1].lower() in ("yes", "true"),
        change_reason=parts.get("change_reason") or None,
    )


def read_parts(text: str) -> dict[str, str]:
    """Return what stands in each tag: the last complete one, else an unclosed one up to the next tag or the end."""
    closed: dict[str, str] = {}
    unclosed: dict[str, str] = {}
    opened: dict[str, int] = {}
    for match in _TAG.finditer(text):
        name = match[2].lower().replace(" ", "_")
        for other, begin in opened.items():
            if other != name and other not in unclosed:
                unclosed[other] = text[begin : match.start()].strip()
        if not match[1]:
            opened[name] = match.end()
        elif name in opened:
            closed[name] = text[opened.pop(name) : match.start()].strip()
    for name, begin in opened.items():
        unclosed.setdefault(name, text[begin:].strip())
    return unclosed | closed


def _drop_thoughts(text: str) -> str:
    """Return what follows the last closed thought, or the whole text where nothing does."""
    spoken = text.rpartition(_THOUGHT_END)[2]
    return (spoken if any(map(str.isalnum, spoken)) else text).strip()
