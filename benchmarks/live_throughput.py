"""Calls through the llm room against a bare aiohttp client that makes the same ones, as ratios of wall time in one run.

python benchmarks/live_throughput.py [--calls 1800] [--latency 0.2] [--cap 64] [--litellm] [--outage SECONDS]

The server is tests/stub/server.py in a process of its own. Each client has one too, three times in turn; the median
counts. `--outage` shows how soon calls run at full rate after that many seconds of 429.
"""

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

STUB = Path(__file__).resolve().parents[1] / "tests" / "stub" / "server.py"
ROUNDS = 3
MODEL = "gpt-4o-mini"


def messages_of(number: int) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": "You are one member of a panel. " * 20},
        {"role": "user", "content": f"Question {number}: which is it?\nA) one\nB) two\nC) three\n" + "word " * 200},
    ]


async def bare(url: str, calls: int, cap: int) -> None:
    import aiohttp

    places = asyncio.Semaphore(cap)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(number: int) -> None:
            body = {"model": MODEL, "messages": messages_of(number), "temperature": 0.7, "seed": number}
            async with places, session.post(f"{url}/chat/completions", json=body) as response:
                assert (await response.json())["choices"]

        await asyncio.gather(*map(one, range(calls)))


async def room(url: str, calls: int, cap: int, prefix: str, cache: str | None) -> None:
    from sentinel.llm import Caller, Endpoint, Params
    from sentinel.settings import LlmSettings

    endpoint = Endpoint(f"{prefix}{MODEL}", url)
    numbers = iter(range(calls))
    async with Caller(LlmSettings(concurrency=cap, cache=cache)) as caller:

        async def work() -> None:
            for number in numbers:
                completion = await caller.call(endpoint, messages_of(number), Params(0.7, seed=number))
                assert completion.text

        await asyncio.gather(*(work() for _ in range(cap + 16)))
        assert caller.tally.live_calls == calls


def run_client(kind: str, url: str, calls: int, cap: int) -> None:
    """Make the calls in this process and print seconds and peak memory (MB); imports are not timed."""
    with tempfile.TemporaryDirectory() as folder:
        cache = str(Path(folder) / "calls.sqlite")
        match kind:
            case "bare":
                import aiohttp  # noqa: F401

                work = bare(url, calls, cap)
            case "room":
                import sentinel.llm._openai_compatible  # noqa: F401

                work = room(url, calls, cap, "openai/", cache)
            case _:
                from sentinel.llm._litellm import import_litellm

                import_litellm()
                work = room(url, calls, cap, "litellm/openai/", cache)
        before = resource.getrusage(resource.RUSAGE_SELF)
        started = time.perf_counter()
        asyncio.run(work)
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            [seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_maxrss / 1024]
        )
    )


@contextmanager
def serve(*options: str) -> Iterator[str]:
    server = subprocess.Popen([sys.executable, str(STUB), *options], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


def ask(url: str, path: str, *, post: bool = False) -> Any:
    root = url.removesuffix("/v1")
    with urllib.request.urlopen(urllib.request.Request(f"{root}{path}", method="POST" if post else "GET")) as answer:
        return json.load(answer)


def start_client(kind: str, url: str, calls: int, cap: int) -> list[float]:
    command = [sys.executable, __file__, "--client", kind, "--url", url, "--calls", str(calls), "--cap", str(cap)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return list(map(float, json.loads(done.stdout)))


def compare(calls: int, latency: float, cap: int, kinds: list[str]) -> None:
    seen: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    peaks: dict[str, int] = {}
    with serve("--latency", str(latency)) as url:
        for _ in range(ROUNDS):
            for kind in kinds:
                ask(url, "/reset", post=True)
                seen[kind].append(start_client(kind, url, calls, cap))
                stats = ask(url, "/stats")
                assert stats["replies"] == calls
                peaks[kind] = stats["peak_in_flight"]
    base = statistics.median(run[0] for run in seen["bare"])
    print(f"{calls} calls, {latency * 1000:.0f} ms each, at most {cap} at once; at best {calls / cap * latency:.2f} s")
    print("client     wall s   ratio   CPU s   peak in flight   peak MB")
    for kind in kinds:
        wall, cpu, memory = (statistics.median(column) for column in zip(*seen[kind], strict=True))
        print(f"{kind:8} {wall:8.2f} {wall / base:7.2f} {cpu:7.2f} {peaks[kind]:16d} {memory:9.0f}")


def recover(outage: float, latency: float, cap: int) -> None:
    """Print the replies of each second after an outage."""
    full = cap / latency
    with serve("--latency", str(latency), "--outage", str(outage)) as url:
        start_client("room", url, int(full * 20), cap)
        replies = {int(second): count for second, count in ask(url, "/stats")["replies_by_second"].items()}
    print(f"{outage:.0f} s of 429, then health; replies a second, of at most {full:.0f}:")
    for second in range(int(outage), max(replies)):
        print(f"{second - outage:+4.0f} s {replies.get(second, 0):6d}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=1800)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--cap", type=int, default=64)
    parser.add_argument("--litellm", action="store_true", help="also by litellm's own path")
    parser.add_argument("--outage", type=float)
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        run_client(given.client, given.url, given.calls, given.cap)
    elif given.outage:
        recover(given.outage, given.latency, given.cap)
    else:
        compare(given.calls, given.latency, given.cap, ["bare", "room", *(["litellm"] if given.litellm else [])])


if __name__ == "__main__":
    main()
