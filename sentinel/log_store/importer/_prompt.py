"""Splits a prompt that spells out a question and its four options into question and choices.

The prompts of the known layouts read "<instruction>? <question>: A) .., B) .., C) .., D) .. <instruction>". Options may
contain commas and brackets, so a prompt that can be split in two ways is refused.
"""

import re

from sentinel.log_store.importer._document import Refused

_MARKS = (": A) ", ", B) ", ", C) ", ", D) ")
_HEAD = re.compile(r"[^?]{0,200}\bas possible\? ")
_TAIL = re.compile(r"\s*Explain your [^()]*\(X\)[^()]*\Z")
_WAY_OUT = "importer=mapping can take question and options from fields, or the prompt whole"


def split_prompt(prompt: str) -> tuple[str, list[str]]:
    """Return question and options of a prompt; raises Refused where it has another form or is ambiguous."""
    head = _HEAD.match(prompt)
    # Only the last such instruction can be the prompt's own; a search from the left would backtrack over the question.
    tail = _TAIL.search(prompt, max(0, prompt.rfind("Explain your ") - 2))
    if head is None or tail is None:
        part = "end" if head else "beginning"
        raise Refused(
            f"the {part} of the prompt is not that of this layout, so its question cannot be cut out; {_WAY_OUT}"
        )
    body = prompt[head.end() : tail.start()] + " "
    first, last = _find_first(body), _find_last(body)
    if first is None or last is None or first != last:
        found = "in several ways" if first and last else "in no way"
        raise Refused(f"the options A) to D) can be cut out of the prompt {found}; {_WAY_OUT}")
    begins = [0, *(start + len(mark) for start, mark in zip(first, _MARKS, strict=True))]
    parts = [body[begin:end].strip() for begin, end in zip(begins, [*first, len(body)], strict=True)]
    return parts[0], parts[1:]


def _find_first(body: str) -> list[int] | None:
    """Return the leftmost positions of the four marks in their order."""
    positions, start = [], 0
    for mark in _MARKS:
        position = body.find(mark, start)
        if position < 0:
            return None
        positions.append(position)
        start = position + len(mark)
    return positions


def _find_last(body: str) -> list[int] | None:
    """Return the rightmost positions of the four marks in their order: the leftmost ones if there is one way only."""
    positions, end = [], len(body)
    for mark in reversed(_MARKS):
        position = body.rfind(mark, 0, end)
        if position < 0:
            return None
        positions.append(position)
        end = position
    return positions[::-1]
