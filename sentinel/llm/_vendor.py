"""Where each provider is served and which environment variable holds its key."""

import ipaddress
import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from sentinel.errors import CredentialError
from sentinel.llm._request import Endpoint, check_address


@dataclass(frozen=True, slots=True)
class Vendor:
    """A provider: `keys` are variables of which the first one set is used.

    `address` is that of its OpenAI-compatible API, None if litellm is used; `address_variable` overrides it.
    `self_hosted`: the user's own server, which may do without a key; `start` says how to start it.
    """

    keys: tuple[str, ...]
    address: str | None = None
    address_variable: str | None = None
    self_hosted: bool = False
    start: str | None = None


VENDORS = {
    "openai": Vendor(("OPENAI_API_KEY",), "https://api.openai.com/v1", "OPENAI_BASE_URL"),
    "openrouter": Vendor(("OPENROUTER_API_KEY",), "https://openrouter.ai/api/v1"),
    "ollama": Vendor(
        ("OLLAMA_API_KEY",), "http://127.0.0.1:11434/v1", "OLLAMA_HOST", True, "start Ollama (ollama serve)"
    ),
    "vllm": Vendor(
        ("VLLM_API_KEY",), "http://127.0.0.1:8000/v1", "VLLM_BASE_URL", True, "start vLLM (vllm serve NAME)"
    ),
    "hosted_vllm": Vendor(
        ("HOSTED_VLLM_API_KEY",),
        "http://127.0.0.1:8000/v1",
        "HOSTED_VLLM_API_BASE",
        True,
        "start vLLM (vllm serve NAME)",
    ),
    "anthropic": Vendor(("ANTHROPIC_API_KEY",)),
    "gemini": Vendor(("GEMINI_API_KEY", "GOOGLE_API_KEY")),
    "mistral": Vendor(("MISTRAL_API_KEY",)),
    "groq": Vendor(("GROQ_API_KEY",)),
    "deepseek": Vendor(("DEEPSEEK_API_KEY",)),
    "xai": Vendor(("XAI_API_KEY",)),
    "cohere": Vendor(("COHERE_API_KEY",)),
}
_OLLAMA_PORT = 11434


def serving_address(endpoint: Endpoint) -> str | None:
    """Return the address that the endpoint's /chat/completions is under, None if it is not OpenAI-compatible.

    Raises ConfigError, which does not show the value, for an environment variable that holds no address.
    """
    vendor = VENDORS.get(endpoint.provider)
    if vendor is None or vendor.address is None:
        return None
    if endpoint.base_url is not None:
        return endpoint.base_url.rstrip("/")
    variable = vendor.address_variable or ""
    found = os.environ.get(variable, "").strip()
    if not found:
        return vendor.address
    if endpoint.provider == "ollama":
        # Ollama lets scheme and host be left out, as in gpu-box and :5000.
        found = found if "://" in found else f"http://{found}"
        found = found.replace("://:", "://127.0.0.1:", 1)
    check_address(variable, found)
    return _ollama_address(found) if endpoint.provider == "ollama" else found.rstrip("/")


def key_variables(endpoint: Endpoint) -> tuple[str, ...]:
    """Return the environment variables that may hold the endpoint's key; none for a provider not listed here."""
    if endpoint.api_key_env is not None:
        return (endpoint.api_key_env,)
    vendor = VENDORS.get(endpoint.provider)
    return () if vendor is None else vendor.keys


def find_key(endpoint: Endpoint) -> str | None:
    """Return the endpoint's key, None if no variable that may hold it is set; CredentialError if it cannot be one."""
    for name in key_variables(endpoint):
        value = os.environ.get(name, "").strip()
        if value and not (value.isascii() and value.isprintable()):
            raise CredentialError(f"model={endpoint.model}: {name} holds characters that no key has; set it anew")
        if value:
            return value
    return None


def needs_key(endpoint: Endpoint) -> bool:
    """Whether the endpoint certainly cannot be called without a key."""
    if endpoint.api_key_env is not None:
        return True
    vendor = VENDORS.get(endpoint.provider)
    return vendor is not None and not vendor.self_hosted and endpoint.base_url is None


def is_self_hosted(endpoint: Endpoint) -> bool:
    """Whether the model runs on another server than its vendor's, so that the vendor's prices do not hold."""
    vendor = VENDORS.get(endpoint.provider)
    if vendor is None or vendor.address is None:
        return endpoint.base_url is not None
    return vendor.self_hosted or serving_address(endpoint) != vendor.address


def _ollama_address(host: str) -> str:
    """Return the address for OLLAMA_HOST, which may lack the port and may name all interfaces."""
    parts = urlsplit(host)
    name = parts.hostname or "127.0.0.1"
    try:
        number = ipaddress.ip_address(name)
        name = "127.0.0.1" if number.is_unspecified else f"[{number}]" if number.version == 6 else name
    except ValueError:
        pass
    port = parts.port or (_OLLAMA_PORT if parts.scheme == "http" else 443)
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{name}:{port}{path}" + ("" if path.endswith("/v1") else "/v1")
