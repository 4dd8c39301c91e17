"""Settings of the groups left of the debate log: questions, agents, providers, debate, judge."""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from omegaconf import MISSING

from sentinel.settings._replay import check, check_seed, check_temperature

DatasetKind = StrEnum(
    "DatasetKind",
    [
        "arithmetic_demo",
        "arc",
        "commonsense_qa",
        "gsm8k",
        "mmlu",
        "truthfulqa",
        "winogrande",
        "mmlu_pro",
        "squad_v2",
        "strategyqa",
        "musr",
        "gpqa",
        "vitaminc",
        "wice",
        "halueval",
        "scifact",
        "ragtruth",
        "table",
    ],
)
Visibility = StrEnum("Visibility", ["full", "answers_only", "none"])
SpeakingOrder = StrEnum("SpeakingOrder", ["fixed", "rotated", "shuffled"])


@dataclass
class DatasetSettings:
    """Questions: which owner's layout, where the files are, and which of their records to take.

    `subset` is a list of subjects; one by itself makes a list of one.
    """

    kind: DatasetKind = DatasetKind.arithmetic_demo
    name: str = "arithmetic_demo"
    path: str | None = None
    subset: Any = field(default_factory=list)
    limit: int | None = None
    stratify: bool = False
    shuffle_choices: bool = True
    seed: int = 0
    fields: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = self.subset if isinstance(self.subset, list) else [] if self.subset is None else [self.subset]
        plain = all(isinstance(name, str | int) and not isinstance(name, bool) for name in names)
        check(plain, "dataset.subset", self.subset, "a subject, or several: 'dataset.subset=[anatomy, virology]'")
        self.subset = [str(name) for name in names]
        check_seed("dataset.seed", self.seed)
        check(
            self.limit is None or 1 <= self.limit <= 1_000_000,
            "dataset.limit",
            self.limit,
            "at least 1 question, at most 1000000, or null",
        )


@dataclass
class RoleSettings:
    """A persona: what the system prompt says of the agent. A role's temperature gives way to the agent's own."""

    name: str = "participant"
    # None is no prompt at all, which a configuration must not leave it at; "" says nothing of the agent.
    prompt: str | None = None
    temperature: float | None = None

    def __post_init__(self) -> None:
        check_temperature(f"temperature of the role {self.name}", self.temperature)


@dataclass
class AgentSettings:
    """One participant: `model` is provider/name. `base_url` and `api_key_env` serve OpenAI-compatible endpoints.

    `examples` puts worked examples before the question and `grammar` holds the reply to its tags (local models), which
    very small models need.
    """

    # Without a default, so that `+agents.extra.model=...` adds it; nobody debates by a model that was not named.
    model: str = MISSING
    role: RoleSettings = field(default_factory=RoleSettings)
    temperature: float | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    examples: bool = False
    grammar: bool = False

    def __post_init__(self) -> None:
        check_temperature(f"temperature of the agent with model {self.model}", self.temperature)


@dataclass
class LlmSettings:
    """How models are called: bounds, waiting, budget and cache. Times are in seconds, money in US dollars.

    The bounds are on one run's live calls, those of scripted mocks included. `prices` are for a million tokens read and
    a million written, by model (provider/name), and win over the listed ones.
    """

    concurrency: int = 64
    timeout: float = 120.0
    deadline: float | None = None
    retries: int = 6
    backoff: float = 1.0
    backoff_max: float = 60.0
    retry_after_max: float = 300.0
    max_cost_usd: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    prices: dict[str, Any] = field(default_factory=dict)
    cache: str | None = "logs/.cache/calls.sqlite"

    def __post_init__(self) -> None:
        check(
            1 <= self.concurrency <= 10_000,
            "llm.concurrency",
            self.concurrency,
            "at least 1 call in flight, at most 10000",
        )
        check(self.timeout > 0, "llm.timeout", self.timeout, "seconds above 0")
        check(self.retries >= 0, "llm.retries", self.retries, "0 or more")
        for name in ("backoff", "backoff_max", "retry_after_max"):
            check(getattr(self, name) >= 0, f"llm.{name}", getattr(self, name), "0 or more seconds")
        for name in ("deadline", "max_cost_usd", "max_calls", "max_tokens"):
            value = getattr(self, name)
            check(value is None or value > 0, f"llm.{name}", value, "a number above 0, or null for no bound")
        for model, price in self.prices.items():
            plain = isinstance(price, list) and all(type(dollars) in (int, float) for dollars in price)
            fits = plain and len(price) == 2 and all(0 <= dollars < math.inf for dollars in price)
            check(fits, f"llm.prices.{model}", price, "[READ,WRITTEN], US dollars for a million tokens of each")


@dataclass
class DebateSettings:
    """The protocol: `rounds` follow the independent round 0; `history` is how many earlier rounds an agent sees.

    `samples` 0 stands for as many as a debate makes calls; `sampler` names the agent they are drawn from.
    """

    rounds: int = 2
    visibility: Visibility = Visibility.full
    anonymous: bool = False
    order: SpeakingOrder = SpeakingOrder.fixed
    history: int = 1
    temperature: float = 0.7
    answer_tokens: int = 1024
    reasks: int = 1
    in_flight: int | None = None
    samples: int = 0
    sampler: str | None = None
    redact: bool = False
    prompts: str | None = None

    def __post_init__(self) -> None:
        check(0 <= self.rounds <= 100, "debate.rounds", self.rounds, "0 to 100 rounds after round 0")
        check(self.history >= 1, "debate.history", self.history, "at least the round before")
        check(
            self.in_flight is None or 1 <= self.in_flight <= 10_000,
            "debate.in_flight",
            self.in_flight,
            "at least 1 debate, at most 10000, or null",
        )
        check_temperature("debate.temperature", self.temperature)
        check(0 <= self.reasks <= 100, "debate.reasks", self.reasks, "a number from 0 to 100")
        check(0 <= self.samples <= 1000, "debate.samples", self.samples, "0 (as many as a debate's calls) to 1000")
        check(self.answer_tokens >= 1, "debate.answer_tokens", self.answer_tokens, "at least 1 token")


@dataclass
class JudgeSettings:
    """The model that rules on divergent debates (task=judge)."""

    model: str = "openai/gpt-4o"
    temperature: float = 0.0
    base_url: str | None = None
    api_key_env: str | None = None
    params: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_temperature("judge.temperature", self.temperature)
