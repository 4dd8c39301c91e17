"""One stream of random draws, seeded by a hash of what it is for; the same on every platform and in every process."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
BLOCK = 256


def locate(point: float, weights: Sequence[float]) -> int:
    """Return the index that a point in [0, 1) falls on, each as wide as its weight (at least 0, not all 0)."""
    rest = point * sum(weights)
    for index, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return index
    return max(index for index, weight in enumerate(weights) if weight > 0)


class Draws:
    """The draws of one debate or data set; `uniform()` gives a number in [0, 1)."""

    __slots__ = ("uniform",)

    def __init__(self, *key: object) -> None:
        digest = hashlib.sha256("\0".join(str(part) for part in key).encode()).digest()
        generator = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big")))
        self.uniform: Callable[[], float] = _stream(generator).__next__

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.uniform() < probability

    def below(self, count: int) -> int:
        """Return one of 0 .. count - 1."""
        return int(self.uniform() * count)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each as likely."""
        return items[int(self.uniform() * len(items))]

    def weighted(self, weights: Sequence[float]) -> int:
        """Return an index, each as likely as its weight."""
        return locate(self.uniform(), weights)

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` of the items without repetition, in random order."""
        pool = list(items)
        for i in range(count):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:count]

    def bell(self) -> float:
        """Return a number in [-3, 3) of mean 0 and variance 1, bell-shaped, without a logarithm."""
        return 2.0 * (self.uniform() + self.uniform() + self.uniform()) - 3.0


def _stream(generator: np.random.Generator) -> Iterator[float]:
    """Yield numbers fetched in blocks, which is ten times as fast as singly."""
    while True:
        yield from generator.random(BLOCK).tolist()
