"""The stream of draws against numpy itself, and the choices made from it."""

import hashlib

import numpy as np
import pytest

from sentinel.simulation._draws import BLOCK, Draws, locate


def test_the_stream_is_numpys_seeded_by_a_hash_of_the_key() -> None:
    digest = hashlib.sha256(b"7\x00gsm8k\x003").digest()
    expected = np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "big"))).random(2 * BLOCK + 5)
    draws = Draws(7, "gsm8k", 3)
    assert [draws.uniform() for _ in range(2 * BLOCK + 5)] == expected.tolist()


@pytest.mark.parametrize(
    ("point", "index"),
    [(0.0, 0), (0.199, 0), (0.201, 2), (0.599, 2), (0.601, 3), (0.999999, 3)],
)
def test_a_point_falls_on_the_weight_that_covers_it(point: float, index: int) -> None:
    # Of 1 + 0 + 2 + 2 the first covers [0, 0.2), the second nothing, the third up to 0.6, the fourth the rest.
    assert locate(point, [1.0, 0.0, 2.0, 2.0]) == index


def test_a_sample_has_no_repetitions() -> None:
    draws = Draws("sample")
    for _ in range(50):
        assert len(set(draws.sample(range(9), 6))) == 6
    assert sorted(draws.sample("abcd", 4)) == list("abcd")


def test_the_bell_has_the_moments_it_states() -> None:
    draws = Draws("bell")
    values = np.array([draws.bell() for _ in range(20_000)])
    # Standard errors at this size: 0.005 of the mean, about 0.005 of the variance.
    assert abs(values.mean()) < 0.03
    assert abs(values.var() - 1.0) < 0.04
    assert values.min() >= -3.0
    assert values.max() < 3.0
