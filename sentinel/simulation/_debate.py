"""Simulates one debate from first to last: behaviour, gold answer, question, texts, and what outsiders make of it."""

from dataclasses import dataclass
from string import ascii_uppercase

from sentinel.records import Agent, AnswerType, Audit, Debate, Ruling, Samples, Status, Turn
from sentinel.settings import CorpusSettings
from sentinel.simulation import _phrases as phrases
from sentinel.simulation._arithmetic import Plan, draw_plans, draw_quantities
from sentinel.simulation._behaviour import Finals, Script, Truth, draw_finals, draw_lean, draw_script, weigh
from sentinel.simulation._counts import Outcome
from sentinel.simulation._draws import Draws, locate
from sentinel.simulation._judgement import audit_candidate, draw_outlook, rule_debate, sample_answers
from sentinel.simulation._table import ROLES, DatasetSpec
from sentinel.simulation._text import Wording, fill, write_reason, write_turns

SOURCE = "simulated"
MISDECLARED = 0.03  # of the turns of the debate rounds: declares a change that was none, or the reverse
SUPPRESSED = 0.6  # log-weight at effect 1: the truth that nobody holds at the end having been given up on the way


@dataclass(frozen=True, slots=True)
class SimulatedDebate:
    """One debate and its appended records; only a divergent one has audits and a ruling."""

    debate: Debate
    audits: tuple[Audit, ...]
    ruling: Ruling | None
    samples: Samples


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its options, and how each slot's answer reads."""

    text: str
    choices: tuple[str, ...] | None
    answers: tuple[str, ...]
    accounts: tuple[str, ...]
    plans: tuple[Plan, ...]


def simulate_debate(spec: DatasetSpec, index: int, outcome: Outcome, settings: CorpusSettings) -> SimulatedDebate:
    """Return the debate number `index` of a data set.

    Which slot is right takes one draw, the first, whatever the outcome. At effect 0 nothing else looks at it, so that a
    divergent debate is the same, word for word, whoever is right.
    """
    draws = Draws(settings.seed, spec.name, index)
    point = draws.uniform()
    lean = draw_lean(draws, spec, settings)
    finals = draw_finals(draws, spec, settings, outcome)
    truth = Truth(find_right(point, finals, outcome, settings.effect), lean)
    script = draw_script(draws, spec, settings, finals, truth)
    question = _draw_question(draws, spec, finals)
    debate = _write_debate(draws, spec, index, script, question, truth)
    outlook = draw_outlook(draws, truth)
    divergent = outcome in (Outcome.MINORITY_CORRECT, Outcome.MAJORITY_CORRECT, Outcome.BOTH_WRONG)
    camps = range(1, finals.camps) if divergent else ()
    return SimulatedDebate(
        debate,
        tuple(audit_candidate(draws, script, outlook, slot, debate.id, question.answers) for slot in camps),
        rule_debate(draws, script, outlook, settings.effect, debate.id, question.answers) if divergent else None,
        sample_answers(draws, script, outlook, debate.id, question.answers),
    )


def find_right(point: float, finals: Finals, outcome: Outcome, effect: float) -> int:
    """Return the slot of the gold answer, chosen by a point in [0, 1) from those that `outcome` allows."""
    match outcome:
        case Outcome.MAJORITY_CORRECT | Outcome.AGREED_RIGHT:
            return 0
        case Outcome.MINORITY_CORRECT:
            return 1 + int(point * (finals.camps - 1))
        case Outcome.TIED_WRONG:
            voted = _find_tie_winner(finals)
            others = [slot for slot in range(finals.n_slots) if slot != voted]
            return others[int(point * len(others))]
        case Outcome.UNANSWERED:
            return int(point * finals.n_slots)
        case _:
            outside = range(finals.camps, finals.n_slots)
            return outside[locate(point, [weigh(1.0, SUPPRESSED * effect), *[1.0] * (len(outside) - 1)])]


def _find_tie_winner(finals: Finals) -> int:
    """Return the largest camp with the earliest speaker: what the default tie-break votes for."""
    spoken = [slot for slot, known in zip(finals.slots, finals.readable, strict=True) if known]
    largest = max(spoken.count(slot) for slot in spoken)
    return next(slot for slot in spoken if spoken.count(slot) == largest)


def _draw_question(draws: Draws, spec: DatasetSpec, finals: Finals) -> Question:
    """Return a question whose options, or plans, fall to the slots at random."""
    topic = phrases.TOPICS[spec.name]
    if spec.options is None:
        quantities = draw_quantities(draws)
        numbers = f"{', '.join(map(str, quantities[:-1]))} and {quantities[-1]}"
        plans = tuple(draw_plans(draws, quantities, finals.n_slots))
        text = fill(draws, draws.pick(phrases.NUMBER_QUESTIONS), topic, numbers=numbers)
        return Question(text, None, tuple(str(plan.value) for plan in plans), (), plans)
    positions = draws.sample(range(spec.options), spec.options)
    if spec.options == 2:
        choices = tuple(draws.sample(phrases.PEOPLE, 2))
        text = fill(draws, draws.pick(phrases.PRONOUN_QUESTIONS), topic, p=choices[0], q=choices[1])
        accounts = tuple(choices[position] for position in positions)
    else:
        nouns = draws.sample(topic, spec.options)
        choices = tuple(f"the {draws.pick(phrases.ADJECTIVES)} {noun}" for noun in nouns)
        text = fill(draws, draws.pick(phrases.QUESTIONS), topic)
        accounts = tuple(choices[position] for position in positions)
    return Question(text, choices, tuple(ascii_uppercase[position] for position in positions), accounts, ())


def _write_debate(
    draws: Draws, spec: DatasetSpec, index: int, script: Script, question: Question, truth: Truth
) -> Debate:
    """Return the debate record."""
    names = name_agents(len(script.finals.slots))
    topic = phrases.TOPICS[spec.name]
    wording = Wording(topic, question.answers, question.accounts, question.plans, names)
    texts = write_turns(draws, script, wording, truth)
    rounds = []
    for r, (moves, row) in enumerate(zip(script.rounds, texts, strict=True)):
        turns = []
        for name, move, text in zip(names, moves, row, strict=True):
            declared = (move.changed != draws.chance(MISDECLARED)) if r and move.readable else None
            turns.append(
                Turn(
                    agent=name,
                    answer=question.answers[move.slot] if move.readable else None,
                    status=Status.OK if move.readable else Status.UNPARSED,
                    reasoning=text,
                    stance_change=declared,
                    change_reason=write_reason(draws, move, topic) if declared else None,
                )
            )
        rounds.append(tuple(turns))
    name = f"{spec.name}-{index:05d}"
    return Debate(
        id=f"{SOURCE}/{name}",
        dataset=spec.name,
        source=SOURCE,
        question_key=f"{SOURCE}/{name}",
        question=question.text,
        choices=question.choices,
        answer_type=AnswerType.NUMBER if spec.options is None else AnswerType.CHOICE,
        gold=question.answers[truth.right],
        agents=tuple(Agent(name, SOURCE, ROLES[k % len(ROLES)].name) for k, name in enumerate(names)),
        rounds=tuple(rounds),
    )


def name_agents(count: int) -> tuple[str, ...]:
    """Return "Agent A", "Agent B", ...; beyond 26, numbers."""
    return tuple(f"Agent {ascii_uppercase[k]}" if k < len(ascii_uppercase) else f"Agent {k + 1}" for k in range(count))
