"""Numbers as text, and names of data that must not break a table."""

import math

import polars as pl
import pytest

from sentinel.report._format import (
    align,
    clean,
    display_width,
    distinct,
    escape_markdown,
    gain,
    interval,
    percent,
    short_domains,
)
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
    assert len(text.strip().splitlines()) == 2 + 100 + 2
    assert text.rstrip().endswith("150 more rows in the CSV file.")


def test_a_domain_is_called_by_its_dataset_where_that_tells_it_apart() -> None:
    assert short_domains(["s/a", "s/b", "overall"]) == {"s/a": "a", "s/b": "b", "overall": "overall"}
    assert short_domains(["s/a", "t/b", "s/a"]) == {"s/a": "a", "t/b": "b"}
    assert short_domains(["a", "s/b"]) == {"a": "a", "s/b": "b"}
    assert short_domains(["s/r/a", "t/r/a"]) == {"s/r/a": "a (s)", "t/r/a": "a (t)"}
    assert short_domains(["o/x/a", "o/y/a"]) == {"o/x/a": "a (o/x)", "o/y/a": "a (o/y)"}


def test_two_domains_never_get_the_same_name() -> None:
    assert short_domains(["x/math", "math"]) == {"x/math": "math (x)", "math": "math (no source)"}
    assert short_domains(["/overall", "x/overall", "overall"]) == {
        "/overall": "overall (no source)",
        "x/overall": "overall (x)",
        "overall": "overall",
    }
    assert short_domains(["/overall", "overall"])["overall"] == "overall"
    assert short_domains(["a/b%2Fc", "a/b/c", "50%25"]) == {"a/b%2Fc": "b/c", "a/b/c": "c", "50%25": "50%"}
    # A blank at the end is not seen on paper, nor is a control character.
    names = short_domains(["math", "math ", "math\n", "x/b (y)", "z/b", "y/b"])
    assert len(set(names.values())) == 6


def test_texts_that_differ_stay_different_when_cut() -> None:
    assert distinct(["short", "abcdefghijkl"], 8) == {"short": "short", "abcdefghijkl": "ab...jkl"}
    ends = ["common beginning 1 and the end", "common beginning 2 and the end"]
    assert list(distinct(ends, 20).values()) == ["...ing 1 and the end", "...ing 2 and the end"]
    middles = [f"{'x' * 20}{letter}{'y' * 20}" for letter in "abc"]
    cut = list(distinct(middles, 12).values())
    assert len(set(cut)) == 3 and all(display_width(text) <= 12 for text in cut)
    assert list(distinct(["a", "a ", "a #2"]).values()) == ["a", "a #2", "a #2 #2"]


def test_tables_keep_names_apart() -> None:
    table = frame_to_markdown(pl.DataFrame({"domain": ["math", "math ", "math", None]}))
    assert table.splitlines()[2:] == ["| math |", "| math #2 |", "| math |", "| - |"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("total_stance_changes", "total_stance_changes"),
        ("_x_ __init__", "\\_x\\_ \\_\\_init\\_\\_"),
        ("costs $5 or $6", "costs \\$5 or \\$6"),
        ("# head", "\\# head"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("-1.04", "-1.04"),
        ("1.5 of 2", "1.5 of 2"),
        ("-", "-"),
    ],
)
def test_markdown_of_data_starts_no_markup(name: str, text: str) -> None:
    assert escape_markdown(name) == text


def test_marks_that_join_a_letter_take_no_column() -> None:
    # Thai ho hip with mai han-akat, the latter of combining class 0.
    assert display_width("\u0e2b\u0e31") == 1
