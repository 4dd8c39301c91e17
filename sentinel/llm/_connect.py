"""Opens what calls need, at the first call that needs it: providers by endpoint, lanes and connections by server."""

from typing import Any

from sentinel.llm._gguf import Gguf
from sentinel.llm._lane import Lane
from sentinel.llm._litellm import LiteLLM
from sentinel.llm._mock import Mock, Script
from sentinel.llm._price import find_price
from sentinel.llm._request import Endpoint, Provider
from sentinel.llm._vendor import serving_address
from sentinel.settings import LlmSettings


class Connections:
    """Providers, and the lanes to their servers, of one run."""

    def __init__(self, settings: LlmSettings, mock: Script | None) -> None:
        self._settings = settings
        self._mock = mock
        self._providers: dict[Endpoint, Provider] = {}
        self._lanes: dict[str, Lane] = {}
        self._session: Any = None

    def provider(self, endpoint: Endpoint) -> Provider:
        """Return the endpoint's provider; raises ConfigError if it cannot be had."""
        if endpoint not in self._providers:
            self._providers[endpoint] = self._open(endpoint)
        return self._providers[endpoint]

    def lane(self, endpoint: Endpoint) -> Lane:
        """Return the lane to the endpoint's server, which endpoints share."""
        server = server_name(endpoint)
        if server not in self._lanes:
            slots = self.provider(endpoint).slots or self._settings.concurrency
            cap = min(self._settings.concurrency, slots)
            self._lanes[server] = Lane(server, cap, self._settings.backoff, self._settings.retry_after_max)
        return self._lanes[server]

    async def close(self) -> None:
        """Close all of them."""
        for lane in self._lanes.values():
            lane.close()
        for provider in self._providers.values():
            await provider.close()
        if self._session is not None:
            await self._session.close()

    def _open(self, endpoint: Endpoint) -> Provider:
        if endpoint.provider == "mock":
            return Mock(endpoint, self._mock)
        if endpoint.provider == "gguf":
            return Gguf(endpoint)
        if serving_address(endpoint) is None:
            return LiteLLM(endpoint, self._settings.prices)
        # Here, as it imports aiohttp.
        from sentinel.llm._openai_compatible import OpenAICompatible, open_session

        if self._session is None:
            self._session = open_session()
        return OpenAICompatible(endpoint, self._session, find_price(endpoint, self._settings.prices))


def server_name(endpoint: Endpoint) -> str:
    """Return what the server is called in messages: its address, or the vendor, or the model itself."""
    if endpoint.provider in ("mock", "gguf"):
        return endpoint.model
    return serving_address(endpoint) or endpoint.base_url or endpoint.provider
