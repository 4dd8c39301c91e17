"""The path language of mapping files."""

from typing import Any

import pytest

from sentinel.errors import ImporterError
from sentinel.log_store.importer._document import Refused
from sentinel.log_store.importer._path import parse_path, resolve

VALUE = {
    "a": {"b.c": [10, 20, 30], "ünï": None},
    "rows": [{"x": 1, "tags": ["p"]}, {"x": 2, "tags": ["q", "r"]}],
    "deep": [[{"y": [5]}]],
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (".", VALUE),
        ('a."b.c"[1]', 20),
        ('a."b.c"[-1]', 30),
        ("a.ünï", None),
        ("rows[*].x", [1, 2]),
        ("rows[*].tags[*]", ["p", "q", "r"]),
        ("deep[0][0].y[0]", 5),
        ("rows[1].missing?", None),
        ("nowhere.at.all?", None),
        ("a.ünï.more?", None),
        ("rows[7]?", None),
        ("nowhere[*].x?", []),
    ],
)
def test_a_path_leads_to_its_value(text: str, found: Any) -> None:
    assert resolve(parse_path(text, "here"), VALUE) == found


def test_the_key_stands_for_the_name_of_the_record() -> None:
    assert resolve(parse_path("@key", "here"), VALUE, "Why?") == "Why?"
    with pytest.raises(Refused, match="there is no key, because the values stand in a list"):
        resolve(parse_path("@key", "here"), VALUE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("row[0].x", "path row\\[0\\].x: the value has no 'row'; it has: a, rows, deep; near: rows"),
        ("rows[2].x", "rows is a list of 2, so it has no \\[2\\]"),
        ("rows[1].tag", "rows\\[1\\] has no 'tag'; it has: x, tags; near: tags"),
        ("rows.x", "rows is \\[.*\\], so it has no 'x'"),
        ("a[0]", "a is {.*}, not a list, so it has no \\[0\\]"),
        ("a[*]", "a is {.*}, not a list"),
        ("rows[0].x.y?", "rows\\[0\\].x is 1, so it has no 'y'"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_ends(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        resolve(parse_path(text, "here"), VALUE)


@pytest.mark.parametrize(
    "text", ["a..b", "a[", "a[x]", "a]b", ".a", "a.", "[1]b", 'a"b"', "", " ", "@name", 3, None, "a?b"]
)
def test_a_misspelt_path_is_an_error_that_names_its_place(text: object) -> None:
    with pytest.raises(ImporterError, match="rounds.text="):
        parse_path(text, "rounds.text")
