"""What is read out of an auditor's reply, whatever it wrote in place of one clean JSON object."""

import json

import pytest

from sentinel.audit._values import ASKED, read_values

GIVEN = {
    "side_1_new_evidence": True,
    "side_2_new_evidence": False,
    "side_1_finds_error": False,
    "side_2_finds_error": True,
    "side_1_logical_gap": False,
    "side_2_logical_gap": True,
    "side_1_echo_chamber": True,
    "side_2_echo_chamber": False,
    "side_1_reasoning_score": 4,
    "side_2_reasoning_score": 2,
    "blind_follower_count": 1,
}
VALUES = {name: float(value) for name, value in GIVEN.items()}
PLAIN = json.dumps(GIVEN)
LINES = [f'"{name}": {json.dumps(value)}' for name, value in GIVEN.items()]


def worded(yes: str, no: str) -> str:
    return json.dumps({k: (yes if value else no) if isinstance(value, bool) else value for k, value in GIVEN.items()})


def changed(name: str, value: object) -> str:
    return json.dumps({**GIVEN, name: value})


def nested() -> dict[str, object]:
    sides = {
        f"side_{i}": {name[7:]: value for name, value in GIVEN.items() if name.startswith(f"side_{i}")} for i in (1, 2)
    }
    return {**sides, "blind_follower_count": 1}


COMPLETE = {
    "plain": PLAIN,
    "indented": json.dumps(GIVEN, indent=4),
    "fenced": f"```json\n{PLAIN}\n```",
    "fenced without a language": f"```\n{PLAIN}\n```",
    "fence that is never closed": f"```json\n{PLAIN}",
    "prose before": f"Here is my assessment of the two sides:\n\n{PLAIN}",
    "prose after": f"{PLAIN}\n\nI hope this helps! Side 1 was clearer.",
    "prose around, with braces": f"The set {{1, 2}} matters here.\n{PLAIN}\nNote {{also}} this.",
    "a thought before": f"<think>Maybe {{'side_1_reasoning_score': 1}}? No.</think>\n{PLAIN}",
    "a draft before": f"First: {changed('side_1_reasoning_score', 1)}\nOn reflection: {PLAIN}",
    "an incomplete object after": f'{PLAIN}\nwhere {{"side_1_reasoning_score": 5}} would be the best',
    "trailing comma": "{" + ", ".join(LINES) + ",}",
    "trailing comma on lines": "{\n  " + ",\n  ".join(LINES) + ",\n}",
    "no commas": "{\n  " + "\n  ".join(LINES) + "\n}",
    "comments": "{\n  " + "\n  ".join(f"{line}, // because of step 2" for line in LINES) + "\n}",
    "hash comments": "{\n  " + "\n  ".join(f"{line}, # so it seems" for line in LINES) + "\n}",
    "closing brace missing": PLAIN[:-1],
    "Python": repr(GIVEN),
    "Python in a fence": f"```python\n{GIVEN!r}\n```",
    "keys without quotes": "{" + ", ".join(line.replace('"', "", 2) for line in LINES) + "}",
    "curly quotes": PLAIN.replace('"side', "“side").replace('":', "”:").replace('"blind', "“blind"),
    "equals signs": "{" + ", ".join(f"{name} = {value}" for name, value in GIVEN.items()) + "}",
    "markdown": "{\n" + "\n".join(f"**{name}**: **{value}**" for name, value in GIVEN.items()) + "\n}",
    "yes and no": worded("yes", "no"),
    "Yes. and No.": worded("Yes.", "No."),
    "upper case": worded("YES", "NO"),
    "texts of true and false": worded("true", "False"),
    "yes with a reason": worded("Yes, it adds 12 boxes", "No, it does not"),
    "ones and zeros": json.dumps({name: int(value) for name, value in GIVEN.items()}),
    "texts of ones and zeros": json.dumps({name: str(int(value)) for name, value in GIVEN.items()}),
    "floats": json.dumps({name: float(value) for name, value in GIVEN.items()}),
    "other case": json.dumps({name.upper(): value for name, value in GIVEN.items()}),
    "spaces in keys": json.dumps({name.replace("_", " ").title(): value for name, value in GIVEN.items()}),
    "camel case": json.dumps({name.title().replace("_", ""): value for name, value in GIVEN.items()}),
    "one object a side": json.dumps(nested()),
    "wrapped": json.dumps({"audit": GIVEN}),
    "in a list": json.dumps([GIVEN]),
    "values wrapped": json.dumps({name: {"value": value, "why": "see step 2"} for name, value in GIVEN.items()}),
    "more keys": json.dumps({"summary": "Side 1: new evidence: none", **GIVEN, "winner": 1}),
    "key twice, the last counts": '{"side_1_reasoning_score": 1, ' + PLAIN[1:],
    "4/5": changed("side_1_reasoning_score", "4/5"),
    "4 / 5": changed("side_1_reasoning_score", "4 / 5"),
    "bare 4/5": PLAIN.replace('"side_1_reasoning_score": 4', '"side_1_reasoning_score": 4/5'),
    "4 out of 5": changed("side_1_reasoning_score", "4 out of 5"),
    "4.0": changed("side_1_reasoning_score", "4.0"),
    "4 (solid)": changed("side_1_reasoning_score", "4 (solid, but brief)"),
    "**4**": changed("side_1_reasoning_score", "**4**"),
    "four": changed("side_1_reasoning_score", "Four"),
    "one follower": changed("blind_follower_count", "one"),
    "1 of 2": changed("blind_follower_count", "1 of 2"),
    "1 agent": changed("blind_follower_count", "1 agent"),
}


@pytest.mark.parametrize("reply", COMPLETE.values(), ids=COMPLETE.keys())
def test_all_values_of_a_reply_that_means_them(reply: str) -> None:
    values, faults = read_values([reply], 2)
    assert values == VALUES
    assert faults == {}


MISSING = [
    ("side_1_new_evidence", None, "side_1_new_evidence: expected true or false"),
    ("side_1_new_evidence", "yes/no", "side_1_new_evidence: expected true or false"),
    ("side_1_new_evidence", "true or false", "side_1_new_evidence: expected true or false"),
    ("side_1_new_evidence", "partially", "side_1_new_evidence: expected true or false"),
    ("side_1_new_evidence", "unclear", "side_1_new_evidence: expected true or false"),
    ("side_1_new_evidence", "nothing new", "side_1_new_evidence: expected true or false"),
    ("side_1_new_evidence", 2, "side_1_new_evidence=2: expected true or false"),
    ("side_1_new_evidence", 0.5, "side_1_new_evidence=0.5: expected true or false"),
    ("side_1_new_evidence", [True], "side_1_new_evidence: expected true or false"),
    ("side_1_reasoning_score", 9, "side_1_reasoning_score=9: expected a number from 1 to 5"),
    ("side_1_reasoning_score", 0, "side_1_reasoning_score=0: expected a number from 1 to 5"),
    ("side_1_reasoning_score", 5.5, "side_1_reasoning_score=5.5: expected a number from 1 to 5"),
    ("side_1_reasoning_score", -4, "side_1_reasoning_score=-4: expected a number from 1 to 5"),
    ("side_1_reasoning_score", True, "side_1_reasoning_score=True: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "8/10", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "4/10", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "3-4", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "3 or 4", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "4,5", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "80%", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "good", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", "", "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", float("nan"), "side_1_reasoning_score: expected a number from 1 to 5"),
    ("side_1_reasoning_score", 10**400, "side_1_reasoning_score: expected a number from 1 to 5"),
    ("blind_follower_count", 3, "blind_follower_count=3: expected a whole number from 0 to 2"),
    ("blind_follower_count", -1, "blind_follower_count=-1: expected a whole number from 0 to 2"),
    ("blind_follower_count", 1.5, "blind_follower_count=1.5: expected a whole number from 0 to 2"),
    ("blind_follower_count", False, "blind_follower_count=False: expected a whole number from 0 to 2"),
    ("blind_follower_count", "1-2", "blind_follower_count: expected a whole number from 0 to 2"),
    ("blind_follower_count", ["the second"], "blind_follower_count: expected a whole number from 0 to 2"),
]


@pytest.mark.parametrize(("name", "value", "fault"), MISSING)
def test_what_is_unclear_or_out_of_range_is_missing_and_named(name: str, value: object, fault: str) -> None:
    values, faults = read_values([changed(name, value)], 2)
    assert values == {key: known for key, known in VALUES.items() if key != name}
    assert faults == {name: fault}


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I cannot judge this discussion.",
        "{}",
        "[]",
        "null",
        "{ } { } {",
        '{"minority_new_evidence": true, "majority_reasoning_score": 3}',
        "side_1_reasoning_score: 4",  # no object
        f"<think>{PLAIN}</think>",  # thought, not said
    ],
)
def test_a_reply_without_the_object(reply: str) -> None:
    values, faults = read_values([reply], 2)
    assert values == {}
    assert faults == {name: f"{name} is missing" for name in ASKED}


def test_a_reply_cut_short_keeps_what_it_said() -> None:
    cut = PLAIN[: PLAIN.index('"side_2_reasoning_score"') + 10]
    values, faults = read_values([cut], 2)
    assert values == {name: VALUES[name] for name in list(VALUES)[:9]}
    assert list(faults) == ["side_2_reasoning_score", "blind_follower_count"]


def test_a_second_reply_wins_and_the_first_fills_its_gaps() -> None:
    first = json.dumps({"side_1_reasoning_score": 1, "side_2_reasoning_score": 3, "blind_follower_count": 7})
    second = json.dumps({"side_1_reasoning_score": 5, "side_2_reasoning_score": 9})
    values, faults = read_values([first, second], 2)
    assert values == {"side_1_reasoning_score": 5.0, "side_2_reasoning_score": 3.0}
    assert faults["blind_follower_count"] == "blind_follower_count=7: expected a whole number from 0 to 2"


def test_faults_never_repeat_the_text_of_a_reply() -> None:
    _, faults = read_values([changed("side_1_new_evidence", "SECRET words")], 2)
    assert "SECRET" not in "".join(faults.values())


@pytest.mark.parametrize(
    "unit", ["{", '{"a":', "{side_1 ", '{"side_1_new_evidence": "', "a" * 50 + " ", "[{", "\\", '"', "a:" * 20]
)
def test_hostile_replies_are_read_to_the_end(unit: str) -> None:
    values, _ = read_values(["{" + unit * 100_000], 2)
    assert values == {}
