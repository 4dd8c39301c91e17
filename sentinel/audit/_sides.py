"""What a blind auditor gets to see of a debate: two sides of equal voice in an order drawn by the seed, nobody named.

A side speaks through turns in which its agents gave its answer. In each round both sides show equally many of them,
because one text against two would say which side is the majority; members of a side take turns in speaking for it.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass

from sentinel.audit._quoting import hide_agents, text_of
from sentinel.records import Debate
from sentinel.vote import Candidate, answer_grid

MINORITY, MAJORITY = "minority", "majority"


@dataclass(frozen=True, slots=True)
class Side:
    """One answer and the texts that speak for it, as (round, text), rounds ascending."""

    camp: str
    answer: str
    statements: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class View:
    """The two sides in the order in which they are shown; for each agent that changed its answer, its text of then."""

    sides: tuple[Side, Side]
    changes: tuple[str, ...]


def view_candidate(debate: Debate, candidate: Candidate, seed: int) -> View:
    """Return what the auditor sees of one candidate.

    All draws depend on the seed, the debate's id and the two answers, never on which of them has the majority.
    """
    hide = hide_agents(debate)
    texts = [{turn.agent: hide(text_of(turn)) for turn in turns} for turns in debate.rounds]
    key = (seed, debate.id, *sorted((candidate.answer, candidate.majority_answer)))
    camps = ((MINORITY, candidate.answer, candidate.holders), (MAJORITY, candidate.majority_answer, candidate.majority))
    statements: dict[str, list[tuple[int, str]]] = {camp: [] for camp, _, _ in camps}
    spoken: Counter[str] = Counter()
    for r, row in enumerate(answer_grid(debate)):
        able: dict[str, list[str]] = {}
        for camp, answer, holders in camps:
            names = [debate.agents[k].name for k in holders if row[k] == answer]
            names = [name for name in names if texts[r].get(name)]
            able[camp] = sorted(names, key=lambda name: (spoken[name], draw(*key, name)))
        voices = max(1, min(map(len, able.values())))
        for camp, names in able.items():
            statements[camp] += [(r, texts[r][name]) for name in names[:voices]]
            spoken.update(names[:voices])
    sides = sorted(
        (Side(camp, answer, tuple(statements[camp])) for camp, answer, _ in camps),
        key=lambda side: draw(*key, "side", side.answer),
    )
    changes = sorted(_last_changes(debate).items(), key=lambda change: (change[1], draw(*key, change[0])))
    return View((sides[0], sides[1]), tuple(texts[r].get(name, "") for name, r in changes))


def draw(*key: object) -> str:
    """Return a number as digits of fixed length that only the key determines; sorting by it shuffles."""
    return hashlib.sha256("\0".join(map(str, key)).encode(errors="replace")).hexdigest()


def _last_changes(debate: Debate) -> dict[str, int]:
    """Return the last round in which each agent changed its answer, if it did; an unreadable turn changes nothing."""
    grid = answer_grid(debate)
    changed = {}
    for k, agent in enumerate(debate.agents):
        last = None
        for r, row in enumerate(grid):
            if row[k] is not None:
                if last is not None and row[k] != last:
                    changed[agent.name] = r
                last = row[k]
    return changed
