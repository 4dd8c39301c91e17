"""Du et al.'s object of question -> [chat histories, gold answer]."""

from typing import Any

import pytest

from sentinel.records import AnswerType, Status

TAIL = " Explain your choice, and end with its letter like this: (X)."
HEAD = "Would you reply as well as possible? "


def chat(*texts: str | None, system: bool = False) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Play a part."}] if system else []
    for text in texts:
        messages += [{"role": "user", "content": "Go on."}, {"role": "assistant", "content": text}]
    return messages


def test_a_gsm8k_record_becomes_a_debate(run) -> None:
    chats = [chat(r"So \boxed{7}", r"Still \boxed{1,000}"), chat(r"It is \boxed{1000}", r"It is \boxed{1000}")]
    done = run("du", {"How many?": [chats, "3 + 4 = <<3+4=7>>7\n#### 1,000"]}, "gsm_3.2.json", model="gpt-x")
    (debate,) = done.debates
    assert (done.report.debates, done.report.skipped, done.report.notes) == (1, (), ())
    assert (debate.question, debate.gold, debate.choices) == ("How many?", "1000", None)
    assert (debate.answer_type, debate.source, debate.dataset) == (AnswerType.NUMBER, "du", "gsm8k")
    assert [agent.name for agent in debate.agents] == ["agent_0", "agent_1"]
    assert {agent.model for agent in debate.agents} == {"gpt-x"}
    assert [[turn.answer for turn in turns] for turns in debate.rounds] == [["7", "1000"], ["1000", "1000"]]
    assert debate.rounds[0][0].reasoning == r"So \boxed{7}"
    assert debate.id.startswith("gsm_3.2-0-")
    assert debate.meta["import"]["file"] == "gsm_3.2.json"


def test_an_mmlu_prompt_is_split_and_kept(run) -> None:
    prompt = f"{HEAD}Which, of A) and B), holds?: A) 1, 2, and 3, B) x (B) y, C) Ünïcode ☕, D) $4 {TAIL}"
    done = run("du", {prompt: [[chat("The answer is (B)."), chat("(C)")], "B"]})
    (debate,) = done.debates
    assert debate.question == "Which, of A) and B), holds?"
    assert debate.choices == ("1, 2, and 3", "x (B) y", "Ünïcode ☕", "$4")
    assert (debate.gold, debate.dataset, debate.answer_type) == ("B", "mmlu", AnswerType.CHOICE)
    assert debate.meta["prompt"] == prompt
    assert [turn.answer for turn in debate.rounds[0]] == ["B", "C"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Q: A) one, B) two, B) again, C) three, D) four", "in several ways"),
        ("Is it: A) this: A) one, B) two, C) three, D) four", "in several ways"),
        ("Q: A) one, B) two, C) three", "in no way"),
        ("Q: A) one, B) two, D) four, C) three", "in no way"),
    ],
)
def test_an_ambiguous_prompt_is_refused(run, body: str, reason: str) -> None:
    done = run("du", {HEAD + body + TAIL: [[chat("(A)"), chat("(A)")], "A"]})
    assert done.report.debates == 0
    assert len(done.reasons) == 1
    assert reason in done.reasons[0]
    assert "importer=mapping" in done.reasons[0]


def test_a_prompt_of_another_form_is_refused(run) -> None:
    done = run("du", {"Choose: A) one, B) two, C) three, D) four": [[chat("(A)"), chat("(A)")], "A"]})
    assert "the beginning of the prompt is not that of this layout" in done.reasons[0]
    done = run("du", {f"{HEAD}Q: A) one, B) two, C) three, D) four. Go!": [[chat("(A)"), chat("(A)")], "A"]})
    assert "the end of the prompt is not that of this layout" in done.reasons[0]


def test_a_missing_gold_answer_is_null_and_said(run) -> None:
    numeric = [{"role": "user", "content": "Give a numerical value."}, {"role": "assistant", "content": r"\boxed{3}"}]
    prompt = f"{HEAD}Q?: A) one, B) two, C) three, D) four{TAIL}"
    done = run("du", {"Q1": [[numeric, numeric]], "Q2": [[numeric, numeric], None], prompt: [[chat("(D)")] * 2]})
    assert [debate.gold for debate in done.debates] == [None] * 3
    assert [debate.answer_type for debate in done.debates] == ["number", "number", "choice"]
    assert done.debates[2].rounds[0][1].answer == "D"
    assert any(note.startswith("3 debates: no gold answer") for note in done.report.notes)


def test_turns_are_counted_by_role_not_position(run) -> None:
    chats = [chat(r"\boxed{1}", r"\boxed{2}", system=True), chat(r"\boxed{3}", r"\boxed{4}")]
    (debate,) = run("du", {"Q": [chats, "#### 1"]}).debates
    assert [[turn.answer for turn in turns] for turns in debate.rounds] == [["1", "3"], ["2", "4"]]


def test_empty_and_null_texts_are_failed_turns(run) -> None:
    (debate,) = run("du", {"Q": [[chat("", r"\boxed{2}"), chat(None, "I do not know.")], "#### 2"]}).debates
    states = [[turn.status for turn in turns] for turns in debate.rounds]
    assert states == [[Status.FAILED, Status.FAILED], [Status.OK, Status.UNPARSED]]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([[], "#### 1"], "at least two agents, found 0 of them"),
        ([[[], []], "#### 1"], "no agent has an assistant message"),
        ([[chat("1"), chat("1", "2")], "#### 1"], "unequal numbers of assistant messages, 1, 2"),
        ([[chat("1"), "agent"], "#### 1"], "agent 1: expected a list of messages"),
        ([[chat("1"), [{"role": "assistant"}]], "#### 1"], "agent 1, message 0: expected role and content"),
        ([[chat("1"), [{"role": "tool", "content": ""}]], "#### 1"], "role='tool'"),
        ([[chat("1"), [{"role": "assistant", "content": ["x"]}]], "#### 1"], "content=['x']: expected a text"),
        ([[chat("1"), chat("1")], "about five"], "'about five' is no letter, no number and no solution"),
        ([[chat("1"), chat("1")], True], "the gold answer True"),
        ([[chat("1"), chat("1")], "So it is.\n####"], "nothing follows ####"),
        ({"chats": []}, "expected [message lists, gold answer]"),
    ],
)
def test_a_record_that_is_not_understood_is_skipped_with_its_index(run, value: Any, reason: str) -> None:
    good = [[chat("1"), chat("1")], "#### 1"]
    done = run("du", {"Good": good, "Bad": value, "Fine": good})
    assert [debate.question for debate in done.debates] == ["Good", "Fine"]
    assert len(done.reasons) == 1
    assert done.reasons[0].startswith("record 1: ")
    assert reason in done.reasons[0]


@pytest.mark.parametrize("content", [1.5, None, ["numerical"], {}])
def test_a_question_to_the_agents_that_is_no_text_tells_no_type(run, content: Any) -> None:
    asked = [{"role": "user", "content": content}, {"role": "assistant", "content": "1"}]
    done = run("du", {"Q": [[asked, asked]]})
    assert done.report.debates == 0
    assert "of the prompt is not that of this layout" in done.reasons[0]


def test_the_same_question_twice_in_one_file_gives_two_debates(run) -> None:
    one = '"Q": [[[{"role": "assistant", "content": "1"}], [{"role": "assistant", "content": "1"}]], "#### 1"]'
    two = one.replace('"1"}', '"2"}')
    done = run("du", f"{{{one}, {two}}}")
    assert [debate.rounds[0][0].answer for debate in done.debates] == ["1", "2"]
    assert len({debate.id for debate in done.debates}) == 2
    assert len({debate.question_key for debate in done.debates}) == 1


def test_a_key_twice_inside_a_record_is_refused(run) -> None:
    turn = '{"role": "user", "role": "assistant", "content": "1"}'
    done = run("du", f'{{"Q": [[[{turn}], [{turn}]], "#### 1"]}}')
    assert done.reasons == ["record 0: the key 'role' occurs twice in one object, so one of its values would be lost"]
