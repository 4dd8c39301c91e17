"""What vendors charge for a token, from litellm's price list; read as a file, as importing litellm takes seconds."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sentinel.errors import ConfigError
from sentinel.llm._request import Endpoint
from sentinel.llm._vendor import VENDORS, is_self_hosted

log = logging.getLogger(__name__)

_FILE = "model_prices_and_context_window_backup.json"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for one token: of the prompt, of a prompt's part that the server had cached, and of the reply."""

    prompt: float
    reused: float
    reply: float

    def cost(self, usage: Mapping[str, int], reused: int = 0) -> float:
        """Return what the tokens cost; `reused` of the prompt's were cached by the server."""
        fresh = usage["prompt_tokens"] - reused
        return fresh * self.prompt + reused * self.reused + usage["completion_tokens"] * self.reply


def find_price(endpoint: Endpoint, given: Mapping[str, Sequence[float]]) -> Price | None:
    """Return the endpoint's price: the one given, else the listed one, None without or for somebody's own model."""
    if endpoint.model in given:
        prompt, reply = (dollars / 1e6 for dollars in given[endpoint.model])
        return Price(prompt, prompt, reply)
    if is_self_hosted(endpoint):
        return None
    prices = _price_list()
    entry = prices.get(endpoint.model)
    if entry is None and prices.get(endpoint.name, {}).get("litellm_provider") == endpoint.provider:
        entry = prices[endpoint.name]
    if entry is None or not entry.get("input_cost_per_token") or not entry.get("output_cost_per_token"):
        return None
    prompt = float(entry["input_cost_per_token"])
    return Price(prompt, float(entry.get("cache_read_input_token_cost", prompt)), float(entry["output_cost_per_token"]))


def check_price(endpoint: Endpoint, given: Mapping[str, Sequence[float]]) -> None:
    """Raise ConfigError if a bound on cost cannot be kept for want of a price; warn of one's own servers."""
    if endpoint.provider in ("mock", "gguf") or endpoint.model in given:
        return
    if endpoint.provider == "openrouter" and not is_self_hosted(endpoint):
        # It says what it charged.
        return
    vendor = Endpoint(endpoint.model.removeprefix("litellm/"), endpoint.base_url, endpoint.api_key_env)
    known = VENDORS.get(vendor.provider)
    if known is not None and known.self_hosted:
        log.warning(
            "llm.max_cost_usd: what %s costs is not known, so its calls do not count towards it", endpoint.model
        )
    elif find_price(vendor, given) is None:
        raise ConfigError(
            f"llm.max_cost_usd: the price of {endpoint.model} is not known, so this bound could not be kept; "
            f"give it by '+llm.prices={{{endpoint.model}:[READ,WRITTEN]}}', US dollars for a million tokens of each "
            "([0,0] where it is free), or bound llm.max_calls or llm.max_tokens instead"
        )


@cache
def _price_list() -> dict[str, Any]:
    found = find_spec("litellm")
    if found is None or found.origin is None:
        return {}
    path = Path(found.origin).with_name(_FILE)
    if not path.is_file():
        return {}
    entries = json.loads(path.read_text(encoding="utf-8"))
    wanted = ("input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost", "litellm_provider")
    # The list is large, and all but these numbers of it is let go.
    return {model: {name: entry[name] for name in wanted if name in entry} for model, entry in entries.items()}
