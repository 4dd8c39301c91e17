"""The grammars, checked by matching the texts that they must and must not let through."""

import re
from collections.abc import Callable

import pytest

from sentinel.debate._grammar import answer_grammar, reply_grammar
from sentinel.debate._reply import read_reply
from sentinel.records import AnswerType, Question, Status


def to_regex(grammar: str) -> re.Pattern[str]:
    """Return the grammar (no recursion) as a regular expression."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.strip().splitlines())

    def expand(body: str) -> str:
        tokens = re.findall(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+,\d+\}|\w+|[()|?*+]', body)
        assert re.sub(r"\s", "", "".join(tokens)) == re.sub(r"\s", "", body)
        return "".join(
            f"(?:{re.escape(token[1:-1].encode().decode('unicode_escape'))})"
            if token.startswith('"')
            else f"(?:{expand(rules[token])})"
            if token in rules
            else token
            for token in tokens
        )

    return re.compile(expand(rules["root"]))


@pytest.mark.parametrize(
    ("answer_type", "choices", "right", "wrong"),
    [
        (AnswerType.CHOICE, ("x", "y", "z"), ("A", "C"), ("D", "AB", "a", "")),
        (AnswerType.NUMBER, None, ("7", "-12", "3.25"), ("seven", "1,000", "$5", ".5", "")),
        (AnswerType.BOOLEAN, None, ("true", "false"), ("yes", "True", "")),
        (AnswerType.TEXT, None, ("Lisbon", "the 3rd one"), ("<b>", "two\nlines", "")),
    ],
)
def test_the_answer_is_held_to_its_type(
    ask: Callable[..., Question],
    answer_type: AnswerType,
    choices: tuple[str, ...] | None,
    right: tuple[str, ...],
    wrong: tuple[str, ...],
) -> None:
    question = ask(answer_type=answer_type, choices=choices)
    pattern = to_regex(answer_grammar(question))
    for answer in right:
        text = f"<answer>{answer}</answer>"
        assert pattern.fullmatch(text)
        assert read_reply(text, question).status is Status.OK
    for answer in wrong:
        assert not pattern.fullmatch(f"<answer>{answer}</answer>")


def test_a_whole_reply_has_its_parts_in_order(ask: Callable[..., Question]) -> None:
    alone = "<reasoning>\n1 + 1 = 2.\n</reasoning>\n<answer>A</answer>"
    declared = "\n<stance_change>NO</stance_change>\n<change_reason>It holds.</change_reason>"
    first = to_regex(reply_grammar(ask(), debating=False))
    later = to_regex(reply_grammar(ask(), debating=True))
    assert first.fullmatch(alone) and not first.fullmatch(alone + declared)
    assert later.fullmatch(alone + declared) and not later.fullmatch(alone)
    assert not later.fullmatch(alone + declared.replace("NO", "PERHAPS"))
