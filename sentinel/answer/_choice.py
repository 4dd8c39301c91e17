"""Reads the letter of a multiple-choice answer, by what is said about each letter and how near the end."""

import re
from functools import cached_property
from itertools import chain

from sentinel.answer._mark import find_statements
from sentinel.answer._markup import strip_markup
from sentinel.answer._mention import (
    Context,
    Mention,
    ends_line,
    find_conclusion,
    find_mentions,
    follows_placeholder,
    is_affirmed_after,
    is_denied_after,
    is_joined,
    is_named,
    stands_alone,
    starts_clause,
    starts_line,
)
from sentinel.answer._option import Options, fold_case

_TAIL = 20_000
_CHAIN = 6
_WINDOW = 600
_MAX_MENTIONS = 400

_WHOLE = re.compile(r"\W{0,3}([A-Za-z])\W{0,3}")
_LABEL = re.compile(r"[(\[{]?[A-Z](?:[)\]}.:,;]|\s(?:because|since|as|is|-)\s|\n)")
_SENTENCE_END = re.compile(r"[.!?][)\"'*]{0,2}\s+|\n+")
_UNDECIDED = re.compile(
    r"\b(?:neither|(?:both|either|all|none)\s(?:of\b|are\b|(?:option|choice|answer|statement)s?\b|\(?[A-Z]\b)"
    r"|not\s(?:among|one of|listed|provided)|no\s(?:\w+\s)?(?:\(X\)\s)?answer)",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"\W*(?:(?i:none|n/a|not (?:among|listed|one of|provided)|neither|all of|unable|ambiguous|uncertain|unclear|cannot"
    r"|insufficient|(?:the|a)\s(?:combination|blend|mix)\w*)\b"
    r"|[Bb]oth\s(?:of\b|(?:option|choice|answer|statement)s?\b|\(?[A-Z]\b)|[A-J]{2,10}\b)"
)
# Capitals in use are mentions already, so this one is lower case or out of range.
_LETTER = re.compile(r"\(([A-Za-z])\)|([A-Za-z])[.)]?\s*(?:\n|$)")
_NO_ANSWER = re.compile(r"\b(?:none of (?:the|these|them)|not \(X\)|cannot be determined)", re.IGNORECASE)
_GAP = re.compile(r"[)\]}.:\s\"'*-]{0,6}")
_CONTINUED = re.compile(r"\w|[.,/:][0-9]")
_BEGUN = re.compile(r"\w$|[0-9][.,/:]$")
_PLACEHOLDER = "(X)"


def read_choice(span: str, options: Options) -> str | None:
    """Return the letter that `span` (folded) gives: a letter in use, else the text of exactly one option; else None."""
    if len(span) == 1 and span in options.letters:
        return span
    span = span[-_TAIL:]
    plain = _plain(span)
    whole = _WHOLE.fullmatch(plain)
    if whole and whole[1] in options.letters:
        return whole[1]
    if match := options.match(span):
        return match
    if whole:
        letter = whole[1].upper()
        return letter if letter in options.letters else None
    return _Reader(plain, options, 0).read(_LABEL.match(plain) is not None)


def find_choice(text: str, options: Options) -> str | None:
    """Return the letter that running `text` (folded) settles on, or None where it settles on none or on several.

    The last letter or option text that is affirmed, or stands alone, counts. Only a text without one is read by the
    lone letter of its closing sentence, else by its last bracketed, labelled or bare letter or its last option text.
    """
    tail = _plain(text[-_TAIL:])
    if len(tail) > _WINDOW:
        settled = _Reader(tail, options, len(tail) - _WINDOW).settled()
        if settled is not None:
            return settled or None
    return _Reader(tail, options, 0).read()


class _Reader:
    """A text from `start` on, its mentions of letters, and where its closing sentence begins."""

    def __init__(self, text: str, options: Options, start: int) -> None:
        self.text = text
        self.start = start
        self.options = options
        self.mentions = find_mentions(text, options.letters, start)[-_MAX_MENTIONS:]
        self._contexts: dict[int, Context] = {}
        if options.lettered:
            self._drop_quoted()

    def _drop_quoted(self) -> None:
        """Drop the letters that belong to an option's own text: "(D) both A and B"."""
        kept: list[Mention] = []
        covered = 0
        for mention in self.mentions:
            if mention.start >= covered:
                kept.append(mention)
                covered = self._label_end(mention)
        self.mentions = kept

    def read(self, labelled: bool = False) -> str | None:
        """Return what the text settles on, else the letter that labels the whole of it, else the best guess."""
        settled = self.settled()
        if settled is not None:
            return settled or None
        if labelled and self.mentions and self.mentions[0].start <= 1 and not self.wavers(0):
            return self.mentions[0].letter or None
        return self.guess()

    def settled(self) -> str | None:
        """Return the letter last affirmed, "" where that is several, None where nothing is."""
        after, letter = self.start, None
        for i in range(len(self.mentions) - 1, -1, -1):
            if self.settles(i):
                after, letter = self.mentions[i].end, "" if self.wavers(i) else self.mentions[i].letter
                break
        if len(self.text) - after > 8:
            stated = self._stated_text(after)
            return letter if stated is None else stated
        return letter

    def _stated_text(self, start: int) -> str | None:
        """Return the option stated by its text from `start` on ("the answer is Paris"), "" for a refusal, or None."""
        statements = find_statements(self.text, start)
        at = self.text.rfind(_PLACEHOLDER, start)
        if at >= 0:
            statements = chain([self.text[at + len(_PLACEHOLDER) :][:300]], statements)
        for statement in statements:
            if letter := self.options.leading(statement):
                return letter
            named = _LETTER.match(statement)
            letter = (named[1] or named[2]).upper() if named else "X"
            if letter != "X" and letter in self.options.letters:
                return letter
            if letter != "X" or _DECLINED.match(statement):
                return ""
        if affirmed := self._affirmed_text(start):
            return affirmed
        conclusion = find_conclusion(self.text, max(start, len(self.text) - _WINDOW))
        return None if conclusion is None else self._only_text(*conclusion)

    def settles(self, i: int) -> bool:
        """Tell whether mention `i` reads as the answer rather than as a topic."""
        mention = self.mentions[i]
        context = self._context(i)
        if context.affirms() or follows_placeholder(self.text, mention):
            return not context.denies()
        label_end = self._label_end(mention)
        affirmed = is_affirmed_after(self.text, label_end)
        alone = (
            stands_alone(self.text, mention)
            or (mention.start <= 2 and (mention.bracketed or is_named(self.text, mention)))
            or (starts_line(self.text, mention) and self._fills_line(mention, label_end))
        )
        lone = mention.bracketed and (context.concludes() or ends_line(self.text, mention.end))
        if not (affirmed or alone or lone) or self.denies(i):
            return False
        return affirmed or not self.is_listed(i) and (alone or not self.has_rival(i) or self.wavers(i))

    def _fills_line(self, mention: Mention, label_end: int) -> bool:
        """Tell whether a line holds nothing but this label and its option's text, or is the last one and bracketed."""
        if label_end > mention.end and ends_line(self.text, label_end):
            return True
        return mention.bracketed and "\n" not in self.text[mention.end :]

    def denies(self, i: int) -> bool:
        """Tell whether the text denies mention `i`, alone or along with its neighbours: "(A) and (C) are wrong"."""
        last = i
        while last + 1 < len(self.mentions) and last - i < _CHAIN and self._joined(last, last + 1, tight=True):
            last += 1
        if is_denied_after(self.text, self._label_end(self.mentions[last])):
            return True
        first = i
        while first > 0 and i - first < _CHAIN and self._joined(first - 1, first, tight=True):
            first -= 1
        return self._context(first).denies()

    def wavers(self, i: int) -> bool:
        """Tell whether mention `i` is named in one breath with another letter that is not denied."""
        for j, left in ((i - 1, i - 1), (i + 1, i)):
            if 0 <= j < len(self.mentions) and self._joined(left, left + 1, tight=False) and not self.denies(j):
                return True
        return False

    def has_rival(self, i: int) -> bool:
        """Tell whether the sentence of mention `i` brackets another letter that is not denied."""
        mention = self.mentions[i]
        for step in (-1, 1):
            for j in range(i + step, i + step * _CHAIN, step):
                if not 0 <= j < len(self.mentions):
                    break
                rival = self.mentions[j]
                left, right = sorted((mention, rival))
                if _SENTENCE_END.search(self.text, left.end, right.start):
                    break
                if rival.bracketed and rival.letter != mention.letter and not self.denies(j):
                    return True
        return False

    def is_listed(self, i: int) -> bool:
        """Tell whether mention `i` stands in a list of at least three options in order, each at the start of a line."""
        if i not in self._line_starts:
            return False
        letters = [self.mentions[j].letter for j in self._line_starts]
        low = high = self._line_starts[i]
        while low > 0 and letters[low - 1] < letters[low]:
            low -= 1
        while high + 1 < len(letters) and letters[high] < letters[high + 1]:
            high += 1
        return high - low >= 2

    @cached_property
    def _line_starts(self) -> dict[int, int]:
        lines = [j for j, mention in enumerate(self.mentions) if starts_line(self.text, mention)]
        return {j: place for place, j in enumerate(lines)}

    @cached_property
    def _folded(self) -> str:
        folded = fold_case(self.text)
        if len(folded) == len(self.text):
            return folded
        return "".join(low if len(low := char.casefold()) == 1 else char for char in self.text)

    @cached_property
    def closing(self) -> int:
        """Where the last sentence begins, at least 80 characters from the end."""
        start = 0
        for match in _SENTENCE_END.finditer(self.text, max(0, len(self.text) - _WINDOW)):
            start = match.end()
        return min(start, max(0, len(self.text) - 80))

    def _context(self, i: int) -> Context:
        if i not in self._contexts:
            self._contexts[i] = Context(self.text, self.mentions[i])
        return self._contexts[i]

    def _label_end(self, mention: Mention) -> int:
        """Return where a mention ends, the option's own text after it included."""
        k = self.options.letters.find(mention.letter or "?")
        if 0 <= k < len(self.options.texts) and self.options.texts[k]:
            gap = _GAP.match(self.text, mention.end)
            at = gap.end() if gap else mention.end
            if self._folded.startswith(self.options.texts[k], at):
                return at + len(self.options.texts[k])
        return mention.end

    def guess(self) -> str | None:
        """Return the best reading of a text that affirms nothing, or None."""
        open_mentions = [
            (i, m)
            for i, m in enumerate(self.mentions[-60:], start=max(0, len(self.mentions) - 60))
            if m.letter and not self.is_listed(i) and not self.denies(i) and not self.wavers(i)
        ]
        bracketed = [(i, m) for i, m in reversed(open_mentions) if m.bracketed]
        for i, mention in bracketed:
            if mention.start >= self.closing:
                return None if self.has_rival(i) else mention.letter
        if found := self._only_text(self.closing, len(self.text)):
            return found
        if _UNDECIDED.search(self.text, self.closing) or _NO_ANSWER.search(self.text, max(0, len(self.text) - 300)):
            return None
        if bracketed:
            return bracketed[0][1].letter
        for _, mention in reversed(open_mentions):
            if is_named(self.text, mention):
                return mention.letter
        if not self.options.texts:
            return None
        bare = {m.letter for _, m in open_mentions if m.start >= self.closing and starts_clause(self.text, m)}
        return bare.pop() if len(bare) == 1 else self._only_text(max(0, len(self.text) - _WINDOW), len(self.text))

    def _affirmed_text(self, start: int) -> str | None:
        """Return the option whose text is last called the answer past `start`: "Paris is the correct answer"."""
        best = (start - 1, "")
        for text in self.options.texts:
            at = self._folded.rfind(text, start) if len(text) > 2 else -1
            if (
                at > best[0]
                and is_affirmed_after(self.text, at + len(text))
                and not _inside_word(self._folded, at, at + len(text))
            ):
                best = (at, text)
        return self.options.levels[2][best[1]] if best[1] else None

    def _only_text(self, start: int, end: int) -> str | None:
        folded = self._folded[start:end]
        found = [text for text in self.options.texts if text and _holds(folded, text)]
        longest = max(found, key=len, default="")
        return self.options.levels[2][longest] if longest and all(text in longest for text in found) else None

    def _joined(self, left: int, right: int, tight: bool) -> bool:
        return is_joined(self.text, self.mentions[left], self.mentions[right], tight)


def _plain(text: str) -> str:
    return strip_markup(text).replace("$", "").strip()


def _holds(folded: str, text: str) -> bool:
    at = folded.rfind(text)
    return at >= 0 and not _inside_word(folded, at, at + len(text))


def _inside_word(text: str, start: int, end: int) -> bool:
    return _CONTINUED.match(text, end) is not None or _BEGUN.search(text, max(0, start - 2), start) is not None
