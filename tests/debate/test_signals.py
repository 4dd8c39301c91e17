"""Signals from outside in mid-run: kill -9 costs nothing twice, and Ctrl-C lets the debates in flight end."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from sentinel.log_store import load_debates

DEBATES = 12
NEEDED = DEBATES * 9
AT_ONCE = 6

RUN = f"""
import sys
from sentinel.dataset import load_questions
from sentinel.debate import run_debates
from sentinel.log_store import LogWriter
from sentinel.settings import AgentSettings, DatasetSettings, DebateSettings, LlmSettings

url, log, cache = sys.argv[1:]
panel = {{name: AgentSettings(model="vllm/m", base_url=url) for name in ("ann", "bob", "cleo")}}
llm = LlmSettings(cache=cache, concurrency={AT_ONCE})
debate = DebateSettings(in_flight={AT_ONCE // 3})
with LogWriter(log) as writer:
    questions = load_questions(DatasetSettings(limit={DEBATES}))
    report = run_debates(questions, panel, debate, llm, 0, done=writer.done("debate"), sink=writer.append)
print(report.stopped)
"""


class Session:
    """A server, and runs against it that get a signal when the server gets a certain request."""

    def __init__(self, server: Any, folder: Path) -> None:
        self.server = server
        self.log = folder / "log.jsonl"
        self.arguments = [server.base_url, str(self.log), str(folder / "calls.sqlite")]

    def run(self, after: int = 0, sent: signal.Signals = signal.SIGKILL) -> tuple[int, str]:
        """Return exit status and output of a run; its request number `after` triggers the signal."""
        client = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", RUN, *self.arguments], stdout=subprocess.PIPE, text=True
        )
        self.server.trigger = (self.server.requests + after, client, sent)
        said, _ = client.communicate(timeout=60)
        return client.returncode, said.strip()


@pytest.fixture
def session(stub: Any, tmp_path: Path) -> Any:
    class SignallingServer(stub.StubServer):  # type: ignore[misc]
        trigger: tuple[int, "subprocess.Popen[str]", signal.Signals]

        async def _complete(self, request: web.Request) -> web.StreamResponse:
            at, client, sent = self.trigger
            if self.requests + 1 == at:
                client.send_signal(sent)
            response: web.StreamResponse = await super()._complete(request)
            return response

    with SignallingServer(latency=0.002) as server:
        yield Session(server, tmp_path)


def test_kill_and_resume(session: Session) -> None:
    requests = 0
    for after in (31, 26):
        assert session.run(after) == (-signal.SIGKILL, "")
        corpus = load_debates(session.log)
        assert not corpus.problems and 0 < len(corpus) < DEBATES
        assert session.server.requests <= requests + after + AT_ONCE
        requests = session.server.requests
    with session.log.open("ab") as torn:
        torn.write(b'{"schema_version": 1, "kind": "debate", "id": "cut o')
    assert session.run() == (0, "None")
    assert NEEDED <= session.server.requests <= NEEDED + 2 * AT_ONCE
    requests = session.server.requests
    assert session.run() == (0, "None")
    assert session.server.requests == requests
    corpus = load_debates(session.log)
    assert not corpus.problems
    assert len(corpus) == DEBATES and set(Counter(debate.id for debate in corpus).values()) == {1}
    assert len(session.log.read_text(encoding="utf-8").splitlines()) == DEBATES


def test_an_interrupt_wakes_a_run_that_waits_for_the_network(session: Session) -> None:
    assert session.run(20, signal.SIGINT) == (0, "interrupted")
    ended = len(load_debates(session.log))
    # Nine requests end a debate, and two are in flight.
    assert 3 <= ended <= 4
    assert session.server.requests == ended * 9
    assert session.run() == (0, "None")
    assert session.server.requests == NEEDED
