"""A stand-in for an OpenAI-compatible server, with latency, a bound on calls at once, and faults to switch on.

    with StubServer(latency=0.2, faults=Faults(rates={"error_500": 0.1})) as stub: ... stub.base_url ... stub.stats()

or `python tests/stub/server.py --port 0 --latency 0.2 --slots 64 --fault error_500=0.1`, which prints its address.
GET /stats reports what it saw, POST /reset sets the counts to zero. Faults and replies follow from hashes of seed and
request, so that runs repeat: a request that is sent again meets a fresh draw.
"""

import argparse
import asyncio
import hashlib
import json
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from types import TracebackType
from typing import Any, Self

from aiohttp import web

FAULTS = (
    "rate_limit",
    "rate_limit_seconds",
    "rate_limit_date",
    "error_500",
    "error_503",
    "unauthorized",
    "null_content",
    "empty_content",
    "unclosed_tag",
    "not_json",
    "stall",
    "reset",
    "unsupported",
    "context",
)


@dataclass
class Faults:
    """Which faults to make: shares of requests by name (together at most 1), drawn by `seed` for each attempt.

    For `outage` seconds from the first request on, every request gets 429. `unsupported` refuses requests that have the
    `unsupported_parameter`. A stall lasts `stall` seconds. Without the `required_key` every request gets 401.
    """

    rates: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    outage: float = 0.0
    retry_after: float = 1.0
    stall: float = 3600.0
    unsupported_parameter: str = "seed"
    required_key: str | None = None

    def __post_init__(self) -> None:
        if unknown := set(self.rates) - set(FAULTS):
            raise ValueError(f"no such faults: {sorted(unknown)}; have: {', '.join(FAULTS)}")

    def draw(self, request: str, attempt: int) -> str | None:
        """Return the fault that this attempt at a request meets."""
        point = random.Random(f"{self.seed} {attempt} {request}").random()
        for name, rate in sorted(self.rates.items()):
            if point < rate:
                return name
            point -= rate
        return None


class StubServer:
    """The server in a thread of its own; a context manager. `slots` bounds how many requests are worked on at once."""

    def __init__(
        self, *, latency: float = 0.0, slots: int | None = None, faults: Faults | None = None, port: int = 0
    ) -> None:
        self.latency = latency
        self.slots = slots
        self.faults = faults or Faults()
        self.base_url = ""
        self._port = port
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._reset()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.loop.call_soon_threadsafe(self._done.set)
        self._thread.join(10)

    def stats(self) -> dict[str, Any]:
        """Return counts of requests, of replies and of faults, and the most requests that were in flight at once."""
        return {
            "requests": self.requests,
            "replies": self.replies,
            "distinct": len(self._attempts),
            "in_flight": self.in_flight,
            "peak_in_flight": self.peak,
            "faults": dict(self.made),
            "first_second_of_health": self._healthy_at and self._healthy_at - self._started,
            "replies_by_second": dict(self._by_second),
        }

    def run_forever(self) -> None:
        """Serve until interrupted."""
        asyncio.run(self._serve())

    def _reset(self) -> None:
        self.requests = self.replies = self.in_flight = self.peak = 0
        self.made: Counter[str] = Counter()
        self._attempts: Counter[str] = Counter()
        self._by_second: Counter[int] = Counter()
        self._started = self._healthy_at = 0.0

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._done = asyncio.Event()
        self._places = asyncio.Semaphore(self.slots or 1_000_000)
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/stats", self._show_stats)
        app.router.add_post("/reset", self._show_reset)
        # Whoever hangs up is to be noticed, so that stalls end with their clients.
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.2)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self._port, backlog=1024)
        await site.start()
        port = runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._ready.set()
        try:
            await self._done.wait()
        finally:
            await runner.cleanup()

    async def _show_stats(self, _: web.Request) -> web.Response:
        return web.json_response(self.stats())

    async def _show_reset(self, _: web.Request) -> web.Response:
        self._reset()
        return web.json_response({})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        self.requests += 1
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._answer(request, body, hashlib.sha256(raw).hexdigest())
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request, body: dict[str, Any], digest: str) -> web.StreamResponse:
        self._started = self._started or time.monotonic()
        attempt = self._attempts[digest]
        self._attempts[digest] += 1
        faults = self.faults
        if faults.required_key and request.headers.get("Authorization") != f"Bearer {faults.required_key}":
            return self._fail("unauthorized")
        if time.monotonic() - self._started < faults.outage:
            return self._fail("rate_limit")
        self._healthy_at = self._healthy_at or time.monotonic()
        fault = faults.draw(digest, attempt)
        if fault == "unsupported" and faults.unsupported_parameter not in body:
            fault = None
        if fault in ("rate_limit", "rate_limit_seconds", "rate_limit_date", "error_500", "error_503"):
            return self._fail(fault)
        if fault in ("unauthorized", "unsupported", "context"):
            return self._fail(fault)
        async with self._places:
            await asyncio.sleep(self.latency)
        if fault in ("stall", "reset"):
            self.made[fault] += 1
            return await self._break(request, fault)
        return self._reply(body, fault)

    def _reply(self, body: dict[str, Any], fault: str | None) -> web.Response:
        text: str | None = reply_text(body)
        if fault is not None:
            self.made[fault] += 1
        match fault:
            case "null_content":
                text = None
            case "empty_content":
                text = ""
            case "unclosed_tag":
                text = (text or "").partition("</answer>")[0]
            case "not_json":
                return web.Response(text="<html>upstream</html>", content_type="text/html")
        self.replies += 1
        self._by_second[int(time.monotonic() - self._started)] += 1
        asked = sum(len(message["content"]) for message in body["messages"])
        return web.json_response(
            {
                "id": "stub",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
                "usage": {
                    "prompt_tokens": asked // 4,
                    "completion_tokens": len(text or "") // 4,
                    "total_tokens": asked // 4 + len(text or "") // 4,
                },
            }
        )

    def _fail(self, fault: str) -> web.Response:
        self.made[fault] += 1
        faults, headers, named = self.faults, {}, None
        if fault == "rate_limit_seconds":
            headers["Retry-After"] = f"{faults.retry_after:g}"
        elif fault == "rate_limit_date":
            # HTTP dates have whole seconds.
            headers["Retry-After"] = formatdate(time.time() + faults.retry_after + 1, usegmt=True)
        match fault:
            case "error_500":
                status, message, code = 500, "The server had an error", "server_error"
            case "error_503":
                status, message, code = 503, "The server is overloaded", "overloaded"
            case "unauthorized":
                status, message, code = 401, "Incorrect API key provided", "invalid_api_key"
            case "unsupported":
                named = faults.unsupported_parameter
                message = f"Unsupported parameter: '{named}' is not supported with this model."
                status, code = 400, "unsupported_parameter"
            case "context":
                status, message = 400, "This model's maximum context length is 4096 tokens."
                code = "context_length_exceeded"
            case _:
                status, message, code = 429, "Rate limit reached", "rate_limit_exceeded"
        error = {"message": message, "type": "stub", "code": code, "param": named}
        return web.json_response({"error": error}, status=status, headers=headers)

    async def _break(self, request: web.Request, fault: str) -> web.StreamResponse:
        """Send half an answer, and then nothing more, or a reset."""
        response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"id": "stub", "choices": [{"index": 0, "mess')
        if fault == "stall":
            await asyncio.sleep(self.faults.stall)
        assert request.transport is not None
        request.transport.abort()
        return response


def reply_text(body: Mapping[str, Any]) -> str:
    """Return a reply in tags that follows from the request; different agents often give different answers."""
    prompt = body["messages"][-1]["content"]
    digest = hashlib.sha256(json.dumps([body["model"], body["messages"], body.get("seed")]).encode()).digest()
    options = sorted(set(re.findall(r"^([A-Z])\) ", prompt, re.MULTILINE)))
    if options:
        answer = options[digest[0] % len(options)]
    elif re.search(r"<answer>[^<]*true", prompt):
        answer = ("true", "false")[digest[0] % 2]
    else:
        answer = str(digest[0] % 3 + 7)
    text = f"<reasoning>\nStep 1 gives {digest[1]}. Step 2 leads to {answer}.\n</reasoning>\n<answer>{answer}</answer>"
    if "<stance_change>" in prompt:
        flag = ("YES", "NO")[digest[2] % 2]
        text += f"\n<stance_change>{flag}</stance_change>\n<change_reason>Step 1 was checked.</change_reason>"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds for each reply")
    parser.add_argument("--slots", type=int, help="requests worked on at once")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--outage", type=float, default=0.0, help="seconds of 429 from the first request on")
    parser.add_argument("--retry-after", type=float, default=1.0)
    parser.add_argument("--stall", type=float, default=3600.0, help="seconds that a stalled reply takes")
    parser.add_argument("--key", help="the only key that is not refused")
    parser.add_argument("--fault", action="append", default=[], metavar="NAME=SHARE", help=", ".join(FAULTS))
    given = parser.parse_args()
    rates = {name: float(share) for name, _, share in (item.partition("=") for item in given.fault)}
    faults = Faults(
        rates,
        seed=given.seed,
        outage=given.outage,
        retry_after=given.retry_after,
        stall=given.stall,
        required_key=given.key,
    )
    server = StubServer(latency=given.latency, slots=given.slots, faults=faults, port=given.port)
    threading.Thread(target=lambda: server._ready.wait() and print(server.base_url, flush=True), daemon=True).start()
    try:
        server.run_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
