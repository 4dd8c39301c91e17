"""Numbers as text, and names of data that must not break a table."""

import math

import polars as pl
import pytest

from sentinel.report._format import align, clean, display_width, escape_markdown, gain, interval, percent, short_domains
from sentinel.report._page import frame_to_markdown


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0171, "+1.71"), (-0.0137, "-1.37"), (0.0, "0.00"), (-0.00001, "0.00"), (None, "-"), (math.nan, "-")],
)
def test_gains_carry_their_sign_and_zero_has_none(value: float | None, text: str) -> None:
    assert gain(value) == text


def test_shares_are_percent_with_one_decimal() -> None:
    assert percent(0.8125) == "81.2"
    assert percent(1.0) == "100.0"


def test_half_an_interval_is_no_interval() -> None:
    assert interval(-0.001, 0.0123) == "-0.10 to +1.23"
    assert interval(None, 0.1) == ""


def test_control_characters_become_one_line() -> None:
    assert clean("a\nb\x1b[31mred\tz") == "a b [31mred z"
    assert clean("abcdefghij", 8) == "ab...hij"
    assert display_width(clean("数" * 20, 8)) <= 8


def test_wide_characters_take_two_columns() -> None:
    assert display_width("数学a") == 5
    assert align(["x", "n"], [["数学", "1"], ["abcd", "22"]]) == ["x      n", "数学   1", "abcd  22"]


def test_markdown_of_data_cannot_leave_its_cell() -> None:
    assert escape_markdown("a|b\n<img> `c` [d](e)") == "a\\|b &lt;img&gt; \\`c\\` \\[d\\](e)"
    table = frame_to_markdown(pl.DataFrame({"domain": ["x|y\nz"], "ng_exact": [0.0125], "n": [3]}))
    assert table.splitlines() == ["| domain | ng_exact % | n |", "| :--- | ---: | ---: |", "| x\\|y z | +1.25 | 3 |"]


def test_long_tables_say_how_much_is_left_out() -> None:
    text = frame_to_markdown(pl.DataFrame({"x": list(range(250))}))
    assert len(text.strip().splitlines()) == 2 + 200 + 2
    assert text.rstrip().endswith("50 more rows in the CSV file.")


def test_a_domain_is_called_by_its_dataset_where_that_tells_it_apart() -> None:
    assert short_domains(["s/a", "s/b", "overall"]) == {"s/a": "a", "s/b": "b", "overall": "overall"}
    assert short_domains(["s/a", "t/b", "s/a"]) == {"s/a": "a", "t/b": "b"}
    assert short_domains(["a", "s/b"]) == {"a": "a", "s/b": "b"}
    assert short_domains(["s/r/a", "t/r/a"]) == {"s/r/a": "a (s)", "t/r/a": "a (t)"}
    assert short_domains(["o/x/a", "o/y/a"]) == {"o/x/a": "o/x/a", "o/y/a": "o/y/a"}
