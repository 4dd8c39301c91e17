"""What is read from replies of every quality."""

from collections.abc import Callable

import pytest

from sentinel.debate._reply import read_reply
from sentinel.records import Question, Status

FULL = (
    "<reasoning>\nStep one.\n</reasoning>\n<answer>B</answer>\n"
    "<stance_change>YES</stance_change>\n<change_reason>Bob is right.</change_reason>"
)


def test_a_reply_in_the_form_asked_for(ask: Callable[..., Question]) -> None:
    reply = read_reply(FULL, ask())
    assert (reply.answer, reply.status) == ("B", Status.OK)
    assert (reply.reasoning, reply.stance_change, reply.change_reason) == ("Step one.", True, "Bob is right.")


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("I think so.\n<answer>C</answer>", "C", "I think so.\n<answer>C</answer>"),
        ("<reasoning>cut off in the mid", None, "cut off in the mid"),
        ("<reasoning>never closed\n<answer>A</answer>", "A", "never closed"),
        ("<REASONING>shout</REASONING><Answer>(a)</Answer>", "A", "shout"),
        (
            "<think>maybe A\n<reasoning>draft</reasoning></think><reasoning>final</reasoning><answer>B</answer>",
            "B",
            "final",
        ),
        ("<reasoning>first</reasoning> no, <reasoning>second</reasoning><answer>A</answer>", "A", "second"),
        ("<reasoning></reasoning><answer>A</answer>", "A", "<reasoning></reasoning><answer>A</answer>"),
        ("", None, ""),
        (None, None, ""),
    ],
)
def test_what_counts_as_answer_and_reasoning(
    ask: Callable[..., Question], text: str | None, answer: str | None, reasoning: str
) -> None:
    reply = read_reply(text, ask())
    assert (reply.answer, reply.reasoning) == (answer, reasoning)


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("<stance_change>YES</stance_change>", True),
        ("<stance_change> no </stance_change>", False),
        ("<stance_change>**Yes**, I did</stance_change>", True),
        ("<stance_change>False</stance_change>", False),
        ("<stance change>NO</stance change>", False),
        ("<stance_change>YES", True),
        ("<stance_change>nobody knows</stance_change>", None),
        ("<stance_change></stance_change>", None),
        ("yes", None),
    ],
)
def test_what_counts_as_a_declared_change(ask: Callable[..., Question], said: str, changed: bool | None) -> None:
    assert read_reply(f"<answer>A</answer>{said}", ask()).stance_change is changed


def test_an_empty_text_has_failed_and_one_without_an_answer_is_unparsed(ask: Callable[..., Question]) -> None:
    assert read_reply("  ", ask()).status is Status.FAILED
    assert read_reply("Hard to tell.", ask()).status is Status.UNPARSED
