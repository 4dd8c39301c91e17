"""What a debate is known by: it follows from content, never from the clock."""

import hashlib
import json

from sentinel.records import Question


def debate_id(question: Question, rules_hash: str) -> str:
    """Return the question's id and 16 hexadecimal digits over all that agents see of it and over the run's rules.

    The gold answer is left out: nobody sees it.
    """
    seen = [
        question.id,
        question.dataset,
        question.source,
        question.context,
        question.question,
        question.choices,
        question.answer_type.value,
    ]
    return f"{question.id}-{digest(rules_hash, seen)[:16]}"


def digest(*content: object) -> str:
    """Return the SHA-256 of the content's canonical JSON."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
