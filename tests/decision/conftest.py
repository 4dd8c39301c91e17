"""A small simulated corpus, a sentinel trained on it, and debates written by hand."""

from collections.abc import Callable

import pytest

from sentinel.decision import Sentinel
from sentinel.records import Agent, AnswerType, Corpus, Debate, Status, Turn
from sentinel.settings import CorpusSettings
from sentinel.simulation import simulate_corpus


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    """About 440 simulated debates, a quarter of the full corpus."""
    return simulate_corpus(CorpusSettings(scale=0.25))


@pytest.fixture(scope="session")
def trained(corpus: Corpus) -> Sentinel:
    """A sentinel with the default settings; tests must not change it."""
    return Sentinel().fit(corpus)


def build_debate(*rounds: str, gold: str | None = "A", name: str = "d", **changes: object) -> Debate:
    """A debate of letters, one string a round: 'AAB' are the answers of three agents, '?' is unparsed."""
    agents = tuple(Agent(f"agent {k}") for k in range(len(rounds[0])))
    turns = tuple(
        tuple(
            Turn(
                agent.name, None if letter == "?" else letter, Status.UNPARSED if letter == "?" else Status.OK, "Text."
            )
            for agent, letter in zip(agents, row, strict=True)
        )
        for row in rounds
    )
    fields = {
        "id": name, "dataset": "gsm8k", "source": "simulated", "question_key": name, "question": "Which?",
        "choices": ("one", "two", "three"), "answer_type": AnswerType.CHOICE, "gold": gold, "agents": agents,
        "rounds": turns,
    }  # fmt: skip
    return Debate(**(fields | changes))


@pytest.fixture(scope="session")
def debate_of() -> Callable[..., Debate]:
    """The builder of hand-written debates."""
    return build_debate
