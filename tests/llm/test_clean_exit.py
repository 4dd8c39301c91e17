"""Whole processes: nothing is printed at the end, however a run ends."""

import subprocess
import sys

import pytest
from stub.server import StubServer

CALL = """
import asyncio, sys
from sentinel.llm import Caller, Endpoint, Params
from sentinel.settings import LlmSettings

async def main():
    async with Caller(LlmSettings(cache=None, timeout=20)) as caller:
        calls = (
            caller.call(Endpoint(sys.argv[1], sys.argv[2]), [{"role": "user", "content": str(n)}], Params(seed=n))
            for n in range(8)
        )
        how = sys.argv[3]
        if how == "end":
            return await asyncio.gather(*calls)
        tasks = [asyncio.create_task(call) for call in calls]
        await asyncio.sleep(0.2)
        if how == "raise":
            raise KeyboardInterrupt
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

for _ in range(2):
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
"""


@pytest.mark.parametrize("how", ["end", "cancel", "raise"])
def test_no_warning_and_no_unclosed_client(how: str) -> None:
    with StubServer(latency=0.01 if how == "end" else 5.0) as stub:
        command = [sys.executable, "-W", "error", "-c", CALL, "openai/x", stub.base_url, how]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_nor_with_litellm(healthy: StubServer) -> None:
    command = [sys.executable, "-W", "error", "-c", CALL, "litellm/openai/x", healthy.base_url, "end"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_the_room_imports_nothing_slow() -> None:
    code = (
        "import sys, sentinel.llm; print([name for name in ('litellm', 'aiohttp', 'xllamacpp') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
