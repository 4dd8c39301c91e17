"""A deterministic auditor: seven judgements on two camps by rules over their texts, with no model and no gold answer.

A camp speaks through the turns in which its agents gave its answer. A value is None where the texts it needs are
missing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from sentinel.audit._reading import Reading, Trigram, list_content_words, read_text
from sentinel.records import Audit, Debate
from sentinel.vote import Candidate, answer_grid

NEW_SHARE = 0.5  # share of new trigrams from which a turn brings something new
STALE_SHARE = 0.3  # share of new trigrams below which turns only repeat
ALIKE = 0.5  # overlap of trigrams from which two turns are near-duplicates
MIN_DERIVATION = 2.0  # reasoning words and right sums a turn, below which an answer is asserted, not derived

_ERROR = re.compile(
    r"\b(?:mistakes?|mistaken(?:ly)?|errors?|erroneous(?:ly)?|incorrect(?:ly)?|wrong(?:ly)?|flaw(?:s|ed)?|miscalculat\w+|"
    r"misread\w*|misinterpret\w*|overlook\w*|should (?:be|have been)|fail(?:s|ed) to|not (?:correct|right|accurate))\b"
)
_NO_ERROR = re.compile(
    r"\b(?:no|not|without|any|isn't|aren't|wasn't)(?: \w+)? "
    r"(?:mistakes?|mistaken|errors?|incorrect|wrong|flaws?|flawed)\b"
)
_OTHERS = re.compile(
    r"\b(?:other|another|first|second|third|one|both) (?:\w+ )?(?:agents?|solutions?|responses?|answers?)\b|"
    r"\b(?:others?|majority|their|they|agent [a-z0-9]+|participants?|panel|peers?)\b"
)
_OWN_ERROR = re.compile(
    r"\bi (?:have )?(?:made|was|overlooked|misread|misinterpreted|miscalculated|mistakenly|incorrectly)\b|"
    r"\bmy (?:\w+ )?(?:mistakes?|errors?)\b|"
    r"\bmy (?:\w+ )?(?:answers?|solutions?|responses?|reasoning|assumptions?) (?:was|were|is|are|had|has)\b"
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One turn with text: who, in which round, what was read, and its share of trigrams new to everything before."""

    agent: int
    round: int
    reading: Reading
    new_share: float
    new_numbers: int


def lexical_audit(debate: Debate, candidate: Candidate) -> Audit:
    """Return the lexical auditor's view of one candidate; the same texts always give the same audit."""
    grid = answer_grid(debate)
    spoken = _read_debate(debate)
    ours = [turn for turn in spoken if turn.agent in candidate.holders and _gave(grid, turn, candidate.answer)]
    theirs = [
        turn for turn in spoken if turn.agent in candidate.majority and _gave(grid, turn, candidate.majority_answer)
    ]
    names = [agent.name.lower() for agent in debate.agents]
    topic = frozenset(_question_words(debate))
    return Audit(
        id=debate.id,
        candidate=candidate.answer,
        auditor="lexical",
        minority_new_evidence=find_new_evidence(ours, theirs),
        majority_echo_chamber=find_echo_chamber(theirs),
        minority_finds_error=find_named_error(ours, names),
        majority_logical_gap=find_logical_gap(theirs),
        minority_reasoning_score=score_reasoning(ours, topic),
        majority_reasoning_score=score_reasoning(theirs, topic),
        blind_follower_count=count_blind_followers(grid, spoken, candidate.majority_answer),
    )


def _gave(grid: Sequence[Sequence[str | None]], turn: Spoken, answer: str) -> bool:
    return grid[turn.round][turn.agent] == answer


def _question_words(debate: Debate) -> tuple[str, ...]:
    return list_content_words("\n".join((debate.question, *(debate.choices or ()))))


def _read_debate(debate: Debate) -> list[Spoken]:
    """Return the turns that have a text, round by round; new is what no earlier round and not the question holds."""
    index = {agent.name: k for k, agent in enumerate(debate.agents)}
    asked = _question_words(debate)
    seen: set[Trigram] = set(zip(asked, asked[1:], asked[2:], strict=False))
    stated = {word for word in asked if word[0].isdigit()}
    spoken = []
    for r, turns in enumerate(debate.rounds):
        row = []
        for turn in turns:
            reading = read_text(turn.reasoning or turn.raw or "")
            if reading is not None:
                new = len(reading.trigrams - seen) / len(reading.trigrams) if reading.trigrams else 0.0
                row.append(Spoken(index[turn.agent], r, reading, new, len(reading.numbers - stated)))
        for said in row:
            seen |= said.reading.trigrams
            stated |= said.reading.numbers
        spoken += row
    return spoken


def _debating(turns: Iterable[Spoken]) -> list[Spoken]:
    return [turn for turn in turns if turn.round]


def find_new_evidence(ours: Sequence[Spoken], theirs: Sequence[Spoken]) -> float | None:
    """Return 1 if in a debate round the minority states a new number in a turn that is new by half or more.

    New share = trigrams of content words found in no earlier round of any agent nor in the question or its choices,
    over all of the turn's; a number is new likewise. Where neither camp states any number, the new share alone decides.
    None without texts of both camps in debate rounds.
    """
    ours, theirs = _debating(ours), _debating(theirs)
    if not ours or not theirs:
        return None
    numeric = any(turn.reading.numbers for turn in (*ours, *theirs))
    return float(any(turn.new_share >= NEW_SHARE and (turn.new_numbers > 0 or not numeric) for turn in ours))


def find_echo_chamber(theirs: Sequence[Spoken]) -> float | None:
    """Return 1 if the majority's members talk alike or only repeat, in debate rounds.

    Alike: the mean overlap |A and B| / min(|A|, |B|) of trigrams, between turns of one round, is 0.5 or more. Repeat:
    the mean new share of their turns is below 0.3. None without texts of the majority in debate rounds.
    """
    turns = _debating(theirs)
    if not turns:
        return None
    overlaps = []
    for one, other in combinations(turns, 2):
        smaller = min(len(one.reading.trigrams), len(other.reading.trigrams))
        if one.round == other.round and smaller:
            overlaps.append(len(one.reading.trigrams & other.reading.trigrams) / smaller)
    alike = bool(overlaps) and fmean(overlaps) >= ALIKE
    return float(alike or fmean(turn.new_share for turn in turns) < STALE_SHARE)


def find_named_error(ours: Sequence[Spoken], names: Sequence[str]) -> float | None:
    """Return 1 if a sentence of the minority, in a debate round, says that others erred.

    Such a sentence has a word of error ("mistake", "incorrect", "should be", ...) that is not negated, names an agent
    or speaks of others, and owns no error ("my mistake", "I overlooked"). None without its texts in debate rounds.
    """
    turns = _debating(ours)
    if not turns:
        return None
    return float(any(_names_error(sentence, names) for turn in turns for sentence in turn.reading.sentences))


def _names_error(sentence: str, names: Sequence[str]) -> bool:
    if _ERROR.search(sentence) is None or _ERROR.search(_NO_ERROR.sub("", sentence)) is None:
        return False
    others = _OTHERS.search(sentence) is not None or any(name in sentence for name in names)
    return others and _OWN_ERROR.search(sentence) is None


def find_logical_gap(theirs: Sequence[Spoken]) -> float | None:
    """Return 1 if the majority states a wrong sum, or asserts more than it derives in debate rounds.

    It asserts if its turns of debate rounds have, on average, fewer than two reasoning words ("because", "so", ...) and
    right sums together. None without its texts in debate rounds.
    """
    turns = _debating(theirs)
    if not turns:
        return None
    wrong = any(turn.reading.wrong_sums for turn in theirs)
    return float(wrong or fmean(_count_derivation(turn.reading) for turn in turns) < MIN_DERIVATION)


def _count_derivation(reading: Reading) -> int:
    return reading.reasons + reading.right_sums


def score_reasoning(turns: Sequence[Spoken], topic: frozenset[str]) -> float | None:
    """Return the mean over a camp's turns of 1 + steps + reasons + relevance + sums, from 1 to 5; None without texts.

    Each addend is a share, so that length earns nothing. Steps: twice the steps for each sentence, at most 1. Reasons:
    twice the reasoning words for each sentence, at most 1. Relevance: twice the share of the question's content words
    that the turn uses, at most 1; 0.5 if the question has none. Sums: the share of right ones; 0.5 without any.
    """
    return fmean(_score(turn.reading, topic) for turn in turns) if turns else None


def _score(reading: Reading, topic: frozenset[str]) -> float:
    count = len(reading.sentences)
    steps = min(1.0, 2.0 * reading.steps / count)
    reasons = min(1.0, 2.0 * reading.reasons / count)
    relevance = min(1.0, 2.0 * len(topic.intersection(reading.words)) / len(topic)) if topic else 0.5
    sums = reading.right_sums + reading.wrong_sums
    return 1.0 + steps + reasons + relevance + (reading.right_sums / sums if sums else 0.5)


def count_blind_followers(
    grid: Sequence[Sequence[str | None]], spoken: Sequence[Spoken], majority_answer: str
) -> float | None:
    """Return how many agents came over to the majority without a reason of their own, at most all but one.

    An agent that ends with the majority's answer came over in the last round in which it changed to it. It did so
    blindly if that turn's new share is below 0.3 or it derives nothing. None if the text of such a turn is missing.
    """
    texts = {(turn.round, turn.agent): turn for turn in spoken}
    blind = 0
    for k, final in enumerate(grid[-1]):
        came = _find_change(grid, k, majority_answer) if final == majority_answer else None
        if came is not None:
            turn = texts.get((came, k))
            if turn is None:
                return None
            blind += turn.new_share < STALE_SHARE or not _count_derivation(turn.reading)
    return float(min(blind, len(grid[-1]) - 1))


def _find_change(grid: Sequence[Sequence[str | None]], agent: int, answer: str) -> int | None:
    """Return the last round in which the agent changed to the answer from another one, None if it never did."""
    came = None
    last: str | None = None
    for r, row in enumerate(grid):
        if row[agent] is not None:
            if row[agent] == answer and last is not None and last != answer:
                came = r
            last = row[agent]
    return came
