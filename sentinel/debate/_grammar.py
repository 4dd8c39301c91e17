"""The grammar (GBNF) that holds a local model's reply to its tags and its answer to the type asked for."""

from sentinel.records import AnswerType, Question

# Without a bound a small model may go on until its tokens end, before it has answered.
_LINE = "[^<>\\n]+"


def reply_grammar(question: Question, *, debating: bool) -> str:
    """Return the grammar of a reply: its reasoning, its answer and, when debating, whether and why it changed."""
    root = '"<reasoning>\\n" line "\\n</reasoning>\\n<answer>" answer "</answer>"'
    if debating:
        root += ' "\\n<stance_change>" ("YES" | "NO") "</stance_change>\\n<change_reason>" line "</change_reason>"'
    return f"root ::= {root}\nline ::= {_LINE}\nanswer ::= {_answer(question)}\n"


def answer_grammar(question: Question) -> str:
    """Return the grammar of a reply to the request to repeat the answer alone."""
    return f'root ::= "<answer>" answer "</answer>"\nanswer ::= {_answer(question)}\n'


def _answer(question: Question) -> str:
    match question.answer_type:
        case AnswerType.CHOICE:
            last = chr(ord("A") + len(question.choices) - 1) if question.choices else "Z"
            return f"[A-{last}]"
        case AnswerType.NUMBER:
            return '"-"? [0-9]{1,12} ("." [0-9]{1,6})?'
        case AnswerType.BOOLEAN:
            return '"true" | "false"'
        case AnswerType.TEXT:
            return "[^<>\\n]{1,80}"
