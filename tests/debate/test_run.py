"""Many debates: bounded, resumable, the same for the same seed, and stopped by what must stop them."""

import asyncio
import itertools
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sentinel.debate import collect_samples, run_debates
from sentinel.debate._run import fill_window
from sentinel.errors import ConfigError, CredentialError, DebateError, LogError
from sentinel.llm import Endpoint, RunReport
from sentinel.log_store import LogWriter, load_debates, record_to_dict
from sentinel.records import Debate, Question, Samples, Status
from sentinel.settings import AgentSettings, DebateSettings, LlmSettings

Panel = dict[str, AgentSettings]
Script = Callable[[str, Sequence[Any], Any], Any]


@pytest.fixture
def mocks() -> Panel:
    """Return a panel of behaviours that need no script."""
    return {name: AgentSettings(model=f"mock/{name}") for name in ("stubborn", "agreeable", "careful")}


@pytest.fixture
def many(ask: Callable[..., Question]) -> Callable[[int], list[Question]]:
    return lambda count: [ask(f"q{i}") for i in range(count)]


def test_the_report_counts(
    many: Callable[[int], list[Question]], trio: Panel, uncached: LlmSettings, say: Callable[..., str]
) -> None:
    def script(name: str, messages: Sequence[Any], params: Any) -> str | None:
        return {"ann": say("A"), "bob": "Hm.", "cleo": None}[name]

    finished: list[Debate] = []
    questions = many(4)
    report = run_debates(
        [*questions, questions[0]], trio, DebateSettings(rounds=1), uncached, 0, sink=finished.append, mock=script
    )
    assert (report.finished, report.skipped, report.unparsed, report.failed) == (4, 1, 8, 8)
    assert report.stopped is None
    # Four debates, two rounds; the reply of one agent is read at once, those of two are asked for again.
    assert report.tally.live_calls == 4 * 2 * 5
    assert len({debate.id for debate in finished}) == 4


def test_one_seed_gives_one_log_but_for_times(
    many: Callable[[int], list[Question]], mocks: Panel, uncached: LlmSettings
) -> None:
    def run(seed: int, in_flight: int) -> list[dict[str, Any]]:
        found: list[Debate] = []
        settings = DebateSettings(in_flight=in_flight)
        run_debates(many(12), mocks, settings, uncached, seed, sink=found.append)
        records = [record_to_dict(debate) for debate in sorted(found, key=lambda debate: debate.id)]
        for record in records:
            for turn in itertools.chain.from_iterable(record["rounds"]):
                turn["latency"] = None
        return records

    first = run(3, 1)
    assert first == run(3, 1)
    assert first == run(3, 8)
    assert first != run(4, 1)


def test_what_is_done_is_not_done_again(
    many: Callable[[int], list[Question]], mocks: Panel, uncached: LlmSettings, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"

    def run(questions: list[Question], **debate: Any) -> RunReport:
        with LogWriter(log) as writer:
            settings = DebateSettings(**debate)
            return run_debates(questions, mocks, settings, uncached, 0, done=writer.done("debate"), sink=writer.append)

    assert run(many(3)).finished == 3
    again = run(many(5))
    assert (again.finished, again.skipped, again.tally.calls) == (2, 3, 18)
    assert run(many(5)).tally.calls == 0
    # Other content is another debate of the same question.
    assert run(many(5), rounds=1).finished == 5
    corpus = load_debates(log)
    assert len(corpus) == 10 and not corpus.problems


def test_questions_are_taken_as_needed_and_no_more_debates_are_open_than_allowed(
    ask: Callable[..., Question], trio: Panel, uncached: LlmSettings, say: Callable[..., str]
) -> None:
    taken = finished = 0
    most_open = 0

    def questions() -> Iterator[Question]:
        nonlocal taken, most_open
        for i in range(60):
            taken += 1
            most_open = max(most_open, taken - finished)
            yield ask(f"q{i}")

    def sink(debate: Debate) -> None:
        nonlocal finished
        finished += 1

    async def script(name: str, messages: Sequence[Any], params: Any) -> str:
        await asyncio.sleep(0)
        return say("A")

    report = run_debates(questions(), trio, DebateSettings(in_flight=4), uncached, 0, sink=sink, mock=script)
    assert report.finished == 60
    # Four are open; the one just finished is counted out only after its successor is taken.
    assert most_open <= 5


@pytest.mark.parametrize(
    ("models", "concurrency", "expected"),
    [
        (["vllm/a", "vllm/a", "vllm/b"], 64, 32),
        (["openai/a", "gemini/b", "anthropic/c"], 64, 96),
        (["openai/a", "gemini/b", "openai/c"], 64, 48),
        (["ollama/a"] * 3, 1, 1),
        (["ollama/a"] * 9, 4, 1),
        (["gguf/a"] * 3, 64, 1),
    ],
)
def test_as_many_debates_are_open_as_keep_the_busiest_server_going(
    models: list[str], concurrency: int, expected: int
) -> None:
    endpoints = [Endpoint(model) for model in models]
    assert fill_window(endpoints, LlmSettings(concurrency=concurrency)) == expected


def test_a_bound_stops_the_run_and_a_higher_one_goes_on_without_paying_twice(
    stub: Any, many: Callable[[int], list[Question]], tmp_path: Path
) -> None:
    log, cache = tmp_path / "log.jsonl", str(tmp_path / "calls.sqlite")
    with stub.StubServer() as server:
        panel = {name: AgentSettings(model="vllm/m", base_url=server.base_url) for name in ("ann", "bob", "cleo")}

        def run(max_calls: int | None) -> RunReport:
            settings = LlmSettings(cache=cache, max_calls=max_calls, concurrency=4)
            with LogWriter(log) as writer:
                done = writer.done("debate")
                return run_debates(
                    many(6), panel, DebateSettings(in_flight=3), settings, 0, done=done, sink=writer.append
                )

        first = run(30)
        assert first.stopped is not None and "llm.max_calls=30" in first.stopped
        assert first.tally.live_calls == server.requests == 30
        assert 0 < first.finished < 6 and len(load_debates(log)) == first.finished
        second = run(None)
        assert second.stopped is None and first.finished + second.finished == 6
        assert server.requests == 6 * 9
        assert second.tally.cached_calls == 30 - 9 * first.finished
    assert len(load_debates(log)) == 6


def test_a_refused_key_stops_at_once_and_keeps_what_is_finished(
    stub: Any, many: Callable[[int], list[Question]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_SERVER_KEY", "wrong-key-0123456789")
    finished: list[Debate] = []
    with stub.StubServer(faults=stub.Faults(required_key="right")) as server:
        panel = {
            "ann": AgentSettings(model="mock/stubborn"),
            "bob": AgentSettings(model="vllm/m", base_url=server.base_url, api_key_env="TEST_SERVER_KEY"),
        }
        with pytest.raises(CredentialError, match="TEST_SERVER_KEY") as caught:
            run_debates(many(50), panel, DebateSettings(in_flight=8), LlmSettings(cache=None), 0, sink=finished.append)
        assert server.requests <= 8
    assert "wrong-key" not in str(caught.value)
    assert finished == []


def test_a_missing_key_is_named_before_any_call(
    ask: Callable[..., Question], uncached: LlmSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    panel = {"ann": AgentSettings(model="openai/gpt-4o-mini"), "bob": AgentSettings(model="mock/stubborn")}
    for run in (run_debates, collect_samples):
        with pytest.raises(CredentialError, match="OPENAI_API_KEY"):
            run([ask()], panel, DebateSettings(), uncached, 0, sink=lambda _: None)  # type: ignore[operator]


def test_an_unknown_mock_is_an_error_of_the_configuration(ask: Callable[..., Question], uncached: LlmSettings) -> None:
    panel = {"ann": AgentSettings(model="mock/stuborn"), "bob": AgentSettings(model="mock/stubborn")}
    with pytest.raises(ConfigError, match="mock/stuborn"):
        run_debates([ask()], panel, DebateSettings(), uncached, 0, sink=lambda _: None)


def test_a_log_that_cannot_be_written_stops_the_run(
    many: Callable[[int], list[Question]], mocks: Panel, uncached: LlmSettings
) -> None:
    def sink(debate: Debate) -> None:
        raise LogError("disk full")

    with pytest.raises(LogError, match="disk full"):
        run_debates(many(9), mocks, DebateSettings(in_flight=3), uncached, 0, sink=sink)


def test_with_faults_of_every_kind_no_debate_is_lost_and_every_failure_is_named(
    stub: Any, many: Callable[[int], list[Question]]
) -> None:
    kinds = [kind for kind in stub.FAULTS if kind not in ("unauthorized", "rate_limit_date")]
    rates = {**dict.fromkeys(kinds, 0.02), "context": 0.08}
    faults = stub.Faults(rates, retry_after=0.01)
    finished: list[Debate] = []
    with stub.StubServer(faults=faults) as server:
        panel = {name: AgentSettings(model="vllm/m", base_url=server.base_url) for name in ("ann", "bob", "cleo")}
        llm = LlmSettings(cache=None, retries=6, backoff=0.01, timeout=1.0)
        report = run_debates(many(25), panel, DebateSettings(), llm, 0, sink=finished.append)
        # Which ones are drawn depends on the server's port; about sixty are.
        assert sum(server.made.values()) > 20 and server.made["context"] > 0
    assert report.finished == len(finished) == 25 and report.stopped is None
    turns = [turn for debate in finished for turns in debate.rounds for turn in turns]
    assert len(turns) == 25 * 9
    failed = [turn for turn in turns if turn.status is not Status.OK]
    # Only a request that is too long cannot be mended by asking again, and it happens to few of them.
    assert 0 < len(failed) < 60 and all(turn.error for turn in failed)
    assert all("context" in str(turn.error) or "no text came" in str(turn.error) for turn in failed)
    assert report.failed + report.unparsed == len(failed)


def interrupting(after: int, say: Callable[..., str], second: int | None = None) -> Script:
    """Return a script that sends SIGINT with one of its calls, or with two."""
    calls = itertools.count(1)

    async def script(name: str, messages: Sequence[Any], params: Any) -> str:
        call = next(calls)
        if call in (after, second):
            signal.raise_signal(signal.SIGINT)
        if second is not None and call >= second:
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        return say("A")

    return script


def test_an_interrupt_ends_the_debates_in_flight_and_begins_no_other(
    many: Callable[[int], list[Question]],
    trio: Panel,
    uncached: LlmSettings,
    say: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = signal.getsignal(signal.SIGINT)
    finished: list[Debate] = []
    report = run_debates(
        many(40), trio, DebateSettings(in_flight=4), uncached, 0, sink=finished.append, mock=interrupting(5, say)
    )
    assert report.stopped == "interrupted"
    assert report.finished == len(finished) == 4
    assert all(len(debate.rounds) == 3 for debate in finished)
    assert report.tally.live_calls == 4 * 9
    assert "Ctrl-C again" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_interrupt_drops_what_is_in_flight(
    many: Callable[[int], list[Question]], trio: Panel, uncached: LlmSettings, say: Callable[..., str]
) -> None:
    finished: list[Debate] = []
    before = signal.getsignal(signal.SIGINT)
    script = interrupting(20, say, second=24)
    report = run_debates(many(40), trio, DebateSettings(in_flight=2), uncached, 0, sink=finished.append, mock=script)
    assert report.stopped == "interrupted"
    assert report.finished == len(finished) == 2
    assert signal.getsignal(signal.SIGINT) is before


def test_samples_are_as_many_as_the_debates_calls_and_independent(
    many: Callable[[int], list[Question]], trio: Panel, uncached: LlmSettings, say: Callable[..., str]
) -> None:
    seeds: list[int] = []

    def script(name: str, messages: Sequence[Any], params: Any) -> str:
        assert name == "ann" and len(messages) == 2
        seeds.append(params.seed)
        return "Hm." if params.seed in seeds[:1] else say("ABC"[len(seeds) % 3])

    drawn: list[Samples] = []
    debates: list[Debate] = []
    questions = many(2)
    settings = DebateSettings(reasks=0)
    report = collect_samples(questions, trio, settings, uncached, 0, sink=drawn.append, mock=script)
    run_debates(questions, trio, settings, uncached, 0, sink=debates.append, mock=lambda *_: say("A"))
    assert [samples.id for samples in drawn] == [debate.id for debate in debates]
    assert [len(samples.answers) for samples in drawn] == [9, 9]
    assert len(set(seeds)) == 18
    assert sum(answer is None for samples in drawn for answer in samples.answers) == report.unparsed == 1
    assert drawn[0].model == "mock/ann" and drawn[0].meta["agent"] == "ann"


def test_samples_can_be_fewer_and_of_another_agent(
    ask: Callable[..., Question], trio: Panel, uncached: LlmSettings, say: Callable[..., str]
) -> None:
    drawn: list[Samples] = []
    script = {"cleo": [say("A"), say("B"), None]}
    settings = DebateSettings(samples=3, sampler="cleo", reasks=0)
    report = collect_samples([ask()], trio, settings, uncached, 0, sink=drawn.append, mock=script)
    assert sorted(map(str, drawn[0].answers)) == ["A", "B", "None"]
    assert report.failed == 1
    assert drawn[0].meta["errors"] == ["no text came in 1 reply; the last one ended with finish_reason=stop"]
    with pytest.raises(DebateError, match="debate.sampler=claeo: no such agent; did you mean cleo?"):
        collect_samples([ask()], trio, DebateSettings(sampler="claeo"), uncached, 0, sink=drawn.append)
