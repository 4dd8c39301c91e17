"""The built-in templates, and a user's own in their place."""

from pathlib import Path

import pytest

from sentinel.debate._prompts import load_prompts
from sentinel.errors import DebateError


def test_values_are_set_in_as_they_are() -> None:
    asked = load_prompts().fill("independent", question="Is $5 {more} than ${x} or %s?", answer_form="A")
    assert "Is $5 {more} than ${x} or %s?" in asked
    assert "<answer>A</answer>" in asked


def test_every_answer_type_has_two_worked_examples() -> None:
    examples = load_prompts().examples
    assert {kind: len(worked) for kind, worked in examples.items()} == dict.fromkeys(
        ("choice", "number", "boolean", "text"), 2
    )
    assert all({worked.changes for worked in pair} == {True, False} for pair in examples.values())


def test_a_users_template_replaces_the_built_in_one_alone(tmp_path: Path) -> None:
    (tmp_path / "independent.txt").write_text("$question costs $$5", encoding="utf-8")
    (tmp_path / "README.md").write_text("not a template", encoding="utf-8")
    prompts, built_in = load_prompts(str(tmp_path)), load_prompts()
    assert prompts.fill("independent", question="It", answer_form="") == "It costs $5"
    assert prompts.templates["debate.txt"].template == built_in.templates["debate.txt"].template
    assert prompts.hash != built_in.hash
    assert load_prompts().hash == built_in.hash


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("independant.txt", "$question", "did you mean independent.txt"),
        ("independent.txt", "$questoin", r"independent.txt: \$questoin: no such placeholder; have: \$question"),
        ("independent.txt", "Answer me.", r"independent.txt: lacks \$question"),
        ("independent.txt", "$question for $ 5", "lone \\$"),
        ("debate.txt", "$question $own", r"debate.txt: lacks \$others"),
        ("words.yaml", "you: Me", "exactly the keys answer_choice"),
        ("words.yaml", "you: [", "no YAML"),
        ("examples.yaml", "number: [{question: 1 + 1}]", "an example has question"),
        ("examples.yaml", "- none", "expected lists of examples"),
    ],
)
def test_a_template_that_cannot_be_used_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DebateError, match=message):
        load_prompts(str(tmp_path))


def test_a_folder_without_templates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DebateError, match="holds no template"):
        load_prompts(str(tmp_path))
    with pytest.raises(DebateError, match="no such folder"):
        load_prompts(str(tmp_path / "absent"))
