import math
from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from sentinel.audit import lexical_audit
from sentinel.errors import FingerprintError
from sentinel.fingerprint import FEATURE_GROUPS, FEATURES, fingerprint_corpus, fingerprint_debate, note_missing
from sentinel.records import Audit, Corpus, Ruling, Samples, Status
from sentinel.settings import DecisionSettings, FeatureGroup, FingerprintSettings
from sentinel.vote import CandidateMode, Fallback, TieBreak, list_candidates, take_vote

DEBATE_COLUMNS = """
    id domain dataset source question_key agents rounds state voted gold voted_correct any_correct divergent
    minority_truth both_wrong given_up_truth fallback unparsed_final agent_names agent_correct ruling ruling_correct
    samples samples_correct
""".split()
CANDIDATE_COLUMNS = """
    id domain dataset source question_key candidate majority_answer origin size first_speaker agents weight label
""".split()


def fingerprint(debates, mode=CandidateMode.final_split, equations=False, lexical=False, seed=0, decision=None, **more):
    corpus = Corpus("test corpus", tuple(debates), data_hash="abc", notes=("read twice",), **more)
    return fingerprint_corpus(
        corpus,
        FingerprintSettings(candidates=mode),
        decision or DecisionSettings(),
        equations=equations,
        lexical=lexical,
        seed=seed,
    )


def debate_row(debates, **more):
    return fingerprint(debates, **more).debates.row(0, named=True)


def test_columns_and_their_order(make_debate):
    result = fingerprint([make_debate("ABA AAB", gold="A")])
    assert result.debates.columns == DEBATE_COLUMNS
    assert result.candidates.columns == [*CANDIDATE_COLUMNS, *FEATURES]
    assert all(result.candidates.schema[name] == pl.Float64 for name in FEATURES)
    assert (result.name, result.simulated, result.data_hash) == ("test corpus", False, "abc")
    with_equations = fingerprint([make_debate("ABA AAB", gold="A")], equations=True)
    assert with_equations.candidates.columns[-6:] == list(FEATURE_GROUPS[FeatureGroup.equations])
    assert_frame_equal(with_equations.candidates.select(result.candidates.columns), result.candidates)


def test_an_empty_corpus_has_the_same_columns(make_debate):
    empty, full = fingerprint([]), fingerprint([make_debate("ABA", gold="A")])
    assert empty.debates.schema == full.debates.schema
    assert empty.candidates.schema == full.candidates.schema
    assert len(empty.debates) == len(empty.candidates) == 0


def test_the_row_of_a_divergent_debate(make_debate):
    row = debate_row([make_debate("ABC ABA", gold="B")])
    assert row == {
        "id": "d1",
        "domain": "lab/quiz",
        "dataset": "quiz",
        "source": "lab",
        "question_key": "q-d1",
        "agents": 3,
        "rounds": 1,
        "state": "majority",
        "voted": "A",
        "gold": "B",
        "voted_correct": False,
        "any_correct": True,
        "divergent": True,
        "minority_truth": True,
        "both_wrong": False,
        "given_up_truth": False,
        "fallback": False,
        "unparsed_final": 0,
        "agent_names": ["agent_0", "agent_1", "agent_2"],
        "agent_correct": [False, True, False],
        "ruling": None,
        "ruling_correct": None,
        "samples": None,
        "samples_correct": None,
    }


@pytest.mark.parametrize(
    ("answers", "gold", "expected"),
    [
        # state, voted, voted_correct, any_correct, divergent, minority_truth, both_wrong, unparsed_final
        ("ABA", "A", ("majority", "A", True, True, True, False, False, 0)),
        ("ABA", "C", ("majority", "A", False, False, True, False, True, 0)),
        ("AAA", "A", ("majority", "A", True, True, False, False, False, 0)),
        ("AAA", "B", ("majority", "A", False, False, False, False, False, 0)),
        ("AA-", "A", ("majority", "A", True, True, False, False, False, 1)),
        ("A--", "A", ("majority", "A", True, True, False, False, False, 2)),
        ("ABC", "B", ("tied", "A", False, True, False, False, False, 0)),
        ("BA-", "B", ("tied", "B", True, True, False, False, False, 1)),
        ("---", "A", ("unanswered", None, False, False, False, False, False, 3)),
        ("ABA", None, ("majority", "A", None, None, True, None, None, 0)),
        ("---", None, ("unanswered", None, None, None, False, None, None, 3)),
        ("AABAC", "C", ("majority", "A", False, True, True, True, False, 0)),
        ("AABAC", "D", ("majority", "A", False, False, True, False, True, 0)),
        ("AABB-", "B", ("tied", "A", False, True, False, False, False, 1)),
        ("AAABBC-", "C", ("majority", "A", False, True, True, True, False, 1)),
    ],
)
def test_states_and_who_was_right(make_debate, answers, gold, expected):
    row = debate_row([make_debate(answers, gold=gold)])
    names = "state voted voted_correct any_correct divergent minority_truth both_wrong unparsed_final".split()
    assert tuple(row[name] for name in names) == expected


def test_agents_without_gold_are_neither_right_nor_wrong(make_debate):
    assert debate_row([make_debate("AB-")])["agent_correct"] == [None, None, None]
    assert debate_row([make_debate("AB-", gold="A")])["agent_correct"] == [True, False, False]


def test_ties_and_fallbacks_follow_the_decision_settings(make_debate):
    tied = [make_debate("CBB ABC", gold="B")]
    assert debate_row(tied)["voted"] == "A"
    assert debate_row(tied, decision=DecisionSettings(tie_break=TieBreak.round0_plurality))["voted"] == "B"
    seeded = DecisionSettings(tie_break=TieBreak.seeded)
    assert {debate_row(tied, decision=seeded, seed=seed)["voted"] for seed in range(20)} == {"A", "B", "C"}
    silent = [make_debate("ABB ---", gold="B")]
    assert not debate_row(silent)["fallback"]
    row = debate_row(silent, decision=DecisionSettings(fallback=Fallback.last_parsed_round))
    assert (row["state"], row["voted"], row["voted_correct"], row["fallback"]) == ("unanswered", "B", True, True)
    assert len(fingerprint(silent).candidates) == 0


def test_candidates_of_a_larger_panel(make_debate):
    # K = 7: A has 3, C has 2 (agents 1, 6), B has 1 (agent 5), agent 3 did not parse.
    rows = fingerprint([make_debate("ACA-ABC", gold="B")]).candidates
    described = rows.select(CANDIDATE_COLUMNS[5:]).rows()
    assert described == [
        ("C", "A", "final_split", 2, 1, 7, 0.5, "both_wrong"),
        ("B", "A", "final_split", 1, 5, 7, 0.5, "minority_correct"),
    ]


@pytest.mark.parametrize(
    ("gold", "label"), [("B", "minority_correct"), ("A", "majority_correct"), ("C", "both_wrong"), (None, None)]
)
def test_labels(make_debate, gold, label):
    assert fingerprint([make_debate("ABA", gold=gold)]).candidates["label"].to_list() == [label]


def test_given_up_answers_are_candidates_on_request(make_debate):
    # The final vote is unanimous; B was last held by agents 1 and 2 in round 1, C by agent 2 in round 0.
    debates = [make_debate("BBC ABB AAA", gold="B")]
    plain = fingerprint(debates)
    assert len(plain.candidates) == 0
    assert plain.debates["given_up_truth"].to_list() == [False]
    result = fingerprint(debates, mode=CandidateMode.any_round)
    assert result.candidates.select(CANDIDATE_COLUMNS[5:]).rows() == [
        ("B", "A", "given_up", 2, 1, 3, 0.5, "minority_correct"),
        ("C", "A", "given_up", 1, 2, 3, 0.5, "both_wrong"),
    ]
    row = result.debates.row(0, named=True)
    assert (row["divergent"], row["minority_truth"], row["both_wrong"], row["given_up_truth"]) == (
        False,
        False,
        False,
        True,
    )


def test_given_up_truth_without_gold_is_unknown(make_debate):
    assert debate_row([make_debate("BBC AAA")], mode=CandidateMode.any_round)["given_up_truth"] is None


def test_the_order_of_a_logs_lines_changes_nothing(make_debate):
    debates = [make_debate("ABA", id=name) for name in ("z", "a", "m")]
    result = fingerprint(debates)
    assert result.debates["id"].to_list() == result.candidates["id"].to_list() == ["a", "m", "z"]


def test_failed_and_missing_turns_are_noted(make_debate):
    whole, torn = make_debate("ABA", id="whole"), make_debate("ABA", id="torn")
    first, *others = torn.rounds[-1]
    failed = replace(first, status=Status.FAILED, answer=None, error="HTTP 500")
    torn = replace(torn, rounds=(*torn.rounds[:-1], (failed, *others)))
    assert "a turn failed or is missing in 1 of 2 debates" in fingerprint([whole, torn]).notes
    assert not any("failed" in note for note in fingerprint([whole]).notes)


def test_only_a_corpus_is_fingerprinted(make_debate):
    with pytest.raises(FingerprintError, match="got list; expected a corpus, as load_debates returns it"):
        fingerprint_corpus([make_debate("ABA")])


@pytest.mark.parametrize(
    ("answer", "status", "gold", "expected"),
    [
        ("B", Status.OK, "B", ("B", True)),
        ("A", Status.OK, "B", ("A", False)),
        (None, Status.UNPARSED, "B", (None, False)),
        (None, Status.FAILED, "B", (None, None)),  # no ruling was made
        ("B", Status.OK, None, ("B", None)),
    ],
)
def test_rulings(make_debate, answer, status, gold, expected):
    rulings = {"d1": Ruling("d1", answer, status, "judge")}
    row = debate_row([make_debate("ABA", gold=gold)], rulings=rulings)
    assert (row["ruling"], row["ruling_correct"]) == expected


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (("B", "A", "B"), (3, True)),
        (("A", "B", "B", "A"), (4, False)),  # equal: the one drawn first
        (("B", "A", "A", "B", None, None, "A", "A"), (8, True)),  # K (R + 1) = 6 of them count
        ((None, None), (2, False)),
    ],
)
def test_samples(make_debate, answers, expected):
    samples = {"d1": Samples("d1", answers, "model")}
    row = debate_row([make_debate("ABA ABA", gold="B")], samples=samples)
    assert (row["samples"], row["samples_correct"]) == expected
    assert debate_row([make_debate("ABA ABA")], samples=samples)["samples_correct"] is None


def test_recorded_audits_are_found_by_debate_and_candidate(make_debate):
    audits = {
        ("d1", "B"): Audit("d1", "B", "hand", minority_reasoning_score=4, majority_reasoning_score=2),
        ("d2", "C"): Audit("d2", "C", "hand", minority_reasoning_score=1, majority_reasoning_score=5),
    }
    debates = [make_debate("ABA"), make_debate("ABA", id="d2")]
    values = fingerprint(debates, audits=audits).candidates["reasoning_score_diff"].to_list()
    assert values[0] == 2
    assert math.isnan(values[1])


def test_the_lexical_auditor_replaces_recorded_audits(make_debate):
    text = "Because seven birds fly south, we count them: 3 + 4 = 7."
    debate = make_debate("ABA ABA", [[text] * 3, [text] * 3])
    audits = {("d1", "B"): Audit("d1", "B", "hand", minority_reasoning_score=-99)}
    row = fingerprint([debate], audits=audits, lexical=True).candidates.row(0, named=True)
    candidate = list_candidates((("A", "B", "A"),) * 2, take_vote(debate))[0]
    assert row["minority_reasoning_score"] == lexical_audit(debate, candidate).minority_reasoning_score


def test_notes_say_what_is_missing(make_debate):
    text = [["alpha beta gamma"] * 3] * 2
    audits = {("d2", "B"): Audit("d2", "B", "hand", minority_reasoning_score=4, majority_reasoning_score=2)}
    debates = [
        make_debate("ABA ABA", text, gold="A"),
        make_debate("ABA ABA", text, id="d2"),
        make_debate("AAA", id="d3"),
    ]
    prints = fingerprint(debates, audits=audits, equations=True)
    assert prints.notes == (
        "read twice",
        "gold answer missing for 2 of 3 debates",
        "audits used are those of hand (1)",
    )
    features = [name for names in FEATURE_GROUPS.values() for name in names]
    assert note_missing(prints, features) == (
        "audit features missing for 1 of 2 candidates",
        "audit features partly missing for 1 of 2 candidates",
        "equations features missing for 2 of 2 candidates",
    )


def test_one_debate_goes_the_same_way(make_debate):
    debate = make_debate("ABC ACA", [["one two three four"] * 3, ["five six seven eight", "", ""]], gold="C")
    rows = fingerprint_debate(
        debate, {}, FingerprintSettings(), DecisionSettings(), equations=True, seed=0, lexical=False
    )
    table = fingerprint([debate], equations=True).candidates
    assert_frame_equal(pl.DataFrame(rows, schema=table.schema), table)
    unanimous = replace(debate, rounds=debate.rounds[:1])
    assert not fingerprint_debate(
        unanimous, {}, FingerprintSettings(), DecisionSettings(), equations=False, seed=0, lexical=False
    )


def test_same_input_same_tables(make_debate):
    debates = [
        make_debate("ABC ABA", [["red fox runs"] * 3, ["I agree with Agent C. 2 + 2 = 5"] * 3], id=x) for x in "xy"
    ]
    one, two = fingerprint(debates, equations=True), fingerprint(debates, equations=True)
    assert_frame_equal(one.debates, two.debates, check_exact=True)
    assert_frame_equal(one.candidates, two.candidates, check_exact=True)
    assert one.notes == two.notes
