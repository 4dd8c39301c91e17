"""Finds what a text marks as its answer: tags, boxes, and sentences of the form "the answer is ..."."""

import re
from collections.abc import Iterator

_TAG = re.compile(r"<\s{0,3}(/?)\s{0,3}(?:final[_ -]?)?answer\s{0,3}>", re.IGNORECASE)
# \b is a backspace in JSON written by hand, and some logs lost the backslash altogether.
_BOX_OR_BRACE = re.compile(r"(?P<box>[b\x08]oxed\s{0,3}\{)|\\[{}]|[{}]")
_PLACEHOLDER = re.compile(
    r"\W*(?:(?:your|the|my|final|correct)\W+)*(?:answer|letter|number|choice|option|x{1,3})?\W*", re.IGNORECASE
)
_STATEMENT = re.compile(
    r"""(?:(?:nswer|NSWER)(?:\(?s\)?)?\b(?:[^.?!\n:=]|\.(?=\d)){0,80}?
      (?:\b(?:is|are|be|remains?|stays?|becomes|equals?)\b|[:=→])
    |esult\b(?:\sof\s(?:[^.?!\n:=]|\.(?=\d)){1,80}?)?\s?(?:is\b|[:=]))
    (?!\s{0,2}(?:definitely\s|clearly\s|therefore\s)?(?:not\b|n't|neither\b))""",
    re.VERBOSE,
)
_DISOWNED = re.compile(
    r"(?:\b(?:not|wrong|incorrect|previous|initial|original|earlier|first|their|others?)|'s|s')"
    r"\s(?:(?:an?|the|my|final)\s)?[ar]?$",
    re.IGNORECASE,
)
_THOUGHT = re.compile(r"<think(?:ing)?>")
_THOUGHT_END = re.compile(r"</think(?:ing)?>")
_WORD = re.compile(r"\w")
_NEGATION = re.compile(r"\bnot\b|n't\b|\bnever\b")
STATEMENT_LENGTH = 300


def drop_thinking(text: str) -> tuple[str, bool]:
    """Return `text` without a closed <think> block, and whether what is left was finished.

    A thought that is neither closed nor ends in a full stop was cut off: only what it marks counts.
    """
    if "think" not in text:
        return text, True
    end = 0
    for match in _THOUGHT_END.finditer(text):
        end = match.end()
    spoken = text[end:] if _WORD.search(text, end) else text
    closed = _THOUGHT.search(spoken) is None
    return spoken, closed or spoken.rstrip(" \n*\"')}]").endswith((".", "!", "?"))


def find_marked(text: str) -> str | None:
    """Return the content of the last complete answer tag, else of the last \\boxed{}, else of an unclosed one, or None.

    A tag or box that only repeats a placeholder ("your answer", "...") is no mark.
    """
    for found in (_find_tag(text), _find_box(text)):
        if found is not None:
            return found
    return None


def find_statements(text: str, start: int = 0) -> Iterator[str]:
    """Yield what "the answer is ...", "Answer: ..." and the like state in `text` from `start` on, the last first."""
    end = len(text)
    keywords = [keyword for keyword in ("nswer", "esult", "NSWER") if text.find(keyword, start) >= 0]
    while True:
        at = max(text.rfind(keyword, start, end) for keyword in keywords) if keywords else -1
        if at < 0:
            return
        end = at
        match = _STATEMENT.match(text, at)
        if match and not _DISOWNED.search(text, max(0, at - 30), at) and not _NEGATION.search(match[0]):
            yield text[match.end() : match.end() + STATEMENT_LENGTH].lstrip(" \n\t*:\"'_")


def _is_placeholder(span: str) -> bool:
    return len(span) < 60 and _PLACEHOLDER.fullmatch(span) is not None


def _find_tag(text: str) -> str | None:
    if "<" not in text:
        return None
    opened = None
    last = None
    for match in _TAG.finditer(text):
        if not match[1]:
            opened = match.end()
        elif opened is not None:
            span = text[opened : match.start()]
            if not _is_placeholder(span):
                last = span
            opened = None
    if last is None and opened is not None:
        span = text[opened:].strip().partition("\n")[0]
        return None if _is_placeholder(span) else span
    return last


def _find_box(text: str) -> str | None:
    start = text.find("oxed")
    if start < 0:
        return None
    stack: list[tuple[int, bool]] = []
    best = (-1, "")
    for match in _BOX_OR_BRACE.finditer(text, max(0, start - 1)):
        token = match[0]
        if token[-1] == "{" and token[0] != "\\":
            stack.append((match.end(), match["box"] is not None))
        elif token == "}" and stack:
            opened, is_box = stack.pop()
            if is_box and opened > best[0] and not _is_placeholder(text[opened : match.start()]):
                best = (opened, text[opened : match.start()])
    if best[0] >= 0:
        return best[1]
    unclosed = [opened for opened, is_box in stack if is_box]
    if not unclosed:
        return None
    span = text[unclosed[-1] :].partition("\n")[0]
    return None if _is_placeholder(span) else span
