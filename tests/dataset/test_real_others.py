"""The further benchmarks on the real files: counts, gold answers, and every quirk that is known of them."""

import json
from collections import Counter

import pytest
from real_file import by_id, gold_text, lines

pytestmark = pytest.mark.shared


def test_mmlu_pro_sizes_and_gold(load, benchmarks):
    questions = by_id(load("mmlu_pro", benchmarks / "mmlu_pro"))
    records = lines(benchmarks / "mmlu_pro/test.jsonl")
    assert len(questions) == len(records) == 400
    for record in records:
        question = questions[str(record["question_id"])]
        assert (question.choices, question.gold) == (tuple(record["options"]), record["answer"])
        assert (question.question, question.subject) == (record["question"], record["category"])
    assert {len(q.choices) for q in questions.values()} == {2, 4, 5, 7, 8, 9, 10}
    assert any(choice != choice.strip() for q in questions.values() for choice in q.choices)


def test_mmlu_pro_questions_of_one_to_three_options(load, benchmarks):
    questions = by_id(load("mmlu_pro", benchmarks / "mmlu_pro/edge_rows.jsonl"))
    assert Counter(len(q.choices) for q in questions.values()) == {3: 20, 2: 2, 1: 5}
    for name in ("2129", "2253", "5664", "5666", "6921"):
        assert (len(questions[name].choices), questions[name].gold) == (1, "A")
    assert {len(questions[name].choices) for name in ("2453", "3983")} == {2}


@pytest.fixture(scope="module")
def squad(load, benchmarks):
    return by_id(load("squad_v2", benchmarks / "squad_v2"))


def test_squad_counts_and_unanswerable_questions(squad, benchmarks):
    data = json.loads((benchmarks / "squad_v2/dev-v2.0.json").read_text(encoding="utf-8"))["data"]
    records = [record for article in data for part in article["paragraphs"] for record in part["qas"]]
    assert len(squad) == len(records) == 398
    assert len({q.context for q in squad.values()}) == 44
    impossible = {record["id"] for record in records if record["is_impossible"]}
    assert len(impossible) == 199
    assert {name for name, q in squad.items() if q.gold == "no answer"} == impossible
    # Plausible answers are wrong ones and appear nowhere but in the passage.
    for record in records:
        assert squad[record["id"]].question.startswith(record["question"])
        for answer in record.get("plausible_answers", []):
            assert answer["text"].casefold() not in squad[record["id"]].meta["accepted"]


def test_squad_repeated_answers_are_one_and_the_most_frequent_is_gold(squad):
    newcomen = squad["513dcf2d0e5bffec928c60df0"]
    assert (newcomen.gold, newcomen.meta["accepted"]) == ("thomas newcomen", ["thomas newcomen"])
    # "Middle East" twice, "Middle East." once, "the Middle East" and "Africa" once.
    east = squad["1adbf67208caca0dbfcbf2ee4"]
    assert (east.gold, east.meta["accepted"]) == ("middle east", ["middle east", "the middle east", "africa"])


def test_strategyqa_authors_file(load, benchmarks):
    questions = by_id(load("strategyqa", benchmarks / "strategyqa"))
    records = json.loads((benchmarks / "strategyqa/dev.json").read_text(encoding="utf-8"))
    assert Counter(q.gold for q in questions.values()) == {"false": 122, "true": 107}
    for record in records:
        question = questions[record["qid"]]
        assert (question.question, question.gold) == (record["question"], str(record["answer"]).lower())
        assert not any(fact in str(question) for fact in record["facts"])
        assert (question.choices, question.answer_type.value) == (None, "boolean")


def test_strategyqa_big_bench_task_shows_no_rationale(load, benchmarks):
    questions = load("strategyqa", benchmarks / "strategyqa/bigbench_task.json")
    examples = json.loads((benchmarks / "strategyqa/bigbench_task.json").read_text(encoding="utf-8"))["examples"]
    assert Counter(q.gold for q in questions) == {"false": 218, "true": 182}
    assert len({q.id for q in questions}) == 400
    for question, example in zip(questions, examples, strict=True):
        verdict, _, rationale = example["target"].partition(". ")
        assert question.gold == {"Yes": "true", "No": "false"}[verdict]
        assert rationale not in str(question)


def test_musr_expands_stories_to_questions(load, benchmarks):
    questions = load("musr", benchmarks / "musr")
    tasks = Counter(q.subject for q in questions)
    assert tasks == {"murder_mystery": 5, "object_placements": 20, "team_allocation": 5}
    assert len({q.id for q in questions}) == len({q.question_key for q in questions}) == 30
    assert len({q.context for q in questions}) == 15
    sizes = {task: {len(q.choices) for q in questions if q.subject == task} for task in tasks}
    assert sizes == {"murder_mystery": {2}, "object_placements": {3, 4, 5}, "team_allocation": {3}}
    assert {q.gold for q in questions if q.subject == "murder_mystery"} == {"A"}
    assert all(", " in choice or ": " in choice for q in questions[-5:] for choice in q.choices)


def test_musr_gold_and_nothing_of_the_gold_reasoning(load, benchmarks):
    for file in sorted((benchmarks / "musr").glob("*.json")):
        items = [(story, q) for story in json.loads(file.read_text(encoding="utf-8")) for q in story["questions"]]
        for question, (story, record) in zip(load("musr", file), items, strict=True):
            assert gold_text(question) == record["choices"][record["answer"]]
            assert (question.question, question.context) == (record["question"], story["context"])
            assert set(question.meta) == {"place"}


def test_halueval_general(load, benchmarks):
    file = benchmarks / "halueval/general_data.json"
    with pytest.raises(json.JSONDecodeError):
        json.loads(file.read_text(encoding="utf-8"))
    questions = by_id(load("halueval", file))
    assert Counter(gold_text(q) for q in questions.values()) == {
        "contains a hallucination": 68,
        "free of hallucination": 332,
    }
    for record in lines(file):
        assert record["chatgpt_response"] in questions[record["ID"]].question
        assert record["user_query"] in questions[record["ID"]].question
    # A yes without a span is a yes; spans that are no part of the response matter to nobody.
    assert {questions[name].gold for name in ("2678", "2750")} == {"A"}
    assert {"20", "28", "58", "88", "182", "3549", "3632"} <= questions.keys()
    assert sum("\n" in r["chatgpt_response"] for r in lines(file)) == 219


def test_halueval_qa_gives_two_questions_a_record(load, benchmarks):
    file = benchmarks / "halueval/qa_one-turn_data.json"
    questions = load("halueval", file)
    assert len(questions) == len({q.id for q in questions}) == 800
    keys = Counter(q.question_key for q in questions)
    assert set(keys.values()) == {2}
    for i, record in enumerate(lines(file)):
        right, invented = questions[2 * i : 2 * i + 2]
        assert right.question_key == invented.question_key
        assert (right.gold, invented.gold) == ("B", "A")
        assert right.question.endswith(f"Answer: {record['right_answer']}")
        assert invented.question.endswith(f"Answer: {record['hallucinated_answer']}")
        assert right.context == invented.context == record["knowledge"]


def test_wice_claims(load, benchmarks):
    questions = by_id(load("wice", benchmarks / "wice"))
    assert Counter(gold_text(q) for q in questions.values()) == {
        "it supports it in part": 85,
        "it supports it": 50,
        "it does not support it": 15,
    }
    records = {record["meta"]["id"]: record for record in lines(benchmarks / "wice/claim/test.jsonl")}
    for name, record in records.items():
        assert questions[name].context == "\n".join(record["evidence"])
        assert questions[name].question.endswith(record["claim"])
    for name in ("test03760", "test00937", "test00231"):
        assert records[name]["supporting_sentences"]
        assert questions[name].gold == "C"
    lengths = [len(record["evidence"]) for record in records.values()]
    assert (min(lengths), max(lengths)) == (15, 1465)


def test_wice_oracle_chunks_share_an_id_but_not_ours(load, benchmarks):
    questions = load("wice", benchmarks / "wice/oracle_chunks/claim/test.jsonl")
    assert len(questions) == len({q.id for q in questions}) == 449
    repeats = Counter(q.id.partition("-")[0] for q in questions)
    assert Counter(repeats.values()) == {3: 149, 2: 1}
    assert {"test00561", "test00561-2", "test00561-3"} <= {q.id for q in questions}


def test_vitaminc_copy_with_lower_case_labels(load, benchmarks):
    file = benchmarks / "vitaminc/test.jsonl"
    questions = load("vitaminc", file)
    assert Counter(gold_text(q) for q in questions) == {
        "it supports it": 54,
        "it refutes it": 34,
        "not enough information": 12,
    }
    # The digit at the end of the owner's id goes with the label: 1 is never "refutes".
    records = lines(file)
    assert not [r for r in records if r["id"].endswith("_1") and r["label"] == "refutes"]
    assert not any(record["id"] in str(question) for question, record in zip(questions, records, strict=True))
    tokens = next(q for q, r in zip(questions, records, strict=True) if r["id"] == "5ed50882c9e77c000848f96d_1")
    assert tokens.context.startswith("Shawn Carlson -LRB- born 1960 -RRB- is")


def test_vitaminc_big_bench_task(load, benchmarks):
    questions = load("vitaminc", benchmarks / "vitaminc/bigbench_task.json")
    assert Counter(q.gold for q in questions) == {"A": 204, "B": 142, "C": 54}
    assert [i for i, q in enumerate(questions) if "\ufffd" in f"{q.context}{q.question}"] == [29, 30]
    # Contrastive pairs: one claim, two pieces of evidence, two questions.
    pair = [q for q in questions if q.question.endswith("\nClaim: Caleb McLaughlin is involved with creative work .")]
    assert len(pair) == len({q.id for q in pair}) == len({q.question_key for q in pair}) >= 2
    assert all(q.context for q in questions)
