"""Finds out before the first call what would stop a run later: a missing key, price, provider or file."""

import difflib
import importlib.util
from collections.abc import Iterable

from sentinel.errors import ConfigError, CredentialError
from sentinel.llm._gguf import check_model
from sentinel.llm._litellm import PREFIX, import_litellm
from sentinel.llm._mock import mock_names
from sentinel.llm._price import check_price
from sentinel.llm._request import Endpoint
from sentinel.llm._vendor import VENDORS, find_key, key_variables, needs_key, serving_address
from sentinel.settings import LlmSettings

_OURS = ("mock", "gguf", "litellm")


def check_credentials(endpoints: Iterable[Endpoint], *, llm: LlmSettings | None = None, scripted: bool = False) -> None:
    """Raise if an endpoint cannot be called as things stand; calls none of them.

    CredentialError names the environment variable of a missing key; ConfigError a provider, a mock or a file that does
    not exist, a variable that holds no address, and a price without which the bound on cost of `llm` cannot be kept.
    `scripted`: a test's script stands in for the mocks, under any name.
    """
    distinct = list(dict.fromkeys(endpoints))
    for endpoint in distinct:
        match endpoint.provider:
            case "mock":
                if not scripted and endpoint.name not in mock_names():
                    raise ConfigError(f"model={endpoint.model}: no such mock; have: {', '.join(mock_names())}")
            case "gguf":
                check_model(endpoint)
            case _:
                _check_vendor(endpoint)
    if llm is not None and llm.max_cost_usd is not None:
        for endpoint in distinct:
            check_price(endpoint, llm.prices)


def _check_vendor(endpoint: Endpoint) -> None:
    inner = Endpoint(endpoint.model.removeprefix(PREFIX), endpoint.base_url, endpoint.api_key_env)
    listed = inner.provider in VENDORS
    if (not listed or inner is not endpoint) and importlib.util.find_spec("litellm") is None:
        raise ConfigError(f"model={endpoint.model}: needs litellm, which is not installed; pip install litellm")
    # Raises for a variable that holds no address.
    serving_address(inner)
    variables = key_variables(inner)
    if needs_key(inner) and find_key(inner) is None:
        raise CredentialError(
            f"model={endpoint.model}: no key; set the environment variable {' or '.join(variables)} before the run"
        )
    if listed:
        return
    litellm = import_litellm()
    known = sorted({str(getattr(name, "value", name)) for name in litellm.provider_list})
    if inner.provider not in known:
        near = difflib.get_close_matches(inner.provider, [*VENDORS, *_OURS, *known], n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"have: {', '.join([*VENDORS, *_OURS])} and litellm's"
        raise ConfigError(f"model={endpoint.model}: no such provider; {hint}")
    missing = litellm.validate_environment(inner.model)["missing_keys"]
    if missing and endpoint.base_url is None and endpoint.api_key_env is None:
        raise CredentialError(
            f"model={endpoint.model}: set the environment variable {', '.join(missing)} before the run"
        )
