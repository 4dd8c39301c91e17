"""The one owner of calls: looks them up in the cache, keeps to the budget, waits, tries again, and counts.

In: an endpoint, messages, parameters. Out: a Completion. SDKs below do not retry; nothing above does.
"""

import asyncio
import contextlib
import dataclasses
import logging
import random
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from sentinel.errors import BudgetReached, CallFailed, ConfigError, ContextOverflow, CredentialError, SentinelError
from sentinel.llm._budget import Budget
from sentinel.llm._cache import CallCache, request_key
from sentinel.llm._connect import Connections, server_name
from sentinel.llm._fault import Fault, Kind
from sentinel.llm._mock import Script
from sentinel.llm._request import Completion, Endpoint, Message, Params, Provider
from sentinel.llm._tally import Tally
from sentinel.llm._vendor import VENDORS, find_key, key_variables
from sentinel.settings import LlmSettings

log = logging.getLogger(__name__)

_Result = TypeVar("_Result")
_WITHHELD = ("content_filter", "refusal", "error")


class Caller:
    """Calls models within one event loop; use it as `async with Caller(settings) as caller`.

    `mock` is a script for all mock/ endpoints. `progress` is called after every reply and failure; `tally` holds the
    figures. Once a key was refused or a bound reached, no further call starts; those in flight end and are kept.
    """

    def __init__(
        self, settings: LlmSettings, *, mock: Script | None = None, progress: Callable[[], None] | None = None
    ) -> None:
        self.settings = settings
        self.tally = Tally()
        self._budget = Budget(settings, self.tally)
        self._progress = progress
        self._connections = Connections(settings, mock)
        self._cache: CallCache | None = None
        self._ends: float | None = None
        self._stopped: tuple[type[SentinelError], str] | None = None
        self._unsupported: dict[Endpoint, set[str]] = {}
        self._answered: set[Endpoint] = set()
        self._no_usage = False
        waits = (min(settings.backoff * 2.0**attempt, settings.backoff_max) for attempt in range(settings.retries))
        self._patience = sum(waits)

    async def __aenter__(self) -> Self:
        if self.settings.cache is not None:
            self._cache = CallCache(Path(self.settings.cache))
        if self.settings.deadline is not None:
            self._ends = asyncio.get_running_loop().time() + self.settings.deadline
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._connections.close()
        if self._cache is not None:
            self._cache.close()

    def item(self, calls: int) -> AbstractContextManager[None]:
        """Take the calls made within, about `calls`, for those of one item: bounds let items begun first end first."""
        return self._budget.item(calls)

    async def call(
        self, endpoint: Endpoint, messages: Sequence[Message], params: Params, sample: int = 0
    ) -> Completion:
        """Return the model's reply, from the cache if the same request was answered before.

        `sample` tells apart requests that are otherwise the same. Raises CallFailed and ContextOverflow, which concern
        this call, and CredentialError, BudgetReached and ConfigError, which concern all.
        """
        provider = self._connections.provider(endpoint)
        key = _key(endpoint, provider, messages, params, sample)
        cache = None if provider.identity is None else self._cache
        if cache is not None and (hit := cache.get(key)) is not None:
            self._budget.begin()
            self._count(hit)
            # A run of hits must not keep everything else waiting.
            await asyncio.sleep(0)
            return hit
        try:
            completion = await self._call_live(endpoint, provider, messages, params, key)
        except (CallFailed, ContextOverflow):
            self.tally.failures += 1
            self._show()
            raise
        if cache is not None and _is_worth_keeping(completion):
            cache.put(key, completion)
        self._count(completion)
        return completion

    async def _call_live(
        self, endpoint: Endpoint, provider: Provider, messages: Sequence[Message], params: Params, salt: str
    ) -> Completion:
        """Try until there is a reply, or a fault that trying again does not mend."""
        lane = self._connections.lane(endpoint)
        retry = _Retry(self.settings, self._patience, salt)
        begun = False
        try:
            while True:
                refused = None
                self._check(begun)
                while not begun and self._budget.is_spoken_for():
                    await self._until_end(self._budget.changed())
                    self._check(begun)
                async with contextlib.AsyncExitStack() as stack:
                    started = await self._until_end(stack.enter_async_context(lane.slot()))
                    self._check(begun)
                    if not begun:
                        begun = True
                        self._budget.begin()
                        self.tally.in_flight += 1
                    try:
                        completion = await self._attempt(endpoint, provider, messages, params)
                    except Fault as error:
                        fault = error
                        # Before the place is free: whoever takes it must know.
                        if fault.kind is Kind.OVERLOADED:
                            refused = lane.report_refusal(started, fault.retry_after)
                    else:
                        lane.report_success(started)
                        self._answered.add(endpoint)
                        latency = asyncio.get_running_loop().time() - started
                        return dataclasses.replace(completion, latency=latency, attempts=retry.attempts)
                if fault.kind is Kind.PARAMETER and fault.parameter is not None:
                    self._leave_out(endpoint, fault.parameter, fault)
                    continue
                absent = fault.unreachable and endpoint not in self._answered
                wait = None if absent else retry.wait_after(fault, refused)
                if wait is None:
                    raise self._give_up(endpoint, fault, retry.attempts)
                retry.attempts += 1
                self.tally.retries += 1
                log.info("%s: attempt %d in %.1f s, after: %s", endpoint.model, retry.attempts, wait, fault)
                if wait > 0:
                    await self._until_end(asyncio.sleep(wait))
        finally:
            if begun:
                self.tally.in_flight -= 1

    async def _attempt(
        self, endpoint: Endpoint, provider: Provider, messages: Sequence[Message], params: Params
    ) -> Completion:
        try:
            async with asyncio.timeout(self.settings.timeout):
                return await provider.complete(messages, params, self._unsupported.get(endpoint, ()))
        except TimeoutError:
            raise Fault(Kind.TRANSIENT, f"no reply within {self.settings.timeout:g} s") from None

    async def _until_end(self, waiting: Coroutine[Any, Any, _Result]) -> _Result:
        """Wait, but not beyond the run's deadline."""
        try:
            async with asyncio.timeout_at(self._ends):
                return await waiting
        except TimeoutError:
            raise self._deadline() from None

    def _check(self, begun: bool) -> None:
        """Raise what keeps a call from starting or going on."""
        if self._stopped is not None:
            kind, message = self._stopped
            raise kind(message)
        if self._ends is not None and asyncio.get_running_loop().time() >= self._ends:
            raise self._deadline()
        if not begun:
            self._budget.check()

    def _deadline(self) -> BudgetReached:
        return BudgetReached(
            f"llm.deadline={self.settings.deadline:g}: reached; raise it and run the same command again"
        )

    def _leave_out(self, endpoint: Endpoint, parameter: str, fault: Fault) -> None:
        unsupported = self._unsupported.setdefault(endpoint, set())
        if parameter not in unsupported:
            unsupported.add(parameter)
            log.warning("%s: %s is left out from now on, as it was refused (%s)", endpoint.model, parameter, fault)

    def _give_up(self, endpoint: Endpoint, fault: Fault, attempts: int) -> SentinelError:
        """Return the error that a fault amounts to; one that concerns all calls stops the run."""
        known = endpoint in self._answered
        error: SentinelError
        match fault.kind:
            case Kind.CONTEXT:
                return ContextOverflow(f"model={endpoint.model}: the request is longer than the model reads ({fault})")
            case Kind.CREDENTIAL:
                error = CredentialError(_describe_refusal(endpoint, fault))
            case Kind.FUNDS:
                error = BudgetReached(
                    f"model={endpoint.model}: the account has no credit left ({fault}); "
                    "add some and run the same command again"
                )
            case Kind.MODEL if not known:
                error = ConfigError(f"model={endpoint.model}: {server_name(endpoint)} does not serve it ({fault})")
            case _ if fault.unreachable and not known:
                error = ConfigError(
                    f"model={endpoint.model}: nothing answers at {server_name(endpoint)} ({fault}); "
                    f"{_describe_absence(endpoint)}"
                )
            case _:
                return CallFailed(f"model={endpoint.model}: {fault} (attempts: {attempts})")
        self._stopped = (type(error), str(error))
        self._budget.wake()
        return error

    def _count(self, completion: Completion) -> None:
        self.tally.count(completion)
        self._budget.count(completion)
        if completion.usage is None and self.settings.max_tokens is not None and not self._no_usage:
            self._no_usage = True
            log.warning(
                "llm.max_tokens=%d: a server does not report tokens; those go uncounted", self.settings.max_tokens
            )
        self._show()

    def _show(self) -> None:
        self._budget.wake()
        if self._progress is not None:
            self._progress()


def _key(endpoint: Endpoint, provider: Provider, messages: Sequence[Message], params: Params, sample: int) -> str:
    """Return what a reply is kept under, and what jitter is seeded by."""
    return request_key(
        {
            "model": endpoint.model,
            "identity": dict(provider.identity or {}),
            "messages": [dict(message) for message in messages],
            "params": [params.temperature, params.max_tokens, params.seed, params.stop, params.grammar],
            "extra": dict(params.extra),
            "sample": sample,
        }
    )


def _is_worth_keeping(completion: Completion) -> bool:
    """Whether the reply says something; a refusal or an empty text may be better the next time."""
    return bool((completion.text or "").strip()) and completion.finish_reason not in _WITHHELD


class _Retry:
    """How often one call was tried, and how long it waits before it is tried again."""

    def __init__(self, settings: LlmSettings, patience: float, salt: str) -> None:
        self.attempts = 1
        self._settings = settings
        self._patience = patience
        self._began = asyncio.get_running_loop().time()
        # Seeded by the request, so that a repeated run waits the same.
        self._random = random.Random(salt)

    def wait_after(self, fault: Fault, refused: float | None) -> float | None:
        """Return the seconds to wait after a fault, None to give up; `refused` is what the lane says of an overload.

        An overload takes as long as it takes: while others probe the server, attempts alone are no reason to give up.
        """
        exhausted = self.attempts > self._settings.retries
        if fault.kind is Kind.OVERLOADED and refused is not None:
            waited = asyncio.get_running_loop().time() - self._began
            return None if exhausted and waited >= self._patience else refused
        if fault.kind is not Kind.TRANSIENT or exhausted:
            return None
        wait = min(self._settings.backoff * 2.0 ** min(self.attempts - 1, 32), self._settings.backoff_max)
        asked = min(fault.retry_after or 0.0, self._settings.retry_after_max)
        return max(asked, wait * self._random.uniform(0.5, 1.0))


def _describe_absence(endpoint: Endpoint) -> str:
    vendor = VENDORS.get(endpoint.provider)
    start = vendor.start if vendor is not None and vendor.start else "is the server running?"
    variable = vendor.address_variable if vendor is not None else None
    return f"{start}; another address goes into base_url" + (f" or {variable}" if variable else "")


def _describe_refusal(endpoint: Endpoint, fault: Fault) -> str:
    variables = " or ".join(key_variables(endpoint)) or "that agents.NAME.api_key_env names"
    if find_key(endpoint) is None:
        return f"model={endpoint.model}: refused without a key ({fault}); set the environment variable {variables}"
    return f"model={endpoint.model}: the key in the environment variable {variables} was refused ({fault})"
