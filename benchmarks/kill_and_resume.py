"""Kills a run of debates with kill -9 at random moments, resumes it each time, and counts what was lost or paid twice.

python benchmarks/kill_and_resume.py [--debates 100] [--kills 10] [--latency 0.05] [--cap 16] [--seed 0]

The server is tests/stub/server.py in a process of its own. A kill falls at a random time within a run's first seconds,
counted from its first call on.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from live_throughput import ask, serve

AGENTS = ("auditor", "analyst", "challenger")


def hold_debates(url: str, folder: Path, debates: int, cap: int) -> None:
    from sentinel.dataset import load_questions
    from sentinel.debate import run_debates
    from sentinel.log_store import LogWriter
    from sentinel.settings import AgentSettings, DatasetSettings, DebateSettings, LlmSettings

    panel = {name: AgentSettings("vllm/m", base_url=url) for name in AGENTS}
    llm = LlmSettings(concurrency=cap, cache=str(folder / "calls.sqlite"))
    with LogWriter(folder / "log.jsonl") as writer:
        questions = load_questions(DatasetSettings(limit=debates))
        debate = DebateSettings(in_flight=max(1, cap // 2))
        run_debates(questions, panel, debate, llm, 0, done=writer.done("debate"), sink=writer.append)


def count_lines(log: Path) -> tuple[int, int]:
    """Return how many debates can be read, and how many lines cannot."""
    from sentinel.log_store import load_debates

    if not log.exists() or not log.stat().st_size:
        return 0, 0
    corpus = load_debates(log)
    return len(corpus), len(corpus.problems)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--debates", type=int, default=100)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--cap", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        hold_debates(given.client, given.folder, given.debates, given.cap)
        return
    rng = random.Random(given.seed)
    needed = given.debates * len(AGENTS) * 3
    # The moments are spread so that the run is still at work at the last of them.
    longest = 2 * needed / given.cap * given.latency / (given.kills + 1)
    with tempfile.TemporaryDirectory() as name, serve("--latency", str(given.latency)) as url:
        folder = Path(name)
        options = ["--client", url, "--folder", name, "--debates", str(given.debates), "--cap", str(given.cap)]
        print("kill   after s   calls   debates in the log   unreadable lines")
        for kill in range(1, given.kills + 1):
            before = ask(url, "/stats")["requests"]
            client = subprocess.Popen([sys.executable, __file__, *options])
            while ask(url, "/stats")["requests"] == before and client.poll() is None:
                time.sleep(0.01)
            moment = rng.uniform(0, longest)
            time.sleep(moment)
            client.kill()
            client.wait()
            debates, problems = count_lines(folder / "log.jsonl")
            print(f"{kill:4d} {moment:9.2f} {ask(url, '/stats')['requests']:7d} {debates:20d} {problems:18d}")
        subprocess.run([sys.executable, __file__, *options], check=True)
        stats = ask(url, "/stats")
        debates, problems = count_lines(folder / "log.jsonl")
        lines = len((folder / "log.jsonl").read_text(encoding="utf-8").splitlines())
    again = stats["requests"] - needed
    print(f"in the end: {debates} of {given.debates} debates in {lines} lines, {problems} unreadable")
    print(f"calls: {needed} needed, {again} made again, at most {given.kills * given.cap} were in flight at the kills")
    assert debates == lines == given.debates and not problems
    assert stats["distinct"] == needed and 0 <= again <= given.kills * given.cap


if __name__ == "__main__":
    main()
