"""Each loader on tiny invented files, in the owner's layout and the hub's; and what a broken record gets."""

import json

import polars as pl
import pytest

from sentinel.errors import DatasetError

ARC = {
    "id": "Invented_1",
    "question": {
        "stem": "Which one is a liquid?",
        "choices": [{"text": "ice", "label": "1"}, {"text": "water", "label": "2"}, {"text": "steam", "label": "3"}],
    },
    "answerKey": "2",
}
ARC_HUB = {
    "id": "Invented_1",
    "question": "Which one is a liquid?",
    "choices": {"text": ["ice", "water", "steam"], "label": ["1", "2", "3"]},
    "answerKey": "2",
}
SUM = {
    "question": "Two boats carry 600 crates each. How many in all?",
    "answer": "2 x 600 = <<2*600=1200>>1200\n#### 1,200",
}


def seen(question):
    return question.question, question.choices, question.gold, question.context


@pytest.mark.parametrize("kind", ["arc", "commonsense_qa"])
@pytest.mark.parametrize("record", [ARC, ARC_HUB], ids=["owner", "hub"])
def test_labelled_choices(load, write, kind, record):
    (question,) = load(kind, write("dev.jsonl", [record]))
    assert seen(question) == ("Which one is a liquid?", ("ice", "water", "steam"), "B", None)
    assert (question.id, question.answer_type.value, question.meta["place"]) == ("Invented_1", "choice", "dev.jsonl:1")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answerKey": "B"}, r"x.jsonl:1: answerKey='B': expected one of the labels 1, 2, 3"),
        ({"answerKey": 2}, "answerKey=2: expected one of the labels"),
        ({"answerKey": ""}, "answerKey='': expected one of the labels"),
        ({"choices": {"text": ["ice"], "label": ["1", "2"]}}, "1 choices with 2 labels"),
        ({"choices": {"text": [], "label": []}}, r"x.jsonl:1 choices: text=\[\]: expected a list that is not empty"),
        ({"choices": "ice, water"}, "choices='ice, water': expected an object"),
        ({"question": "  "}, "question='  ': expected a text that is not blank"),
        ({"id": None}, "id=None: expected a text"),
    ],
)
def test_a_broken_record_is_named(load, write, change, message):
    with pytest.raises(DatasetError, match=f"^dataset=arc: .*{message}"):
        load("arc", write("x.jsonl", [{**ARC_HUB, **change}]))


def test_gsm8k(load, write):
    (question,) = load("gsm8k", write("test.jsonl", [SUM]))
    assert seen(question) == (SUM["question"], None, "1200", None)
    with pytest.raises(DatasetError, match="test.jsonl:1: answer has no #### before its number"):
        load("gsm8k", write("test.jsonl", [{**SUM, "answer": "1200"}]))
    with pytest.raises(DatasetError, match="test.jsonl:1: the gold answer 'many' is no number"):
        load("gsm8k", write("test.jsonl", [{**SUM, "answer": "#### many"}]))


def test_gsm8k_from_a_parquet_file_of_the_hub(load, tmp_path):
    pl.DataFrame([SUM]).write_parquet(tmp_path / "test-00000-of-00001.parquet")
    (question,) = load("gsm8k", tmp_path)
    assert (question.gold, question.meta["place"]) == ("1200", "test-00000-of-00001.parquet row 0")


def test_mmlu_owner_and_hub(load, write, tmp_path):
    folder = write(
        "botany_test.csv", 'Which is a tree?,rose,oak,"fern,\r\nwild",None,B\r\nWhich is not?,a,b,c,d,A'
    ).parent
    first, second = load("mmlu", folder)
    assert seen(first) == ("Which is a tree?", ("rose", "oak", "fern,\r\nwild", "None"), "B", None)
    assert (first.id, second.id, first.subject) == ("botany_test-0", "botany_test-1", "botany")
    assert second.meta["place"] == "botany_test.csv:3"
    rows = [
        {
            "question": "Which is a tree?",
            "subject": "botany",
            "choices": ["rose", "oak", "fern,\r\nwild", "None"],
            "answer": 1,
        }
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "test-00000-of-00001.parquet")
    (hub,) = load("mmlu", tmp_path / "test-00000-of-00001.parquet")
    assert (seen(hub), hub.id, hub.subject) == (seen(first), first.id, first.subject)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("botany_test.csv", "Which?,a,b,c,d,E", "botany_test.csv:1: the answer 'E' is none of A-D"),
        ("botany_test.csv", "Which?,a,b,c,A", "botany_test.csv:1: 5 fields; expected a question, four choices"),
        ("botany.csv", "Which?,a,b,c,d,A", "botany.csv: the subject is read from the name"),
        ("botany_test.csv", 'Which?,"a,b,c,d,A', "botany_test.csv:1: not CSV"),
    ],
)
def test_mmlu_broken_files_are_named(load, write, name, content, message):
    with pytest.raises(DatasetError, match=message):
        load("mmlu", write(name, content))


def test_mmlu_hub_index_outside_the_choices(load, write):
    row = {"question": "Which?", "subject": "botany", "choices": ["a", "b"], "answer": 2}
    with pytest.raises(DatasetError, match="answer=2: expected a number from 0 to 1"):
        load("mmlu", write("test.jsonl", [row]))


def test_mmlu_pro(load, write):
    row = {"question_id": 7, "question": "Which?", "options": [" a", "b", "c"], "answer": "C", "answer_index": 2}
    row |= {"category": "law", "cot_content": "because of c"}
    (question,) = load("mmlu_pro", write("test.jsonl", [row]))
    assert (seen(question), question.id, question.subject) == (("Which?", (" a", "b", "c"), "C", None), "7", "law")
    assert "because" not in str(question)
    with pytest.raises(DatasetError, match="answer=A contradicts answer_index=2"):
        load("mmlu_pro", write("test.jsonl", [{**row, "answer": "A"}]))


CSV = "Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source\r\n"


def test_truthfulqa_layouts_give_the_same_question(load, write):
    # The text is of our own making; "; " at the end gives no empty choice.
    text = "Can cows fly?"
    mc = {"question": text, "mc1_targets": {"No.": 1, "Yes.": 0, "Only some.": 0}, "mc2_targets": {"No.": 1}}
    hub = {"question": text, "mc1_targets": {"choices": ["No.", "Yes.", "Only some."], "labels": [1, 0, 0]}}
    generation = {"question": f"{text} ", "best_answer": "No.", "incorrect_answers": ["Yes.", "Only some."]}
    table = f'\ufeff{CSV}Adversarial,Myths,{text},No.,No.; They walk.,"Yes.; Only some.; ",'
    files = [write("mc_task.json", [mc]), write("hub.jsonl", [hub]), write("gen.jsonl", [generation])]
    for file in [*files, write("TruthfulQA.csv", table)]:
        (question,) = load("truthfulqa", file)
        assert (question.question.strip(), question.choices, question.gold) == (
            text,
            ("No.", "Yes.", "Only some."),
            "A",
        )
        assert question.id == load("truthfulqa", files[0])[0].id
    assert question.subject == "Myths"


@pytest.mark.parametrize("labels", [[0, 0], [1, 1], [1]])
def test_truthfulqa_needs_exactly_one_right_choice(load, write, labels):
    row = {"question": "Can cows fly?", "mc1_targets": {"choices": ["No.", "Yes."], "labels": labels}}
    with pytest.raises(
        DatasetError, match=r"x.jsonl:1 mc1_targets: \d of 2 choices are marked right; expected exactly one"
    ):
        load("truthfulqa", write("x.jsonl", [row]))


TWIN = {
    "sentence": "The cup fell off the tray because the _ shook.",
    "option1": "cup",
    "option2": "tray",
    "answer": "2",
}


def test_winogrande_owner_and_hub(load, write):
    (hub,) = load("winogrande", write("hub.jsonl", [TWIN]))
    (owner,) = load("winogrande", write("dev.jsonl", [{"qID": "ABC-2", **TWIN}]))
    asked = "Which option belongs in the blank?\nThe cup fell off the tray because the _____ shook."
    assert seen(owner) == seen(hub) == (asked, ("cup", "tray"), "B", None)
    assert owner.id == hub.id


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sentence": "The _ fell off the _."}, "sentence has 2 blanks"),
        ({"sentence": "The cup fell."}, "sentence has 0 blanks"),
        ({"answer": ""}, "answer='': expected one of the labels 1, 2"),
    ],
)
def test_winogrande_broken_records(load, write, change, message):
    with pytest.raises(DatasetError, match=message):
        load("winogrande", write("dev.jsonl", [{**TWIN, **change}]))


def squad(*answers, impossible=False):
    texts = [{"text": text, "answer_start": 0} for text in answers]
    question = {"id": "q1", "question": "Who came?", "answers": texts, "is_impossible": impossible}
    question["plausible_answers"] = [{"text": "Zoe", "answer_start": 9}]
    data = [{"title": "Visits", "paragraphs": [{"context": "Ann came, not Zoe.", "qas": [question]}]}]
    return json.dumps({"version": "v2.0", "data": data})


def test_squad_v2_owner(load, write):
    (question,) = load("squad_v2", write("dev-v2.0.json", squad("Ann", "ann.", "Ann came")))
    assert (question.gold, question.meta["accepted"]) == ("ann", ["ann", "ann came"])
    assert (question.context, question.subject) == ("Ann came, not Zoe.", "Visits")
    assert question.question.startswith("Who came?\n") and '"no answer"' in question.question
    (question,) = load("squad_v2", write("dev-v2.0.json", squad(impossible=True)))
    assert (question.gold, question.meta["accepted"]) == ("no answer", ["no answer"])


@pytest.mark.parametrize("texts", [5, "Ann", [{}], None])
def test_squad_v2_hub_with_answers_that_are_no_texts(load, write, texts):
    row = {"id": "i", "title": "t", "context": "c", "question": "q", "answers": {"text": texts}}
    with pytest.raises(DatasetError, match=r"s\.jsonl:1 answers: text"):
        load("squad_v2", write("s.jsonl", [row]))


def test_squad_v2_hub(load, write):
    row = {"id": "q1", "title": "Visits", "context": "Ann came.", "question": "Who came?"}
    answers = [{"text": ["Ann"], "answer_start": [0]}, {"text": [], "answer_start": []}]
    file = write("x.jsonl", [{**row, "id": f"q{i}", "answers": answer} for i, answer in enumerate(answers)])
    assert [q.gold for q in load("squad_v2", file)] == ["ann", "no answer"]


def test_strategyqa(load, write):
    row = {"qid": "f1", "question": "Is glass older than paper?", "answer": False, "facts": ["secret"]}
    (question,) = load("strategyqa", write("dev.json", [row]))
    assert (question.gold, question.choices, question.answer_type.value) == ("false", None, "boolean")
    example = {"input": row["question"], "target_scores": {"Yes": 1, "No": 0}, "target": "Yes. For a secret reason."}
    (task,) = load("strategyqa", write("task.json", json.dumps({"name": "strategyqa", "examples": [example]})))
    assert (task.gold, task.question) == ("true", question.question)
    assert "secret" not in f"{question}{task}"
    with pytest.raises(DatasetError, match=r"dev.json\[0\]: answer='no': expected true or false"):
        load("strategyqa", write("dev.json", [{**row, "answer": "no"}]))
    with pytest.raises(DatasetError, match="Yes=1, No=1: expected 1 for the right one"):
        load("strategyqa", write("t.json", [{**example, "target_scores": {"Yes": 1, "No": 1}}]))


def test_musr_owner_and_hub(load, write):
    ask = {"question": "Where is the key?", "choices": ["box, red", "bag: old"], "answer": 1}
    story = {"context": "A long story.", "questions": [ask, {**ask, "question": "And the lock?", "answer": 0}]}
    owner = load("musr", write("object_placements.json", [story]))
    assert [(q.question, q.gold, q.subject) for q in owner] == [
        ("Where is the key?", "B", "object_placements"),
        ("And the lock?", "A", "object_placements"),
    ]
    assert owner[0].context == owner[1].context == "A long story."
    table = "narrative,question,choices,answer_index\nA long story.,Where is the key?,\"['box, red', 'bag: old']\",1\n"
    (hub,) = load("musr", write("all.csv", table))
    assert (hub.id, seen(hub), hub.subject) == (owner[0].id, seen(owner[0]), None)


@pytest.mark.parametrize(
    ("choices", "index", "message"),
    [
        ("__import__('os')", "0", "choices=.*: expected the text of a list"),
        ("['a']", "1", "answer_index='1': expected"),
    ],
)
def test_musr_hub_text_of_a_list_is_read_and_not_run(load, write, choices, index, message):
    row = {"narrative": "A story.", "question": "Who?", "choices": choices, "answer_index": index}
    with pytest.raises(DatasetError, match=message):
        load("musr", write("x.jsonl", [row]))


def test_vitaminc_labels_in_any_case_and_ids_hashed(load, write):
    row = {"claim": "More than 10 came .", "evidence": "12 came .", "label": "SUPPORTS", "unique_id": "77_1"}
    other = {**row, "evidence": "9 came .", "label": "refutes", "unique_id": "77_2"}
    first, second = load("vitaminc", write("test.jsonl", [row, other]))
    assert (first.gold, second.gold, first.context) == ("A", "B", "12 came .")
    assert first.question == second.question and first.question_key != second.question_key
    assert "77" not in first.id[:3] and first.id != second.id
    with pytest.raises(DatasetError, match="label='maybe': expected one of supports, refutes, not enough info"):
        load("vitaminc", write("test.jsonl", [{**row, "label": "maybe"}]))


def test_wice_repeats_of_an_id(load, write):
    row = {
        "label": "partially_supported",
        "claim": "Ann won twice.",
        "evidence": ["Ann won.", "Once."],
        "meta": {"id": "t1"},
    }
    other = {**row, "evidence": ["Ann won two cups."], "label": "supported", "supporting_sentences": [[0]]}
    questions = load("wice", write("test.jsonl", [row, other, row]))
    assert [(q.id, q.gold) for q in questions] == [("t1", "B"), ("t1-2", "A"), ("t1-3", "B")]
    assert questions[0].context == "Ann won.\nOnce."


def test_halueval_both_layouts(load, write):
    general = {"ID": "5", "user_query": "Name a\nprime.", "chatgpt_response": "Nine.", "hallucination": "Yes"}
    (question,) = load("halueval", write("general_data.json", json.dumps(general)))
    assert (question.gold, question.id, question.subject) == ("A", "5", "general")
    qa = {"knowledge": "Ann won.", "question": "Who won?", "right_answer": "Ann", "hallucinated_answer": "Bob"}
    pair = load("halueval", write("qa_data.json", "\n".join([json.dumps(qa), json.dumps({**qa, "question": "Who?"})])))
    assert [q.gold for q in pair] == ["B", "A", "B", "A"]
    assert len({q.id for q in pair}) == 4 and len({q.question_key for q in pair}) == 2


def scifact(write, **change):
    corpus = [
        {"doc_id": n, "title": f"Title {n}", "abstract": ["One.", "Two."], "structured": False} for n in (1, 2, 3)
    ]
    write("corpus.jsonl", corpus)
    evidence = {"1": [{"sentences": [0], "label": "SUPPORT"}], "2": [{"sentences": [1], "label": "CONTRADICT"}]}
    claim = {"id": 4, "claim": "Tea cools.", "evidence": evidence, "cited_doc_ids": [1, 2, 3], **change}
    return write("claims_dev.jsonl", [claim])


def test_scifact_one_question_per_cited_abstract(load, write):
    questions = load("scifact", scifact(write).parent)
    assert [(q.id, q.gold) for q in questions] == [("4-1", "A"), ("4-2", "B"), ("4-3", "C")]
    assert questions[0].context == "Title 1\nOne. Two."
    assert questions[0].choices == ("it supports it", "it contradicts it", "not enough information")


def test_scifact_broken_files(load, write):
    with pytest.raises(DatasetError, match=r"claims_dev.jsonl:1: cites document '9', which corpus.jsonl does not hold"):
        load("scifact", scifact(write, cited_doc_ids=[9]))
    file = scifact(write)
    (file.parent / "corpus.jsonl").unlink()
    with pytest.raises(DatasetError, match="needs corpus.jsonl beside it"):
        load("scifact", file)


def test_ragtruth_test_split_with_hashed_ids(load, write):
    source = {"source_id": "s1", "task_type": "QA", "prompt": "Answer from: Ann won.", "source_info": {}}
    write("source_info.jsonl", [source])
    span = {"start": 0, "end": 3, "text": "Bob", "label_type": "Evident Conflict"}
    row = {"id": "11", "source_id": "s1", "response": "Bob won.", "labels": [span], "split": "test", "model": "m"}
    rows = [row, {**row, "id": "12", "response": "Ann won.", "labels": []}, {**row, "id": "13", "split": "train"}]
    questions = load("ragtruth", write("response.jsonl", rows).parent)
    assert [q.gold for q in questions] == ["A", "B"]
    assert {q.subject for q in questions} == {"QA"}
    assert questions[0].context == "Answer from: Ann won."
    assert not {q.id for q in questions} & {"11", "12"}
    with pytest.raises(DatasetError, match="source_id='s2': source_info.jsonl does not hold it"):
        load("ragtruth", write("response.jsonl", [{**row, "source_id": "s2"}]))


def test_gpqa(load, write):
    header = "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Explanation,Record ID"
    text = f'{header},High-level domain\nWhich?,"right\n",w1,w2, w3,secret,rec1,Physics\n'
    (question,) = load("gpqa", write("gpqa_diamond.csv", text).parent)
    assert seen(question) == ("Which?", ("right", "w1", "w2", "w3"), "A", None)
    assert (question.id, question.subject) == ("rec1", "Physics")
    assert "secret" not in str(question)
