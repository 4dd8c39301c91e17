"""Reading files, recognising layouts, ids, and importing again."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import ImporterError, LogError
from sentinel.log_store import load_debates
from sentinel.log_store.importer import import_log
from sentinel.settings import ImporterKind, ImporterSettings

DU = ImporterSettings(kind=ImporterKind.du)


def du(*questions: str, answer: str = "1") -> dict[str, Any]:
    agent = [{"role": "user", "content": "?"}, {"role": "assistant", "content": answer}]
    return {question: [[agent, agent, agent], "#### 1"] for question in questions}


def write(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_importing_again_adds_nothing(tmp_path: Path) -> None:
    source, out = write(tmp_path / "a.json", du("Q1", "Q2")), tmp_path / "logs" / "out.jsonl"
    assert import_log(DU, source, out).debates == 2
    before = out.read_bytes()
    again = import_log(DU, source, out)
    assert (again.debates, again.skipped) == (0, ())
    assert any(note.startswith("2 debates: already in the log") for note in again.notes)
    assert out.read_bytes() == before


def test_an_interrupted_import_is_completed(tmp_path: Path) -> None:
    source, out = write(tmp_path / "a.json", du("Q1", "Q2", "Q3")), tmp_path / "out.jsonl"
    import_log(DU, source, out)
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    assert import_log(DU, source, out).debates == 2
    assert [debate.question for debate in load_debates(out)] == ["Q1", "Q2", "Q3"]


def test_a_record_that_reads_differently_supersedes_its_former_import(tmp_path: Path) -> None:
    source, out = write(tmp_path / "a.json", du("Q1")), tmp_path / "out.jsonl"
    import_log(DU, source, out)
    report = import_log(ImporterSettings(kind=ImporterKind.du, model="gpt-x"), source, out)
    assert report.debates == 1
    assert any("supersedes an earlier import" in note for note in report.notes)
    (debate,) = load_debates(out)
    assert debate.agents[0].model == "gpt-x"


def test_files_of_one_name_do_not_hide_each_other(tmp_path: Path) -> None:
    for model, answer in (("m1", "1"), ("m2", "2")):
        write(tmp_path / model / "gsm.json", du("Q1", answer=answer))
    report = import_log(DU, str(tmp_path / "*" / "gsm.json"), tmp_path / "out.jsonl")
    assert (report.debates, report.skipped) == (2, ())
    assert [debate.rounds[0][0].answer for debate in load_debates(tmp_path / "out.jsonl")] == ["1", "2"]


def test_one_file_twice_is_imported_once_and_said(tmp_path: Path) -> None:
    for folder in ("m1", "m2"):
        write(tmp_path / folder / "gsm.json", du("Q1"))
    report = import_log(DU, str(tmp_path / "*" / "gsm.json"), tmp_path / "out.jsonl")
    assert report.debates == 1
    assert "occurs twice" in report.skipped[0].reason


def test_an_id_taken_by_another_debate_is_not_overwritten(tmp_path: Path) -> None:
    mapping = tmp_path / "m.yaml"
    mapping.write_text(
        "records: {layout: list}\nid: id\nquestion: q\nanswer_type: number\n"
        "rounds: {layout: rounds_of_agents, path: r, text: .}\n"
    )
    settings = ImporterSettings(kind=ImporterKind.mapping, mapping=str(mapping), dataset="d")
    out = tmp_path / "out.jsonl"
    first = write(tmp_path / "a.json", [{"id": "x", "q": "Q1", "r": [["1", "1"]]}])
    other = write(tmp_path / "b.json", [{"id": "x", "q": "Q2", "r": [["2", "2"]]}])
    assert import_log(settings, first, out).debates == 1
    report = import_log(settings, other, out)
    assert report.debates == 0
    assert "has another debate with the id x; import into another file" in report.skipped[0].reason
    assert [debate.question for debate in load_debates(out)] == ["Q1"]


def test_ids_are_stable_and_do_not_depend_on_the_folder(tmp_path: Path) -> None:
    ids = []
    for folder in ("one", "two"):
        source = write(tmp_path / folder / "a.json", du("Q1", "Q2"))
        import_log(DU, source, tmp_path / folder / "out.jsonl")
        ids.append([debate.id for debate in load_debates(tmp_path / folder / "out.jsonl")])
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


def test_packed_files_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    text = json.dumps(du("Q1")).encode()
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(text))
    (tmp_path / "b.json").write_bytes(b"\xef\xbb\xbf" + text)
    assert import_log(DU, tmp_path / "a.json.gz", tmp_path / "out.jsonl").debates == 1
    assert import_log(DU, tmp_path / "b.json", tmp_path / "out.jsonl").debates == 1


def test_half_a_character_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        json.dumps(du("Q1", answer="So: 1")).replace("So: 1", r"\ud83d So: 1 \ud83d\ude00")
    )
    import_log(DU, tmp_path / "a.json", tmp_path / "out.jsonl")
    (debate,) = load_debates(tmp_path / "out.jsonl")
    assert debate.rounds[0][0].reasoning == "\ufffd So: 1 \U0001f600"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"Q1": [[[{"role": "assi', "not JSON at line 1 column 20"),
        (b"", "not JSON at line 1 column 1"),
        (b'{"Q": "\xff"}', "not UTF-8 at byte 7"),
        (b'{"Q": Infinity}', "Infinity is no number"),
        (b"3", "importer=du expects a JSON object whose keys are questions"),
        (b"{}", "found a JSON object without records"),
        (b"[]", "found a JSON list without records"),
    ],
)
def test_a_damaged_or_empty_file_is_an_error_and_nothing_is_written(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    write(tmp_path / "a.json", du("Q1"))
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(ImporterError) as error:
        import_log(DU, str(tmp_path / "*.json"), tmp_path / "out.jsonl")
    assert "b.json" in str(error.value)
    assert reason in str(error.value)
    assert not (tmp_path / "out.jsonl").exists()


ATTACK = {"question": "Q", "answer": "A", "raw_task": ["Q", "a", "b", "c", "d", "A"], "agent_responses": []}


@pytest.mark.parametrize(
    ("kind", "data", "name", "reasons"),
    [
        (
            "du",
            [ATTACK],
            "a.jsonl",
            ("found JSON lines", "agent_responses", "importer=multi_agent_attack probably fits"),
        ),
        (
            "du",
            [{"agent_response": {}}],
            "a.json",
            ("found a JSON list", "importer=diversity_of_thought probably fits"),
        ),
        (
            "multi_agent_attack",
            du("Q1"),
            "a.json",
            ("found a JSON object", "under the key 'Q1'", "importer=du probably"),
        ),
        ("mallm", [{"agent_response": {}}], "a.json", ("globalMemory", "importer=diversity_of_thought probably fits")),
        ("diversity_of_thought", [{"globalMemory": []}], "a.json", ("importer=mallm probably fits",)),
        ("du", {"x": 1}, "a.json", ("importer=mapping reads other layouts",)),
        (
            "du",
            [{"question": "Q", "agents": [], "rounds": []}],
            "a.jsonl",
            ("debate log already: read it with corpus=file",),
        ),
    ],
)
def test_another_layout_is_named_with_the_importer_that_fits(
    run, kind: str, data: Any, name: str, reasons: tuple[str, ...]
) -> None:
    with pytest.raises(ImporterError) as error:
        run(kind, data, name)
    for reason in (f"importer={kind} expects ", *reasons):
        assert reason in str(error.value)


def test_a_source_that_is_absent_a_folder_or_the_log_itself(tmp_path: Path) -> None:
    with pytest.raises(ImporterError, match="no such file"):
        import_log(DU, tmp_path / "none.json", tmp_path / "out.jsonl")
    with pytest.raises(ImporterError, match="is a folder"):
        import_log(DU, tmp_path, tmp_path / "out.jsonl")
    source = tmp_path / "a.jsonl"
    source.write_text("{}\n")
    with pytest.raises(ImporterError, match="is the foreign log itself"):
        import_log(DU, source, source)


def test_a_file_of_lines_that_are_no_objects_is_an_error(run) -> None:
    with pytest.raises(ImporterError, match="no line holds a JSON object; line 1: "):
        run("multi_agent_attack", "[1]\n2\n", "a.jsonl")
    with pytest.raises(ImporterError, match="the file is empty"):
        run("multi_agent_attack", "", "a.jsonl")


def test_decisions_are_never_appended_to(tmp_path: Path) -> None:
    source, out = write(tmp_path / "a.json", du("Q1")), tmp_path / "decisions.jsonl"
    write(out, {"id": "q1", "answer": "18", "voted": "18", "flipped": False})
    before = out.read_bytes()
    with pytest.raises(
        LogError, match=r"decisions\.jsonl:1: a debate without rounds; it has: id, answer, voted, flipped"
    ):
        import_log(DU, source, out)
    assert out.read_bytes() == before


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    with pytest.raises(ImporterError, match=r"a\.json: is a pipe or a device"):
        import_log(DU, tmp_path / "a.json", tmp_path / "out.jsonl")


def test_reasons_and_notes_keep_to_one_line(tmp_path: Path) -> None:
    rows = [{"q": "Q", "id": "a\nb", "t": [["1", "2"], ["1", "2"]]}, {"q": "Q", "id": "c", "t": {"x\ny": ["1"]}}]
    (tmp_path / "m.yaml").write_text(
        "{records: {layout: list}, question: q, id: id, answer_type: number,"
        " rounds: {layout: agents_of_rounds, path: t, text: .}}"
    )
    settings = ImporterSettings(kind=ImporterKind.mapping, mapping=str(tmp_path / "m.yaml"))
    report = import_log(settings, write(tmp_path / "a.json", rows), tmp_path / "out.jsonl")
    assert len(report.skipped) == 1 and any("a b" in note for note in report.notes)
    assert not any("\n" in text for text in (*report.notes, *(problem.reason for problem in report.skipped)))
