"""Reads yes and no, true and false."""

import re

from sentinel.answer._mark import find_statements
from sentinel.answer._markup import strip_markup

BOOLEANS = {**dict.fromkeys(["true", "yes", "y", "t"], "true"), **dict.fromkeys(["false", "no", "n", "f"], "false")}
_TAIL = 20_000
_HEAD = 200
# A longer span is running text, wherever it stands.
_MAX_SPAN = 500
_WORD = r"(yes|true|no|false)"
_POLAR = re.compile(rf"\b{_WORD}\b", re.IGNORECASE)
_LEADING = re.compile(
    rf"""[\W_]*+(?:(?:so|thus|hence|therefore|overall|then|in\sconclusion|(?:final\s)?answer)\b\W*)?
    (?:(?:\w+ly|still)\s)?{_WORD}(?![\w'-])(?P<rest>.*)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_BOTH = re.compile(r"\s?(?:/|,?\s(?:and|or)\b)\s?(?:yes|no|true|false)\b", re.IGNORECASE)
# "no" before a noun denies the noun, not the question.
_DETERMINER = re.compile(r"\s[a-z]", re.IGNORECASE)
_CLAUSE_WORD = re.compile(
    r"\s(?:because|since|as|it|he|she|they|we|you|i|this|that|there|but|the|not)\b", re.IGNORECASE
)
_VERDICT = re.compile(
    r"\b(?:statement|claim|hypothesis|assertion|proposition|this|that)\s(?:is|must\sbe|would\sbe)\s(?P<not>not\s|n't\s)?"
    r"(?:\w+ly\s)?(?P<word>true|false|correct|incorrect)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[.!?:]\s|\n)\s*")


def read_boolean(span: str) -> str | None:
    """Return "true" or "false" where `span` (folded) says one of them, or leads with it; else None."""
    if exact := BOOLEANS.get(span.strip().strip(".!\"'*").lower()):
        return exact
    if len(span) > _MAX_SPAN:
        return find_boolean(span)
    span = strip_markup(span)
    if leading := _leading(span):
        return leading
    for statement in find_statements(span):
        if leading := _leading(statement):
            return leading
    said = {BOOLEANS[word.lower()] for word in _POLAR.findall(span)}
    return _verdict(span) or (said.pop() if len(said) == 1 and len(span) < 40 and "not" not in span else None)


def find_boolean(text: str) -> str | None:
    """Return what running `text` (folded) answers: stated last, else said by the last sentence or the first word."""
    tail = strip_markup(text[-_TAIL:])
    for statement in find_statements(tail):
        if leading := _leading(statement):
            return leading
    sentences = _SENTENCE.split(tail[-2000:])
    for sentence in reversed(sentences):
        if found := _leading(sentence) or _verdict(sentence):
            return found
    return _leading(strip_markup(text[:_HEAD]))


def _leading(sentence: str) -> str | None:
    match = _LEADING.match(sentence)
    if match is None or _BOTH.match(match["rest"]):
        return None
    word = match[1].lower()
    if word == "no" and _DETERMINER.match(match["rest"]) and not _CLAUSE_WORD.match(match["rest"]):
        return None
    return BOOLEANS[word]


def _verdict(sentence: str) -> str | None:
    found = None
    for match in _VERDICT.finditer(sentence):
        positive = match["word"].lower() in ("true", "correct")
        found = "true" if positive != bool(match["not"]) else "false"
    return found
