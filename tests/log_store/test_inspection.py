from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sentinel.log_store import LogCorpus, describe_log, load_debates
from sentinel.records import Corpus

Build = Callable[..., dict[str, Any]]
Write = Callable[..., Path]


@pytest.fixture
def corpus(make_line: Build, write_log: Write) -> LogCorpus:
    """Return eight debates, one for each way a vote can end."""
    lines = [
        make_line("majority right", ("ABC", "AAB")),
        make_line("minority right", ("ABC", "AAB"), gold="B"),
        make_line("both wrong", ("AAB",), gold="C"),
        make_line("tied, first speaker right", ("ABC",), question_key="asked twice"),
        make_line("unanswered", ("---",), question_key="asked twice"),
        make_line("no gold", ("AAA",), gold=None),
        make_line("one unread", ("AA-",), dataset="exam"),
        make_line("one of two candidates right", ("AAABC",), gold="C", dataset="exam"),
        {"kind": "audit", "id": "both wrong", "candidate": "B", "auditor": "x", "minority_finds_error": 0},
        {"kind": "audit", "id": "one of two candidates right", "candidate": "B", "auditor": "x", "status": "ok"},
        {"kind": "ruling", "id": "both wrong", "answer": "A", "judge": "j"},
        {"kind": "ruling", "id": "no gold", "answer": "A", "judge": "j"},
        "{",
    ]
    return load_debates(write_log(*lines))


def test_every_outcome_is_counted_once(corpus: LogCorpus) -> None:
    whole = describe_log(corpus).overall
    assert (whole.debates, whole.questions, whole.agents, whole.rounds) == (8, 7, (3, 5), (0, 1))
    assert (whole.without_gold, whole.tied, whole.unanswered) == (1, 1, 1)
    # Seven panels of three and one of five; three turns unread in one debate, one in another.
    assert (whole.final_turns, whole.unparsed, whole.failed) == (26, 4, 0)
    assert (whole.divergent, whole.divergent_with_gold, whole.minority_truths, whole.both_wrong) == (4, 4, 2, 1)
    # Right are "majority right", the tie by its first speaker, and "one unread".
    assert whole.majority_correct == 3
    # An audit of one of two candidates is no audit of the debate; a ruling on an undivided one is not counted.
    assert (whole.audited, whole.ruled, whole.sampled) == (1, 1, 0)


def test_domains_add_up(corpus: LogCorpus) -> None:
    inspection = describe_log(corpus)
    assert [domain.domain for domain in inspection.domains] == ["made/up/exam", "made/up/quiz"]
    assert [domain.debates for domain in inspection.domains] == [2, 6]
    assert [domain.minority_truths for domain in inspection.domains] == [1, 1]


def test_the_text_shows_what_there_is(corpus: LogCorpus) -> None:
    text = describe_log(corpus).to_text()
    lines = [line.split() for line in text.splitlines()]
    assert ["overall", "8", "7", "3/5", "0/1", "1", "15.4%", "0.0%", "1", "1", "4", "2", "1", "42.9%"] in lines
    assert [corpus.files[0].file, "8", "2", "2", "0", "0", "1"] in lines
    assert "of 4 divergent debates: 1 audited, 1 judged, 0 with samples" in text
    assert f"  {corpus.files[0].file}:13: not JSON" in text
    assert text.endswith(f"verdict: {describe_log(corpus).verdict}")


def test_the_verdict_names_every_doubt(corpus: LogCorpus) -> None:
    assert describe_log(corpus).verdict == (
        "sound, but 1 problem left lines out; no gold answer in 1 of 8 debates; the minority is right in 2 debates "
        "only: too few to learn from; 15% of final turns could not be read; no audit of 3 of 4 divergent debates"
    )


def test_a_log_of_enough_minority_truths_is_sound(make_line: Build, write_log: Write) -> None:
    lines = [make_line(f"d{n}", gold="AB"[n % 2]) for n in range(40)]
    assert describe_log(load_debates(write_log(*lines))).verdict == "sound"


def test_repeats_that_contradict_each_other_are_seen(make_line: Build, write_log: Write) -> None:
    enough = [make_line(f"d{n}", gold="AB"[n % 2]) for n in range(40)]
    shuffled = make_line("s", gold="B", question_key="k", choices=["second", "first", "third"])
    same = [make_line("t", question_key="k"), shuffled]
    assert describe_log(load_debates(write_log(*enough, *same))).verdict == "sound"
    other = [make_line("t", question_key="k"), make_line("u", gold="B", question_key="k")]
    verdict = describe_log(load_debates(write_log(*enough, *other))).verdict
    assert verdict == "sound, but repeats of 1 question have different gold answers"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([("AAB", None), ("AAB", None)], "no debate has a gold answer"),
        ([("AAA", "A"), ("ABC", "A")], "no debate is divergent"),
        ([("AAA", "A"), ("AAB", None)], "no divergent debate has a gold answer"),
        ([("AAB", "A"), ("AAB", "C")], "the minority is right in none of 2 divergent debates"),
        ([("AAB", "B"), ("AAA", "C")], "the minority is right in every divergent debate (1)"),
    ],
)
def test_a_log_that_cannot_be_evaluated_says_why(
    make_line: Build, write_log: Write, lines: list[tuple[str, str | None]], reason: str
) -> None:
    built = [make_line(f"d{n}", (letters,), gold=gold) for n, (letters, gold) in enumerate(lines)]
    verdict = describe_log(load_debates(write_log(*built))).verdict
    assert verdict.startswith(f"unusable for evaluation because {reason}")


def test_a_corpus_without_files_is_described_too(corpus: LogCorpus) -> None:
    inspection = describe_log(Corpus(name="simulated", debates=corpus.debates, simulated=True))
    assert inspection.files == ()
    assert "problems" not in inspection.to_text()


def test_rounds_are_counted_without_round_0(corpus: LogCorpus) -> None:
    assert describe_log(corpus).to_text().splitlines()[2].split()[:5] == [
        "domain",
        "debates",
        "questions",
        "agents",
        "rounds-after-0",
    ]


def test_unknown_fields_are_listed_and_likely_slips_are_noted(make_line: Build, write_log: Write) -> None:
    slip = make_line("slip", goldd="A", extra=1, agnets=[], empty=None)
    del slip["gold"]
    slip["rounds"][0][0]["anser"] = slip["rounds"][0][0].pop("answer")
    slip["agents"][1]["modell"] = "m"
    # What stands beside the field it resembles is no slip.
    both = make_line("both", gold_answer="A", extra=2)
    corpus = load_debates(
        write_log(slip, both, {"kind": "ruling", "id": "both", "answer": "A", "judge": "j", "judg": 1})
    )
    expected = {"goldd": 1, "extra": 2, "agnets": 1, "rounds[][].anser": 1, "agents[].modell": 1, "gold_answer": 1}
    assert corpus.unknown == expected | {"judg": 1}
    assert corpus.notes == (
        "unknown field goldd in 1 record: did you mean gold?",
        "unknown field rounds[][].anser in 1 record: did you mean answer?",
    )
    assert corpus.debates[0].meta == {"goldd": "A", "extra": 1, "agnets": [], "empty": None}
    text = describe_log(corpus).to_text()
    assert "extra (2)" in text and "rounds[][].anser (1)" in text
    assert "note: unknown field goldd in 1 record: did you mean gold?" in text


def test_an_alias_with_the_name_of_an_absent_field_is_noted(make_line: Build, write_log: Write) -> None:
    line = make_line(gold_answer="A", gold=None)
    assert load_debates(write_log(line)).notes == ("unknown field gold_answer in 1 record: did you mean gold?",)


def test_many_unknown_fields_are_shown_in_part(make_line: Build, write_log: Write) -> None:
    corpus = load_debates(write_log(make_line(**{f"x{n}": n for n in range(40)})))
    assert "x29 (1), and 10 more" in describe_log(corpus).to_text()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("quiz ", "'made/up/quiz '"),
        (" quiz", "'made/up/ quiz'"),
        ("a  b", "'made/up/a  b'"),
        ("a\tb", r"'made/up/a\tb'"),
        ("a\x1b[31m", r"'made/up/a\x1b[31m'"),
        ("a\u200b", r"'made/up/a\u200b'"),
        ("a b", "made/up/a b"),
    ],
)
def test_blanks_and_control_characters_in_names_are_made_visible(
    make_line: Build, write_log: Write, name: str, shown: str
) -> None:
    corpus = load_debates(write_log(make_line(dataset=name)))
    assert corpus.debates[0].dataset == name
    assert f"\n{shown} " in describe_log(load_debates(write_log(make_line(dataset=name), make_line("d2")))).to_text()


def test_many_problems_are_shown_in_part(corpus: LogCorpus) -> None:
    text = describe_log(replace(corpus, problems=corpus.problems * 1002)).to_text()
    assert text.count("not JSON") == 1000
    assert "  and 2 more" in text
