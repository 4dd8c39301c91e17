"""Foreign text cannot leave its quotation, whatever it holds."""

import pytest

from sentinel.llm._quote import clean, quote


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("one", "| one"),
        ("one\ntwo", "| one\n| two"),
        ("one\r\ntwo\rthree", "| one\n| two\n| three"),
        ("one\u2028two\x0bthree\x85four", "| one\n| two\n| three\n| four"),
        ("  \n one \n ", "| one"),
        ("one\n\ntwo", "| one\n| \n| two"),
        ("", ""),
        ("a\0b", "| ab"),
    ],
)
def test_every_line_carries_the_mark(text: str, quoted: str) -> None:
    assert quote(text) == quoted


def test_half_a_surrogate_pair_becomes_sendable() -> None:
    assert clean("cut \ud83d").encode("utf-8") == b"cut ?"
