"""Whole debates against a bare aiohttp client that makes the very same calls, as ratios of wall time in one run.

python benchmarks/live_debates.py [--questions 200] [--latency 0.2] [--cap 64] [--litellm]
python benchmarks/live_debates.py --memory 20000

The server is tests/stub/server.py in a process of its own. Each client runs in a process of its own too, three times
in turn; the median counts. `--memory` debates so many questions by scripted agents, and an eighth of them, and compares
the peaks.
"""

import argparse
import asyncio
import importlib.util
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from live_throughput import STUB, ask, serve

ROUNDS = 3
MODEL = "gpt-4o-mini"
AGENTS = ("auditor", "analyst", "challenger")


def make_questions(count: int) -> Iterator[Any]:
    from sentinel.records import AnswerType, Question

    for number in range(count):
        yield Question(
            id=f"q{number}",
            dataset="benchmark",
            source=None,
            question_key=f"q{number}",
            question=f"Which of these is number {number}? " + "It is the one that was named in the list before. " * 8,
            choices=("the first", "the second", "the third", "the fourth"),
            answer_type=AnswerType.CHOICE,
            gold="A",
        )


def capture_bodies(count: int) -> list[dict[str, Any]]:
    """Return the requests that these debates make to a server that replies as the stub does."""
    from sentinel.debate import run_debates
    from sentinel.settings import AgentSettings, DebateSettings, LlmSettings

    spec = importlib.util.spec_from_file_location("stub_server", STUB)
    assert spec is not None and spec.loader is not None
    stub = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = stub
    spec.loader.exec_module(stub)
    bodies: list[dict[str, Any]] = []

    def reply(name: str, messages: Sequence[Any], params: Any) -> str:
        bodies.append({"model": name, "messages": list(messages), **params.to_fields()})
        return str(stub.reply_text(bodies[-1]))

    panel = {name: AgentSettings(model=f"mock/{MODEL}") for name in AGENTS}
    run_debates(
        make_questions(count), panel, DebateSettings(), LlmSettings(cache=None), 0, sink=lambda _: None, mock=reply
    )
    return bodies


async def call_bare(url: str, bodies: Sequence[dict[str, Any]], cap: int) -> None:
    import aiohttp

    places = asyncio.Semaphore(cap)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(body: dict[str, Any]) -> None:
            async with places, session.post(f"{url}/chat/completions", json=body) as response:
                assert (await response.json())["choices"]

        await asyncio.gather(*map(one, bodies))


def hold_debates(url: str | None, count: int, cap: int, prefix: str, folder: str) -> None:
    """Debate with cache and log; without `url` by scripted agents."""
    from sentinel.debate import run_debates
    from sentinel.log_store import LogWriter
    from sentinel.settings import AgentSettings, DebateSettings, LlmSettings

    if url is None:
        panel = dict(zip(AGENTS, map(AgentSettings, ("mock/stubborn", "mock/careful", "mock/agreeable")), strict=True))
        llm = LlmSettings(cache=None)
    else:
        panel = {name: AgentSettings(model=f"{prefix}{MODEL}", base_url=url) for name in AGENTS}
        llm = LlmSettings(concurrency=cap, cache=str(Path(folder) / "calls.sqlite"))
    with LogWriter(Path(folder) / "log.jsonl") as writer:
        report = run_debates(make_questions(count), panel, DebateSettings(), llm, 0, sink=writer.append)
    assert report.finished == count and report.failed == 0


def run_client(kind: str, url: str | None, count: int, cap: int, bodies: str | None) -> None:
    """Make the calls in this process and print seconds, CPU seconds and peak memory (MB); imports are not timed."""
    import aiohttp  # noqa: F401

    import sentinel.debate
    import sentinel.llm._openai_compatible
    import sentinel.log_store  # noqa: F401

    if kind == "litellm":
        from sentinel.llm._litellm import import_litellm

        import_litellm()
    captured = json.loads(Path(bodies).read_text(encoding="utf-8")) if bodies else []
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_SELF)
        started = time.perf_counter()
        if kind == "bare":
            assert url is not None
            asyncio.run(call_bare(url, captured, cap))
        else:
            hold_debates(url, count, cap, "litellm/openai/" if kind == "litellm" else "openai/", folder)
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps([seconds, cpu, after.ru_maxrss / 1024]))


def start_client(kind: str, count: int, *options: str) -> list[float]:
    command = [sys.executable, __file__, "--client", kind, "--questions", str(count), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return list(map(float, json.loads(done.stdout)))


def compare(count: int, latency: float, cap: int, kinds: Sequence[str]) -> None:
    seen: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    peaks: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, serve("--latency", str(latency)) as url:
        bodies = Path(folder) / "bodies.json"
        captured = capture_bodies(count)
        bodies.write_text(json.dumps(captured), encoding="utf-8")
        for _ in range(ROUNDS):
            for kind in kinds:
                ask(url, "/reset", post=True)
                seen[kind].append(start_client(kind, count, "--url", url, "--cap", str(cap), "--bodies", str(bodies)))
                stats = ask(url, "/stats")
                assert stats["replies"] == stats["distinct"] == len(captured)
                peaks[kind] = stats["peak_in_flight"]
    base = statistics.median(run[0] for run in seen["bare"])
    print(f"{count} debates, {len(captured)} calls of {latency * 1000:.0f} ms, at most {cap} at once; ", end="")
    print(f"at best {len(captured) / cap * latency:.2f} s")
    print("client     wall s   ratio   CPU s   peak in flight   peak MB")
    for kind in kinds:
        wall, cpu, memory = (statistics.median(column) for column in zip(*seen[kind], strict=True))
        print(f"{kind:8} {wall:8.2f} {wall / base:7.2f} {cpu:7.2f} {peaks[kind]:16d} {memory:9.0f}")


def measure_memory(count: int) -> None:
    print("questions    wall s   peak MB")
    for questions in (count // 8, count):
        wall, _, memory = start_client("debates", questions)
        print(f"{questions:9d} {wall:9.1f} {memory:9.1f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--cap", type=int, default=64)
    parser.add_argument("--litellm", action="store_true", help="also by litellm's own path")
    parser.add_argument("--memory", type=int, metavar="QUESTIONS")
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    parser.add_argument("--bodies", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        run_client(given.client, given.url, given.questions, given.cap, given.bodies)
    elif given.memory:
        measure_memory(given.memory)
    else:
        kinds = ["bare", "debates", *(["litellm"] if given.litellm else [])]
        compare(given.questions, given.latency, given.cap, kinds)


if __name__ == "__main__":
    main()
