"""How the agents of one debate behave: who gave which answer when, who argued anew, and who sided with whom.

Answers are slots here: 0 is the majority's, 1 and up those of the minority camps, the next one that was given up. Slots
know nothing of letters or of the gold answer. Who is right enters through `Truth` alone, and at effect 0 not at all:
then the same draws make the same debate, whichever slot is right.
"""

import math
from dataclasses import dataclass, field
from enum import StrEnum

from sentinel.settings import CorpusSettings
from sentinel.simulation._counts import Outcome, list_splits, list_ties
from sentinel.simulation._draws import Draws
from sentinel.simulation._table import ROLES, DatasetSpec

# The planted effects, in log-odds (or log-weight) between a right and a wrong answer at effect 1 and clarity 1.
COMING_OVER = -0.6  # of an answer's holders: having come over to it during the debate
GIVEN_UP = 0.6  # of an answer: being what those who came over held before
FOLLOWING = -0.8  # of those who came over: without a reason of their own
ARGUING = 1.0  # of a holder's turn: bringing something new
ALLYING = 0.7  # of a holder's turn: endorsing one who holds the same answer
CONCEDING = 1.2  # of an answer: being endorsed by one who holds another
CRITICISING = 0.8  # of a holder's turn: naming an error of one who holds another answer

LEGIBLE_SHARE = 0.45  # of debates, in which the effect shows more than in the others
LEGIBLE, ILLEGIBLE = 1.7, 0.45
AGREED_DOUBT = 0.6  # a debate that ends in agreement had that much of the doubt of a divergent one
MAX_SHIFT = 30.0


class Mode(StrEnum):
    """What a turn says about the others."""

    SILENT = "silent"
    ALLY = "ally"
    BOTH = "both"
    CONCEDE = "concede"
    CRITICISE = "criticise"


@dataclass(frozen=True, slots=True)
class Truth:
    """Which slot is right, and how strongly that shows: 0 not at all."""

    right: int
    lean: float

    def merit(self, slot: int) -> float:
        """Return half the lean for the right answer, minus half for a wrong one."""
        return 0.5 * self.lean if slot == self.right else -0.5 * self.lean


@dataclass(frozen=True, slots=True)
class Move:
    """One turn before it is put into words. `slot` is the answer the agent leans to, `readable` whether it says so."""

    slot: int
    readable: bool
    changed: bool
    fresh: bool
    blind: bool
    mode: Mode
    target: int | None


@dataclass(frozen=True, slots=True)
class Finals:
    """The final answers: one slot for each agent, whether it is readable, and the number of camps and of slots."""

    slots: list[int]
    readable: list[bool]
    camps: int
    n_slots: int


@dataclass(frozen=True, slots=True)
class Script:
    """The moves of one debate as rounds x agents, and its final camps."""

    finals: Finals
    rounds: list[list[Move]] = field(default_factory=list)


def tilt(probability: float, shift: float) -> float:
    """Return the probability whose log-odds are higher by `shift`."""
    odds = math.exp(max(-MAX_SHIFT, min(MAX_SHIFT, shift)))
    return probability * odds / (1.0 - probability + probability * odds)


def weigh(weight: float, shift: float) -> float:
    """Return the weight times e to the `shift`."""
    return weight * math.exp(max(-MAX_SHIFT, min(MAX_SHIFT, shift)))


def draw_lean(draws: Draws, spec: DatasetSpec, settings: CorpusSettings) -> float:
    """Return how strongly the truth shows in one debate: effect x clarity, more in legible debates than in others."""
    return settings.effect * spec.clarity * (LEGIBLE if draws.chance(LEGIBLE_SHARE) else ILLEGIBLE)


def draw_finals(draws: Draws, spec: DatasetSpec, settings: CorpusSettings, outcome: Outcome) -> Finals:
    """Return final answers of the kind that `outcome` names; the three divergent outcomes are drawn alike."""
    agents = settings.agents
    readable = [not draws.chance(settings.unparsed_share) for _ in range(agents)]
    match outcome:
        case Outcome.AGREED_RIGHT | Outcome.AGREED_WRONG:
            sizes: tuple[int, ...] = (agents,)
            readable[draws.below(agents)] = True
        case Outcome.UNANSWERED:
            sizes = (agents,)
            readable = [False] * agents
        case Outcome.TIED_WRONG:
            readable = [True] * agents
            if not list_ties(agents, spec.options):
                readable[draws.below(agents)] = False
            sizes = draws.pick(list_ties(sum(readable), spec.options))
        case _:
            while sum(readable) < 3:
                readable[draws.below(agents)] = True
            splits = list_splits(sum(readable), spec.options)
            sizes = splits[draws.weighted([1.0 if len(split) == 2 else 0.3 for split in splits])]
    slots = _seat(draws, sizes, readable)
    camps = len(sizes)
    return Finals(slots, readable, camps, spec.options or camps + 2)


def _seat(draws: Draws, sizes: tuple[int, ...], readable: list[bool]) -> list[int]:
    """Return each agent's slot: minority camps are filled first, by the roles' dissent; unreadable agents lean to 0."""
    slots = [0] * len(readable)
    free = [k for k, known in enumerate(readable) if known]
    for slot in range(len(sizes) - 1, 0, -1):
        for _ in range(sizes[slot]):
            chosen = draws.weighted([ROLES[k % len(ROLES)].dissent for k in free])
            slots[free.pop(chosen)] = slot
    return slots


def draw_script(draws: Draws, spec: DatasetSpec, settings: CorpusSettings, finals: Finals, truth: Truth) -> Script:
    """Return the moves that lead to `finals`."""
    paths = [_draw_path(draws, spec, settings, finals, truth, k) for k in range(settings.agents)]
    script = Script(finals)
    previous: list[int] = []
    for r in range(settings.rounds + 1):
        standing = [path[r] for path in paths]
        last = r == settings.rounds
        moves = []
        for k, slot in enumerate(standing):
            readable = finals.readable[k] if last else not draws.chance(settings.unparsed_share)
            if r == 0:
                moves.append(Move(slot, readable, False, True, False, Mode.SILENT, None))
            else:
                moves.append(_draw_move(draws, truth, previous, k, slot, readable))
        script.rounds.append(moves)
        previous = standing
    return script


def _draw_path(
    draws: Draws, spec: DatasetSpec, settings: CorpusSettings, finals: Finals, truth: Truth, agent: int
) -> list[int]:
    """Return the agent's slot in every round: its final one throughout, or another one until it came over."""
    final = finals.slots[agent]
    doubt = spec.doubt * ROLES[agent % len(ROLES)].sway * (1.0 if finals.camps > 1 else AGREED_DOUBT)
    if not draws.chance(tilt(min(doubt, 0.9), COMING_OVER * truth.merit(final))):
        return [final] * (settings.rounds + 1)
    others = [slot for slot in range(min(finals.camps + 1, finals.n_slots)) if slot != final]
    drawn_to = [1.5 if slot == 0 else 1.0 if slot < finals.camps else 0.8 for slot in others]
    weights = [weigh(base, GIVEN_UP * truth.merit(slot)) for base, slot in zip(drawn_to, others, strict=True)]
    before = others[draws.weighted(weights)]
    came = 1 + draws.below(settings.rounds)
    path = [before] * came + [final] * (settings.rounds + 1 - came)
    if came > 1 and draws.chance(0.15):
        path[0] = final
    return path


def _draw_move(draws: Draws, truth: Truth, previous: list[int], agent: int, slot: int, readable: bool) -> Move:
    """Return what the agent does in a debate round, given where all stood in the round before."""
    merit = truth.merit(slot)
    changed = slot != previous[agent]
    blind = changed and draws.chance(tilt(0.4, FOLLOWING * merit))
    fresh = not blind and draws.chance(tilt(0.7 if changed else 0.45, ARGUING * merit))
    if not readable:
        return Move(slot, False, changed, fresh, blind, Mode.SILENT, None)
    allies = [k for k, other in enumerate(previous) if k != agent and other == slot]
    rivals = [k for k, other in enumerate(previous) if k != agent and other != slot]
    ally = draws.pick(allies) if allies else None
    appeal = [weigh(1.0, CONCEDING * truth.merit(previous[k])) for k in rivals]
    rival = rivals[draws.weighted(appeal)] if rivals else None
    conceded = 0.0 if rival is None else CONCEDING * (truth.merit(previous[rival]) - merit)
    modes = (
        (Mode.SILENT, 0.8, None),
        (Mode.ALLY, weigh(2.4 if changed else 0.9, ALLYING * merit) if allies else 0.0, ally),
        (Mode.BOTH, 0.1 if len(previous) == 3 else 0.0, None),
        (Mode.CONCEDE, weigh(0.4, conceded) if rivals and not changed else 0.0, rival),
        (Mode.CRITICISE, weigh(0.8, CRITICISING * merit) if rivals and not blind else 0.0, rival),
    )
    mode, _, target = modes[draws.weighted([weight for _, weight, _ in modes])]
    return Move(slot, True, changed, fresh, blind, mode, target)
