"""What holds for all debates of a run: who takes part, by which protocol, from which prompts and which seed."""

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sentinel.debate._identity import digest
from sentinel.debate._prompts import Prompts, load_prompts
from sentinel.errors import DebateError
from sentinel.llm import Endpoint
from sentinel.records import Agent
from sentinel.settings import AgentSettings, DebateSettings

# Raised when the engine puts the same settings to models in another way: old debates are then not taken for new ones.
ENGINE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Member:
    """An agent as the engine calls it; `shown` is what the others know it by."""

    name: str
    shown: str
    endpoint: Endpoint
    settings: AgentSettings
    temperature: float

    def to_agent(self) -> Agent:
        """Return the agent as the log keeps it."""
        return Agent(self.name, self.settings.model, self.settings.role.name, self.temperature)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a run; `members` stand in the panel's order, `hash` is over all that changes what is said."""

    members: tuple[Member, ...]
    debate: DebateSettings
    prompts: Prompts
    seed: int
    hash: str

    @property
    def calls(self) -> int:
        """The calls a debate makes without re-asks: K times R + 1."""
        return len(self.members) * (self.debate.rounds + 1)


def make_rules(agents: Mapping[str, AgentSettings], debate: DebateSettings, seed: int) -> Rules:
    """Return the rules; raises DebateError for a panel that cannot debate or prompts that cannot be used."""
    if len(agents) < 2:
        have = ", ".join(agents) or "none"
        raise DebateError(f"agents: a debate needs at least 2, got {have}; choose a panel, e.g. agents=mock_trio")
    if len(agents) > len(string.ascii_uppercase):
        raise DebateError(f"agents: at most {len(string.ascii_uppercase)} can debate, got {len(agents)}")
    alike: dict[str, str] = {}
    for name in agents:
        if (other := alike.setdefault(name.strip().casefold(), name)) is not name:
            raise DebateError(f"agents: {other!r} and {name!r} are one name to whoever reads them; rename one")
    prompts = load_prompts(debate.prompts)
    members = []
    for k, (name, agent) in enumerate(agents.items()):
        shown = prompts.word("anonymous", letter=string.ascii_uppercase[k]) if debate.anonymous else name
        endpoint = Endpoint(agent.model, agent.base_url, agent.api_key_env)
        members.append(Member(name, shown, endpoint, agent, temperature_of(agent, debate)))
    hashed = digest(ENGINE_VERSION, [_content(member) for member in members], protocol(debate), prompts.hash, seed)
    return Rules(tuple(members), debate, prompts, seed, hashed)


def temperature_of(agent: AgentSettings, debate: DebateSettings) -> float:
    """Return the agent's own temperature, else its role's, else the debate's."""
    for temperature in (agent.temperature, agent.role.temperature):
        if temperature is not None:
            return temperature
    return debate.temperature


def protocol(debate: DebateSettings) -> dict[str, Any]:
    """Return the settings that change what is said; the others change how a debate is run or stored."""
    return {
        "debate_rounds": debate.rounds,
        "visibility": debate.visibility.value,
        "anonymous": debate.anonymous,
        "order": debate.order.value,
        "history": debate.history,
        "answer_tokens": debate.answer_tokens,
        "reasks": debate.reasks,
    }


def _content(member: Member) -> dict[str, Any]:
    settings = member.settings
    return {
        "name": member.name,
        "model": settings.model,
        "base_url": settings.base_url,
        "role": [settings.role.name, settings.role.prompt or ""],
        "temperature": member.temperature,
        "params": settings.params,
        "examples": settings.examples,
        "grammar": settings.grammar,
    }
