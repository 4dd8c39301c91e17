"""MALLM's discussions in the early and the current layout."""

from typing import Any

import pytest


def early(**fields: Any) -> dict[str, Any]:
    said = {"1": (1, 1, "It is Oslo."), "2": (1, 2, "I disagree."), "10": (2, 2, "Final answer: Oslo")}
    said["9"] = (2, 1, "The answer is Bergen.")
    memory = {
        number: {
            "turn": turn,
            "agent_id": agent,
            "persona": ["Mapper", "Sailor"][agent - 1],
            "prompt_args": {"agent_memory": "None"},
            "contribution": "improve",
            "text": text,
            "agreement": False,
            "extracted_draft": "None",
        }
        for number, (turn, agent, text) in said.items()
    }
    return {
        "instruction": "Answer.",
        "personas": {"Mapper": "Draws maps.", "Sailor": "Sails."},
        "paradigm": "memory",
        "input": "Which city?",
        "context": None,
        "answer": "Oslo",
        "references": "Oslo",
        "agreements": [True, True],
        "turns": 2,
        "global_memory": memory,
    } | fields


def message(number: int, turn: int, agent: str, solution: str | None, **fields: Any) -> dict[str, Any]:
    return {
        "message_id": number,
        "turn": turn,
        "agent_id": agent,
        "persona": "Expert",
        "contribution": "improve",
        "message": f"[DISAGREE] I would say (A), but {solution}",
        "agreement": False,
        "solution": solution,
        "memory_ids": [],
        "additional_args": {"agent_memory": None},
    } | fields


def current(messages: list[dict[str, Any]] | None = None, **fields: Any) -> dict[str, Any]:
    return {
        "dataset": "data/datasets/mmlu.json",
        "exampleId": "e-1",
        "instruction": "Answer.",
        "personas": [
            {"agentId": "u1", "model": "llama", "persona": "Expert", "personaDescription": "One."},
            {"agentId": "u2", "model": "qwen", "persona": "Expert", "personaDescription": "Two."},
        ],
        "persona_diversity": 0.5,
        "paradigm": "debate",
        "input": ["Which one?\n\n A) red, or B) so\n B) blue\n C) green"],
        "context": None,
        "finalAnswer": "B",
        "votesEachTurn": {"2": {"answers": ["B", "C"], "type": "simple_voting", "alterations": {}}},
        "references": ["B"],
        "decisionSuccess": True,
        "agreements": [],
        "turns": 2,
        "globalMemory": messages
        or [
            message(0, 1, "u1", "B) blue"),
            message(1, 1, "u2", "(C)"),
            message(2, 2, "u1", "B"),
            message(3, 2, "u2", "Both B and C", agreement=True),
        ],
    } | fields


def test_the_early_layout(run) -> None:
    done = run("mallm", [early()], dataset="cities")
    (debate,) = done.debates
    assert done.report.skipped == ()
    assert [(agent.name, agent.role) for agent in debate.agents] == [("Mapper", "Mapper"), ("Sailor", "Sailor")]
    assert [[turn.agent for turn in turns] for turns in debate.rounds] == [["Mapper", "Sailor"], ["Mapper", "Sailor"]]
    assert debate.rounds[1][1].reasoning == "Final answer: Oslo"
    assert (debate.rounds[1][1].answer, debate.gold) == ("oslo", "oslo")
    assert (debate.question, debate.choices, debate.domain) == ("Which city?", None, "mallm/cities")
    assert debate.meta["final_answer"] == "Oslo"
    assert debate.meta["agreement_by_turn"]["2"] == {"Mapper": False, "Sailor": False}


def test_the_current_layout(run) -> None:
    done = run("mallm", [current()])
    (debate,) = done.debates
    assert done.report.skipped == done.report.notes == ()
    assert [(agent.name, agent.model) for agent in debate.agents] == [("Expert 1", "llama"), ("Expert 2", "qwen")]
    assert (debate.question, debate.choices, debate.gold) == ("Which one?", ("red, or B) so", "blue", "green"), "B")
    # The recorded solution wins over the text, which says (A).
    assert [[turn.answer for turn in turns] for turns in debate.rounds] == [["B", "C"], ["B", None]]
    assert debate.rounds[1][1].status == "unparsed"
    assert debate.dataset == "mmlu"
    assert debate.meta["exampleId"] == "e-1"
    assert debate.meta["votesEachTurn"]["2"]["type"] == "simple_voting"
    assert debate.meta["agreement_by_turn"]["2"] == {"Expert 1": False, "Expert 2": True}


def test_a_turn_without_solution_is_read_from_its_text(run) -> None:
    messages = [message(0, 1, "u1", None, message="The answer is (C)."), message(1, 1, "u2", " ", message="(A)")]
    (debate,) = run("mallm", [current(messages)]).debates
    assert [turn.answer for turn in debate.rounds[0]] == ["C", "A"]


def test_gsm8k_references_and_context(run) -> None:
    record = current(input=["How many?"], context=["Given 3.", "And 4."], references=["3 + 4\n#### 7"])
    (debate,) = run("mallm", [record]).debates
    assert (debate.question, debate.gold, debate.answer_type) == ("Given 3.\nAnd 4.\n\nHow many?", "7", "number")


def test_an_early_decision_leaves_failed_turns_and_is_said(run) -> None:
    done = run("mallm", [current(current()["globalMemory"][:3])])
    (debate,) = done.debates
    assert [(turn.agent, turn.status) for turn in debate.rounds[1]] == [("Expert 1", "ok"), ("Expert 2", "failed")]
    assert ["the decision fell before" in note for note in done.report.notes] == [True]


def test_a_first_turn_that_saw_others_is_said(run) -> None:
    messages = current()["globalMemory"]
    messages[1]["additional_args"] = {"agent_memory": [{"role": "user", "content": "Expert: B"}]}
    assert any("round 0 is not independent" in note for note in run("mallm", [current(messages)]).report.notes)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (current(current()["globalMemory"][1:]), "turn 1: 1 of 2 agents speak, and it is not the last turn"),
        (current([message(0, 1, "u1", "B"), message(1, 1, "u1", "C"), message(2, 1, "u2", "C")]), "speaks twice"),
        (current([message(0, 1, "u1", "B"), message(1, 3, "u2", "C")]), "consecutive turns, found turns 1, 3"),
        (current([message(0, 1, "u1", "B"), message(0, 1, "u2", "C")]), "two messages have the same id"),
        (current([message(0, 1, "u1", "B"), message(1, 1, "u9", "C", persona="Judge")]), "Judge: takes part"),
        (early(personas={"Mapper": "Draws maps."}), "Sailor: takes part but is no panelist"),
        (current([message(0, "one", "u1", "B")]), "message 0: expected a turn number"),
        (current(references=["B", "C"]), "2 answers count as right"),
        (current(references=[], input=["Why?"]), "nothing says what kind of answer"),
        (current(input=["Which?\nA) red\nC) green"]), "options in the order of their letters: A, C"),
        (current(input=["Which?\nA) red\nB) green\nThink."]), "options in the order of their letters: A, B"),
        (current(input=[]), "input=[]: expected a text or a list of texts"),
        (current(personas=None), "personas=None"),
        (early(global_memory={}), "at least two agents, found 0"),
        (early(global_memory={"x": {}}), "message 'x': expected an object with a numbered id"),
        (early(global_memory=[]), "global_memory=[]"),
    ],
)
def test_a_discussion_that_is_not_understood_is_skipped(run, bad: dict[str, Any], reason: str) -> None:
    done = run("mallm", [bad, current()])
    assert done.report.debates == 1
    assert len(done.reasons) == 1
    assert reason in done.reasons[0]


def test_ten_turns_and_more_keep_their_order(run) -> None:
    messages = [
        message(10 * turn + k, turn, agent, "ABC"[turn % 3])
        for turn in range(1, 13)
        for k, agent in enumerate(("u1", "u2"))
    ]
    (debate,) = run("mallm", [current(messages[::-1])]).debates
    assert [turns[0].answer for turns in debate.rounds] == ["ABC"[turn % 3] for turn in range(1, 13)]
