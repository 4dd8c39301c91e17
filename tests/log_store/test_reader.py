"""What several lines and files make together: keys, later records, splits, the content hash."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import ConfigError, LogError
from sentinel.log_store import keep_debates, load_corpus, load_debates
from sentinel.records import Audit, Ballots, Ruling, Samples, Status
from sentinel.settings import CorpusKind, CorpusSettings, Split

Build = Callable[..., dict[str, Any]]
Write = Callable[..., Path]


def audit_line(name: str, candidate: object, **changes: Any) -> dict[str, Any]:
    return {"kind": "audit", "id": name, "candidate": candidate, "auditor": "x", "minority_finds_error": 1} | changes


def test_the_last_success_of_a_debate_wins_in_its_first_place(make_line: Build, write_log: Write) -> None:
    failed = make_line("d1", rounds=("---", "---"))
    for turns in failed["rounds"]:
        for turn in turns:
            turn["reasoning"] = ""
    path = write_log(failed, make_line("d2"), make_line("d1"), make_line("d1", rounds=("AAA", "AAC")), failed)
    corpus = load_debates(path)
    assert [debate.id for debate in corpus] == ["d1", "d2"]
    assert [turn.answer for turn in corpus.debates[0].rounds[1]] == ["A", "A", "C"]
    assert corpus.superseded == 3
    assert corpus.notes == ("3 records superseded: of several with one key the last success counts",)


def test_an_id_that_two_files_share_is_noted(make_line: Build, write_log: Write) -> None:
    paths = [write_log(make_line("d1"), make_line(name), name=f"{name}.jsonl") for name in ("a", "b")]
    corpus = load_debates(paths)
    assert [debate.id for debate in corpus] == ["d1", "a", "b"]
    assert corpus.notes[0].startswith("1 record superseded")
    assert corpus.notes[0].endswith("1 debate with an id of another file: rename the ids if these are other runs")


def test_a_debate_that_only_failed_stays_in_the_denominator(make_line: Build, write_log: Write) -> None:
    failed = make_line("d1", rounds=("---",))
    for turn in failed["rounds"][0]:
        turn["reasoning"] = ""
    corpus = load_debates(write_log(failed, make_line("d2")))
    assert [debate.id for debate in corpus] == ["d1", "d2"]
    assert {turn.status for turn in corpus.debates[0].rounds[0]} == {Status.FAILED}


def test_one_id_for_two_questions_is_a_problem_not_a_replacement(make_line: Build, write_log: Write) -> None:
    first = write_log(make_line("0", question="one?"), name="a.jsonl")
    second = write_log(make_line("1"), make_line("0", question="two?"), name="b.jsonl")
    corpus = load_debates([first, second])
    assert [debate.question for debate in corpus if debate.id == "0"] == ["one?"]
    assert [(problem.file, problem.line) for problem in corpus.problems] == [(str(second), 2)]
    assert corpus.problems[0].reason == f"id='0' already names another question's debate ({first}:1); rename one"


def test_later_records_find_their_debates_across_files(make_line: Build, write_log: Write) -> None:
    about = [
        audit_line("d1", "b", minority_reasoning_score=4),
        {"kind": "ruling", "id": "d1", "answer": "(B)", "judge": "j"},
        {"kind": "samples", "id": "d1", "answers": ["a", None, "no idea"], "model": "m"},
        {"kind": "ballots", "id": "d1", "protocol": "approval", "ballots": [{"agent": "agent_0", "approves": ["A"]}]},
    ]
    paths = [write_log(*about, name="a.jsonl"), write_log(make_line("d1"), name="b.jsonl")]
    corpus = load_debates(paths)
    assert corpus.audits == {("d1", "B"): Audit("d1", "B", "x", minority_finds_error=1.0, minority_reasoning_score=4.0)}
    assert corpus.rulings == {"d1": Ruling("d1", "B", Status.OK, "j")}
    assert corpus.samples == {"d1": Samples("d1", ("A", None, None), "m")}
    assert corpus.ballots == {"d1": Ballots("d1", "approval", ({"agent": "agent_0", "approves": ["A"]},))}


def test_the_last_successful_audit_of_a_candidate_wins(make_line: Build, write_log: Write) -> None:
    failed = {"kind": "audit", "id": "d1", "candidate": "B", "auditor": "later", "status": "failed", "error": "timeout"}
    lines = [
        make_line(),
        audit_line("d1", "B"),
        audit_line("d1", "b", auditor="y"),
        failed,
        failed | {"candidate": "C"},
    ]
    corpus = load_debates(write_log(*lines))
    assert corpus.audits["d1", "B"].auditor == "y"
    assert corpus.audits["d1", "C"].status is Status.FAILED
    assert corpus.superseded == 2


def test_later_records_that_do_not_fit_their_debate_are_problems(make_line: Build, write_log: Write) -> None:
    lines = [
        audit_line("d1", "no idea"),
        audit_line("d1", "B", blind_follower_count=3),
        {"kind": "ruling", "id": "d1", "answer": "no idea", "judge": "j"},
        make_line("d1"),
    ]
    corpus = load_debates(write_log(*lines))
    assert [(problem.line, problem.reason) for problem in corpus.problems] == [
        (1, "candidate='no idea': expected a choice answer"),
        (2, "blind_follower_count=3.0: expected at most K - 1 = 2"),
    ]
    ruling = corpus.rulings["d1"]
    assert (ruling.answer, ruling.status) == (None, Status.UNPARSED)
    assert ruling.error is not None and "'no idea'" in ruling.error
    with pytest.raises(LogError, match=r"log\.jsonl:1: candidate="):
        load_debates(write_log(*lines), strict=True)


def test_records_of_unknown_debates_are_counted(make_line: Build, write_log: Write) -> None:
    lines = [make_line("d1"), audit_line("d9", "B"), audit_line("d8", "B")]
    corpus = load_debates(write_log(*lines))
    assert corpus.audits == {}
    assert corpus.notes == ("audit: 2 records of debates that no file holds, left out",)


def test_audits_of_answers_that_nobody_gave_are_counted(make_line: Build, write_log: Write) -> None:
    corpus = load_debates(write_log(make_line("d1"), audit_line("d1", "D"), audit_line("d1", "B")))
    assert corpus.notes == ("1 audit of an answer that no agent gave in its debate",)


@pytest.mark.parametrize("path", [None, 7, [None], {"a": 1}])
def test_what_is_no_path_is_refused(path: object) -> None:
    with pytest.raises(ConfigError, match="expected a path or glob, or a list of them"):
        load_debates(path)  # type: ignore[arg-type]


def test_a_part_of_a_log_keeps_what_belongs_to_it(make_line: Build, write_log: Write) -> None:
    lines = [make_line("d1", source="simulated"), make_line("d2"), audit_line("d1", "B"), audit_line("d2", "B")]
    corpus = load_debates(write_log(*lines))
    part = keep_debates(corpus, corpus.debates[1:], "half", "d2")
    # Only what is kept can be made up.
    assert (corpus.simulated, part.simulated) == (True, False)
    assert set(part.audits) == {("d2", "B")}
    assert part.notes == ("half",)
    assert part.data_hash != corpus.data_hash


@pytest.fixture
def six(make_line: Build, write_log: Write) -> Path:
    """Return a log of two debates for each of the questions q0 to q5, each with an audit."""
    lines = []
    for n in range(12):
        lines.append(make_line(f"d{n}", question_key=f"q{n // 2}"))
        lines.append(audit_line(f"d{n}", "B"))
    return write_log(*lines)


def test_the_split_is_by_a_salted_hash_of_the_question(six: Path) -> None:
    # By sha256sum, "sentinel.split\0q0" starts with e7, q1 47, q2 b8, q3 28, q4 12, q5 b4; half of ff is 7f.
    test = load_debates(six, split="test")
    train = load_debates(six, split="train")
    assert sorted({debate.question_key for debate in test}) == ["q1", "q3", "q4"]
    assert sorted({debate.question_key for debate in train}) == ["q0", "q2", "q5"]
    assert len(test) == len(train) == 6
    assert {name for name, _ in test.audits} == {debate.id for debate in test}
    assert test.notes == ("corpus.split=test: 6 of 12 debates",)


def test_the_test_share_moves_the_cut(six: Path) -> None:
    # 0x28 / 0xff is about 0.157 and 0x12 / 0xff about 0.07: below a fifth lie q3 and q4 only.
    settings = CorpusSettings(kind=CorpusKind.file, path=str(six), split=Split.test, test_share=0.2)
    assert sorted({debate.question_key for debate in load_corpus(settings)}) == ["q3", "q4"]
    settings.test_share = 0.0
    with pytest.raises(LogError, match=r"corpus\.split=test, corpus\.test_share=0: leaves none of 12 debates"):
        load_corpus(settings)
    settings.test_share = 1.0
    assert len(load_corpus(settings)) == 12


def test_an_unknown_split_is_an_error(six: Path) -> None:
    with pytest.raises(ConfigError, match="split='dev': expected one of all, train, test"):
        load_debates(six, split="dev")


def test_the_hash_follows_content_split_and_reading_but_not_names(
    make_line: Build, write_log: Write, tmp_path: Path
) -> None:
    path = write_log(make_line("d1"), make_line("d2"), name="a.jsonl")
    same = write_log(make_line("d1"), make_line("d2"), name="elsewhere/b.jsonl")
    other = write_log(make_line("d1"), make_line("d2", gold="B"), name="c.jsonl")
    base = load_debates(path).data_hash
    assert len(base) == 64
    assert load_debates(same).data_hash == base
    assert load_debates(path, strict=True).data_hash == base
    assert load_debates([path, other], exclude=["c.*"]).data_hash == base
    different = [
        load_debates(other),
        load_debates([path, other]),
        load_debates(path, reparse=True),
        load_debates(path, split="train"),
    ]
    assert len({base, *(corpus.data_hash for corpus in different)}) == 5


def test_a_corpus_is_named_after_its_files(make_line: Build, write_log: Write) -> None:
    one = write_log(make_line("d1"), name="runs/gsm.jsonl")
    two = write_log(make_line("d2"), name="runs/arc.jsonl")
    assert load_debates(one).name == "gsm"
    assert load_debates([one, two]).name == "runs (2 files)"


def test_each_file_is_summarised(make_line: Build, write_log: Write) -> None:
    path = write_log(make_line("d1"), make_line("d1"), audit_line("d1", "B"), "{")
    summary = load_debates(path).files[0]
    assert (summary.file, summary.records) == (str(path), {"debate": 2, "audit": 1})


def test_equal_strings_are_held_once(make_line: Build, write_log: Write) -> None:
    first, second = load_debates(write_log(make_line("d1", question="Q?"), make_line("d2", question="Q?"))).debates
    assert first.question is second.question
    assert first.choices is not None and second.choices is not None
    assert first.choices[0] is second.choices[0]
    assert first.agents[0].model is second.agents[0].model
    assert first.rounds[0][0].answer is second.rounds[1][0].answer
