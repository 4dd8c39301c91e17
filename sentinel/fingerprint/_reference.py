"""Which agents a passage of prose refers to, as seen by the one who speaks.

Resolves only what is unambiguous: names, roles and models that one agent has, "Agent B" by position, "agent 2" or "the
second agent" where every way of counting leads to the same agent, and groups ("both", "all", "the other agents").
"""

import re
from functools import lru_cache

from sentinel.records import Agent

NOUN = r"(?:agent|participant|debater|solver|expert|panelist|model|assistant|colleague|peer)"

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NUMBER = rf"(?:\d{{1,2}}|(?-i:[A-Z])|{'|'.join(_NUMBERS)})\b"
_AND = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*|\s+as\s+well\s+as\s+)"
_COUNT = rf"(?:(?:{'|'.join(_NUMBERS)}|\d)\s+)?"
_GROUP = (
    rf"(?:both|all)(?:\s+of)?(?:\s+(?:the|my|these))?\s+{_COUNT}(?:(?:other|fellow)\s+)?{NOUN}s\b"
    rf"|(?:the\s+|my\s+)?{_COUNT}(?:other|fellow)\s+{_COUNT}{NOUN}s?\b"
    r"|(?:both|all)\s+of\s+them\b|everyone(?:\s+else)?\b|the\s+others\b"
)
# In a passage that `Panel.mark` went over, "§2" stands for a name, role or model of agent 2.
_ONE = (
    rf"(?P<marked>§\d+)|(?P<numbered>\b{NOUN}s?[\s_#-]{{0,2}}{_NUMBER}(?:{_AND}{_NUMBER})*)"
    rf"|(?P<ordinal>\bthe\s+(?:{'|'.join(_ORDINALS)})\s+{NOUN}\b)|(?P<group>\b(?:{_GROUP}))"
)
_NAMELESS = re.sub(r"\?P<\w+>", "?:", _ONE)
LISTING = rf"(?:the\s+)?(?:{_NAMELESS})(?:{_AND}(?:with\s+|the\s+)*(?:{_NAMELESS}))*"

_REFERENCE = re.compile(_ONE, re.IGNORECASE)
_ID = re.compile(_NUMBER, re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s_-]+")
_SINGULAR = re.compile(rf"{NOUN}\b", re.IGNORECASE)


class Panel:
    """The agents of a debate, and what they may be called."""

    def __init__(self, agents: tuple[Agent, ...]) -> None:
        self.size = len(agents)
        self.names = {_normalise(agent.name): k for k, agent in enumerate(agents)}
        self.exact = {agent.name.casefold(): k for k, agent in enumerate(agents)}
        self.words = _unique_words(agents)
        words = "|".join(_flexible(word) for word in sorted(self.words, key=len, reverse=True))
        self._words = re.compile(rf"\b(?:{words})\b", re.IGNORECASE) if words else None

    def mark(self, passage: str) -> str:
        """Return the passage with every name, role and model that belongs to one agent written as "§" and its index."""
        if self._words is None:
            return passage
        return self._words.sub(lambda match: f"§{self.words[_normalise(match[0])]}", passage)

    def resolve(self, listing: str, speaker: int) -> set[int]:
        """Return the agents (indices, without the speaker) that a marked passage matched by `LISTING` surely means."""
        found: set[int] = set()
        for match in _REFERENCE.finditer(listing):
            text = match[0]
            if match.lastgroup == "marked":
                found.add(int(text[1:]))
            elif match.lastgroup == "group":
                found |= self._group(text.casefold())
            elif match.lastgroup == "ordinal":
                found |= self._counted(_ORDINALS.index(text.casefold().split()[1]), speaker, set())
            else:
                found |= self._numbered(text, speaker)
        return found - {speaker}

    def _group(self, text: str) -> set[int]:
        everyone = set(range(self.size))
        if "both" in text or "two" in text:
            return everyone if self.size == 3 else set()
        # "the other agent" is one of several where there are more than two.
        return set() if _SINGULAR.search(text) and self.size > 2 else everyone

    def _numbered(self, text: str, speaker: int) -> set[int]:
        if text.casefold() in self.exact:
            return {self.exact[text.casefold()]}
        stem = re.split(r"[\s_#-]|\d", text.casefold(), maxsplit=1)[0].rstrip("s")
        counted_from_zero = bool({f"{stem} 0", "0"} & self.names.keys())
        found: set[int] = set()
        for mark in map(str.casefold, _ID.findall(text)):
            named = {self.names[key] for key in (f"{stem} {mark}", mark) if key in self.names}
            if mark.isalpha() and len(mark) == 1:
                position = ord(mark) - ord("a")
                found |= named or ({position} if position < self.size else set())
            elif named and not counted_from_zero:
                found |= named
            else:
                number = int(mark) if mark.isdecimal() else _NUMBERS.index(mark) + 1
                found |= self._counted(number - 1, speaker, named)
        return found

    def _counted(self, position: int, speaker: int, named: set[int]) -> set[int]:
        """Return the agent at a position if counting all, counting the others, and the names agree on one."""
        others = [k for k in range(self.size) if k != speaker]
        if not 0 <= position < self.size:
            return named if len(named) == 1 else set()
        readings = (named | {position} | set(others[position : position + 1])) - {speaker}
        return readings if len(readings) == 1 else set()


@lru_cache(maxsize=512)
def make_panel(agents: tuple[Agent, ...]) -> Panel:
    """Return the panel of a debate's agents; debates with the same agents share one."""
    return Panel(agents)


def _normalise(text: str) -> str:
    return _SEPARATOR.sub(" ", text.casefold()).strip()


def _flexible(word: str) -> str:
    return r"[\s_-]+".join(re.escape(part) for part in word.split(" "))


def _unique_words(agents: tuple[Agent, ...]) -> dict[str, int]:
    """Return the names, roles and models (normalised) that belong to one agent and cannot be taken for another word."""
    owners: dict[str, set[int]] = {}
    for k, agent in enumerate(agents):
        for word in (agent.name, agent.role, agent.model and agent.model.rpartition("/")[2]):
            if word:
                owners.setdefault(_normalise(word), set()).add(k)
    numbered = re.compile(rf"{NOUN}?\s?\w{{1,2}}")
    return {word: k for word, ks in owners.items() for k in ks if len(ks) == 1 and not numbered.fullmatch(word)}
