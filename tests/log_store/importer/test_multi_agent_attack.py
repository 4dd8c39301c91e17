"""The JSON lines of the multi-agent-attack scripts, plain and adversarial, for each of its datasets."""

import json
from typing import Any

import pytest

OPTIONS = ["one, two", "B) two", "three", "four"]


def chat(*texts: str, system: str | None = None) -> list[dict[str, str]]:
    messages = [] if system is None else [{"role": "system", "content": system}]
    for text in texts:
        messages += [{"role": "user", "content": f"before {text}"}, {"role": "assistant", "content": text}]
    return messages


def record(raw_task: Any, answer: Any, choices: list[str] = OPTIONS, **fields: Any) -> dict[str, Any]:
    prompt = "Please: " + ", ".join(f"({letter}) {choice}" for letter, choice in zip("ABCDE", choices, strict=False))
    chats = [chat("(A)", "(B)"), chat("(B)", "(B)"), chat("(C)", "(B)")]
    return {"id": 0, "question": prompt, "answer": answer, "raw_task": raw_task, "agent_responses": chats} | fields


def test_an_mmlu_line_becomes_a_debate(run) -> None:
    done = run("multi_agent_attack", [record(["Which?", *OPTIONS, "B"], "B")], "mmlu_0.jsonl")
    (debate,) = done.debates
    assert done.report.skipped == done.report.notes == ()
    assert (debate.dataset, debate.source, debate.question) == ("mmlu", "multi_agent_attack", "Which?")
    assert (debate.choices, debate.gold) == (tuple(OPTIONS), "B")
    assert [[turn.answer for turn in turns] for turns in debate.rounds] == [["A", "B", "C"], ["B", "B", "B"]]
    assert [agent.role for agent in debate.agents] == [None, None, None]
    assert debate.meta["prompt"].startswith("Please: (A) one")


def test_the_adversary_has_a_role_and_its_turns_are_not_shifted(run) -> None:
    chats = [chat("(D)", "(D)", system="Mislead them."), chat("(A)", "(B)"), chat("(B)", "(D)")]
    done = run("multi_agent_attack", [record(["Which?", *OPTIONS, "B"], "B", agent_responses=chats)], "adv.jsonl")
    (debate,) = done.debates
    assert [agent.role for agent in debate.agents] == ["adversary", None, None]
    assert [[turn.answer for turn in turns] for turns in debate.rounds] == [["D", "A", "B"], ["D", "B", "D"]]
    assert debate.meta["adversary_prompt"] == "before (D)"


@pytest.mark.parametrize(
    ("raw_task", "answer", "choices", "dataset", "gold"),
    [
        ({"question": "Q?", "mc1_targets": {"yes": 1, "no": 0}}, [["a", "yes"]], ["yes", "no"], "truthfulqa", "A"),
        (
            {"question": "Q?", "opa": "w", "opb": "x", "opc": "y", "opd": "z", "cop": 3},
            "c",
            list("wxyz"),
            "medmcqa",
            "C",
        ),
        ({"question": "Q?", "answer": 4} | {f"choice_{i}": f"c{i}" for i in range(5)}, "e", None, "scalr", "E"),
        ({"problem": "Q?", "solution": r"\boxed{12}"}, "12", None, "math", "12"),
        ({"input": "Q?", "target": ["e4"]}, ["e4"], None, "chess", "e4"),
        ({"questions": ["Q?", "Q2?"], "answer": "Oslo", "answer_alias": []}, ["Oslo"], None, "mquake", "oslo"),
        ({"question": "Q?", "answer": "Oslo", "answer_aliases": []}, ["Oslo"], None, "musique", "oslo"),
    ],
)
def test_the_shape_of_raw_task_tells_the_dataset(
    run, raw_task: Any, answer: Any, choices: list[str] | None, dataset: str, gold: str
) -> None:
    listed = [f"c{i}" for i in range(5)] if dataset == "scalr" else choices or []
    done = run("multi_agent_attack", [record(raw_task, answer, listed)], "x.jsonl")
    assert done.reasons == []
    (debate,) = done.debates
    assert (debate.dataset, debate.gold, debate.question) == (dataset, gold, "Q?")
    assert debate.choices == (tuple(listed) or None)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (record(["Which?", *OPTIONS, "C"], "B"), "answer='B' contradicts raw_task, which says 'C'"),
        (record(["Which?", *OPTIONS], "B"), "found a list of 5"),
        (record(["Which?", "one", "two", "other", "four", "B"], "B", ["one", "two", "three", "four"]), "option C"),
        (record({"question": "Q?", "mc1_targets": {"yes": 1, "no": 0}}, [["b", "yes"]], ["yes", "no"]), "another one"),
        (record({"question": "Q?", "mc1_targets": {"yes": 1, "no": 0}}, [["z", "yes"]], ["yes", "no"]), "2 options"),
        (record({"input": "Q?", "target": ["e4", "e5"]}, ["e4", "e5"], []), "2 answers count as right"),
        (record({"riddle": "Q?"}, "x", []), "no dataset known to this importer has the fields riddle"),
        (record(["Which?", *OPTIONS, "B"], "B", agent_responses=[]), "at least two agents"),
        (record(["Which?", *OPTIONS, "B"], "B", question=None), "question=None: expected the prompt"),
        ({"raw_task": [], "agent_responses": []}, "question is missing; there are: raw_task, agent_responses"),
    ],
)
def test_a_line_that_contradicts_itself_is_skipped(run, bad: dict[str, Any], reason: str) -> None:
    done = run("multi_agent_attack", [record(["Which?", *OPTIONS, "B"], "B"), bad], "x.jsonl")
    assert done.report.debates == 1
    (problem,) = done.report.skipped
    assert problem.line == 2
    assert problem.reason.startswith("record 1: ")
    assert reason in problem.reason


def test_a_torn_last_line_is_a_problem_and_the_rest_is_read(run) -> None:
    line = json.dumps(record(["Which?", *OPTIONS, "B"], "B"))
    done = run("multi_agent_attack", f"{line}\n\n{line[:-20]}", "x.jsonl")
    assert done.report.debates == 1
    assert [(problem.line, "not JSON" in problem.reason) for problem in done.report.skipped] == [(3, True)]


def test_json_lines_in_a_file_called_json_are_read(run) -> None:
    line = json.dumps(record(["Which?", *OPTIONS, "B"], "B"))
    assert run("multi_agent_attack", f"{line}\n{line}\n", "x.json").report.debates == 2
