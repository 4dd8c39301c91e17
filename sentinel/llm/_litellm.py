"""Every vendor that litellm knows. It is imported at the first call, which takes seconds; its types stay in here."""

import asyncio
import copy
import importlib
import json
import logging
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sentinel.llm._fault import Fault, Kind, read_fault
from sentinel.llm._price import find_price
from sentinel.llm._request import Completion, Endpoint, Message, Params
from sentinel.llm._vendor import find_key, is_self_hosted

PREFIX = "litellm/"
# Ours is shorter; one value for all calls, as litellm keeps a client for each.
_NEVER = 86_400.0


class LiteLLM:
    """One endpoint called through litellm."""

    slots: int | None = None

    def __init__(self, endpoint: Endpoint, prices: Mapping[str, Sequence[float]]) -> None:
        self._model = endpoint.model.removeprefix(PREFIX)
        vendor = Endpoint(self._model, endpoint.base_url, endpoint.api_key_env)
        self._priced = not is_self_hosted(vendor)
        self._price = find_price(endpoint, prices) if endpoint.model in prices else None
        self._options: dict[str, Any] = {"timeout": _NEVER, "num_retries": 0, "max_retries": 0}
        if endpoint.base_url is not None:
            self._options["base_url"] = endpoint.base_url
            # litellm insists on a key even where the server wants none.
            self._options["api_key"] = find_key(vendor) or "none"
        elif endpoint.api_key_env is not None:
            self._options["api_key"] = find_key(vendor)
        self.identity: Mapping[str, Any] | None = {"base_url": endpoint.base_url, "through": "litellm"}

    async def complete(self, messages: Sequence[Message], params: Params, without: Collection[str]) -> Completion:
        """Return the model's reply; raises Fault."""
        # In a thread: other calls must not time out while litellm is imported.
        litellm = await asyncio.to_thread(import_litellm)
        fields = params.to_fields(without)
        # litellm changes its arguments.
        request = copy.deepcopy({"model": self._model, "messages": [dict(message) for message in messages], **fields})
        try:
            response = await litellm.acompletion(**request, **self._options)
        except Exception as error:
            raise _read_error(error, fields) from None
        return self._read(response)

    async def close(self) -> None:
        """Close litellm's clients and forget them: they belong to this event loop."""
        litellm = import_litellm()
        await litellm.close_litellm_async_clients()
        litellm.in_memory_llm_clients_cache.flush_cache()

    def _read(self, response: Any) -> Completion:
        if not response.choices:
            raise Fault(Kind.TRANSIENT, "the answer holds no message")
        choice = response.choices[0]
        usage = getattr(response, "usage", None)
        counts = {name: getattr(usage, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")}
        # Where the server reports none, litellm says 0.
        known = counts if counts["prompt_tokens"] else None
        charged = response._hidden_params.get("response_cost")
        cost = charged if known and charged and self._priced else None
        if self._price is not None:
            cost = self._price.cost(known) if known else None
        return Completion(
            text=choice.message.content,
            usage=known,
            cost=cost,
            finish_reason=choice.finish_reason,
        )


def import_litellm() -> Any:
    """Return litellm, made quiet, and kept from fetching its price list from the network and from retrying."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    # Its debug log shows requests with their keys.
    for name in ("LiteLLM", "openai", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = True
    litellm.num_retries = 0
    return litellm


def _found_nobody(error: BaseException | None) -> bool:
    """Whether no connection came about, for which litellm has a different error for each vendor."""
    while error is not None:
        if type(error).__name__ == "ConnectError":
            return True
        error = error.__cause__ or error.__context__
    return False


def _read_error(error: Exception, sent: Collection[str]) -> Fault:
    """Return what an exception of litellm means; it carries the status and the words of the vendor."""
    name = type(error).__name__
    if name == "ContextWindowExceededError":
        return Fault(Kind.CONTEXT, str(error))
    if _found_nobody(error):
        return Fault(Kind.TRANSIENT, str(error), unreachable=True)
    if name in ("APIConnectionError", "Timeout"):
        return Fault(Kind.TRANSIENT, str(error))
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return Fault(Kind.REFUSED, f"{name}: {error}")
    response = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    words = {"message": str(error), "code": getattr(error, "code", None), "param": getattr(error, "param", None)}
    return read_fault(status, json.dumps({"error": words}, default=str), headers, sent)
