"""Our own generated sums in words, for trying out debates without a file: number answers, five levels (the subject).

A question of level n takes n steps, each on the result of the one before, with growing numbers; the answer is what the
same steps give here. There are 200 questions, or `limit` where it is more.
"""

import random
from collections.abc import Callable, Iterator, Sequence

from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.records import AnswerType
from sentinel.settings import DatasetSettings

_SIZE = 200
_LEVELS = 5
_NAMES = ("Ada", "Ben", "Chloe", "Dev", "Elif", "Femi", "Goran", "Hana", "Ines", "Jonas", "Kofi", "Lina")
_THINGS = ("apples", "beads", "books", "buttons", "coins", "marbles", "pencils", "shells", "stamps", "tickets")

_Step = Callable[[random.Random, int, int], tuple[str, int]]


def read(settings: DatasetSettings, _: Sequence[File]) -> Iterator[Draft]:
    rng = random.Random(f"arithmetic_demo {settings.seed}")
    seen: set[str] = set()
    while len(seen) < max(_SIZE, settings.limit or 0):
        level = len(seen) % _LEVELS + 1
        question, answer = _write_sum(rng, level)
        if question not in seen:
            seen.add(question)
            yield Draft(
                id=digest(question),
                place=f"generated question {len(seen)}",
                question=question,
                gold=answer,
                answer_type=AnswerType.NUMBER,
                subject=f"level {level}",
            )


def _write_sum(rng: random.Random, level: int) -> tuple[str, int]:
    name, things = rng.choice(_NAMES), rng.choice(_THINGS)
    held = rng.randint(3, 12 * level)
    sentences = [f"{name} has {held} {things}."]
    for _ in range(level):
        steps: list[_Step] = [_gain, _lose, _multiply, _share]
        # A single step is a plain sum, so that even very small models get some right.
        sentence, held = rng.choice(steps[:2] if level == 1 else steps)(rng, held, level)
        sentences.append(sentence)
    sentences.append(f"How many {things} does {name} have now?")
    return " ".join(sentences), held


def _gain(rng: random.Random, held: int, level: int) -> tuple[str, int]:
    more = rng.randint(2, 15 * level)
    return f"Then a friend brings {more} more.", held + more


def _lose(rng: random.Random, held: int, level: int) -> tuple[str, int]:
    if held < 4:
        return _gain(rng, held, level)
    fewer = rng.randint(2, held // 2 + 1)
    return f"Then {fewer} of them get lost.", held - fewer


def _multiply(rng: random.Random, held: int, level: int) -> tuple[str, int]:
    factor = rng.randint(2, 4)
    return f"Then the number grows to {factor} times as many.", held * factor


def _share(rng: random.Random, held: int, level: int) -> tuple[str, int]:
    people = [count for count in range(2, 10) if held % count == 0 and held > count]
    if not people:
        return _gain(rng, held, level)
    count = rng.choice(people)
    return f"Then all of them are shared out evenly among {count} people, and only one share is kept.", held // count


LOADER = Loader(read)
