"""Letters mentioned in running text, and what the words around a letter say about it."""

import re
from functools import lru_cache
from typing import NamedTuple

_CLAUSE_LENGTH = 300

# Words that follow a label and never the article "a".
_LABEL_FOLLOWS = re.compile(
    r"\s(?:because|since|with|as|is|was|are|and|or|due|based|would|in|for|from|the|this|that|has|if|while|seems|appears)\b"
)
_WORD_FOLLOWS = re.compile(r"\s[a-z]")
_DENIED_AFTER = re.compile(
    r"""[)\]"'*.:,]{0,3}\s{0,2}
    (?:(?:is|are|was|were|does|do|has|can|could|would)(?:n't|\s?not)\b
      |(?:is|are|was|were|seems?|appears?)\s(?:\w+\s){0,2}?
       (?:not|incorrect|wrong|false|inaccurate|invalid|unlikely|irrelevant|less|ruled\sout|eliminated)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_AFFIRMED_AFTER = re.compile(
    r"""[)\]"'*.:,]{0,3}\s{0,2}
    (?:is|are|as|being|remains|provides|offers|seems\sto\sbe|appears\sto\sbe|would\sbe)\s
    (?:(?!partially|also|not|less)\w+\s){0,4}?
    (?:correct|right|best|answer|accurate|appropriate|choice|suitable|fitting|true|likely)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"\(X\)\s?(?:is|would\sbe)?[\s:=*-]{0,5}[\"']?$")
_NAMED = re.compile(r"\b(?:option|choice|answer|letter)s?\s[\"'*]{0,3}$", re.IGNORECASE)
_TIGHT = re.compile(
    r"\s?(?:|,|&|/|\+|(?:,\s)?(?:and|or|nor|and/or|as well as|through|to))\s?(?:(?:and|or|also)\s)?"
    r"(?:(?:option|choice|answer)s?\s)?",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"[^.?!\n]{0,150}?(?:\b(?:and|or|nor)|[,&/+])\s?(?:(?:option|choice|answer)s?\s)?", re.IGNORECASE)
_CLAUSE_START = re.compile(
    r"(?:^|[\n.,:;*\"'?!]\s{0,3}|\b(?:is|be|so|thus|hence|therefore|with|to|as)\s)$", re.IGNORECASE
)
_PUNCTUATED = re.compile(r"(?:^|[\n.,:;*\"'?!)]\s{0,3})$")
_FULL_STOP = re.compile(r"(?:^|[\n.:?!]\s{0,3})$")
_LINE_START = re.compile(r"(?:^|\n)[^\w\n(]*$")
_LINE_END = re.compile(r"[^\w\n]*(?:X\)[^\w\n]*)?(?:\n|$)")

_FILLERS = frozenset(
    "a an also answer best choice clearly correct definitely indeed letter likely most option options probably right"
    " still statement that the therefore thus updated".split()
)
_ADJECTIVES = frozenset("my our final accurate appropriate suitable one only".split())
_NOUNS = frozenset("answer answers choice option response selection solution verdict vote conclusion".split())
# "Let's look at each option:" opens a list, it states nothing.
_SURVEYS = frozenset("each every options choices answers following".split())
_COPULAS = frozenset("is are be remain remains stay stays = →".split())
_VERBS = frozenset(
    "choose chooses chose choosing conclude concludes concluded concluding favor favors favour favours maintain"
    " maintains makes making match matches pick picks picked picking select selects selected selecting support supports"
    " supporting".split()
)
_PHRASES = {
    "as": _NOUNS,
    "for": frozenset("opt opting opted vote voting".split()),
    "on": frozenset("settle settled settling".split()),
    "to": _NOUNS | frozenset("corresponds correspond corresponding points pointing point".split()),
    "toward": frozenset("lean leans leaning".split()),
    "towards": frozenset("lean leans leaning".split()),
    "with": _NOUNS | frozenset("agree go going stick sticking stay staying".split()),
}
_NEGATIONS = frozenset("not never neither nor incorrect wrong previous".split())
_DENIALS = frozenset(
    "not never neither nor than over unlike except excluding eliminate eliminates eliminated eliminating exclude"
    " excludes excluded reject rejects rejected rejecting discard discarded dismiss dismissed".split()
)
_DENIAL_PHRASES = frozenset(
    "rule out,rules out,ruled out,ruling out,instead of,none of,opposed to,disagree with".split(",")
)
_CONCLUDING_WORDS = frozenset(
    "therefore thus hence so overall ultimately finally consequently accordingly considering given taking".split()
)
_CONCLUDING_PHRASES = frozenset("in conclusion,in summary,in short,based on".split(","))
_CONCLUSION = re.compile(
    r"(?:Therefore|Thus|Hence|So|Overall|Ultimately|Finally|Consequently|Accordingly|Considering|Given|Taking|Based on"
    r"|In (?:conclusion|summary|short))\b(?:[^.!?\n]|[.](?!\s))*"
)


class Mention(NamedTuple):
    """One letter in a text: its span, the letter, and whether it stands in brackets; "(A+B)" has the letter ""."""

    start: int
    end: int
    letter: str
    bracketed: bool


class Context:
    """The clause before a mention, as lower-case words without the fillers next to the letter."""

    def __init__(self, text: str, mention: Mention) -> None:
        before = text[max(0, mention.start - _CLAUSE_LENGTH) : mention.start]
        clause = before.rstrip(" \n\t*\"'-•")
        if clause.endswith((".", "?", "!")):
            clause = ""
        cut = max(clause.rfind(". "), clause.rfind("\n"), clause.rfind("? "), clause.rfind("! "))
        self.bracketed = mention.bracketed
        self.colon = clause.endswith(":")
        self.words = [word.strip("*\"'(),:;") for word in clause[cut + 1 :].lower().split()]
        self.near = self.words
        while self.near and self.near[-1] in _FILLERS:
            self.near = self.near[:-1]

    def affirms(self) -> bool:
        """Tell whether the clause makes the letter the answer: "the answer is B", "I choose (B)"."""
        near = self.near
        if not self.words:
            return False
        last = near[-1] if near else ""
        if last == "but" and "not" in near:
            return any(word in _NOUNS for word in near)
        if self._negated():
            return False
        if self.colon:
            said = any(word in _NOUNS for word in self.words) or last in _COPULAS or self.concludes()
            return said and not any(word in _SURVEYS for word in self.words)
        if last in _COPULAS:
            return any(word in _NOUNS for word in self.words) or self.bracketed and last != "are"
        if last in _VERBS:
            return True
        allowed = _PHRASES.get(last)
        return allowed is not None and any(word in allowed for word in near[-7:-1])

    def denies(self) -> bool:
        """Tell whether the clause denies the letter: "not (B)", "rule out B", "the other options, (B)"."""
        near = self.near
        if not near:
            return False
        if near[-1] in _DENIALS or near[-1].endswith("n't") or " ".join(near[-2:]) in _DENIAL_PHRASES:
            return True
        if near[-1] in _COPULAS and self._negated():
            return True
        return any(
            word in ("other", "remaining")
            and following.startswith(("option", "choice", "answer", "statement", "alternat"))
            for word, following in zip(self.words, self.words[1:], strict=False)
        )

    def concludes(self) -> bool:
        """Tell whether the clause begins as a conclusion does: "Therefore, ...", "Based on ..."."""
        words = self.words
        return bool(words) and (words[0] in _CONCLUDING_WORDS or " ".join(words[:2]) in _CONCLUDING_PHRASES)

    def _negated(self) -> bool:
        """Tell whether a negation stands before the last noun, adjectives aside, or after it."""
        words = self.words
        at = max((i for i, word in enumerate(words) if word in _NOUNS), default=max(0, len(words) - 4))
        while at > 0 and words[at - 1] in _FILLERS | _ADJECTIVES:
            at -= 1
        return any(word in _NEGATIONS or word.endswith("n't") for word in words[max(0, at - 1) :])


@lru_cache(maxsize=32)
def _patterns(letters: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    letter = f"[A-{letters[-1]}]"
    return (
        re.compile(rf"{letter}(?![\w']|-\w|\s=)"),
        re.compile(rf"{letter}(?:\s?(?:,?\s?(?:and|or)\b|[+/,&])\s?{letter})+\s?[)\]]"),
    )


def find_mentions(text: str, letters: str, start: int) -> list[Mention]:
    """Return the letters in use that `text` mentions from `start` on, without the article "A" and the pronoun "I"."""
    single, several = _patterns(letters)
    mentions: list[Mention] = []
    covered = start
    for match in single.finditer(text, start):
        at, end = match.span()
        if at < covered:
            continue
        before = text[at - 1] if at else " "
        opened = at - 1 if before in "([" else at - 2 if before == " " and at > 1 and text[at - 2] in "([" else None
        if opened is not None:
            close = end + 1 if text[end : end + 1] == " " else end
            if text[close : close + 1] in (")", "]"):
                # "(X)" is the form agents are told to answer in, copied.
                if match[0] == "X":
                    continue
                mentions.append(Mention(opened, close + 1, match[0], True))
            elif group := several.match(text, at):
                mentions.append(Mention(opened, group.end(), "", True))
                covered = group.end()
        elif not (before.isalnum() or before in "_'&-" or text[end : end + 1] == "&") and not _is_word(
            text, match[0], at, end
        ):
            mentions.append(Mention(at, end, match[0], False))
    return mentions


def find_conclusion(text: str, start: int) -> tuple[int, int] | None:
    """Return the span of the last sentence from `start` on that begins as a conclusion does, or None."""
    last = None
    for match in _CONCLUSION.finditer(text, start):
        if not text[match.start() - 1 : match.start()].isalnum():
            last = match
    return None if last is None else last.span()


def follows_placeholder(text: str, mention: Mention) -> bool:
    """Tell whether a letter stands after a copied placeholder: "(X) B", "(X): (B)"."""
    return _PLACEHOLDER.search(text, max(0, mention.start - 16), mention.start) is not None


def is_denied_after(text: str, end: int) -> bool:
    """Tell whether the words from `end` on deny what stands before: "(C) is incorrect"."""
    return _DENIED_AFTER.match(text, end) is not None


def is_affirmed_after(text: str, end: int) -> bool:
    """Tell whether the words from `end` on make what stands before the answer: "(B) is correct"."""
    return _AFFIRMED_AFTER.match(text, end) is not None


def is_named(text: str, mention: Mention) -> bool:
    """Tell whether a bare letter is called an option, or labels what follows."""
    if text[mention.end : mention.end + 1] == ")":
        before = max(0, mention.start - 100)
        return text.rfind("(", before, mention.start) <= text.rfind(")", before, mention.start)
    return _is_called_option(text, mention.start)


def is_joined(text: str, left: Mention, right: Mention, tight: bool) -> bool:
    """Tell whether neighbours name different letters in one breath: "A, B", or loosely "(A) one and (C) two"."""
    if left.letter == right.letter or left.bracketed != right.bracketed or right.start - left.end > 180:
        return False
    if _TIGHT.fullmatch(text, left.end, right.start):
        return True
    return not tight and _LOOSE.fullmatch(text, left.end, right.start) is not None


def starts_line(text: str, mention: Mention) -> bool:
    """Tell whether only bullets and blanks stand before a letter on its line."""
    return _LINE_START.search(text, max(0, mention.start - 8), mention.start) is not None


def ends_line(text: str, end: int) -> bool:
    """Tell whether no word but a copied placeholder follows `end` on its line."""
    return _LINE_END.match(text, end) is not None


def stands_alone(text: str, mention: Mention) -> bool:
    """Tell whether a letter is a sentence of its own at the end of a line: "... the capital. (B)"."""
    if not ends_line(text, mention.end):
        return False
    before = _PUNCTUATED if mention.bracketed else _FULL_STOP
    return before.search(text, max(0, mention.start - 5), mention.start) is not None


def starts_clause(text: str, mention: Mention) -> bool:
    """Tell whether a bare letter stands where an answer may: "Therefore, B", "so B", not "vitamin B"."""
    return _CLAUSE_START.search(text, max(0, mention.start - 12), mention.start) is not None


def _is_called_option(text: str, start: int) -> bool:
    return _NAMED.search(text, max(0, start - 12), start) is not None


def _is_word(text: str, letter: str, start: int, end: int) -> bool:
    if letter not in "AI" or _WORD_FOLLOWS.match(text, end) is None:
        return False
    return letter == "I" or not (_LABEL_FOLLOWS.match(text, end) or _is_called_option(text, start))
