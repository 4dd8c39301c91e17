"""Many audits and rulings: what is skipped, what stops a run, and that a killed one is finished by running it again."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sentinel.audit import run_audits, run_judge
from sentinel.audit._values import ASKED
from sentinel.errors import CredentialError, LogError
from sentinel.llm import RunReport
from sentinel.log_store import LogWriter, load_debates
from sentinel.records import Agent, AnswerType, Audit, Debate, Ruling, Status, Turn
from sentinel.settings import AuditSettings, JudgeSettings, LlmSettings
from sentinel.vote import CandidateMode

LLM = LlmSettings(cache=None, retries=0, concurrency=3)
AUDITOR = AuditSettings(model="mock/auditor")
JUDGE = JudgeSettings(model="mock/judge")
GOOD = json.dumps(
    {name: True for name in ASKED}
    | {"side_1_reasoning_score": 2, "side_2_reasoning_score": 4, "blind_follower_count": 0}
)


def make_debate(name: str, *rounds: str) -> Debate:
    """Each round is one letter for each agent."""
    agents = [f"agent_{k}" for k in range(len(rounds[0]))]
    return Debate(
        id=name,
        dataset="made",
        source=None,
        question_key=name,
        question=f"Which, in {name}?",
        choices=("x", "y", "z"),
        answer_type=AnswerType.CHOICE,
        gold="A",
        agents=tuple(Agent(agent) for agent in agents),
        rounds=tuple(
            tuple(Turn(agent, answer, Status.OK, f"{answer} in {r}") for agent, answer in zip(agents, row, strict=True))
            for r, row in enumerate(rounds)
        ),
    )


DIVERGENT = [make_debate(f"d{i}", "AAB", "AAB") for i in range(6)]


def always(reply: str) -> Any:
    return lambda name, messages, params: reply


def audit_all(debates: Sequence[Debate], mock: Any = None, **options: Any) -> tuple[list[Audit], RunReport]:
    made: list[Audit] = []
    llm = options.pop("llm", LLM)
    report = run_audits(debates, AUDITOR, llm, 0, sink=made.append, mock=mock or always(GOOD), **options)
    return made, report


def test_every_candidate_of_a_debate_with_a_majority_is_audited() -> None:
    debates = [
        make_debate("unanimous", "AAAAA"),
        make_debate("split", "AAABB"),
        make_debate("three ways", "AAABC"),
        make_debate("tied", "AABBC"),
    ]
    made, report = audit_all(debates)
    assert sorted((audit.id, audit.candidate) for audit in made) == [
        ("split", "B"),
        ("three ways", "B"),
        ("three ways", "C"),
    ]
    assert (report.finished, report.skipped, report.failed, report.unparsed, report.stopped) == (3, 0, 0, 0, None)
    assert report.tally.live_calls == 3


def test_answers_given_up_are_audited_where_they_are_candidates() -> None:
    debate = make_debate("conformed", "AAB", "AAA")
    assert audit_all([debate])[0] == []
    assert [audit.candidate for audit in audit_all([debate], candidates=CandidateMode.any_round)[0]] == ["B"]


def test_what_is_done_is_skipped() -> None:
    made, report = audit_all(DIVERGENT, done={("d0", "B"), ("d3", "B"), ("d5", "A"), "d1"})
    assert sorted(audit.id for audit in made) == ["d1", "d2", "d4", "d5"]
    assert report.skipped == 2


def test_failures_are_recorded_and_counted_and_the_run_goes_on() -> None:
    replies = ["no", "no", "", "", GOOD, GOOD, GOOD, GOOD]
    made, report = audit_all(DIVERGENT, {"auditor": replies}, llm=replace(LLM, concurrency=1))
    assert [audit.status.value for audit in made] == ["unparsed", "failed", "ok", "ok", "ok", "ok"]
    assert (report.finished, report.unparsed, report.failed) == (6, 1, 1)
    made, report = audit_all(DIVERGENT, {"auditor": [GOOD] * 4})
    assert report.failed == 2
    assert Counter(audit.status for audit in made) == {Status.OK: 4, Status.FAILED: 2}


def test_only_divergent_debates_are_judged() -> None:
    made: list[Ruling] = []
    debates = [make_debate("unanimous", "AAA"), make_debate("split", "AAB"), make_debate("tied", "ABC"), *DIVERGENT]
    report = run_judge(debates, JUDGE, LLM, 0, done={"d1"}, sink=made.append, mock=always("<answer>B</answer>"))
    assert sorted(ruling.id for ruling in made) == ["d0", "d2", "d3", "d4", "d5", "split"]
    assert {ruling.answer for ruling in made} == {"B"}
    assert (report.finished, report.skipped, report.stopped) == (6, 1, None)


def test_a_missing_key_stops_before_any_call_and_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(CredentialError, match="OPENAI_API_KEY"):
        run_audits(DIVERGENT, AuditSettings(), LLM, 0, sink=lambda _: pytest.fail("was called"))
    with pytest.raises(CredentialError, match="OPENAI_API_KEY"):
        run_judge(DIVERGENT, JudgeSettings(), LLM, 0, sink=lambda _: pytest.fail("was called"))


def test_a_reached_bound_ends_the_run_cleanly_and_the_next_one_goes_on() -> None:
    first, report = audit_all(DIVERGENT, llm=replace(LLM, max_calls=4))
    assert len(first) == report.finished == 4
    assert report.stopped is not None and "llm.max_calls=4" in report.stopped
    rest, report = audit_all(DIVERGENT, done={(audit.id, audit.candidate) for audit in first})
    assert (report.skipped, report.stopped) == (4, None)
    assert sorted(audit.id for audit in [*first, *rest]) == [debate.id for debate in DIVERGENT]


def test_a_log_that_cannot_be_written_ends_the_run() -> None:
    def refuse(_: Audit) -> None:
        raise LogError("disk full")

    with pytest.raises(LogError, match="disk full"):
        run_audits(DIVERGENT, AUDITOR, LLM, 0, sink=refuse, mock=always(GOOD))


def test_two_runs_of_one_seed_give_the_same_audits_but_for_times() -> None:
    def plain(audits: list[Audit]) -> list[Audit]:
        return sorted((replace(a, meta={**a.meta, "latency": None}) for a in audits), key=lambda a: a.id)

    one, other = audit_all(DIVERGENT)[0], audit_all(DIVERGENT[::-1])[0]
    assert plain(one) == plain(other)


KILLED = """
import json, os, signal, sys
from sentinel.audit import run_audits, run_judge
from sentinel.log_store import LogWriter, load_debates
from sentinel.settings import AuditSettings, JudgeSettings, LlmSettings

log, calls, good = sys.argv[1:]
made = 0

def reply(name, messages, params):
    global made
    made += 1
    if made > 7:
        os.kill(os.getpid(), signal.SIGKILL)
    with open(calls, "a") as counted:
        counted.write(name + "\\n")
    return good if name == "auditor" else "<answer>B</answer>"

debates = load_debates(log)
llm = LlmSettings(cache=None, concurrency=2)
with LogWriter(log) as writer:
    options = {"sink": writer.append, "mock": reply}
    run_audits(debates, AuditSettings(model="mock/auditor"), llm, 0, done=writer.done("audit"), **options)
    run_judge(debates, JudgeSettings(model="mock/judge"), llm, 0, done=writer.done("ruling"), **options)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_run_killed_again_and_again_makes_every_record_once(tmp_path: Path) -> None:
    log, calls = tmp_path / "log.jsonl", tmp_path / "calls"
    debates = [make_debate(f"d{i:02}", "AAB", "AAB") for i in range(9)]
    with LogWriter(log) as writer:
        for debate in debates:
            writer.append(debate)
    command = [sys.executable, "-W", "error", "-c", KILLED, str(log), str(calls), GOOD]
    kills = 0
    while subprocess.run(command, capture_output=True, timeout=60).returncode != 0:
        kills += 1
        assert kills < 10
    corpus = load_debates(log, strict=True)
    assert sorted(corpus.audits) == [(debate.id, "B") for debate in debates]
    assert sorted(corpus.rulings) == [debate.id for debate in debates]
    assert corpus.superseded == 0
    # 18 calls are needed, 7 a life; each kill loses at most the call that was in flight beside the killing one.
    assert kills == 2
    assert 18 <= len(calls.read_text().splitlines()) <= 18 + kills


def test_what_could_not_be_read_is_not_recorded_again_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without an identity a script's replies are not cached.
    monkeypatch.setattr("sentinel.llm._mock.Mock.identity", {})
    cached = replace(LLM, cache=str(tmp_path / "calls.sqlite"))
    made, report = audit_all(DIVERGENT, always("no"), llm=cached)
    assert (len(made), report.finished, report.unparsed) == (6, 6, 6)
    fresh, report = audit_all(DIVERGENT, always("no"), llm=cached)
    assert (len(fresh), report.finished, report.tally.live_calls) == (6, 6, 0)
    tried = {(audit.id, audit.candidate) for audit in made}
    again, report = audit_all(DIVERGENT, always("no"), llm=cached, tried=tried)
    assert (again, report.finished, report.unparsed, report.left) == ([], 0, 6, 6)
    assert (report.tally.live_calls, report.tally.cached_calls) == (0, 12)
    assert len(audit_all(DIVERGENT, always(GOOD), llm=LLM)[0]) == 6
