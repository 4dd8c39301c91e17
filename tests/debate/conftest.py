"""Questions, panels and replies that the debate tests share."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sentinel.records import AnswerType, Question
from sentinel.settings import AgentSettings, LlmSettings, RoleSettings


@pytest.fixture
def ask() -> Callable[..., Question]:
    """Return a maker of questions: a choice among three options, unless something else is said."""

    def make(name: str = "q1", **changes: Any) -> Question:
        fields: dict[str, Any] = {
            "id": name,
            "dataset": "tests",
            "source": None,
            "question_key": f"key of {name}",
            "question": f"What is {name}?",
            "choices": ("one", "two", "three"),
            "answer_type": AnswerType.CHOICE,
            "gold": "B",
        }
        return Question(**{**fields, **changes})

    return make


@pytest.fixture
def trio() -> dict[str, AgentSettings]:
    return {
        name: AgentSettings(model=f"mock/{name}", role=RoleSettings(name=f"role of {name}", prompt=f"You are {name}."))
        for name in ("ann", "bob", "cleo")
    }


@pytest.fixture
def uncached() -> LlmSettings:
    return LlmSettings(cache=None, retries=0, backoff=0.0)


@pytest.fixture
def say() -> Callable[..., str]:
    """Return a writer of well-formed replies."""

    def write(answer: str, reasoning: str = "because", changed: bool | None = None, why: str = "so") -> str:
        text = f"<reasoning>{reasoning}</reasoning>\n<answer>{answer}</answer>"
        if changed is None:
            return text
        flag = "YES" if changed else "NO"
        return f"{text}\n<stance_change>{flag}</stance_change>\n<change_reason>{why}</change_reason>"

    return write


@pytest.fixture(scope="session")
def stub() -> ModuleType:
    """Return the module of the stub server."""
    path = Path(__file__).resolve().parents[1] / "stub" / "server.py"
    spec = importlib.util.spec_from_file_location("stub_server", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
