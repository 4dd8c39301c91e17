"""litellm's own path against the stub; importing it is slow, so that these calls share one process."""

import asyncio
import copy
import os
from typing import Any

import pytest
from stub.server import Faults, StubServer

from sentinel.errors import CallFailed, ConfigError, ContextOverflow, CredentialError
from sentinel.llm import Caller, Completion, Endpoint, Params, check_credentials
from sentinel.settings import LlmSettings

MESSAGES = [{"role": "user", "content": "Which?\nA) one\nB) two\n" + "word " * 20}]


def call(url: str, count: int = 4, **settings: Any) -> tuple[list[Any], Caller]:
    async def main() -> tuple[list[Any], Caller]:
        async with Caller(LlmSettings(**{"cache": None, "backoff": 0.01, **settings})) as caller:
            endpoint = Endpoint("litellm/openai/gpt-4o-mini", url)
            calls = (caller.call(endpoint, MESSAGES, Params(0.7, 50, seed=number)) for number in range(count))
            return await asyncio.gather(*calls, return_exceptions=True), caller

    return asyncio.run(main())


def test_two_runs_in_one_process_reply_and_leave_the_messages_alone(healthy: StubServer) -> None:
    before = copy.deepcopy(MESSAGES)
    for _ in range(2):
        replies, caller = call(healthy.base_url)
        assert all("<answer>" in reply.text and reply.usage["prompt_tokens"] > 0 for reply in replies)
        # The model has a listed price, but it is not its vendor who serves it here.
        assert caller.tally.live_cost is None
    assert before == MESSAGES
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


def test_passing_faults_are_retried_by_us_alone() -> None:
    rates = {"rate_limit_seconds": 0.2, "error_500": 0.2, "reset": 0.1, "null_content": 0.1}
    with StubServer(faults=Faults(rates, retry_after=0.02)) as stub:
        replies, caller = call(stub.base_url, 20, retries=12)
        assert all(isinstance(reply, Completion) for reply in replies)
        stats = stub.stats()
        assert stats["requests"] == sum(reply.attempts for reply in replies) == 20 + caller.tally.retries
        assert sum(reply.text is None for reply in replies) == stats["faults"]["null_content"] > 0
        assert all(reply.usage is None for reply in replies if reply.text is None and reply.usage == 0)


def test_a_stall_is_timed_out() -> None:
    with StubServer(faults=Faults({"stall": 1.0})) as stub:
        (reply,), _ = call(stub.base_url, 1, timeout=0.3, retries=1)
        assert isinstance(reply, CallFailed) and "no reply within 0.3 s (attempts: 2)" in str(reply)


@pytest.mark.parametrize(("fault", "kind"), [("context", ContextOverflow), ("unauthorized", CredentialError)])
def test_lasting_faults_are_told_apart(fault: str, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-0815")
    with StubServer(faults=Faults({fault: 1.0})) as stub:
        (reply,), _ = call(stub.base_url, 1)
        assert type(reply) is kind and stub.stats()["requests"] == 1
        assert "0815" not in str(reply)


def test_a_refused_parameter_is_left_out() -> None:
    with StubServer(faults=Faults({"unsupported": 1.0})) as stub:
        replies, _ = call(stub.base_url, 1)
        assert isinstance(replies[0], Completion) and stub.stats()["requests"] == 2


def test_providers_that_litellm_knows_are_checked_by_its_list(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="opennai/x: no such provider; did you mean openai"):
        check_credentials([Endpoint("opennai/x")])
    monkeypatch.delenv("PERPLEXITYAI_API_KEY", raising=False)
    with pytest.raises(CredentialError, match="PERPLEXITYAI_API_KEY"):
        check_credentials([Endpoint("perplexity/sonar")])


def test_a_server_that_is_not_there_stops_the_run_at_once() -> None:
    with StubServer() as stub:
        url = stub.base_url
    (reply,), caller = call(url, 1, backoff=1800.0, backoff_max=1800.0)
    assert isinstance(reply, ConfigError) and f"nothing answers at {url}" in str(reply)
    assert caller.tally.retries == 0


def test_a_price_that_is_given_holds_here_too(healthy: StubServer) -> None:
    replies, caller = call(healthy.base_url, 1, prices={"litellm/openai/gpt-4o-mini": [1000.0, 0.0]})
    assert caller.tally.live_cost == pytest.approx(replies[0].usage["prompt_tokens"] / 1000)
