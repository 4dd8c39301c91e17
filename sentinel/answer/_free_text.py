"""Reads free text: casefolded, whitespace collapsed, outer punctuation stripped."""

import re
import unicodedata

from sentinel.answer._mark import find_marked, find_statements
from sentinel.answer._markup import strip_markup

_TAIL = 20_000
_MAX_LENGTH = 300
# Stripping may uncover more to strip.
_PASSES = 5
_MAX_BARE_WORDS = 8
_OUTER = " \t.,;:!?\"'*_`"
_PAIRS = {"(": ")", "[": "]", "{": "}", "$": "$"}
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])[.!?](?=\s|$)|\n|\s(?:because|since)\b")
_ABSTAINED = re.compile(
    r"(?:i (?:am|'m|was) (?:not sure|unsure)|i (?:do not|don't|cannot|can't) (?:know|answer|say))\b.*"
    r"|not sure|unsure|n/a|null"
)


def strip_outer(text: str) -> str:
    """Return `text` with whitespace collapsed and without the punctuation, quotes and brackets around the whole."""
    text = " ".join(text.split())
    while True:
        text = text.strip(_OUTER)
        if (
            len(text) >= 2
            and _PAIRS.get(text[0]) == text[-1]
            and text[0] not in text[1:-1]
            and text[-1] not in text[1:-1]
        ):
            text = text[1:-1]
        else:
            return text


def canonical_text(text: str) -> str | None:
    """Return the canonical form of folded `text`, or None where nothing is left of it or it declines to answer."""
    for _ in range(_PASSES):
        folded = strip_outer(unicodedata.normalize("NFKC", strip_outer(strip_markup(text)).casefold()))
        marked = find_marked(folded)
        if marked is None and folded == text:
            return None if not text or _ABSTAINED.fullmatch(text) else text
        text = folded if marked is None else marked
    return None


def find_text(text: str) -> str | None:
    """Return what running `text` (folded) states as its answer; a text of a few words is one itself."""
    tail = text[-_TAIL:]
    for statement in find_statements(tail):
        end = _SENTENCE_END.search(statement)
        if found := canonical_text(statement[: end.start()] if end else statement):
            return found
    text = text.strip()
    if len(text) <= _MAX_LENGTH and "\n" not in text and len(text.split()) <= _MAX_BARE_WORDS:
        return canonical_text(text)
    return None
