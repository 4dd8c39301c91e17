"""What is asked of a model and what comes back, and the one method that every provider has."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from sentinel.errors import ConfigError

Message = Mapping[str, str]

_SEED_BITS = 31

# Settings of their own, or of the one place that retries and counts; secrets would end up in logs.
_NOT_IN_EXTRA = {
    "model": "agents.NAME.model",
    "messages": "the debate's prompts",
    "api_key": "the environment variable that api_key_env names",
    "authorization": "the environment variable that api_key_env names",
    "headers": "the environment variable that api_key_env names",
    "extra_headers": "the environment variable that api_key_env names",
    "base_url": "agents.NAME.base_url",
    "api_base": "agents.NAME.base_url",
    "timeout": "llm.timeout",
    "num_retries": "llm.retries",
    "max_retries": "llm.retries",
    "fallbacks": "another agent",
    "stream": "nowhere; replies are read whole",
    "n": "debate.samples",
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and where it is served. `model` is provider/name; `api_key_env` names an environment variable."""

    model: str
    base_url: str | None = None
    api_key_env: str | None = None

    def __post_init__(self) -> None:
        if not all(self.model.partition("/")):
            raise ConfigError(f"model={self.model}: expected provider/name, such as openai/gpt-4o-mini or ollama/qwen3")
        if self.base_url is not None:
            check_address(f"base_url of {self.model}", self.base_url)

    @property
    def provider(self) -> str:
        """The part of `model` before the first slash."""
        return self.model.partition("/")[0]

    @property
    def name(self) -> str:
        """The part of `model` after the first slash: what the provider calls the model."""
        return self.model.partition("/")[2]


def check_address(name: str, address: str) -> None:
    """Raise ConfigError if it is not a server's address or holds what may be a secret; it is never shown."""
    try:
        parts = urlsplit(address)
        # Reading the port raises where it is no number.
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or not address.isprintable() or " " in address:
        raise ConfigError(f"{name}: expected an address such as http://localhost:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(
            f"{name}: user names, passwords and query strings do not belong there, "
            "as the address is logged; name the variable that holds the key in api_key_env"
        )


@dataclass(frozen=True, slots=True)
class Params:
    """How a reply is sampled. None leaves a value to the provider.

    `extra` holds further fields of the request and wins over the others; a null in it takes a field out. `grammar`
    (GBNF) binds models run in process (gguf/) alone.
    """

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    grammar: str | None = None

    def __post_init__(self) -> None:
        for name in self.extra:
            if name.lower() in _NOT_IN_EXTRA:
                raise ConfigError(
                    f"params.{name}: not a sampling parameter; it belongs to {_NOT_IN_EXTRA[name.lower()]}"
                )

    def to_fields(self, without: Collection[str] = ()) -> dict[str, Any]:
        """Return the fields of the request, but for `without`.

        Where max_tokens is left out, max_completion_tokens stands in for it: that is what newer models want.
        """
        fields: dict[str, Any] = {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "stop": list(self.stop) or None,
            **self.extra,
        }
        if "max_tokens" in without:
            fields.setdefault("max_completion_tokens", fields["max_tokens"])
        return {name: value for name, value in fields.items() if value is not None and name not in without}


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply. `text` is None or "" where the model gave none.

    `usage` counts prompt_tokens and completion_tokens; `cost` is in US dollars; both None when unknown. `latency` is in
    seconds, of the last attempt alone; `cached` marks a reply that was paid for before.
    """

    text: str | None
    usage: Mapping[str, int] | None = None
    cost: float | None = None
    latency: float = 0.0
    attempts: int = 1
    cached: bool = False
    finish_reason: str | None = None


class Totals(NamedTuple):
    """What several replies took together; each None where there were none or it is unknown of one of them."""

    usage: dict[str, int] | None
    cost: float | None
    latency: float | None


def add_up(completions: Sequence[Completion]) -> Totals:
    """Return the sums of the replies' tokens, costs and latencies."""
    usage = None
    if completions and all(completion.usage is not None for completion in completions):
        counts: Counter[str] = Counter()
        for completion in completions:
            counts.update(completion.usage or {})
        usage = dict(counts) or None
    return Totals(
        usage,
        _add_known(completion.cost for completion in completions),
        _add_known(completion.latency for completion in completions),
    )


def _add_known(values: Iterable[float | None]) -> float | None:
    known = list(values)
    return sum(value for value in known if value is not None) if known and None not in known else None


def seed_for(seed: int, item: str, agent: str, round: int) -> int:
    """Return the seed of one call, a number below 2**31, which every provider takes."""
    hashed = hashlib.sha256(f"{seed}\0{item}\0{agent}\0{round}".encode(errors="surrogatepass")).digest()
    return int.from_bytes(hashed[:8], "big") >> (64 - _SEED_BITS)


class Provider(Protocol):
    """One endpoint's way of completing chats. It tries once, and raises Fault where that fails.

    `identity` is what else than model and request decides on the answer (part of the cache key), None if replies are
    not to be cached. `slots` bounds the calls in flight where the provider itself knows a bound.
    """

    identity: Mapping[str, Any] | None
    slots: int | None

    async def complete(self, messages: Sequence[Message], params: Params, without: Collection[str]) -> Completion:
        """Return the model's reply; `without` names parameters the endpoint has refused before."""

    async def close(self) -> None:
        """Let go of connections and threads."""
