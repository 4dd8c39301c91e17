"""A small simulated corpus, a sentinel trained on it, and debates written by hand."""

from collections.abc import Callable

import pytest

from sentinel.decision import Sentinel
from sentinel.records import Agent, AnswerType, Corpus, Debate, Status, Turn
from sentinel.settings import CorpusSettings, ThresholdScope
from sentinel.simulation import simulate_corpus
from sentinel.threshold import Thresholds


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


def cut_at(sentinel: Sentinel, tau: float | None, **changes: object) -> Sentinel:
    """A copy of a trained sentinel that flips above `tau` everywhere."""
    copy = Sentinel(**{name: getattr(sentinel, name) for name in ("classifier", "feature_groups")}, **changes)
    copy.features_, copy.classifier_, copy.training_ = sentinel.features_, sentinel.classifier_, sentinel.training_
    copy.thresholds_ = Thresholds({}, tau, ThresholdScope.all)
    return copy


@pytest.fixture(scope="session")
def with_cut() -> Callable[..., Sentinel]:
    """The maker of copies with another cut."""
    return cut_at
