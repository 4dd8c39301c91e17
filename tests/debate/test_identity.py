"""The same content has the same key and seeds, other content has others."""

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sentinel.debate._identity import debate_id
from sentinel.debate._rules import make_rules, temperature_of
from sentinel.errors import DebateError
from sentinel.records import Question
from sentinel.settings import AgentSettings, DebateSettings, RoleSettings, SpeakingOrder, Visibility

Panel = dict[str, AgentSettings]


def key(question: Question, panel: Panel, seed: int = 0, **debate: Any) -> str:
    return debate_id(question, make_rules(panel, DebateSettings(**debate), seed).hash)


def test_the_key_is_readable_and_repeats(ask: Callable[..., Question], trio: Panel) -> None:
    assert key(ask(), trio) == key(ask(), trio)
    assert key(ask("q7"), trio).startswith("q7-")


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "q2"},
        {"dataset": "other"},
        {"question": "What else?"},
        {"choices": ("two", "one", "three")},
        {"context": "A passage."},
    ],
)
def test_another_question_has_another_key(ask: Callable[..., Question], trio: Panel, changes: dict[str, Any]) -> None:
    assert key(dataclasses.replace(ask(), **changes), trio) != key(ask(), trio)


def test_the_gold_answer_leaves_no_trace_in_the_key(ask: Callable[..., Question], trio: Panel) -> None:
    assert key(ask(gold="A"), trio) == key(ask(gold="C"), trio)


@pytest.mark.parametrize(
    "debate",
    [
        {"rounds": 3},
        {"visibility": Visibility.none},
        {"anonymous": True},
        {"order": SpeakingOrder.rotated},
        {"history": 2},
        {"temperature": 0.1},
        {"answer_tokens": 10},
        {"reasks": 0},
    ],
)
def test_a_setting_that_changes_what_is_said_changes_the_key(
    ask: Callable[..., Question], trio: Panel, debate: dict[str, Any]
) -> None:
    assert key(ask(), trio, **debate) != key(ask(), trio)


def test_a_setting_that_does_not_leaves_the_key(ask: Callable[..., Question], trio: Panel) -> None:
    assert key(ask(), trio, in_flight=1, samples=5, redact=True) == key(ask(), trio)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "mock/other"},
        {"role": RoleSettings("role of ann", "You are somebody else.")},
        {"temperature": 1.5},
        {"base_url": "http://localhost:1/v1"},
        {"params": {"top_p": 0.5}},
        {"examples": True},
        {"grammar": True},
    ],
)
def test_another_agent_changes_the_key(ask: Callable[..., Question], trio: Panel, changes: dict[str, Any]) -> None:
    other = {**trio, "ann": dataclasses.replace(trio["ann"], **changes)}
    assert key(ask(), other) != key(ask(), trio)


def test_the_order_of_the_panel_and_the_seed_change_the_key(ask: Callable[..., Question], trio: Panel) -> None:
    assert key(ask(), dict(reversed(trio.items()))) != key(ask(), trio)
    assert key(ask(), trio, seed=1) != key(ask(), trio)


def test_other_prompts_change_the_key(ask: Callable[..., Question], trio: Panel, tmp_path: Path) -> None:
    (tmp_path / "reask.txt").write_text("Once more: <answer>$answer_form</answer>", encoding="utf-8")
    assert key(ask(), trio, prompts=str(tmp_path)) != key(ask(), trio)


@pytest.mark.parametrize(
    ("own", "roles", "expected"), [(0.0, 0.3, 0.0), (None, 0.3, 0.3), (None, 0.0, 0.0), (None, None, 0.7)]
)
def test_a_temperature_is_the_agents_else_the_roles_else_the_debates(
    own: float | None, roles: float | None, expected: float
) -> None:
    agent = AgentSettings("mock/ann", role=RoleSettings(temperature=roles), temperature=own)
    assert temperature_of(agent, DebateSettings(temperature=0.7)) == expected


def test_a_panel_needs_two_agents() -> None:
    with pytest.raises(DebateError, match="at least 2, got ann"):
        make_rules({"ann": AgentSettings("mock/ann")}, DebateSettings(), 0)


@pytest.mark.parametrize("other", ["A", "a ", " A"])
def test_names_that_look_alike_are_refused(other: str) -> None:
    panel = {name: AgentSettings("mock/ann") for name in ("a", "b", other)}
    with pytest.raises(DebateError, match=f"'a' and '{other}'"):
        make_rules(panel, DebateSettings(), 0)
