"""How claims to be checked against evidence, and answers to be checked for inventions, are put as choice questions."""

from collections.abc import Mapping

from sentinel.dataset._row import Row
from sentinel.foreign import show

FAITHFULNESS = ("contains a hallucination", "free of hallucination")


def ask_about_claim(claim: str) -> str:
    return f"What does the evidence say about this claim?\nClaim: {claim}"


def ask_about_answer(question: str, answer: str) -> str:
    return (
        "Does this answer contain a hallucination: something that the given text contradicts or does not say?\n"
        f"Question: {question}\nAnswer: {answer}"
    )


def read_label(row: Row, key: str, labels: Mapping[str, int]) -> int:
    """Return the choice that a label stands for, by its name in lower case."""
    value = row.need(key)
    name = value.strip().lower() if isinstance(value, str) else ""
    if name not in labels:
        raise row.error(f"{key}={show(value)}: expected one of {', '.join(labels)}")
    return labels[name]
