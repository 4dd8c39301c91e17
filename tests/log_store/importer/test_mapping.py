"""Layouts invented here, brought in by mapping files: the worked examples, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import ImporterError
from sentinel.records import Status


def grid(debate: Any) -> list[list[str | None]]:
    return [[turn.answer for turn in turns] for turns in debate.rounds]


# --- the worked examples


def group_chat(**fields: Any) -> dict[str, Any]:
    say = [
        *(
            ("user", "Which?"),
            ("planner", "The answer is (A)."),
            ("critic", "(B)"),
            ("moderator", "Go on."),
            ("solver", "(A)"),
        ),
        *(("planner", "(B)"), ("critic", "(B)"), ("moderator", "Once more."), ("solver", "No idea.")),
    ]
    history = [{"source": source, "content": text, "usage": {"model": f"m-{source}"}} for source, text in say]
    task = {"uid": 17, "prompt": "Which?", "options": ["a, b", "c"], "label": 1, "benchmark": "quiz"}
    return {"task": task, "chat_history": history} | fields


def test_a_group_chat_without_round_numbers(run, mappings: Path) -> None:
    done = run("mapping", [group_chat()], "chat.jsonl", mapping=str(mappings / "group_chat.yaml"))
    (debate,) = done.debates
    assert done.report.skipped == done.report.notes == ()
    assert (debate.id, debate.question, debate.choices, debate.gold) == ("17", "Which?", ("a, b", "c"), "B")
    assert [(agent.name, agent.model) for agent in debate.agents] == [
        ("planner", "m-planner"),
        ("critic", "m-critic"),
        ("solver", "m-solver"),
    ]
    assert grid(debate) == [["A", "B", "A"], ["B", "B", None]]
    assert debate.rounds[1][2].status is Status.UNPARSED
    assert (debate.domain, debate.source) == ("quiz", None)


def graph_thread(rounds: int = 12) -> dict[str, Any]:
    """Return a thread whose messages are stored in a shuffled order; in step s agent k says 100 k + s."""
    messages = [
        {
            "type": "ai",
            "name": f"node{k}",
            "content": f"Step {step}.",
            "response_metadata": {"step": step},
            "additional_kwargs": {"result": f"1 => 2; so => {100 * k + step}.0", "changed": step > 1},
        }
        for step in (*range(9, rounds + 1), *range(1, 9))
        for k in (0, 1, 2)
    ]
    asked = {"type": "human", "name": "user", "content": "Add.", "response_metadata": {}}
    return {"thread_id": "t-1", "values": {"question": "Add.", "reference": 3, "messages": [asked, *messages]}}


def test_rounds_are_ordered_by_number_so_that_10_follows_9(run, mappings: Path) -> None:
    done = run("mapping", {"threads": [graph_thread()]}, mapping=str(mappings / "graph_state.yaml"))
    (debate,) = done.debates
    assert grid(debate) == [[str(100 * k + step) for k in (0, 1, 2)] for step in range(1, 13)]
    assert [turns[0].stance_change for turns in debate.rounds] == [False] + [True] * 11
    assert (debate.id, debate.gold, debate.domain) == ("t-1", "3", "graph/sums")
    assert debate.rounds[9][1].reasoning == "Step 10."


def test_an_answer_field_that_does_not_match_is_an_unparsed_turn(run, mappings: Path) -> None:
    thread = graph_thread()
    thread["values"]["messages"][1]["additional_kwargs"]["result"] = "I give up"
    del thread["values"]["reference"]
    done = run("mapping", {"threads": [thread]}, mapping=str(mappings / "graph_state.yaml"))
    (debate,) = done.debates
    assert debate.rounds[8][0].status is Status.UNPARSED
    assert debate.gold is None
    assert [note.split(": ")[1].split(" (")[0] for note in done.report.notes] == ["no gold answer"]


def round_table(rounds: int = 11) -> dict[str, Any]:
    votes = "ABC"
    order = sorted(range(1, rounds + 1), key=str)  # 1, 10, 11, 2, ...
    transcript = {
        f"round_{r}": {
            "speakers": {
                name: {"speech": f"{name} in round {r}", "vote": votes[(r + k) % 3], "persona": f"p{k}"}
                for k, name in enumerate(("ann", "bob", "cyd"))
            }
        }
        for r in order
    }
    topic = {"text": "Which?", "options": [{"text": "x"}, {"text": "y"}, {"text": "z"}], "key": "z"}
    return {"topic": topic, "transcript": transcript}


def test_one_debate_a_file_with_labelled_rounds_of_named_agents(run, mappings: Path) -> None:
    done = run("mapping", round_table(), "table.json", mapping=str(mappings / "round_table.yaml"))
    (debate,) = done.debates
    assert grid(debate) == [["ABC"[(r + k) % 3] for k in range(3)] for r in range(1, 12)]
    assert [turns[0].reasoning for turns in debate.rounds][8:] == [f"ann in round {r}" for r in (9, 10, 11)]
    assert [(agent.name, agent.model, agent.role) for agent in debate.agents] == [
        ("ann", "model-a", "p0"),
        ("bob", "model-b", "p1"),
        ("cyd", "model-b", "p2"),
    ]
    assert (debate.gold, debate.dataset) == ("C", "round_table")
    assert debate.id.startswith("table-0-")


# --- small layouts, written in place


def mapped(run, map_file: Callable[[str], str], text: str, data: Any, name: str = "log.json", **settings: str) -> Any:
    return run("mapping", data, name, mapping=map_file(text), **settings)


BY_ROUND = """
records: {layout: list}
question: q
choices: options?
gold: gold?
answer_type: choice
dataset: {value: d}
rounds: {layout: rounds_of_agents, path: rounds, text: "."}
"""


def test_lists_of_texts_by_round_and_agent(run, map_file) -> None:
    data = [{"q": "Q", "options": {"A": "x", "B": "y"}, "rounds": [["(A)", "(B)"], ["(B)", None]]}]
    (debate,) = mapped(run, map_file, BY_ROUND, data, source_name="mine", model="m", dataset="own").debates
    assert grid(debate) == [["A", "B"], ["B", None]]
    assert [(agent.name, agent.model) for agent in debate.agents] == [("agent_0", "m"), ("agent_1", "m")]
    assert (debate.choices, debate.domain) == (("x", "y"), "mine/own")
    assert debate.rounds[1][1].status is Status.FAILED


BY_AGENT = """
records: {layout: object, path: data}
id: "@key"
question: q
question_key: qid
gold: gold
rounds:
  layout: agents_of_rounds
  path: people
  turns: log
  round: at
  answer: {path: final, after: "="}
  text: why?
  order: [first thoughts, after talk, verdict]
  missing: failed
  confidence: sure?
  change_reason: reason?
agents: {name: who, model: llm, role: {value: peer}}
"""


def person(name: str, *turns: tuple[str, str]) -> dict[str, Any]:
    return {"who": name, "llm": f"llm-{name}", "log": [{"at": at, "final": f"x = {a}", "sure": 0.5} for at, a in turns]}


def test_agents_with_labelled_turns_in_a_given_order(run, map_file) -> None:
    people = [
        person("zoe", ("verdict", "3"), ("first thoughts", "1"), ("after talk", "2")),
        person("abe", ("first thoughts", "4"), ("verdict", "3")),
    ]
    done = mapped(run, map_file, BY_AGENT, {"data": {"k1": {"q": "Q", "qid": 5, "gold": 3, "people": people}}})
    (debate,) = done.debates
    assert grid(debate) == [["1", "4"], ["2", None], ["3", "3"]]
    assert [turn.status for turn in debate.rounds[1]] == [Status.OK, Status.FAILED]
    assert [(agent.name, agent.model, agent.role) for agent in debate.agents] == [
        ("zoe", "llm-zoe", "peer"),
        ("abe", "llm-abe", "peer"),
    ]
    assert (debate.id, debate.question_key, debate.gold) == ("k1", "5", "3")
    assert debate.rounds[0][0].confidence == 0.5
    assert any("turns are missing and count as failed" in note for note in done.report.notes)


def test_the_order_of_labels_is_not_guessed(run, map_file) -> None:
    people = [person(name, ("first thoughts", "1"), ("verdict", "1")) for name in ("zoe", "abe")]
    data = {"data": {"k": {"q": "Q", "qid": 5, "gold": 3, "people": people}}}
    without = "\n".join(line for line in BY_AGENT.splitlines() if "order" not in line)
    assert "list them in rounds.order" in mapped(run, map_file, without, data).reasons[0]
    other = BY_AGENT.replace("verdict]", "verdicts]")
    assert "round 'verdict' is not in rounds.order" in mapped(run, map_file, other, data).reasons[0]


FLAT = """
records: {layout: lines}
question: q
gold: gold
answer_type: number
dataset: {value: d}
rounds: {layout: flat, path: turns, agent: who, round: r, text: say}
"""


def lines(*turns: tuple[Any, Any, str], **fields: Any) -> list[dict[str, Any]]:
    return [{"q": "Q", "gold": 1, "turns": [{"who": w, "r": r, "say": say} for w, r, say in turns]} | fields]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ((1, 2), [1, 2]),
        ((2, 1), [2, 1]),
        (("10", "9"), [2, 1]),
        (("round 10", "round 9"), [2, 1]),
        (("r2.s1", "r1.s10"), [2, 1]),
        ((2.0, 1), [2, 1]),
        (("1", 2), [1, 2]),
    ],
)
def test_natural_order_of_round_labels(run, map_file, labels: tuple[Any, Any], expected: list[int]) -> None:
    first, second = labels
    turns = [("a", first, "1"), ("b", first, "1"), ("a", second, "2"), ("b", second, "2")]
    (debate,) = mapped(run, map_file, FLAT, lines(*turns), "x.jsonl").debates
    assert grid(debate) == [[str(number)] * 2 for number in expected]


def test_gaps_in_round_numbers_are_said(run, map_file) -> None:
    turns = [(who, r, "1") for r in (1, 3, 5) for who in ("a", "b")]
    done = mapped(run, map_file, FLAT, lines(*turns), "x.jsonl")
    assert len(done.debates[0].rounds) == 3
    assert ["round numbers have gaps" in note for note in done.report.notes] == [True]


OK = (("a", 1, "1"), ("b", 1, "1"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lines(*OK, ("a", 1, "2")), "round 1: a has two turns"),
        (lines(*OK, ("a", "1", "2")), "round 1: a has two turns"),
        (lines(*OK, ("a", 2, "2")), "round 2: no turn of b; with missing: failed"),
        (lines(("a", 1, "1"), ("a", 2, "1")), "expected at least two agents, found a alone"),
        (lines(), "there are no turns"),
        (lines(*OK, ("a", "final", "2"), ("b", "final", "2")), "do not tell their order by a number"),
        (lines(("a", "early", "1"), ("b", "early", "1"), ("a", "late", "2"), ("b", "late", "2")), "rounds early, late"),
        (lines(("a", None, "1"), *OK), "the round is None; expected a number"),
        (lines(("a", True, "1"), *OK), "the round is True"),
        (lines(("a", 1.5, "1"), *OK), "the round is 1.5"),
        (lines((None, 1, "1"), *OK), "the agent's name is None"),
        (lines(("c", 1, ["x"]), *OK), "round 1, c: text is ['x']; expected a text or null"),
        (lines(*OK, q=""), "question is empty"),
        (lines(*OK, q=["Q"]), "question is ['Q']; expected a text"),
        (lines(*OK, gold="about one"), "gold='about one'"),
        (lines(*OK, turns="none"), "rounds.path leads to 'none'; expected a list or an object"),
        (
            [{"q": "Q", "gold": 1, "turn": []}],
            "path turns: the value has no 'turns'; it has: q, gold, turn; near: turn",
        ),
        ([{"q": "Q", "turns": []}], "path gold: the value has no 'gold'"),
    ],
)
def test_an_ambiguous_record_is_refused_with_its_index(run, map_file, data: list[dict[str, Any]], reason: str) -> None:
    done = mapped(run, map_file, FLAT, [*lines(*OK), *data], "x.jsonl")
    assert done.report.debates == 1
    (problem,) = done.report.skipped
    assert (problem.line, problem.reason.startswith("record 1: ")) == (2, True)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([{"q": "Q", "rounds": [["(A)", "(B)"], ["(A)"]]}], "the rounds hold unequal numbers of turns, 2, 1"),
        ([{"q": "Q", "rounds": []}], "there are no turns"),
        ([{"q": "Q", "rounds": [{"ann": "(A)", "bob": "(B)"}, {}]}], "round 1 has no turns"),
        ([{"q": "Q", "rounds": [["(A)"]]}], "found agent_0 alone"),
        ([{"q": "Q", "options": {"A": "x", "C": "y"}, "rounds": [["(A)", "(B)"]]}], "expected A, B, ... without a gap"),
        ([{"q": "Q", "options": "A) x B) y", "rounds": [["(A)", "(B)"]]}], "expected a list of at least two options"),
        ([{"q": "Q", "options": ["x", ["y"]], "rounds": [["(A)", "(B)"]]}], "choices hold ['y']"),
        (
            [{"q": "Q", "gold": 1, "options": ["x", "y"], "rounds": [["(A)", "(B)"]]}],
            "gold=1 is a number among options",
        ),
        ([{"q": "Q", "gold": "C", "options": ["x", "y"], "rounds": [["(A)", "(B)"]]}], "gold='C'"),
    ],
)
def test_ambiguous_choices_and_positions_are_refused(run, map_file, data: list[dict[str, Any]], reason: str) -> None:
    done = mapped(run, map_file, BY_ROUND, data)
    assert done.report.debates == 0
    assert reason in done.reasons[0]


def test_an_agent_without_turns_does_not_vanish(run, map_file) -> None:
    people = [person(name, ("first thoughts", "1")) for name in ("zoe", "abe")] + [person("eve")]
    data = {"data": {"k": {"q": "Q", "qid": 5, "gold": 3, "people": people}}}
    assert mapped(run, map_file, BY_AGENT, data).reasons == ["record 0: eve has no turns"]
    filtered = BY_AGENT.replace("  turns: log", "  turns: log\n  where: {final: [x = 1, x = 2]}")
    people[2] = person("eve", ("first thoughts", "3"))
    assert mapped(run, map_file, filtered, data).reasons == ["record 0: eve has no turns that rounds.where lets pass"]


def test_names_by_position_and_strangers(run, map_file) -> None:
    text = BY_ROUND + "agents: {names: [ann, bob]}\n"
    (debate,) = mapped(run, map_file, text, [{"q": "Q", "rounds": [["(A)", "(B)"]]}]).debates
    assert [agent.name for agent in debate.agents] == ["ann", "bob"]
    three = mapped(run, map_file, text, [{"q": "Q", "rounds": [["(A)", "(B)", "(B)"]]}])
    assert "more agents than the 2 of agents.names" in three.reasons[0]
    named = [{"q": "Q", "rounds": [{"ann": "(A)", "bobby": "(B)"}]}]
    assert "bobby takes part but is not in agents.names; near: bob" in mapped(run, map_file, text, named).reasons[0]


def test_without_gold_choices_and_type_nothing_says_how_to_read(run, map_file) -> None:
    text = BY_ROUND.replace("answer_type: choice\n", "")
    done = mapped(run, map_file, text, [{"q": "Q", "rounds": [["(A)", "(B)"]]}])
    assert "set answer_type in the mapping" in done.reasons[0]


def test_a_recorded_answer_that_cannot_be_read_is_said(run, map_file) -> None:
    text = FLAT.replace("text: say", "answer: say")
    done = mapped(run, map_file, text, lines(("a", 1, "1"), ("b", 1, "maybe one or two")), "x.jsonl")
    assert grid(done.debates[0]) == [["1", None]]
    assert done.debates[0].rounds[0][1].status is Status.UNPARSED
    assert any("a recorded answer cannot be read" in note for note in done.report.notes)


def test_one_id_twice_is_refused(run, map_file) -> None:
    text = FLAT + "id: uid\n"
    done = mapped(run, map_file, text, [*lines(*OK, uid="u"), *lines(*OK, uid="u", q="Q2")], "x.jsonl")
    assert done.report.debates == 1
    assert done.reasons == ["record 1: the id u occurs twice; ids must be unique"]


def test_counted_rounds_must_not_overlap(run, map_file) -> None:
    text = FLAT.replace("round: r", 'round: "@count"')
    turns = [(who, 0, "1") for who in "abaabb"]
    done = mapped(run, map_file, text, lines(*turns), "x.jsonl")
    assert done.reasons == ["record 0: b speaks for time 2 after others spoke 3 times; rounds overlap"]
    (debate,) = mapped(run, map_file, text, lines(*((who, 0, "1") for who in "abbaab")), "x.jsonl").debates
    assert [[turn.agent for turn in turns] for turns in debate.rounds] == [["a", "b"], ["b", "a"], ["a", "b"]]


def test_messages_under_numbered_keys_are_counted_in_natural_order(run, map_file) -> None:
    text = FLAT.replace("round: r", 'round: "@count"')
    messages = {str(i): {"who": "ab"[i % 2], "say": str(i // 2)} for i in (10, 11, *range(10))}
    (debate,) = mapped(run, map_file, text, [{"q": "Q", "gold": 1, "turns": messages}], "x.jsonl").debates
    assert grid(debate) == [[str(r), str(r)] for r in range(6)]


@pytest.mark.parametrize(
    ("layout", "data", "name", "reason"),
    [
        ("list", {"a": 1}, "x.json", "records.layout=list, but . leads to an object"),
        ("object", [1], "x.json", "records.layout=object, but . leads to a list"),
        ("lines", [1], "x.json", "records.layout=lines, but the file holds a JSON list; use list, object or single"),
        ("list", [{"a": 1}], "x.jsonl", "records.layout=list, but the file holds JSON lines; use lines"),
        ("list, path: data", {"date": []}, "x.json", "records.path: path data: the value has no 'data'; it has: date"),
    ],
)
def test_records_that_are_elsewhere_are_an_error(run, map_file, layout: str, data: Any, name: str, reason: str) -> None:
    text = FLAT.replace("layout: lines", f"layout: {layout}")
    with pytest.raises(ImporterError) as error:
        mapped(run, map_file, text, data if name.endswith("l") else json.dumps(data), name)
    assert reason in str(error.value)
