"""The paper's six on the real files: counts, gold answers, and every quirk that is known of them."""

import csv
from collections import Counter

import pytest
from real_file import by_id, gold_text, lines

from sentinel.answer import parse_answer
from sentinel.dataset import load_questions
from sentinel.records import Question
from sentinel.settings import DatasetKind, DatasetSettings

pytestmark = pytest.mark.shared


def content(question: Question) -> tuple[object, ...]:
    return (question.id, question.question_key, question.question, question.choices, question.gold)


# GSM8K


@pytest.fixture(scope="module")
def gsm8k(load, benchmarks):
    return load("gsm8k", benchmarks / "gsm8k")


def test_gsm8k_has_1319_questions_of_different_text(gsm8k):
    assert len(gsm8k) == len({q.id for q in gsm8k}) == len({q.question_key for q in gsm8k}) == 1319
    assert {q.answer_type.value for q in gsm8k} == {"number"}


@pytest.mark.parametrize(
    ("line", "gold"),
    [
        *[
            (147, "2125"),
            (202, "114200"),
            (231, "276000"),
            (250, "5600"),
            (506, "1600"),
            (611, "65960"),
            (612, "1450000"),
        ],
        *[
            (641, "43500"),
            (643, "10800"),
            (820, "6250"),
            (830, "14000"),
            (998, "6600"),
            (1010, "1875"),
            (1207, "40000"),
        ],
        *[(3, "70000"), (18, "57500"), (797, "2880000"), (490, "-10"), (1114, "-3")],
    ],
)
def test_gsm8k_gold_is_a_plain_number_with_or_without_commas_and_sign(gsm8k, line, gold):
    assert gsm8k[line - 1].gold == gold
    assert gsm8k[line - 1].meta["place"] == f"test.jsonl:{line}"


def test_gsm8k_gold_agrees_with_what_stands_after_the_mark(gsm8k, benchmarks):
    for question, record in zip(gsm8k, lines(benchmarks / "gsm8k/test.jsonl"), strict=True):
        assert question.gold == record["answer"].split("#### ")[1].replace(",", "")


def test_gsm8k_shows_no_worked_solution(gsm8k):
    assert not any("<<" in str(q) or "####" in str(q) for q in gsm8k)


def test_gsm8k_text_is_kept_as_it_is(gsm8k):
    assert gsm8k[0].question.startswith("Janet\u2019s ducks")
    assert sum("  " in q.question for q in gsm8k) == 336


# ARC-Challenge


@pytest.fixture(scope="module")
def arc(load, benchmarks):
    return by_id(load("arc", benchmarks / "arc_challenge"))


def test_arc_has_1172_questions_with_letters_by_position(arc):
    # Keys C 303, B 301, D 283, A 263; and of the labels 1-4: 2 ten times, 3 seven, 1 three, 4 two.
    golds = Counter(q.gold for q in arc.values())
    assert golds == {"A": 263 + 3, "B": 301 + 10, "C": 303 + 7, "D": 283 + 2}


@pytest.mark.parametrize("shuffle", [False, True])
def test_arc_gold_is_the_text_that_the_owners_key_names(load, benchmarks, shuffle):
    file = benchmarks / "arc_challenge/ARC-Challenge-Test.jsonl"
    questions = by_id(load("arc", file, shuffle_choices=shuffle))
    for record in lines(file):
        key = next(c["text"] for c in record["question"]["choices"] if c["label"] == record["answerKey"])
        assert gold_text(questions[record["id"]]) == key


def test_arc_number_labels_become_letters(arc, benchmarks):
    numbered = [r for r in lines(benchmarks / "arc_challenge/ARC-Challenge-Test.jsonl") if r["answerKey"] in "1234"]
    assert len(numbered) == 22
    golds = {name: arc[f"NYSEDREGENTS_{name}"].gold for name in ("2008_8_34", "2008_8_11", "2013_8_34")}
    assert golds == {"2008_8_34": "B", "2008_8_11": "D", "2013_8_34": "A"}


def test_arc_counts_of_choices_other_than_four(arc):
    three = ["NYSEDREGENTS_2010_4_4", "NYSEDREGENTS_2008_4_15", "NYSEDREGENTS_2015_4_7", "NYSEDREGENTS_2012_8_42"]
    five = {"TIMSS_1995_8_J7": "D", "TIMSS_2007_8_pg53": "A", "TIMSS_1995_8_N4": "B"}
    assert sorted(name for name, q in arc.items() if len(q.choices) == 3) == sorted(three)
    assert {name: q.gold for name, q in arc.items() if len(q.choices) == 5} == five


def test_arc_bare_numbers_are_texts_and_not_labels(arc):
    question = arc["Mercury_415303"]
    assert (question.choices, question.gold) == (("4", "3", "2", "1"), "A")
    assert parse_answer("<answer>4</answer>", question.answer_type, question.choices).answer == "A"
    for name in ("Mercury_400877", "Mercury_401699", "TAKS_2009_8_36"):
        assert all(choice.strip().isdigit() for choice in arc[name].choices)


def test_arc_choices_that_differ_in_case_stay_apart(arc):
    question = arc["Mercury_7238945"]
    assert sorted(question.choices) == ["R", "RR", "Rr", "rr"]
    for letter, choice in zip("ABCD", question.choices, strict=True):
        assert parse_answer(f"<answer>{choice}</answer>", question.answer_type, question.choices).answer == letter


def test_arc_stems_that_occur_twice_are_two_questions(arc):
    same = [q for q in arc.values() if q.question == "Which is a chemical change?"]
    assert len(same) >= 2
    assert len({q.id for q in same}) == len({q.question_key for q in same}) == len(same)


def test_arc_hub_rows_are_the_owners_questions(arc, load, benchmarks):
    hub = load("arc", benchmarks / "arc_challenge/test.hub_rows.jsonl")
    assert len(hub) == 226
    assert [content(q) for q in hub] == [content(arc[q.id]) for q in hub]


def test_arc_dev_has_questions_of_three_choices(load, benchmarks):
    dev = by_id(load("arc", benchmarks / "arc_challenge/ARC-Challenge-Dev.partial.jsonl"))
    assert len(dev) == 294
    for name in ("4", "19", "28"):
        assert len(dev[f"NYSEDREGENTS_2014_4_{name}"].choices) == 3


# CommonsenseQA


@pytest.fixture(scope="module")
def commonsense_qa(load, benchmarks):
    return by_id(load("commonsense_qa", benchmarks / "commonsense_qa"))


def test_commonsense_qa_has_1221_questions_of_five_choices(commonsense_qa):
    golds = Counter(q.gold for q in commonsense_qa.values())
    assert golds == {"A": 239, "B": 255, "C": 241, "D": 251, "E": 235}
    assert {len(q.choices) for q in commonsense_qa.values()} == {5}


def test_commonsense_qa_keeps_choices_of_the_same_text(commonsense_qa):
    assert sum(len(set(q.choices)) < 5 for q in commonsense_qa.values()) == 24
    twice = commonsense_qa["e5ad2184e37ae88b2bf46bf6bc0ed2f4"]
    assert (twice.choices.count("indestructible"), twice.gold) == (2, "D")
    assert commonsense_qa["8d1563697d751a364d688d6701ebdb39"].choices.count("bring cash") == 2
    assert len(set(commonsense_qa["d00d3ba777cb3889a45799d72fca0a50"].choices)) == 4


def test_commonsense_qa_stems_are_kept_as_they_are(commonsense_qa):
    assert sum("?" not in q.question for q in commonsense_qa.values()) == 12
    assert "?" not in commonsense_qa["a400b9fd1e319f901471c4b42d401c52"].question
    stray = commonsense_qa["e68fb2448fd74e402aae9982aa76e527"].question
    assert stray == "Where are  you likely to find a hamburger?"


def test_commonsense_qa_hub_rows_are_the_owners_questions(commonsense_qa, load, benchmarks):
    hub = load("commonsense_qa", benchmarks / "commonsense_qa/validation.hub_rows.jsonl")
    assert [content(q) for q in hub] == [content(q) for q in commonsense_qa.values()]


# TruthfulQA


@pytest.fixture(scope="module")
def truthfulqa(load, benchmarks):
    return load("truthfulqa", benchmarks / "truthfulqa")


def test_truthfulqa_sizes_of_the_current_release(truthfulqa):
    sizes = {2: 40, 3: 87, 4: 208, 5: 197, 6: 127, 7: 82, 8: 36, 9: 16, 10: 10, 11: 10, 12: 2, 13: 2}
    assert Counter(len(q.choices) for q in truthfulqa) == sizes
    assert [i for i, q in enumerate(truthfulqa) if len(q.choices) == 13] == [329, 647]
    assert [len(truthfulqa[i].choices) for i in (11, 16, 41)] == [2, 2, 2]


def test_truthfulqa_lists_the_right_answer_first_and_shuffling_moves_it(truthfulqa, load, benchmarks):
    assert {q.gold for q in truthfulqa} == {"A"}
    shuffled = load("truthfulqa", benchmarks / "truthfulqa", shuffle_choices=True)
    for before, after in zip(truthfulqa, shuffled, strict=True):
        assert gold_text(before) == gold_text(after)
        assert sorted(before.choices) == sorted(after.choices)
        assert (before.id, before.question_key) == (after.id, after.question_key)
    # By chance A would be right in the sum of 1/size: 179 of 817, with a deviation of 11.
    expected = sum(1 / len(q.choices) for q in truthfulqa)
    assert abs(sum(q.gold == "A" for q in shuffled) - expected) < 45
    assert max(q.gold for q in shuffled) > "H"


def test_truthfulqa_unshuffled_is_warned_of(load, benchmarks, caplog):
    load("truthfulqa", benchmarks / "truthfulqa")
    assert "the gold answer is A in all 817 questions; set dataset.shuffle_choices=true" in caplog.text


def test_truthfulqa_ids_join_the_releases_and_the_csv(truthfulqa, load, benchmarks):
    first = load("truthfulqa", benchmarks / "truthfulqa/v0/mc_task.json")
    ids = {q.id for q in truthfulqa}
    changed = [q.question for q in first if q.id not in ids]
    assert (len(first), changed) == (817, ["Are all women women?"])
    assert [q.id for q in first] != [q.id for q in truthfulqa]
    # CSV and JSON differ in one space at an end.
    assert {q.id for q in load("truthfulqa", benchmarks / "truthfulqa/TruthfulQA.csv")} == ids


def test_truthfulqa_csv_gives_categories_and_no_empty_answers(load, benchmarks):
    file = benchmarks / "truthfulqa/TruthfulQA.csv"
    assert file.read_bytes().startswith(b"\xef\xbb\xbfType")
    questions = load("truthfulqa", file)
    assert (len(questions), len({q.subject for q in questions})) == (817, 38)
    assert not any(not choice.strip() for q in questions for choice in q.choices)
    with file.open(newline="", encoding="utf-8-sig") as stream:
        records = list(csv.DictReader(stream))
    for question, record in zip(questions, records, strict=True):
        assert gold_text(question) == record["Best Answer"]
    for row in (305, 318):
        assert records[row]["Incorrect Answers"].rstrip().endswith(";")
        assert len(questions[row].choices) == records[row]["Incorrect Answers"].count(";") + 1


def test_truthfulqa_hub_rows_are_those_of_the_first_release(load, benchmarks):
    first = by_id(load("truthfulqa", benchmarks / "truthfulqa/v0/mc_task.json"))
    hub = load("truthfulqa", benchmarks / "truthfulqa/multiple_choice.hub_rows.jsonl")
    assert len(hub) == 200
    assert [content(q) for q in hub] == [content(first[q.id]) for q in hub]


# WinoGrande


@pytest.fixture(scope="module")
def winogrande(load, benchmarks):
    return load("winogrande", benchmarks / "winogrande")


def test_winogrande_has_1267_sentences_with_one_blank(winogrande, benchmarks):
    assert Counter(q.gold for q in winogrande) == {"A": 628, "B": 639}
    for question, record in zip(winogrande, lines(benchmarks / "winogrande/dev.jsonl"), strict=True):
        before, after = record["sentence"].split("_")
        assert question.question.endswith(f"\n{before}_____{after}")
        assert question.choices == (record["option1"], record["option2"])


def test_winogrande_ids_leak_nothing(winogrande, benchmarks):
    assert len({q.id for q in winogrande}) == 1267
    for question, record in zip(winogrande, lines(benchmarks / "winogrande/dev.jsonl"), strict=True):
        assert record["qID"].endswith(record["answer"])
        assert record["qID"].rpartition("-")[0] not in str(question)
        assert not question.id.endswith(("-1", "-2"))


def test_winogrande_twins_share_a_key(winogrande):
    groups: dict[str, list[str]] = {}
    for question in winogrande:
        groups.setdefault(question.question_key, []).append(question.gold)
    assert Counter(map(len, groups.values())) == {1: 699, 2: 284}
    assert all(sorted(golds) == ["A", "B"] for golds in groups.values() if len(golds) == 2)


def test_winogrande_1_0_gives_the_same_questions(winogrande, load, benchmarks):
    older = load("winogrande", benchmarks / "winogrande/v1.0/dev.sample.jsonl")
    known = by_id(winogrande)
    assert len(older) == 100
    assert [content(q) for q in older] == [content(known[q.id]) for q in older]


def test_winogrande_escapes_are_read_as_characters(winogrande):
    assert [q for q in winogrande if "didn\u2019t show up because _____ was forgotten" in q.question]


# All six


@pytest.mark.parametrize(
    ("kind", "folder"),
    [
        *[("arc", "arc_challenge"), ("commonsense_qa", "commonsense_qa"), ("gsm8k", "gsm8k"), ("mmlu", "mmlu")],
        *[("truthfulqa", "truthfulqa"), ("winogrande", "winogrande")],
    ],
)
def test_a_limit_takes_questions_of_the_whole_unchanged(benchmarks, kind, folder):
    settings = DatasetSettings(kind=DatasetKind(kind), name=kind, path=str(benchmarks / folder))
    whole = load_questions(settings)
    settings.limit = 20
    sample = load_questions(settings)
    assert len(sample) == 20
    assert set(map(content, sample)) <= set(map(content, whole))
