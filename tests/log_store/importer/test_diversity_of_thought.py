"""The list of questions with texts by model slot that the diversity-of-thought scripts write."""

from typing import Any

import pytest

PROMPT = (
    "Would you reply as well as possible? What is 2 + 2?: A) 3, B) 4, C) 5, D) 22 "
    "Explain your choice, and end with its letter like this: (X)."
)


def record(slots: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"question_id": 0, "question": PROMPT, "agent_response": slots, "answer": "B"} | fields


FIVE = {
    "gemini-pro-1": ["(A)", "(B)", "(B)", "(A)", "(B)"],
    "palm2-2": ["(C)", r"\boxed{B}", "", "B", "B"],
    "gpt3.5-3": ["(B)", "(B)", "(B)", "(B)", "(B)"],
}


def test_each_text_of_a_slot_is_a_round(run) -> None:
    done = run("diversity_of_thought", [record(FIVE, summarization=["shown in round 1", "shown in round 2"])])
    (debate,) = done.debates
    assert done.report.skipped == done.report.notes == ()
    assert (debate.question, debate.choices, debate.gold) == ("What is 2 + 2?", ("3", "4", "5", "22"), "B")
    assert [(agent.name, agent.model) for agent in debate.agents] == [
        ("gemini-pro-1", "gemini-pro"),
        ("palm2-2", "palm2"),
        ("gpt3.5-3", "gpt3.5"),
    ]
    assert [[turn.answer for turn in turns] for turns in debate.rounds] == [
        ["A", "C", "B"],
        ["B", "B", "B"],
        ["B", None, "B"],
        ["A", "B", "B"],
        ["B", "B", "B"],
    ]
    assert debate.rounds[2][1].status == "failed"
    assert (debate.source, debate.dataset) == ("diversity_of_thought", "mmlu")


def test_a_gsm8k_record_keeps_its_question(run) -> None:
    slots = {"llama": [r"\boxed{16}", "16"], "orca": ["15", r"\boxed{16}"]}
    (debate,) = run("diversity_of_thought", [record(slots, question="How far?", answer="8 * 2\n#### 16")]).debates
    assert (debate.question, debate.choices, debate.gold, debate.dataset) == ("How far?", None, "16", "gsm8k")
    assert [agent.model for agent in debate.agents] == ["llama", "orca"]
    assert [turn.answer for turn in debate.rounds[0]] == ["16", "15"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (record({"a-1": ["(A)", "(B)"], "b-2": ["(A)"]}), "there are a-1 2, b-2 1"),
        (record({"a-1": [], "b-2": []}), "there are a-1 0, b-2 0"),
        (record({"a-1": ["(A)"]}), "at least two slots, found a-1"),
        (record({}), "found none"),
        (record({"a-1": ["(A)"], "b-2": "(A)"}), "agent_response, b-2: expected a list of texts"),
        (record({"a-1": ["(A)"], "b-2": [3]}), "agent_response, b-2: expected a list of texts"),
        (record({"a-1": ["(A)"] * 2, "b-2": ["(A)"] * 2}, summarization=["x", "y"]), "2 summaries were shown"),
        (record(FIVE, question="What is 2 + 2?"), "the beginning of the prompt"),
        (record(FIVE, answer="E"), "gold='E'"),
        ({"agent_response": FIVE}, "question is missing"),
    ],
)
def test_a_record_that_is_not_understood_is_skipped(run, bad: dict[str, Any], reason: str) -> None:
    done = run("diversity_of_thought", [bad, record(FIVE)])
    assert done.report.debates == 1
    assert len(done.reasons) == 1
    assert done.reasons[0].startswith("record 0: ")
    assert reason in done.reasons[0]


def test_prompts_stored_in_place_of_answers_are_recognised(run) -> None:
    summary = 'Others say it\'s "B".\nThink again.'
    slots = {slot: ["(A)", f"USER: {[summary]} ASSISTANT:", "(B)"] for slot in ("a", "b", "c")}
    done = run("diversity_of_thought", [record(slots, summarization=[summary, "more"])])
    assert done.reasons == ["record 0: text 1 of every slot holds the prompt that was shown, not the answer to it"]
    # One model that repeats its prompt is a poor answer, but an answer.
    slots["b"] = ["(A)", "(B)", "(B)"]
    done = run("diversity_of_thought", [record(slots, summarization=[summary, "more"])])
    assert done.report.debates == 1
