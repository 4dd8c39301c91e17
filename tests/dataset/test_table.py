"""A user's own questions by field paths alone."""

import json

import polars as pl
import pytest

from sentinel.dataset._path import parse_path
from sentinel.errors import DatasetError


@pytest.fixture
def ask(load, write):
    """Return a function that loads records (or a CSV text) with the given fields."""

    def ask(content, name="t.jsonl", **fields):
        return load("table", write(name, content), fields=fields, name="mine")

    return ask


NESTED = {"item": {"stem": "Which?", "options": [{"key": "w", "say": "a"}, {"key": "r", "say": "b"}]}, "right": "r"}


def test_paths_into_nested_records(ask):
    (question,) = ask(
        [NESTED],
        question="item.stem",
        choices="item.options[*].say",
        labels="item.options[*].key",
        gold="right",
    )
    assert (question.question, question.choices, question.gold, question.dataset) == ("Which?", ("a", "b"), "B", "mine")


@pytest.mark.parametrize(
    ("choices", "gold", "letter"),
    [
        (["a", "b", "c"], "C", "C"),
        (["a", "b", "c"], "b", "B"),
        (["4", "3", "2"], 3, "B"),
        ({"A": "x", "B": "y"}, "B", "B"),
        ({"text": ["x", "y"], "label": ["1", "2"]}, "2", "B"),
        ({"text": ["x", "y"], "label": [0, 1]}, 1, "B"),
        ('["x", "y"]', "y", "B"),
        ([1, 2.5], "2.5", "B"),
    ],
)
def test_choices_in_several_forms_and_gold_by_label_or_text(ask, choices, gold, letter):
    (question,) = ask([{"q": "Which?", "c": choices, "g": gold}], question="q", choices="c", gold="g")
    assert question.gold == letter
    assert all(isinstance(choice, str) for choice in question.choices)


def test_columns_of_a_csv_file(ask):
    text = 'id,q,one,two,three,topic,key\r\n7,"Which\nis it?",None,b,,law,B\r\n8,And?,a,b,c,,C\r\n'
    first, second = ask(text, "t.csv", question="q", choices="one, two, three", gold="key", id="id", subject="topic")
    assert (first.question, first.choices, first.gold) == ("Which\nis it?", ("None", "b"), "B")
    assert (first.id, first.subject, first.meta["place"]) == ("7", "law", "t.csv:2")
    assert (second.choices, second.gold, second.subject) == (("a", "b", "c"), "C", None)
    assert second.meta["place"] == "t.csv:4"


def test_columns_of_a_parquet_file(load, tmp_path):
    pl.DataFrame({"q": ["Which?"], "c": [["a", "b"]], "g": [1]}).write_parquet(tmp_path / "t.parquet")
    fields = {"question": "q", "choices": "c", "gold_index": "g"}
    assert load("table", tmp_path / "t.parquet", fields=fields)[0].gold == "B"


@pytest.mark.parametrize(("key", "value", "letter"), [("gold_index", 0, "A"), ("gold_number", "2", "B")])
def test_gold_that_counts_places(ask, key, value, letter):
    (question,) = ask([{"q": "Which?", "c": ["a", "b"], "g": value}], question="q", choices="c", **{key: "g"})
    assert question.gold == letter


@pytest.mark.parametrize(
    ("golds", "kind", "canonical"),
    [
        (["1,000", "-3"], "number", ["1000", "-3"]),
        ([12, 0.5], "number", ["12", "0.5"]),
        ([True, False], "boolean", ["true", "false"]),
        (["yes", "No"], "boolean", ["true", "false"]),
        (["Paris", "12"], "text", ["paris", "12"]),
        (["B", "C"], "choice", ["B", "C"]),
    ],
)
def test_the_type_of_all_answers_is_told_by_all_gold_answers(ask, golds, kind, canonical):
    questions = ask([{"q": f"question {i}?", "g": gold} for i, gold in enumerate(golds)], question="q", gold="g")
    assert {q.answer_type.value for q in questions} == {kind}
    assert [q.gold for q in questions] == canonical


def test_the_type_can_be_set(ask):
    (question,) = ask([{"q": "Who?", "g": "12"}], question="q", gold="g", answer_type="text")
    assert question.answer_type.value == "text"
    with pytest.raises(DatasetError, match="t.jsonl:1: the gold answer 'many' is no number"):
        ask([{"q": "Who?", "g": "many"}], question="q", gold="g", answer_type="number")


def test_questions_may_lack_gold_only_where_the_path_says_so(ask):
    rows = [{"q": "a?", "g": "1"}, {"q": "b?", "g": None}, {"q": "c?"}]
    assert [q.gold for q in ask(rows, question="q", gold="g?")] == ["1", None, None]
    assert ask(rows, question="q")[0].gold is None
    with pytest.raises(DatasetError, match=r"t.jsonl:2: gold \(g\) is empty; write g\? where questions may have no"):
        ask(rows, question="q", gold="g")
    with pytest.raises(DatasetError, match="t.jsonl:1: no field 'g'; have: q"):
        ask(rows[2:], question="q", gold="g")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"g": "E"}, "gold='E': expected one of the labels A, B, C or the text of a choice"),
        ({"g": 0}, r"gold='0': .*; a number that counts places is mapped as gold_index \(from 0\)"),
        ({"c": ["B", "x", "y"], "g": "B"}, "gold='B' fits 2 choices; map labels, gold_index or gold_number"),
        ({"c": ["x", "x", "y"], "g": "x"}, "gold='x' fits 2 choices"),
        ({"c": "a; b; c"}, r"choices \(c\) is 'a; b; c': expected a list of texts"),
        ({"c": []}, r"choices \(c\) is \[\]: expected a list of texts"),
        ({"c": [["a"], "b"]}, r"choices \(c\) is .*: expected a list of texts"),
        ({"c": {"text": ["a", "b"], "label": ["1"]}}, "labels are .*: expected one for each of the 2 choices"),
        ({"q": " "}, r"question \(q\) is empty"),
        ({"q": ["a"]}, r"question \(q\) is \['a'\]: expected a text"),
        ({"g": {"x": 1}}, r"gold \(g\) is \{'x': 1\}: expected a text or a number"),
    ],
)
def test_errors_name_record_and_field(ask, record, message):
    rows = [{"q": "Which?", "c": ["a", "b", "c"], "g": "A"}, {"q": "Which?", "c": ["a", "b", "c"], "g": "A", **record}]
    with pytest.raises(DatasetError, match=f"^dataset=mine: t.jsonl:2: {message}"):
        ask(rows, question="q", choices="c", gold="g")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, r"dataset.fields.question: say where the question stands, e.g. '.dataset.fields=\{question: stem"),
        ({"question": "q", "golds": "g"}, "dataset.fields.golds: no such field; near: gold"),
        ({"question": "q", "gold": "g", "gold_index": "g"}, "gold and gold_index are both given; keep one"),
        (
            {"question": "q", "gold_index": "g"},
            "dataset.fields.gold_index: means nothing without dataset.fields.choices",
        ),
        ({"question": "q", "answer_type": "g"}, "answer_type=g: expected one of choice, number, boolean, text"),
        ({"question": "q[x]"}, r"dataset.fields.question=q\[x\]: not a field path at '\[x\]'"),
        ({"question": "stem"}, "t.jsonl:1: no field 'stem'; have: q, c, g"),
        ({"question": "q.text"}, "t.jsonl:1: 'Which.' has no 'text'"),
        ({"question": "c[5]"}, r"t.jsonl:1: \['a', 'b'\] has no 5"),
        ({"question": "q", "choices": "q[*]"}, "'Which.' has no items"),
        ({"question": "q", "choices": "c", "gold_index": "g"}, "gold_index=7: expected a number from 0 to 1"),
        ({"question": "q", "choices": "c", "gold_number": "g"}, "gold_number=7: expected a number from 1 to 2"),
    ],
)
def test_wrong_mappings_are_named(ask, fields, message):
    with pytest.raises(DatasetError, match=f"^dataset=mine: .*{message}"):
        ask([{"q": "Which?", "c": ["a", "b"], "g": 7}], **fields)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a", (("a",), False)),
        ("a.b[0].c", (("a", "b", 0, "c"), False)),
        ("a[-1]?", (("a", -1), True)),
        ("a[*].b", (("a", None, "b"), False)),
        ('"a.b".c', (("a.b", "c"), False)),
        ("Correct Answer", (("Correct Answer",), False)),
    ],
)
def test_paths(text, steps):
    assert parse_path(text, "where") == steps


@pytest.mark.parametrize("text", ["", "?", "a.", ".a", "a..b", "a[b]", "a]b", "a.[0]"])
def test_what_is_no_path(text):
    with pytest.raises(DatasetError, match="^where=.*: not a field path"):
        parse_path(text, "where")


def test_ids_come_from_the_text_where_none_are_mapped(ask):
    rows = [{"q": "Which?", "g": "1"}, {"q": "Which?", "g": "1"}, {"q": "Other?", "g": "2"}]
    first, again, other = ask(rows, question="q", gold="g")
    assert again.id == f"{first.id}-2" and other.id not in (first.id, again.id)
    assert first.question_key == again.question_key
    reordered = ask(json.loads(json.dumps(rows[::-1])), question="q", gold="g")
    assert {q.id for q in reordered} == {first.id, again.id, other.id}


def test_a_blank_choice_between_others_is_refused(ask):
    with pytest.raises(DatasetError, match=r"t\.csv:2: choices \(a, b, c\): number 2 of 3 is blank"):
        ask("q,a,b,c\nWhich?,x, ,z\n", "t.csv", question="q", choices="a, b, c")
