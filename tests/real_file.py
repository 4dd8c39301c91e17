"""What the tests on the owners' own files share."""

import json
from pathlib import Path
from typing import Any

from sentinel.records import Question


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def by_id(questions: tuple[Question, ...]) -> dict[str, Question]:
    return {question.id: question for question in questions}


def gold_text(question: Question) -> str:
    assert question.choices is not None and question.gold is not None
    return question.choices[ord(question.gold) - ord("A")]
