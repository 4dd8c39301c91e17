"""How long calls wait, on a clock that jumps: seconds in here take no time."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from stub.clock import run_jumping

from sentinel.errors import CallFailed
from sentinel.llm import Caller, Endpoint, Params
from sentinel.llm._fault import Fault, Kind
from sentinel.settings import LlmSettings

ENDPOINT = Endpoint("mock/x")
# Seconds that a server takes to turn a call away.
REFUSAL = 0.02
MESSAGES = [{"role": "user", "content": "?"}]


def now() -> float:
    return asyncio.get_running_loop().time()


def server(fault_at: Callable[[float], Fault | None], latency: float, replies: Counter[int]) -> Callable[..., Any]:
    async def reply(name: str, messages: Sequence[Any], params: Params) -> str:
        fault = fault_at(now())
        if fault is not None:
            await asyncio.sleep(REFUSAL)
            raise fault
        await asyncio.sleep(latency)
        replies[int(now())] += 1
        return "<answer>A</answer>"

    return reply


def run_calls(
    fault_at: Callable[[float], Fault | None], *, latency: float, workers: int, seconds: float, **settings: Any
) -> tuple[Counter[int], int]:
    """Keep `workers` busy for some seconds; return replies by second, and how many calls failed."""
    replies: Counter[int] = Counter()

    async def main() -> int:
        async with Caller(LlmSettings(cache=None, **settings), mock=server(fault_at, latency, replies)) as caller:

            async def work(worker: int) -> None:
                number = 0
                while now() < seconds:
                    number += 1
                    try:
                        await caller.call(ENDPOINT, MESSAGES, Params(seed=1000 * worker + number))
                    except CallFailed:
                        pass

            await asyncio.gather(*map(work, range(workers)))
            return caller.tally.failures

    return replies, run_jumping(main())


@pytest.mark.parametrize(("latency", "workers"), [(0.2, 96), (2.0, 96), (0.2, 3)])
def test_after_30_seconds_of_429_calls_are_at_full_rate_within_15(latency: float, workers: int) -> None:
    def fault_at(time: float) -> Fault | None:
        return Fault(Kind.OVERLOADED, "HTTP 429") if 5 <= time < 35 else None

    replies, failures = run_calls(fault_at, latency=latency, workers=workers, seconds=60)
    full = min(64, workers) / latency
    assert failures == 0
    assert sum(replies[second] for second in range(8, 33)) == 0
    assert sum(replies[second] for second in range(50, 58)) / 8 >= 0.95 * full


def test_an_outage_is_probed_a_few_times_only() -> None:
    asked: list[float] = []

    def fault_at(time: float) -> Fault | None:
        asked.append(time)
        return Fault(Kind.OVERLOADED, "HTTP 429") if time < 30 else None

    run_calls(fault_at, latency=0.2, workers=96, seconds=31)
    # 64 and then 32, and as many again that begin before the refusals are in; then one at a time, 3 seconds apart.
    assert sum(time < 8 for time in asked) <= 200
    assert sum(8 <= time < 30 for time in asked) <= 8


def test_a_few_refusals_among_many_replies_hardly_slow_down() -> None:
    count = 0

    def fault_at(time: float) -> Fault | None:
        nonlocal count
        count += 1
        return Fault(Kind.OVERLOADED, "HTTP 429") if count % 20 == 0 else None

    replies, failures = run_calls(fault_at, latency=0.2, workers=96, seconds=30)
    assert failures == 0
    assert sum(replies.values()) / 30 >= 0.8 * 64 / 0.2


def test_a_server_that_takes_ten_at_once_gets_about_ten() -> None:
    in_flight, turned_away, replies = 0, 0, 0

    async def reply(name: str, messages: Sequence[Any], params: Params) -> str:
        nonlocal in_flight, turned_away, replies
        if in_flight >= 10:
            turned_away += 1
            await asyncio.sleep(REFUSAL)
            raise Fault(Kind.OVERLOADED, "HTTP 429")
        in_flight += 1
        await asyncio.sleep(1.0)
        in_flight -= 1
        replies += 1
        return "x"

    async def main() -> float:
        async with Caller(LlmSettings(cache=None), mock=reply) as caller:
            calls = (caller.call(ENDPOINT, MESSAGES, Params(seed=number)) for number in range(600))
            await asyncio.gather(*calls)
            return now()

    seconds = run_jumping(main())
    # 60 seconds at best. Without a limit, nearly every call would be turned away again and again.
    assert seconds < 120
    assert turned_away < 0.4 * replies


def attempts_of(fault: Fault, until: float, **settings: Any) -> list[float]:
    """Return when one call was tried that meets the fault until some time."""
    times: list[float] = []

    def fault_at(time: float) -> Fault | None:
        times.append(time)
        return fault if time < until else None

    async def main() -> None:
        async with Caller(LlmSettings(cache=None, **settings), mock=server(fault_at, 0.0, Counter())) as caller:
            try:
                await caller.call(ENDPOINT, MESSAGES, Params())
            except CallFailed:
                pass

    run_jumping(main())
    return times


def test_waits_double_up_to_the_longest_with_jitter() -> None:
    times = attempts_of(Fault(Kind.TRANSIENT, "HTTP 500"), 1e9, retries=8, backoff=1.0, backoff_max=20.0)
    waits = [after - before for before, after in zip(times, times[1:], strict=False)]
    assert len(waits) == 8
    for wait, longest in zip(waits, [1, 2, 4, 8, 16, 20, 20, 20], strict=True):
        assert 0.5 * longest <= wait <= longest
    assert waits[5] != waits[6] != waits[7]


def test_waits_repeat_from_run_to_run() -> None:
    fault = Fault(Kind.TRANSIENT, "HTTP 500")
    assert attempts_of(fault, 1e9) == attempts_of(fault, 1e9)


@pytest.mark.parametrize("kind", [Kind.OVERLOADED, Kind.TRANSIENT])
def test_retry_after_is_waited_for(kind: Kind) -> None:
    first, second = attempts_of(Fault(kind, "busy", retry_after=40.0), 1.0)
    assert 40.0 <= second - first <= 42.0


def test_retry_after_is_cut_to_the_longest() -> None:
    first, second = attempts_of(Fault(Kind.OVERLOADED, "HTTP 429", retry_after=86400.0), 1.0, retry_after_max=90.0)
    assert 90.0 <= second - first <= 95.0


def test_a_lone_call_waits_out_as_long_as_its_retries_would_take() -> None:
    # 1 + 2 + 4 + 8 + 16 + 32 seconds.
    times = attempts_of(Fault(Kind.OVERLOADED, "HTTP 429"), 1e9)
    assert 63 <= times[-1] < 63 + 5 + 1
    assert attempts_of(Fault(Kind.OVERLOADED, "HTTP 429"), 60.0)[-1] >= 60.0


def test_an_outage_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        run_calls(
            lambda time: Fault(Kind.OVERLOADED, "HTTP 429") if time < 60 else None, latency=0.2, workers=96, seconds=59
        )
    assert [record.getMessage() for record in caplog.records] == ["mock/x turns calls away: 32 instead of 64 in flight"]
