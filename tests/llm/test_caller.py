import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from stub.server import Faults, StubServer

from sentinel.errors import BudgetReached, CallFailed, ConfigError, ContextOverflow, CredentialError
from sentinel.llm import Caller, Completion, Endpoint, Params
from sentinel.llm._fault import Fault, Kind
from sentinel.settings import LlmSettings

FAST: dict[str, Any] = {"cache": None, "backoff": 0.01, "backoff_max": 0.05}


def ask(number: int) -> list[dict[str, str]]:
    return [{"role": "user", "content": f"Question {number}\nA) one\nB) two\n<answer>one letter</answer>"}]


def call_all(url: str, count: int, settings: dict[str, Any], **endpoint: Any) -> tuple[list[Any], Caller]:
    """Make `count` calls at once; return what each gave or raised."""

    async def main() -> tuple[list[Any], Caller]:
        async with Caller(LlmSettings(**{**FAST, **settings})) as caller:
            target = Endpoint(endpoint.get("model", "openai/stub"), url, endpoint.get("api_key_env"))
            calls = (caller.call(target, ask(number), Params(0.7, 50, seed=number)) for number in range(count))
            return await asyncio.gather(*calls, return_exceptions=True), caller

    return asyncio.run(main())


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(main)


def test_replies_come_with_usage_and_an_unknown_cost(healthy: StubServer) -> None:
    replies, caller = call_all(healthy.base_url, 5, {})
    assert all("<answer>" in reply.text and reply.finish_reason == "stop" for reply in replies)
    # The prompt has 51 characters and the stub counts four to a token.
    assert {reply.usage["prompt_tokens"] for reply in replies} == {len(ask(0)[0]["content"]) // 4}
    assert all(reply.latency >= 0.01 and reply.attempts == 1 and not reply.cached for reply in replies)
    assert [reply.cost for reply in replies] == [None] * 5
    assert caller.tally.live_cost is None and caller.tally.live_calls == 5
    assert caller.tally.tokens == sum(sum(reply.usage.values()) for reply in replies)


def test_no_more_than_the_bound_are_in_flight_and_the_bound_is_reached() -> None:
    with StubServer(latency=0.1) as stub:
        call_all(stub.base_url, 40, {"concurrency": 8})
        assert stub.stats()["peak_in_flight"] == 8


MENDED = ["error_500", "error_503", "not_json", "stall", "reset", "rate_limit", "rate_limit_seconds"]


@pytest.mark.parametrize("fault", MENDED)
def test_a_passing_fault_is_mended_by_another_attempt(fault: str) -> None:
    with StubServer(faults=Faults({fault: 0.4}, retry_after=0.02)) as stub:
        replies, caller = call_all(stub.base_url, 12, {"timeout": 0.3, "retries": 12})
        assert all(isinstance(reply, Completion) for reply in replies)
        assert stub.stats()["faults"][fault] == caller.tally.retries > 0
        assert sum(reply.attempts for reply in replies) == stub.stats()["requests"]


def test_all_faults_at_once_lose_no_call() -> None:
    rates = dict.fromkeys([*MENDED, "null_content", "empty_content", "unclosed_tag", "unsupported"], 0.3 / 11)
    with StubServer(faults=Faults(rates, retry_after=0.02)) as stub:
        replies, caller = call_all(stub.base_url, 150, {"timeout": 0.5})
        assert all(isinstance(reply, Completion) for reply in replies)
        assert set(stub.stats()["faults"]) == set(rates)
        assert caller.tally.live_calls == 150 and caller.tally.in_flight == 0
        assert sum(reply.text is None for reply in replies) == stub.stats()["faults"]["null_content"]
        assert sum(reply.text == "" for reply in replies) == stub.stats()["faults"]["empty_content"]


def test_a_fault_that_stays_is_named_after_a_bounded_number_of_attempts() -> None:
    with StubServer(faults=Faults({"error_500": 1.0})) as stub:
        replies, caller = call_all(stub.base_url, 3, {"retries": 2})
        assert [type(reply) for reply in replies] == [CallFailed] * 3
        assert str(replies[0]) == "model=openai/stub: HTTP 500: The server had an error (attempts: 3)"
        assert stub.stats()["requests"] == 9
        assert caller.tally.failures == 3 and caller.tally.live_calls == 0


def test_a_refused_key_stops_the_run_and_is_named_but_not_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PANEL_KEY", "sk-wrong-key-0815")
    with StubServer(latency=0.02, faults=Faults(required_key="sk-right")) as stub, caplog.at_level(logging.DEBUG):
        replies, _ = call_all(stub.base_url, 30, {"concurrency": 4}, api_key_env="PANEL_KEY")
        assert {type(reply) for reply in replies} == {CredentialError}
        assert "the key in the environment variable PANEL_KEY was refused" in str(replies[0])
        # Those in flight, and no other.
        assert stub.stats()["requests"] <= 4
    assert "0815" not in " ".join(map(str, replies)) + caplog.text


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with StubServer(faults=Faults(required_key="sk-right")) as stub:
        (reply,), _ = call_all(stub.base_url, 1, {})
        assert "refused without a key" in str(reply) and "OPENAI_API_KEY" in str(reply)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-right")
        (reply,), _ = call_all(stub.base_url, 1, {})
        assert isinstance(reply, Completion)


def test_a_request_too_long_is_not_repeated() -> None:
    with StubServer(faults=Faults({"context": 1.0})) as stub:
        replies, caller = call_all(stub.base_url, 2, {})
        assert [type(reply) for reply in replies] == [ContextOverflow] * 2
        assert stub.stats()["requests"] == 2 and caller.tally.failures == 2


def test_a_refused_parameter_is_left_out_from_then_on(caplog: pytest.LogCaptureFixture) -> None:
    with StubServer(faults=Faults({"unsupported": 1.0})) as stub:
        replies, _ = call_all(stub.base_url, 6, {"concurrency": 2})
        assert all(isinstance(reply, Completion) for reply in replies)
        # The two in flight are refused once each; the others go without the seed at once.
        assert stub.stats()["requests"] == 8
    assert [record.getMessage() for record in caplog.records] == [
        "openai/stub: seed is left out from now on, as it was refused "
        "(HTTP 400: Unsupported parameter: 'seed' is not supported with this model.)"
    ]


def test_a_server_that_never_answered_stops_the_run() -> None:
    with StubServer() as stub:
        url = stub.base_url
    # At once: with these settings a second attempt would come after a quarter of an hour.
    replies, caller = call_all(url, 3, {"retries": 6, "backoff": 1800.0, "backoff_max": 1800.0})
    assert {type(reply) for reply in replies} == {ConfigError}
    assert f"nothing answers at {url}" in str(replies[0]) and "base_url or OPENAI_BASE_URL" in str(replies[0])
    assert caller.tally.retries == 0


def test_a_server_that_is_gone_after_it_answered_costs_the_call_alone() -> None:
    async def main(stub: StubServer) -> Completion:
        async with Caller(LlmSettings(**{**FAST, "retries": 1})) as caller:
            reply = await caller.call(Endpoint("openai/stub", stub.base_url), ask(1), Params())
            await asyncio.to_thread(stub.__exit__, None, None, None)
            with pytest.raises(CallFailed, match="no connection"):
                await caller.call(Endpoint("openai/stub", stub.base_url), ask(2), Params())
            return reply

    assert isinstance(run(main(StubServer().__enter__())), Completion)


def test_a_hit_is_marked_free_and_keeps_what_it_cost(healthy: StubServer, tmp_path: Path) -> None:
    settings = {"cache": str(tmp_path / "new" / "calls.sqlite")}
    first, _ = call_all(healthy.base_url, 4, settings)
    before = healthy.stats()["requests"]
    again, caller = call_all(healthy.base_url, 4, settings)
    assert healthy.stats()["requests"] == before
    assert [(reply.text, reply.usage, reply.cached) for reply in again] == [
        (reply.text, reply.usage, True) for reply in first
    ]
    tally = caller.tally
    assert (tally.cached_calls, tally.live_calls, tally.tokens, tally.live_cost) == (4, 0, 0, 0.0)


def test_everything_that_changes_the_answer_changes_the_key(healthy: StubServer, tmp_path: Path) -> None:
    async def main() -> int:
        async with Caller(LlmSettings(**{**FAST, "cache": str(tmp_path / "calls.sqlite")})) as caller:
            one = Endpoint("openai/stub", healthy.base_url)
            for _ in range(2):
                await caller.call(one, ask(1), Params(0.7, seed=1))
                await caller.call(one, ask(1), Params(0.7, seed=1), 1)
                await caller.call(one, ask(1), Params(0.7, seed=2))
                await caller.call(one, ask(1), Params(0.8, seed=1))
                await caller.call(one, ask(1), Params(0.7, seed=1, extra={"top_p": 0.5}))
                await caller.call(one, ask(2), Params(0.7, seed=1))
                await caller.call(Endpoint("openai/other", healthy.base_url), ask(1), Params(0.7, seed=1))
                await caller.call(Endpoint("vllm/stub", healthy.base_url), ask(1), Params(0.7, seed=1))
                elsewhere = healthy.base_url.replace("127.0.0.1", "localhost")
                await caller.call(Endpoint("openai/stub", elsewhere), ask(1), Params(0.7, seed=1))
            return caller.tally.live_calls

    assert run(main()) == 9


def test_failures_and_empty_replies_are_not_cached(tmp_path: Path) -> None:
    path = tmp_path / "calls.sqlite"
    with StubServer(faults=Faults({"null_content": 0.4, "context": 0.3})) as stub:
        replies, _ = call_all(stub.base_url, 30, {"cache": str(path)})
    kept = [json.loads(row[0])["text"] for row in sqlite3.connect(path).execute("SELECT reply FROM calls")]
    assert sorted(kept) == sorted(reply.text for reply in replies if isinstance(reply, Completion) and reply.text)
    assert 0 < len(kept) < 30


def test_neither_the_key_nor_the_prompt_is_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right-key-4711")
    with StubServer(faults=Faults(required_key="sk-right-key-4711")) as stub:
        call_all(stub.base_url, 2, {"cache": str(tmp_path / "calls.sqlite")})
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Step 2 leads to" in written
    assert b"4711" not in written and b"Question" not in written


def test_a_bound_on_calls_is_kept_exactly_and_can_be_raised(tmp_path: Path) -> None:
    settings = {"cache": str(tmp_path / "calls.sqlite"), "concurrency": 4}
    with StubServer(latency=0.01) as stub:
        replies, caller = call_all(stub.base_url, 20, settings | {"max_calls": 7})
        assert stub.stats()["requests"] == caller.tally.live_calls == 7
        assert sum(isinstance(reply, BudgetReached) for reply in replies) == 13
        assert "llm.max_calls=7: reached" in str(replies[-1])
        replies, caller = call_all(stub.base_url, 20, settings | {"max_calls": 13})
        assert all(isinstance(reply, Completion) for reply in replies)
        assert (caller.tally.cached_calls, stub.stats()["requests"]) == (7, 20)


def test_a_bound_on_tokens_lets_calls_in_flight_end() -> None:
    with StubServer(latency=0.02) as stub:
        replies, caller = call_all(stub.base_url, 40, {"concurrency": 4, "max_tokens": 100})
        done = [reply for reply in replies if isinstance(reply, Completion)]
        used = sum(sum(reply.usage.values()) for reply in done)
        assert caller.tally.tokens == used >= 100
        # What exceeds the bound is at most what was in flight.
        assert used - 100 <= 4 * max(sum(reply.usage.values()) for reply in done)
        assert len(done) == stub.stats()["requests"] < 40


def test_a_bound_on_cost_counts_what_the_server_charged() -> None:
    def reply(name: str, messages: Any, params: Params) -> Completion:
        return Completion("<answer>A</answer>", usage={"prompt_tokens": 1, "completion_tokens": 1}, cost=0.03)

    async def main() -> tuple[int, float | None]:
        async with Caller(LlmSettings(**{**FAST, "max_cost_usd": 0.1}), mock=reply) as caller:
            for number in range(10):
                try:
                    await caller.call(Endpoint("mock/x"), ask(number), Params())
                except BudgetReached as error:
                    assert str(error).startswith("llm.max_cost_usd=0.1: reached (0.12 used")
                    break
            return caller.tally.live_calls, caller.tally.live_cost

    calls, cost = run(main())
    assert calls == 4 and cost == pytest.approx(0.12)


def test_a_price_that_is_given_makes_a_bound_on_cost_possible(healthy: StubServer) -> None:
    settings = {"max_cost_usd": 1.0, "prices": {"openai/gpt-unheard-of": [20000.0, 30000.0]}}
    (reply,), caller = call_all(healthy.base_url, 1, settings, model="openai/gpt-unheard-of")
    # Dollars for a million tokens read and written.
    usage = reply.usage
    assert reply.cost == pytest.approx(0.02 * usage["prompt_tokens"] + 0.03 * usage["completion_tokens"])
    assert caller.tally.live_cost == reply.cost
    assert LlmSettings(prices={"openai/m": [1, 2]}).prices == {"openai/m": [1, 2]}
    for price in ([0.1], [0.1, -0.4], [], [0.1, float("inf")], [0.1, "free"], [True, 1], 0.1):
        with pytest.raises(ConfigError, match=r"llm\.prices\.openai/m=.*\[READ,WRITTEN\]"):
            LlmSettings(prices={"openai/m": price})


def test_the_deadline_ends_waiting_and_not_what_is_in_flight() -> None:
    with StubServer(latency=0.3) as stub:
        started = time.monotonic()
        replies, _ = call_all(stub.base_url, 6, {"concurrency": 2, "deadline": 0.4})
        assert time.monotonic() - started < 1.5
        kinds = [type(reply) for reply in replies]
        assert kinds == [Completion] * 4 + [BudgetReached] * 2
        assert "llm.deadline=0.4" in str(replies[-1])


def test_progress_is_called_after_each_reply_and_failure() -> None:
    seen: list[tuple[int, int]] = []

    async def main(url: str) -> None:
        async with Caller(
            LlmSettings(**{**FAST, "retries": 0}),
            progress=lambda: seen.append((caller.tally.live_calls, caller.tally.failures)),
        ) as caller:
            for number in range(20):
                try:
                    await caller.call(Endpoint("openai/stub", url), ask(number), Params())
                except CallFailed:
                    pass

    with StubServer(faults=Faults({"error_500": 0.5})) as stub:
        run(main(stub.base_url))
    assert [calls + failures for calls, failures in seen] == list(range(1, 21))
    assert seen[-1][0] > 0 and seen[-1][1] > 0


def test_cancelled_calls_free_their_places_and_connections() -> None:
    async def main(stub: StubServer) -> int:
        async with Caller(LlmSettings(**{**FAST, "concurrency": 4})) as caller:
            endpoint = Endpoint("openai/stub", stub.base_url)
            tasks = [asyncio.create_task(caller.call(endpoint, ask(number), Params())) for number in range(12)]
            await asyncio.sleep(0.15)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert caller.tally.in_flight == 0
            stub.latency = 0.0
            await asyncio.gather(*(caller.call(endpoint, ask(number), Params()) for number in range(8)))
            return caller.tally.live_calls

    with StubServer(latency=5.0) as stub:
        assert run(main(stub)) == 8


@pytest.mark.parametrize(("kind", "error"), [(Kind.MODEL, ConfigError), (Kind.FUNDS, BudgetReached)])
def test_what_holds_for_all_calls_stops_them_all(kind: Kind, error: type) -> None:
    asked = 0

    def fail(*_: Any) -> str:
        nonlocal asked
        asked += 1
        raise Fault(kind, "HTTP 4xx")

    async def main() -> list[Any]:
        async with Caller(LlmSettings(**{**FAST, "concurrency": 1}), mock=fail) as caller:
            calls = (caller.call(Endpoint("mock/x"), ask(number), Params()) for number in range(5))
            return await asyncio.gather(*calls, return_exceptions=True)

    assert [type(raised) for raised in run(main())] == [error] * 5
    assert asked == 1


def test_a_model_that_answered_before_is_not_given_up_for_one_404() -> None:
    def reply(name: str, messages: Any, params: Params) -> str:
        if params.seed == 1:
            raise Fault(Kind.MODEL, "HTTP 404")
        return "x"

    async def main() -> list[Any]:
        async with Caller(LlmSettings(**{**FAST, "concurrency": 1}), mock=reply) as caller:
            calls = (caller.call(Endpoint("mock/x"), ask(0), Params(seed=seed)) for seed in range(3))
            return await asyncio.gather(*calls, return_exceptions=True)

    assert [type(outcome) for outcome in run(main())] == [Completion, CallFailed, Completion]


def test_a_run_of_hits_lets_others_have_a_turn(healthy: StubServer, tmp_path: Path) -> None:
    async def main() -> int:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async with Caller(LlmSettings(**{**FAST, "cache": str(tmp_path / "calls.sqlite")})) as caller:
            endpoint = Endpoint("openai/stub", healthy.base_url)
            await caller.call(endpoint, ask(1), Params())
            counter = asyncio.create_task(count())
            for _ in range(10):
                assert (await caller.call(endpoint, ask(1), Params())).cached
            counter.cancel()
            return turns

    assert run(main()) >= 10


def test_messages_are_handed_on_unchanged(healthy: StubServer) -> None:
    messages = ask(1)

    async def main() -> None:
        async with Caller(LlmSettings(**FAST)) as caller:
            await caller.call(Endpoint("openai/stub", healthy.base_url), messages, Params())

    run(main())
    assert messages == ask(1)


def test_errors_carry_no_exception_of_a_client() -> None:
    # It would bring the request, and with it the key, into tracebacks.
    for fault, kind in (("reset", CallFailed), ("unauthorized", CredentialError)):
        with StubServer(faults=Faults({fault: 1.0})) as stub:
            (error,), _ = call_all(stub.base_url, 1, {"retries": 0})
        assert type(error) is kind
        assert error.__cause__ is None and error.__context__ is None
