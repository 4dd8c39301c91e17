"""Endpoints that speak OpenAI's chat completions (OpenAI, OpenRouter, Ollama, vLLM, ...) by the shortest path."""

import json
import urllib.request
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from sentinel.llm._fault import Fault, Kind, read_fault
from sentinel.llm._price import Price
from sentinel.llm._request import Completion, Endpoint, Message, Params
from sentinel.llm._vendor import find_key, serving_address

_CONNECT_SECONDS = 15.0
# Below the 5 seconds after which common servers hang up, so that no request is sent into a connection just closed.
_IDLE_SECONDS = 4.0


class OpenAICompatible:
    """One endpoint; its connections are kept open between calls."""

    slots: int | None = None

    def __init__(self, endpoint: Endpoint, session: aiohttp.ClientSession, price: Price | None) -> None:
        address = serving_address(endpoint)
        assert address is not None
        self.identity: Mapping[str, Any] | None = {"base_url": address}
        self._url = f"{address}/chat/completions"
        self._model = endpoint.name
        key = find_key(endpoint)
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._price = price
        # OpenRouter says what it charged only if asked.
        self._extra = {"usage": {"include": True}} if endpoint.provider == "openrouter" else {}
        self._proxy = _find_proxy(address)
        self._session = session

    async def complete(self, messages: Sequence[Message], params: Params, without: Collection[str]) -> Completion:
        """Return the model's reply; raises Fault."""
        fields = params.to_fields(without)
        body = json.dumps({"model": self._model, "messages": list(messages), **self._extra, **fields})
        try:
            # A redirected POST would come back as a GET.
            async with self._session.post(
                self._url, data=body, headers=self._headers, allow_redirects=False, proxy=self._proxy
            ) as response:
                text = await response.text("utf-8", errors="replace")
        except aiohttp.InvalidURL as error:
            raise Fault(Kind.REFUSED, f"no such address: {error}") from None
        except aiohttp.ClientConnectorError as error:
            raise Fault(Kind.TRANSIENT, f"no connection: {error}", unreachable=True) from None
        except (aiohttp.ClientError, ConnectionError, TimeoutError) as error:
            raise Fault(Kind.TRANSIENT, f"connection lost ({type(error).__name__})") from None
        if response.status != 200:
            raise read_fault(response.status, text, response.headers, fields)
        return read_completion(text, fields, self._price)

    async def close(self) -> None:
        """Do nothing: the session belongs to whoever opened it."""


def open_session() -> aiohttp.ClientSession:
    """Return a session without bounds of its own; how many calls are in flight and how long is decided elsewhere."""
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE_SECONDS)
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS)
    return aiohttp.ClientSession(connector=connector, timeout=timeout)


def read_completion(body: str, sent: Collection[str], price: Price | None) -> Completion:
    """Return the reply in the body of a successful answer; raises Fault where it reports an error or holds none."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise Fault(Kind.TRANSIENT, f"the answer is not JSON: {body[:80]!r}") from None
    choices = answer.get("choices") if isinstance(answer, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    # Some routers report an error of the model behind them with status 200.
    error = (answer.get("error") if isinstance(answer, dict) else None) or choice.get("error")
    if error:
        code = error.get("code") if isinstance(error, dict) else None
        raise read_fault(code if isinstance(code, int) else 500, json.dumps({"error": error}), {}, sent)
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Fault(Kind.TRANSIENT, "the answer holds no message")
    usage = _read_usage(answer.get("usage"))
    return Completion(
        text=_read_content(message.get("content")),
        usage=usage,
        cost=_read_cost(answer.get("usage"), usage, price),
        finish_reason=choice.get("finish_reason"),
    )


def _find_proxy(address: str) -> str | None:
    """Return the proxy that the environment asks for; a server on this machine is never behind one."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    if host == "localhost" or host.startswith("127.") or host == "::1" or urllib.request.proxy_bypass(host):
        return None
    return urllib.request.getproxies().get(parts.scheme)


def _read_content(content: object) -> str | None:
    """Return the text of a message's content: a string, or a list of parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else None


def _read_usage(usage: object) -> dict[str, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = {name: usage.get(name) for name in ("prompt_tokens", "completion_tokens")}
    known = {name: count for name, count in counts.items() if isinstance(count, int)}
    return known if len(known) == len(counts) else None


def _read_cost(reported: object, usage: dict[str, int] | None, price: Price | None) -> float | None:
    """Return what the server says it charged, else the listed price of the tokens, else None."""
    if isinstance(reported, dict):
        charged = reported.get("cost")
        if isinstance(charged, int | float) and not isinstance(charged, bool):
            return float(charged)
        details = reported.get("prompt_tokens_details")
        reused = details.get("cached_tokens") if isinstance(details, dict) else None
        if price is not None and usage is not None:
            return price.cost(usage, reused if isinstance(reused, int) else 0)
    return None
