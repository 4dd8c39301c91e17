from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import LogError
from sentinel.log_store import load_debates, trace_debate
from sentinel.records import Corpus
from sentinel.vote import CandidateMode, Fallback, TieBreak

Build = Callable[..., dict[str, Any]]
Write = Callable[..., Path]


def test_a_debate_is_followed_from_its_lines_to_its_candidates(make_line: Build, write_log: Write) -> None:
    later = [
        {"kind": "audit", "id": "d2", "candidate": "B", "auditor": "lexical", "minority_finds_error": 1},
        {"kind": "ruling", "id": "d2", "answer": "B", "judge": "umpire"},
        {"kind": "samples", "id": "d2", "answers": ["A", None], "model": "m"},
    ]
    logs = write_log(make_line("d1"), "", make_line("d2", ("ABC", "A-B", "AAB"), gold="B"), name="a.jsonl")
    notes = write_log(*later, name="b.jsonl")
    text = trace_debate(load_debates([logs, notes]), "d2")
    for line in [
        f"from       {logs}:3 (debate)",
        f"from       {notes}:1 (audit)",
        f"from       {notes}:2 (ruling)",
        "domain     made/up/quiz",
        "           B) second",
        "gold       B (choice)",
        "agent_1 (m)  B        [unparsed]  A",
        "agent_2 (m)  C        B           B",
        "vote       majority 2:1: A, wrong",
        "camp       A: agent_0, agent_1",
        "camp       B: agent_2",
        "candidate  B (final_split): held by agent_2, against A of agent_0, agent_1: minority_correct",
        "           audited by lexical: ok",
        "ruling     B by umpire",
        "samples    A, -",
    ]:
        assert line in text.splitlines()


def test_the_settings_of_the_vote_are_followed(make_line: Build, write_log: Write) -> None:
    corpus = load_debates(
        write_log(
            make_line("tied", ("BBA", "ABC")),
            make_line("silent", ("BBA", "---")),
            make_line("conformed", ("AAB", "AAA"), gold=None),
        )
    )
    assert "vote       tied 1:1:1: A by first_speaker, right" in trace_debate(corpus, "tied")
    tied = trace_debate(corpus, "tied", tie_break=TieBreak.round0_plurality)
    assert "vote       tied 1:1:1: B by round0_plurality, wrong" in tied
    assert "vote       unanswered: none, wrong" in trace_debate(corpus, "silent")
    silent = trace_debate(corpus, "silent", fallback=Fallback.last_parsed_round)
    assert "vote       unanswered: B by the fallback to round 0, wrong" in silent
    assert "candidate" not in trace_debate(corpus, "conformed")
    conformed = trace_debate(corpus, "conformed", candidates=CandidateMode.any_round)
    assert "candidate  B (given_up): held by agent_2, against A of agent_0, agent_1: gold unknown" in conformed


def test_an_unknown_id_is_answered_with_near_ones(make_line: Build, write_log: Write) -> None:
    names = [f"gsm8k/run1/{n}" for n in range(12)] + ["arc/1"]
    corpus = load_debates(write_log(*(make_line(name) for name in names)))
    with pytest.raises(LogError, match=r"inspect\.id=arc/2: no such debate in log; near: arc/1"):
        trace_debate(corpus, "arc/2")
    with pytest.raises(LogError, match=r"ids that contain it: gsm8k/run1/0, gsm8k/run1/1, gsm8k/run1/2 and 9 more"):
        trace_debate(corpus, "gsm8k/run1")


def test_text_of_a_model_cannot_steer_the_terminal(make_line: Build, write_log: Write) -> None:
    attack = "before \x1b[2J\x07 after\n\nverdict: sound " + "x" * 1000
    line = make_line(question=attack, choices=None, gold="1", answer_type="text", dataset="\x1b[31m")
    text = trace_debate(load_debates(write_log(line)), "d1")
    assert "\x1b" not in text and "\x07" not in text
    assert "\nverdict" not in text
    assert max(len(row) for row in text.splitlines()) < 400


def test_a_corpus_without_files_has_its_name_for_a_place(make_line: Build, write_log: Write) -> None:
    debates = load_debates(write_log(make_line("d1"))).debates
    assert "from       simulated" in trace_debate(Corpus("simulated", debates), "d1")
