"""Where files are looked for, which formats are read, and what bad ones get."""

import json
import os

import polars as pl
import pytest
from omegaconf import OmegaConf

from sentinel.dataset import load_questions
from sentinel.dataset._catalogue import LOADERS
from sentinel.errors import ConfigError, DatasetError
from sentinel.paths import conf_dir
from sentinel.settings import DatasetKind, DatasetSettings

ROW = {"question": "One and one?", "answer": "#### 2"}
OPTIONS = sorted(file.stem for file in (conf_dir() / "dataset").glob("*.yaml"))


def option(name, **changes):
    """Return the settings of conf/dataset/NAME.yaml with changes."""
    file = OmegaConf.load(conf_dir() / "dataset" / f"{name}.yaml")
    return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(DatasetSettings), file, changes))


def test_every_kind_has_a_loader_and_an_option():
    assert set(LOADERS) == set(DatasetKind) == {option(name).kind for name in OPTIONS}


def test_the_papers_six_are_options_by_the_names_of_its_tables():
    six = {"arc_challenge", "commonsense_qa", "gsm8k", "mmlu_stem", "truthfulqa", "winogrande"}
    assert six <= set(OPTIONS)
    assert all(option(name).name == name for name in six)


def test_the_demo_option_is_the_schemas_default():
    assert option("arithmetic_demo") == DatasetSettings()


@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "arithmetic_demo"])
def test_without_a_path_the_error_says_how_to_set_it_and_where_to_get_the_files(name):
    with pytest.raises(DatasetError) as caught:
        load_questions(option(name))
    message = str(caught.value)
    assert message.startswith(f"dataset={option(name).name}: dataset.path: it needs a file; set 'dataset.path=...'")
    assert LOADERS[option(name).kind].origin in message


def test_loaders_whose_owners_list_the_right_answer_first_shuffle():
    assert option("truthfulqa").shuffle_choices and option("gpqa").shuffle_choices
    assert not option("mmlu_stem").shuffle_choices


@pytest.mark.shared
def test_mmlu_stem_counts_19_subjects_and_18_without_anatomy(benchmarks):
    settings = option("mmlu_stem", path=str(benchmarks / "mmlu"))
    assert (len(settings.subset), len(load_questions(settings))) == (19, 3153)
    settings.subset.remove("anatomy")
    assert len(load_questions(settings)) == 3018
    settings.limit = 36
    assert len({q.subject for q in load_questions(settings)}) == 18


def test_a_missing_file_is_named_with_what_lies_near(load, write):
    file = write("data/test.jsonl", [ROW])
    with pytest.raises(
        DatasetError, match=r"dataset.path=.*tset.jsonl: no such file or folder; near: test.jsonl; where"
    ):
        load("gsm8k", file.parent / "tset.jsonl")
    with pytest.raises(DatasetError, match=r"no such file or folder; .*data holds: test.jsonl; where from: github.com"):
        load("gsm8k", file.parent / "zzz")
    with pytest.raises(DatasetError, match=r"no such file or folder \(nor is there .*nowhere\)"):
        load("gsm8k", file.parent / "nowhere" / "test.jsonl")


def test_a_folder_without_the_files_is_named_with_what_it_holds(load, write):
    folder = write("train.jsonl", [ROW]).parent
    with pytest.raises(DatasetError, match=r"a folder; expected test.jsonl or test-\*.parquet; it holds: train.jsonl"):
        load("gsm8k", folder)
    with pytest.raises(DatasetError, match="a folder; name one of its files; it holds: train.jsonl"):
        load("table", folder, fields={"question": "question"})


def test_a_home_folder_is_expanded(load, write, monkeypatch):
    monkeypatch.setenv("HOME", str(write("test.jsonl", [ROW]).parent))
    assert len(load("gsm8k", "~/test.jsonl")) == 1


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_file_holds_no_questions(load, write, content):
    with pytest.raises(DatasetError, match="test.jsonl: holds no questions"):
        load("gsm8k", write("test.jsonl", content))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("x.jsonl", json.dumps(ROW) + '\n{"question": "torn', "x.jsonl:2: not JSON"),
        ("x.jsonl", "[1, 2]", r"x.jsonl:1: \[1, 2\]: expected an object with named fields"),
        ("x.json", "{\n'single': 'quotes'\n}", "x.json:2: not JSON"),
        ("x.json", '{"rows": 1}', r"x.json\[0\]: no field 'question'; the record has: rows"),
        ("x.json", "3", "x.json: 3: expected a list of records"),
        ("x.csv", "question,answer\na,b,c", "x.csv:2: 3 fields; the header has 2: question, answer"),
        ("x.csv", "question,question\na,b", "x.csv:1: the header names a column twice"),
        ("x.txt", "question", "cannot tell the format by .txt; have: .jsonl"),
        ("x.parquet", "no parquet", "x.parquet: cannot be read"),
        ("x.jsonl", "1" * 5000, r"x.jsonl:1: not JSON \(Exceeds the limit [^;]*\)$"),
        ("x.json", "[" * 100_000, r"x.json:1: not JSON \(nested too deeply\)"),
        ("x.jsonl", '{"question": "a", "question": "b", "answer": "#### 1"}', "the key 'question' occurs twice in one"),
        (
            "x.jsonl",
            json.dumps({"prompt": "a", "answer": "b"}),
            "x.jsonl:1: no field 'question'; the record has: prompt",
        ),
    ],
)
def test_bad_files_are_named_with_the_place(load, write, name, content, message):
    with pytest.raises(DatasetError, match=f"^dataset=gsm8k: .*{message}"):
        load("gsm8k", write(name, content))


def test_halves_of_cut_emoji_cannot_break_a_request(load, write):
    (question,) = load("gsm8k", write("x.jsonl", '{"question": "\\ud83d\\ude00 or \\ud83d?", "answer": "#### 2"}'))
    assert question.question == "\U0001f600 or \ufffd?"


def test_a_pipe_is_refused_at_once(load, tmp_path):
    os.mkfifo(tmp_path / "x.jsonl")
    with pytest.raises(DatasetError, match=r"x\.jsonl: a pipe or a device"):
        load("gsm8k", tmp_path / "x.jsonl")


def test_a_field_of_a_csv_file_may_be_as_long_as_a_book(load, write):
    long = "x" * 200_000
    (question,) = load("gsm8k", write("x.csv", f"question,answer\n{long},#### 2\n"))
    assert question.question == long


@pytest.mark.parametrize(("given", "read"), [("law", ["law"]), (["law", 3], ["law", "3"]), (None, []), ([], [])])
def test_one_subject_needs_no_list(given, read):
    settings = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(DatasetSettings), {"subset": given}))
    assert settings.subset == read


@pytest.mark.parametrize("given", [True, [["law"]], [1.5]])
def test_a_subset_of_something_else_says_how_to_write_one(given):
    with pytest.raises(
        ConfigError, match=r"dataset\.subset=.*: expected a subject, or several: .*\[anatomy, virology\]"
    ):
        DatasetSettings(subset=given)


def test_a_file_that_is_not_utf8_is_named(load, tmp_path):
    for name in ("x.jsonl", "x.csv"):
        (tmp_path / name).write_bytes(b"question,answer\n\xff\xfe,b")
        with pytest.raises(DatasetError, match=f"{name}: cannot be read .*utf-8"):
            load("gsm8k", tmp_path / name)


def test_formats_give_the_same_question(load, write, tmp_path):
    pl.DataFrame([ROW]).write_parquet(tmp_path / "x.parquet")
    files = [write("x.jsonl", [ROW]), write("x.json", [ROW]), tmp_path / "x.parquet"]
    files += [write("lines.json", json.dumps(ROW)), write("wrapped.json", json.dumps({"data": [ROW]}))]
    files += [
        write("x.csv", "\ufeffquestion,answer\r\nOne and one?,#### 2\r\n"),
        write("y.tsv", "question\tanswer\nOne and one?\t#### 2"),
    ]
    for file in files:
        (question,) = load("gsm8k", file)
        assert (question.question, question.gold) == ("One and one?", "2")


def test_json_lines_break_at_line_feeds_only(load, write):
    text = "One\u2028and\u0085one?"
    (question,) = load("gsm8k", write("x.jsonl", json.dumps({**ROW, "question": text}, ensure_ascii=False)))
    assert question.question == text


def test_a_hub_address_is_read_by_polars(load, monkeypatch):
    asked = []

    def read(address, **options):
        asked.append(address)
        return pl.DataFrame([ROW])

    for reader in ("read_parquet", "read_ndjson", "read_csv"):
        monkeypatch.setattr(pl, reader, read)
    addresses = [
        f"hf://datasets/openai/gsm8k/{end}" for end in ("main/test-0.parquet", "x.jsonl", "x.csv", "main/*.parquet")
    ]
    for address in addresses:
        assert load("gsm8k", address)[0].gold == "2"
    assert asked == addresses
    with pytest.raises(DatasetError, match="from the hub only .parquet, .jsonl and .csv are read"):
        load("gsm8k", "hf://datasets/openai/gsm8k/x.json")


def test_empty_fields_of_a_hub_csv_stay_texts(load, monkeypatch, write):
    file = write("x.csv", "q,a,b,g\nWhich?,None,,A\n")
    read = pl.read_csv
    monkeypatch.setattr(pl, "read_csv", lambda address, **options: read(file, **options))
    fields = {"question": "q", "choices": "a, b", "gold": "g"}
    assert load("table", "hf://datasets/me/mine/x.csv", fields=fields)[0].choices == ("None",)


@pytest.mark.parametrize("error", [pl.exceptions.ComputeError("error sending request\nmore"), OSError("no route")])
def test_without_network_a_hub_address_says_how_to_use_a_local_file(load, monkeypatch, error):
    def fail(address):
        raise error

    monkeypatch.setattr(pl, "read_parquet", fail)
    with pytest.raises(DatasetError) as caught:
        load("gsm8k", "hf://datasets/openai/gsm8k/main/test-0.parquet")
    message = str(caught.value)
    assert "dataset.path=hf://datasets/openai/gsm8k/main/test-0.parquet: the hub did not give it" in message
    assert "set dataset.path to a local copy" in message and "\n" not in message
