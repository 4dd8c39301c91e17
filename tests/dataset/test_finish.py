"""What holds for every dataset: order of choices, ids, keys, samples; and the generated demo."""

import json
import re
from collections import Counter

import pytest

from sentinel.dataset import load_questions
from sentinel.errors import DatasetError
from sentinel.settings import DatasetSettings

FIELDS = {"question": "q", "choices": "c", "gold_index": "g", "subject": "s?", "id": "id?"}


@pytest.fixture
def table(load, write):
    """Return a function that loads records of the form {q, c, g, s?, id?} as a user's table."""

    def table(records, **settings):
        return load("table", write("t.jsonl", records), fields=FIELDS, **settings)

    return table


def records(count, subjects=("x",)):
    return [
        {"q": f"question {i}?", "c": [f"right {i}", "b", "c", "d"], "g": 0, "s": subjects[i % len(subjects)]}
        for i in range(count)
    ]


def right(question):
    return question.choices["ABCD".index(question.gold)]


def test_shuffling_remaps_the_key_and_depends_on_seed_and_id_only(table):
    questions = table(records(400), shuffle_choices=True)
    assert all(right(q) == f"right {i}" for i, q in enumerate(questions))
    # 100 of each by chance, with a deviation of 8.7.
    assert all(60 < count < 140 for count in Counter(q.gold for q in questions).values())
    assert len({q.choices.index("b") for q in questions}) == 4
    assert table(records(400), shuffle_choices=True) == questions
    alone = table(records(400)[7:8], shuffle_choices=True)
    assert alone[0].choices == questions[7].choices
    other = table(records(400), shuffle_choices=True, seed=1)
    assert sum(a.choices != b.choices for a, b in zip(questions, other, strict=True)) > 300


def test_without_shuffling_the_owners_order_stays(table):
    assert {q.gold for q in table(records(19))} == {"A"}


def test_keys_ignore_the_order_of_choices_and_white_space_but_not_their_content(table):
    base = {"q": "Which one?", "c": ["a", "b", "b"], "g": 0}
    variants = [{**base, "q": " Which  one?\n", "c": ["b", "a", "b"], "g": 1}, {**base, "c": ["a", "b"]}]
    variants += [{**base, "q": "which one?"}, {**base, "c": ["A", "b", "b"]}]
    first, same, *others = table([base, *variants])
    assert first.question_key == same.question_key
    assert len({q.question_key for q in (first, *others)}) == 4
    assert first.id != same.id


def test_keys_tell_contexts_apart(load, write):
    rows = [{"q": "Is it?", "p": "one"}, {"q": "Is it?", "p": "two"}, {"q": "Is it?", "p": "two"}]
    first, second, third = load("table", write("t.jsonl", rows), fields={"question": "q", "context": "p"})
    assert first.question_key != second.question_key == third.question_key


def test_repeated_ids_are_told_apart_even_where_the_new_name_is_taken(table):
    rows = [{**record, "id": name} for record, name in zip(records(4), ["n", "n-2", "n", "n"], strict=True)]
    assert [q.id for q in table(rows)] == ["n", "n-2", "n-3", "n-4"]


def test_a_smaller_limit_takes_a_part_of_a_larger_one(table):
    whole = table(records(60))
    ten, thirty = table(records(60), limit=10), table(records(60), limit=30)
    assert (len(ten), len(thirty)) == (10, 30)
    assert set(q.id for q in ten) < set(q.id for q in thirty)
    places = [whole.index(q) for q in thirty]
    assert places == sorted(places)
    assert places != list(range(30))
    assert {q.id for q in table(records(60), limit=10, seed=5)} != {q.id for q in ten}


def test_a_stratified_sample_is_in_proportion(table):
    rows = records(80, subjects=("x", "x", "x", "y"))
    assert Counter(q.subject for q in table(rows, limit=20, stratify=True)) == {"x": 15, "y": 5}
    assert Counter(q.subject for q in table(rows, limit=4, stratify=True)) == {"x": 3, "y": 1}


def test_stratifying_needs_subjects(table):
    rows = [*records(3), {"q": "no subject?", "c": ["a", "b"], "g": 0}]
    with pytest.raises(DatasetError, match="dataset.stratify=true: some questions have no subject"):
        table(rows, limit=2, stratify=True)


def test_a_limit_above_what_is_there_takes_all_and_says_so(table, caplog):
    assert len(table(records(3), limit=500)) == 3
    assert "dataset=table: limit=500: there are 3; all are taken" in caplog.text


def test_subset_takes_subjects_and_refuses_unknown_ones(table):
    rows = records(9, subjects=("physics", "law", "music"))
    assert Counter(q.subject for q in table(rows, subset=["law", "music"])) == {"law": 3, "music": 3}
    with pytest.raises(DatasetError, match="dataset=table: dataset.subset: no questions on phisics; near: physics"):
        table(rows, subset=["phisics"])
    with pytest.raises(
        DatasetError, match="no questions on art, zoology; the files hold: law, music, physics; name only"
    ):
        table(rows, subset=["art", "law", "zoology"])
    with pytest.raises(DatasetError, match=r"these files name no subjects; use dataset.subset=\[\]"):
        table([{"q": "which?", "c": ["a", "b"], "g": 0}], subset=["law"])


def test_more_choices_than_letters_are_refused(table):
    assert table([{"q": "which?", "c": [str(i) for i in range(26)], "g": 25}])[0].gold == "Z"
    with pytest.raises(DatasetError, match="t.jsonl:1: 27 choices; expected 1 to 26"):
        table([{"q": "which?", "c": [str(i) for i in range(27)], "g": 0}])


def test_one_letter_for_all_is_warned_of(table, caplog):
    table(records(20))
    assert "the gold answer is A in all 20 questions; set dataset.shuffle_choices=true" in caplog.text


def test_text_is_kept_as_it_is(table):
    text = "Is <b>x</b>&nbsp;\u2212 1 \u00bd\u2028or \ufffd?  "
    assert table([{"q": text, "c": ["<i>a</i>", " b "], "g": 1}])[0].choices == ("<i>a</i>", " b ")
    assert table([{"q": text, "c": ["<i>a</i>", " b "], "g": 1}])[0].question == text


# The generated demo


def solve(text):
    """Work the sum out from its words alone."""
    start, *steps, _ = re.split(r"(?<=[.?]) ", text)
    held = int(re.search(r"has (\d+)", start)[1])
    for step in steps:
        number = int(re.search(r"\d+", step)[0])
        if "brings" in step:
            held += number
        elif "lost" in step:
            held -= number
        elif "times" in step:
            held *= number
        else:
            assert "shared out evenly" in step and held % number == 0
            held //= number
    return held


def test_the_demo_needs_no_file_and_its_answers_are_right():
    questions = load_questions(DatasetSettings())
    assert len(questions) == len({q.question for q in questions}) == len({q.id for q in questions}) == 200
    assert all(int(q.gold) == solve(q.question) > 0 for q in questions)
    assert Counter(q.subject for q in questions) == {f"level {n}": 40 for n in range(1, 6)}
    steps = {q.subject: q.question.count("Then") for q in questions}
    assert steps == {f"level {n}": n for n in range(1, 6)}


def test_the_demo_depends_on_its_seed_and_grows_with_the_limit():
    first = load_questions(DatasetSettings())
    assert load_questions(DatasetSettings()) == first
    other = load_questions(DatasetSettings(seed=1))
    assert not {q.id for q in other} & {q.id for q in first}
    longer = load_questions(DatasetSettings(limit=1000))
    assert len(longer) == 1000 and longer[:200] == first
    assert {q.id for q in load_questions(DatasetSettings(limit=10))} < {q.id for q in first}


def test_questions_can_be_written_as_json():
    json.dumps([q.meta for q in load_questions(DatasetSettings(limit=5))])
