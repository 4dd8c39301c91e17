"""Arithmetic statements in prose: what is judged, what is right, what is left alone."""

import time

import pytest

from sentinel.audit._sums import check_sums


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("12 x 4 = 48", [True]),
        ("12 x 4 = 46", [False]),
        ("so $5 + $7 = $12, and 3 × 3 = 9.", [True, True]),
        ("2 + 3 x 4 = 14", [True]),  # products first: 2 + 12
        ("2 + 3 x 4 = 20", [False]),
        ("10 - 4 - 3 = 3", [True]),
        ("10 / 4 = 2.5", [True]),
        ("10 / 3 = 3.33", [True]),  # 3.3333 lies within half a hundredth of 3.33
        ("10 / 3 = 3.34", [False]),
        ("7 / 2 = 3", [True]),  # 3.5 lies half a unit off, the most that is allowed
        ("8 / 3 = 2", [False]),
        ("1,200 + 34 = 1,234", [True]),
        ("5 / 0 = 0", []),
        ("(3 + 4) x 5 = 35", []),  # part of a bracket: left out
        ("12 x 4 = 48 + 5", []),  # goes on: not a statement about 48
        ("2 ^ 3 + 1 = 9", []),
        ("x = 4, y = 5", []),
        ("40 % 7 = 5", []),
        ("no sums here", []),
    ],
)
def test_statements_are_recomputed(text: str, verdicts: list[bool]) -> None:
    assert check_sums(text) == verdicts


def test_a_text_of_nothing_but_signs_takes_linear_time() -> None:
    def seconds(count: int) -> float:
        text = "1+" * count
        begin = time.process_time()
        check_sums(text)
        return time.process_time() - begin

    # Ten times the text may take ten times as long, with much room for noise; quadratic time would take a hundred.
    assert seconds(100_000) < 40 * seconds(10_000) + 0.5
