"""Puts moves into words: turns argue anew or repeat, side with others or name their errors, and close on an answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from sentinel.simulation import _phrases as phrases
from sentinel.simulation._arithmetic import Plan, write_steps
from sentinel.simulation._behaviour import Mode, Move, Script, Truth
from sentinel.simulation._draws import Draws


@dataclass(frozen=True, slots=True)
class Wording:
    """What the turns of one debate are about: its topic, how each slot's answer reads, and the sums where it is one."""

    topic: Sequence[str]
    answers: Sequence[str]
    accounts: Sequence[str]
    plans: Sequence[Plan]
    names: Sequence[str]


def fill(draws: Draws, template: str, topic: Sequence[str], **more: str) -> str:
    """Return the template with its words drawn: {a}, {b} adjectives, {n}, {m} two nouns of the topic, {v} a verb."""
    uniform = draws.uniform
    adjectives, verbs = phrases.ADJECTIVES, phrases.VERBS
    noun = int(uniform() * len(topic))
    other = (noun + 1 + int(uniform() * (len(topic) - 1))) % len(topic)
    return template.format(
        a=adjectives[int(uniform() * len(adjectives))],
        b=adjectives[int(uniform() * len(adjectives))],
        n=topic[noun],
        m=topic[other],
        v=verbs[int(uniform() * len(verbs))],
        **more,
    )


def write_turns(draws: Draws, script: Script, wording: Wording, truth: Truth) -> list[list[str]]:
    """Return the texts of all turns, as rounds x agents.

    A turn that brings nothing new repeats, word for word, the body of the agent's own last turn; one who follows
    blindly repeats that of another.
    """
    texts: list[list[str]] = []
    bodies: list[list[str]] = []
    for moves in script.rounds:
        row = [_write_body(draws, moves, k, bodies, script, wording, truth) for k in range(len(moves))]
        texts.append(
            [" ".join((*_open(draws, move, wording, bool(bodies)), body, _close(draws, move, wording)))
             for move, body in zip(moves, row, strict=True)]
        )  # fmt: skip
        bodies.append(row)
    return texts


def _write_body(
    draws: Draws, moves: list[Move], agent: int, bodies: list[list[str]], script: Script, wording: Wording, truth: Truth
) -> str:
    """Return the sentences that carry the turn's argument."""
    move = moves[agent]
    if not move.readable:
        return " ".join(fill(draws, draws.pick(phrases.REMARKS), wording.topic) for _ in range(2))
    if not move.fresh and bodies:
        source = _find_source(draws, move, agent, bodies, script)
        if source is not None:
            return source
    if wording.plans:
        steps = write_steps(draws, wording.plans[move.slot], truth.merit(move.slot))
        return " ".join(fill(draws, draws.pick(phrases.STEPS), wording.topic, e=step) for step in steps)
    account = wording.accounts[move.slot]
    return " ".join(fill(draws, draws.pick(phrases.CLAIMS), wording.topic, o=account) for _ in range(3))


def _find_source(draws: Draws, move: Move, agent: int, bodies: list[list[str]], script: Script) -> str | None:
    """Return the body to repeat: the agent's own of the round before, or that of one whose answer it took over."""
    before = script.rounds[len(bodies) - 1]
    if not move.changed:
        return bodies[-1][agent]
    holders = [k for k, other in enumerate(before) if other.slot == move.slot and k != agent]
    return bodies[-1][draws.pick(holders)] if holders else None


def _open(draws: Draws, move: Move, wording: Wording, debating: bool) -> tuple[str, ...]:
    """Return the sentence that says where the agent stands towards the others, in debate rounds."""
    if not debating:
        return ()
    stock = {
        Mode.SILENT: phrases.SILENT_PHRASES,
        Mode.ALLY: phrases.ALLY_PHRASES,
        Mode.BOTH: phrases.BOTH_PHRASES,
        Mode.CONCEDE: phrases.CONCEDE_PHRASES,
        Mode.CRITICISE: phrases.CRITICISE_PHRASES,
    }[move.mode]
    target = "" if move.target is None else wording.names[move.target]
    return (fill(draws, draws.pick(stock), wording.topic, t=target),)


def _close(draws: Draws, move: Move, wording: Wording) -> str:
    """Return the sentence that states the answer, or leaves it open."""
    if not move.readable:
        return draws.pick(phrases.OPEN_CLOSINGS)
    stock = phrases.NUMBER_CLOSINGS if wording.plans else phrases.CHOICE_CLOSINGS
    return draws.pick(stock).format(x=wording.answers[move.slot])


def write_reason(draws: Draws, move: Move, topic: Sequence[str]) -> str:
    """Return the declared reason of a change."""
    stock = phrases.BLIND_REASONS if move.blind else phrases.REASONED_CHANGES
    return fill(draws, draws.pick(stock), topic)
