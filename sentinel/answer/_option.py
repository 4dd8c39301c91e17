"""The options of a choice question, prepared once for matching by text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sentinel.answer._free_text import strip_outer
from sentinel.answer._markup import fold_unicode, strip_markup
from sentinel.answer._number import read_number

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LABEL = re.compile(r"\(?([A-Z])[).:]\s+")

_MAX_QUANTITY = 30
_LONE_LETTER = re.compile(r"\b[A-Z]\b")
_CONTINUES = re.compile(r"(?!s\b)\w|[.,/:][0-9]|(?<=[0-9])\s?[-+*/^×]\s?[0-9a-z(\\]")
_FILLER = re.compile(r"(?:indeed|likely|most|still|therefore|clearly|that|the|an?)\s")
_OPENING = " .,;:!?\"'*_`([{"
_HYPHEN = re.compile(r"-(?<=[a-z]-)(?=[a-z])")


@dataclass(frozen=True)
class Options:
    """The letters in use, the folded text of each option, and letters by text at four levels of strictness.

    A level maps a text to its letter, or to None where several options share it. The levels: as written, without outer
    punctuation, casefolded, by the one number a short text holds. `lettered`: the texts themselves name letters.
    """

    letters: str
    texts: tuple[str, ...]
    lettered: bool
    levels: tuple[dict[str, str | None], ...]

    def match(self, span: str) -> str | None:
        """Return the letter of the one option whose text `span` is, the strictest level that knows it deciding."""
        for level, key in zip(self.levels, _spellings(span), strict=True):
            if key and key in level:
                return level[key]
        return None

    def leading(self, remainder: str) -> str | None:
        """Return the letter of the longest option whose text folded `remainder` begins with, or None."""
        start = fold_case(" ".join(remainder.split())).lstrip(_OPENING)
        for _ in range(4):
            best = max((text for text in self.texts if text and start.startswith(text)), key=len, default=None)
            if best is not None and not _CONTINUES.match(start, len(best)):
                return self.levels[2][best]
            filler = _FILLER.match(start)
            if filler is None:
                return None
            start = start[filler.end() :].lstrip(_OPENING)
        return None


def fold_case(text: str) -> str:
    """Return `text` in the case and hyphenation in which option texts are compared."""
    folded = text.casefold()
    return _HYPHEN.sub(" ", folded) if "-" in folded else folded


def prepare_options(choices: Sequence[object] | None) -> Options:
    """Return the prepared options; without choices every letter is in use and no text matches."""
    return _prepare(tuple(map(str, choices)) if choices else None)


@lru_cache(maxsize=4096)
def _prepare(choices: tuple[str, ...] | None) -> Options:
    if choices is None:
        return Options(LETTERS, (), False, ({}, {}, {}, {}))
    levels: tuple[dict[str, str | None], ...] = ({}, {}, {}, {})
    letters = LETTERS[: len(choices)]
    texts = []
    for letter, choice in zip(letters, choices, strict=False):
        written = fold_unicode(choice)
        label = _LABEL.match(written)
        if label and label[1] == letter:
            written = written[label.end() :]
        keys = _spellings(written)
        texts.append(keys[2])
        for level, key in zip(levels, keys, strict=True):
            if key:
                level[key] = None if key in level else letter
    return Options(letters, tuple(texts), any(_LONE_LETTER.search(choice) for choice in choices), levels)


def _spellings(text: str) -> tuple[str, str, str, str]:
    plain = " ".join(strip_markup(text).split())
    stripped = strip_outer(plain.replace("$", ""))
    return plain, stripped, fold_case(stripped), (read_number(plain) or "") if len(plain) <= _MAX_QUANTITY else ""
