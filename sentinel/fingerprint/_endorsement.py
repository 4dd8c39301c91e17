"""Who endorses whom in a debate: by what agents say of each other, or by whose answer they share.

In: a debate, its answer grid and the texts of its turns. Out: for each agent how many endorsements it received, counted
once for each (giver, receiver, round >= 1); None where nothing could be read.
"""

import re
from typing import NamedTuple

from sentinel.fingerprint._reference import LISTING, NOUN, make_panel
from sentinel.records import Agent, Debate
from sentinel.settings import Endorsement
from sentinel.vote import answer_grid

# These two run over every turn, so they are lower case and start with a literal, which the regex engine finds quickly.
_WITH = re.compile(r" (?:with|by) ")
_RIGHT = re.compile(
    r" (?:is|are|was|were|seems?|appears?)(?: to be)?(?: (?:\w+ly|also|both|all|indeed|quite|very|still|in fact))*"
    r" (?:right|correct|accurate|valid|sound|convincing|compelling|persuasive)\b"
)
_OWN_VERBS = (" agree", " concur", " side", " stand")
_VERBS = (*_OWN_VERBS, " agreement", " convinced", " persuaded")
_AGAINST = (" disagree", " disagreement", " differ")
_SAID = (
    r"(?:conclusion|reasoning|analysis|answer|explanation|argument|assessment|solution|approach|view|position|point|logic"
    r"|calculation|interpretation|response|opinion|consensus|evaluation|finding|statement)s?"
)
_BETWEEN = (
    r"(?:(?:the|this|that|most|much|all|of|what|overall|final|revised|updated|by|from|in|provided|given|presented|made"
    rf"|offered|reached|drawn|{_SAID})\s+)*"
)
_POSSESSION = rf"(?:['’]s?(?:\s+\w+)?)?(?:\s+{_SAID}(?:\s+and\s+{_SAID})?)?"
_AFTER = re.compile(rf"{_BETWEEN}({LISTING})", re.I)
_BEFORE = re.compile(rf"({LISTING}){_POSSESSION}$", re.I)
_CLAUSE_END = re.compile(r"[.;:!?,\n](?:\s|$)|\b(?:but|however|although|though|while|whereas)\b", re.I)
_FIRST_PERSON = re.compile(r"\b(?:I|we)\b(?!.*\b(?:I|we)\b)", re.DOTALL)
_OTHERS = re.compile(rf"\b(?:{NOUN}s?|both|all|they|others?|he|she|you)\b", re.I)
_TAKEN_BACK = re.compile(
    r"\b(?:not|no|never|none|nobody|nor|neither|cannot|hardly|barely|scarcely|rarely|if|unless|whether|doubt|deny|denies"
    r"|disagree|suppose|assuming|claims|says|argues|thinks|believes|suggests|states|asserts|maintains|insists)\b|n['’]t\b",
    re.I,
)  # fmt: skip
_REACH = 160


def count_endorsements(debate: Debate, kind: Endorsement) -> tuple[int, ...] | None:
    """Return the endorsements that each agent received, or None where no turn of a debate round can be read.

    textual: i endorses j when its text says so. positional: when its answer equals j's answer of the round before.
    textual_else_positional: positional for a turn whose text takes a stand on nobody by name, neither for nor against.
    With no debate round the counts are 0.
    """
    grid = answer_grid(debate)
    index = {agent.name: k for k, agent in enumerate(debate.agents)}
    received = [0] * len(debate.agents)
    readable = len(debate.rounds) == 1
    for r in range(1, len(debate.rounds)):
        for turn in debate.rounds[r]:
            i = index[turn.agent]
            text = f"{turn.reasoning}\n{turn.change_reason}" if turn.change_reason else turn.reasoning
            stand = Stand(frozenset(), named=False)
            if kind is not Endorsement.positional and text:
                readable = True
                stand = read_stand(text, i, debate.agents)
            endorsed = stand.endorsed
            if not stand.named and kind is not Endorsement.textual and turn.answer is not None:
                readable = True
                endorsed = frozenset(j for j, answer in enumerate(grid[r - 1]) if answer == turn.answer and j != i)
            for j in endorsed:
                received[j] += 1
    return tuple(received) if readable else None


class Stand(NamedTuple):
    """Whom a text agrees with, and whether it takes a stand for or against anybody by name."""

    endorsed: frozenset[int]
    named: bool


def read_stand(text: str, speaker: int, agents: tuple[Agent, ...]) -> Stand:
    """Return the agents that a text agrees with, and whether it agrees or disagrees with anybody by name.

    "I agree with Agent B", "agent_1 is right" and "both agents are right" do; "I disagree with Agent B", "I don't think
    Agent B is right", "if Agent B is right" and "Agent A says Agent B is right" do not.
    """
    lower = text.lower()
    if len(lower) != len(text):
        lower = text
    endorsed: set[int] = set()
    named: set[int] = set()
    panel = make_panel(agents)
    for claim in _WITH.finditer(lower):
        against = lower.endswith(_AGAINST, 0, claim.start())
        if not against and not lower.endswith(_VERBS, 0, claim.start()):
            continue
        target = _AFTER.match(panel.mark(text[claim.end() : claim.end() + _REACH]))
        if not target or _is_question(text, claim.end()):
            continue
        whom = panel.resolve(target[1], speaker)
        named |= whom
        clause = _clause_before(text, claim.start())
        person = _FIRST_PERSON.search(clause)
        own = person is not None or not lower.endswith(_OWN_VERBS, 0, claim.start())
        others = _OTHERS.search(clause, person.end() if person else 0)
        if own and not against and not others and not _TAKEN_BACK.search(clause):
            endorsed |= whom
    for claim in _RIGHT.finditer(lower):
        before = panel.mark(text[max(0, claim.start() - _REACH) : claim.start()])
        target = _BEFORE.search(before)
        if target is None or _is_question(text, claim.end()):
            continue
        whom = panel.resolve(target[1], speaker)
        named |= whom
        if not _TAKEN_BACK.search(_clause_before(before, target.start())):
            endorsed |= whom
    return Stand(frozenset(endorsed), bool(named))


def _clause_before(text: str, end: int) -> str:
    """Return what stands before a position in its clause."""
    begin = max(0, end - _REACH)
    piece = text[begin:end]
    cut = 0
    for stop in _CLAUSE_END.finditer(piece):
        cut = stop.end()
    return piece[cut:]


def _is_question(text: str, end: int) -> bool:
    stop = re.search(r"[.!?\n]", text[end : end + _REACH])
    return stop is not None and stop[0] == "?"
