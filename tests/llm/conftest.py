"""The stub server, and an environment without anybody's keys."""

import pytest
from stub.server import StubServer


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "OPENROUTER_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def healthy() -> StubServer:
    """A stub without faults; it counts what the whole session asks of it."""
    with StubServer(latency=0.01) as server:
        yield server
