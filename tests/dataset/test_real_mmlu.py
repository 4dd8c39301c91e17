"""MMLU's STEM subjects on the real files: counts, gold answers, and every quirk that is known of them."""

import csv
from collections import Counter

import pytest

pytestmark = pytest.mark.shared


def by_id(questions):
    return {question.id: question for question in questions}


def content(question):
    return (question.id, question.question_key, question.question, question.choices, question.gold)


SUBJECTS = {
    **{"abstract_algebra": 100, "anatomy": 135, "astronomy": 152, "college_biology": 144, "college_chemistry": 100},
    **{"college_computer_science": 100, "college_mathematics": 100, "college_physics": 102, "computer_security": 100},
    **{"conceptual_physics": 235, "electrical_engineering": 145, "elementary_mathematics": 378},
    **{"high_school_biology": 310, "high_school_chemistry": 203, "high_school_computer_science": 100},
    **{"high_school_mathematics": 270, "high_school_physics": 151, "high_school_statistics": 216},
    "machine_learning": 112,
}


@pytest.fixture(scope="module")
def mmlu(load, benchmarks):
    return by_id(load("mmlu", benchmarks / "mmlu"))


def test_mmlu_stem_counts_by_subject(mmlu):
    assert Counter(q.subject for q in mmlu.values()) == SUBJECTS
    assert sum(SUBJECTS.values()) == len(mmlu) == 3153
    assert len(mmlu) - SUBJECTS["anatomy"] == 3018


def test_mmlu_gold_is_the_letter_of_the_file(mmlu, benchmarks):
    for file in (benchmarks / "mmlu/test").glob("*.csv"):
        with file.open(newline="", encoding="utf-8") as stream:
            for row, cells in enumerate(csv.reader(stream)):
                question = mmlu[f"{file.stem}-{row}"]
                assert (question.question, *question.choices, question.gold) == tuple(cells)


def test_mmlu_line_breaks_inside_fields_are_kept(mmlu):
    broken = Counter(q.subject for q in mmlu.values() if "\n" in "".join([q.question, *q.choices]))
    assert broken["college_computer_science"] == 34 and broken["high_school_computer_science"] == 21
    assert (broken["college_mathematics"], broken["college_chemistry"], broken["computer_security"]) == (14, 6, 6)
    assert broken["elementary_mathematics"] == 3
    assert "\n" in "".join([mmlu["college_biology_test-13"].question, *mmlu["college_biology_test-13"].choices])
    assert mmlu["college_computer_science_test-3"].meta["place"] != "college_computer_science_test.csv:4"


@pytest.mark.parametrize(
    ("subject", "rows"),
    [
        *[("college_computer_science", (10, 94)), ("college_mathematics", (8, 21, 60)), ("college_physics", (60,))],
        ("electrical_engineering", (41, 68, 107)),
    ],
)
def test_mmlu_choices_that_read_none_are_texts(mmlu, subject, rows):
    for row in rows:
        assert "None" in mmlu[f"{subject}_test-{row}"].choices


def test_mmlu_equal_choices_stay_two(mmlu):
    assert mmlu["electrical_engineering_test-21"].choices.count("0.015 joule.") == 2
    assert mmlu["elementary_mathematics_test-113"].choices.count("687") == 2
    assert mmlu["elementary_mathematics_test-113"].gold == "A"
    for name in ("high_school_chemistry_test-140", "high_school_physics_test-99"):
        assert len(set(mmlu[name].choices)) == 3


@pytest.mark.parametrize(
    ("subject", "pair"),
    [("college_physics", (1, 97)), ("college_physics", (2, 59)), ("elementary_mathematics", (104, 289))],
)
def test_mmlu_records_that_stand_twice_have_two_ids_and_one_key(mmlu, subject, pair):
    first, second = (mmlu[f"{subject}_test-{row}"] for row in pair)
    assert first.id != second.id
    assert first.question_key == second.question_key


def test_mmlu_choices_are_texts_as_they_stand(mmlu):
    assert "$20.93 " in mmlu["elementary_mathematics_test-70"].choices
    assert mmlu["abstract_algebra_test-0"].choices == ("0", "4", "2", "6")


def test_mmlu_dev_split_and_crlf_copy(mmlu, load, benchmarks):
    assert len(load("mmlu", benchmarks / "mmlu/dev")) == 95
    crlf = load("mmlu", benchmarks / "mmlu/original_crlf")
    assert len(crlf) == 203
    assert [content(q) for q in crlf] == [content(mmlu[q.id]) for q in crlf]
    assert len(load("mmlu", benchmarks / "mmlu/original_crlf/high_school_chemistry_dev.csv")) == 5


def test_mmlu_header_and_answers_from_zero_are_told_from_questions_and_letters(mmlu, load, benchmarks):
    indexed = load("mmlu", benchmarks / "mmlu/indexed_header_variant")
    assert len(indexed) == 100 + 203
    assert [content(q) for q in indexed] == [content(mmlu[q.id]) for q in indexed]
