"""The live half from the command line, with scripted agents: no key, no network."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from sentinel._hint import print_hints
from sentinel.errors import AuditError, BudgetReached, ConfigError, CredentialError, ProviderError
from sentinel.paths import conf_dir
from sentinel.pipeline import Run, run
from sentinel.pipeline._corpus import load_fingerprints
from sentinel.settings import Settings, from_config, register


def settings(*overrides: str) -> Settings:
    register()
    with initialize_config_dir(config_dir=str(conf_dir()), version_base="1.3"):
        given = ["agents=mock_trio", "dataset.limit=12", "llm.cache=null", "report.figures=never", *overrides]
        return from_config(compose("config", overrides=given))


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def go(*overrides: str) -> None:
    run(settings(*overrides), Run(Path("out"), None, ()))


def read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_same_command_goes_on_in_the_same_log(capsys: pytest.CaptureFixture[str]) -> None:
    go("task=debate")
    assert "12 debates appended" in capsys.readouterr().err
    (log,) = Path("logs").glob("*.jsonl")
    before = log.read_bytes()
    go("task=debate")
    assert "0 debates appended" in capsys.readouterr().err
    assert log.read_bytes() == before
    debate = read(log)[0]
    assert [agent["role"] for agent in debate["agents"]] == [
        "rigorous_auditor",
        "balanced_analyst",
        "intuitive_challenger",
    ]
    assert [len(turns) for turns in debate["rounds"]] == [3, 3, 3]


def test_another_panel_seed_or_order_has_a_log_of_its_own() -> None:
    go("task=debate")
    go("task=debate", "corpus.seed=1")
    go("task=debate", "roles@agents.auditor.role=skeptic")
    assert len(list(Path("logs").glob("*.jsonl"))) == 3


def test_two_runs_with_one_seed_write_the_same_debates() -> None:
    go("task=debate", "out=a.jsonl")
    go("task=debate", "out=b.jsonl")

    def stripped(path: str) -> list[object]:
        rows = sorted(read(Path(path)), key=lambda row: str(row["id"]))
        for row in rows:
            for turns in row["rounds"]:
                for turn in turns:
                    turn.pop("latency")
        return rows

    assert stripped("a.jsonl") == stripped("b.jsonl")


def test_corpus_live_debates_and_evaluates_and_says_it_is_made_up(capsys: pytest.CaptureFixture[str]) -> None:
    go("corpus=live", "dataset.limit=40", "evaluation.bootstrap=100", "evaluation.permutations=0")
    assert "SIMULATED DATA" in capsys.readouterr().out
    metrics = json.loads(Path("out/metrics.json").read_text(encoding="utf-8"))
    assert metrics["corpus"]["debates"] == 40


def test_corpus_live_evaluates_the_debates_of_its_own_command_alone(capsys: pytest.CaptureFixture[str]) -> None:
    plain = (
        "corpus=live",
        "dataset.limit=30",
        "out=log.jsonl",
        "evaluation.bootstrap=100",
        "evaluation.permutations=0",
    )
    go(*plain)
    alone = json.loads(Path("out/metrics.json").read_text(encoding="utf-8"))
    go(*plain, "roles@agents.auditor.role=skeptic")
    capsys.readouterr()
    go(*plain)
    assert "the log holds 30 debates of other questions, panels or protocols, which are left out" in (
        capsys.readouterr().out
    )
    again = json.loads(Path("out/metrics.json").read_text(encoding="utf-8"))
    assert again["corpus"]["debates"] == 30
    assert again["overall"] == alone["overall"]


def test_a_sweep_over_panels_fingerprints_each_one_of_a_shared_log() -> None:
    sweep = Path("sweep")
    first, second = (
        load_fingerprints(settings("corpus=live", "out=log.jsonl", f"roles@agents.auditor.role={role}"), sweep)
        for role in ("skeptic", "rigorous_auditor")
    )
    assert len(first.debates) == len(second.debates) == 12
    assert set(first.debates["id"]).isdisjoint(second.debates["id"])


def test_samples_rulings_and_audits_feed_the_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    go("task=debate", "dataset.limit=40", "out=log.jsonl")
    go("task=samples", "dataset.limit=40", "out=log.jsonl")
    go("task=judge", "corpus.path=log.jsonl", "out=log.jsonl", "judge.model=mock/careful")
    go("task=audit", "audit=llm", "corpus.path=log.jsonl", "out=log.jsonl", "audit.model=mock/careful")
    kinds = {str(row.get("kind")) for row in read(Path("log.jsonl"))}
    assert kinds == {"debate", "samples", "ruling", "audit"}
    capsys.readouterr()
    go("corpus.path=log.jsonl", "evaluation.bootstrap=100", "evaluation.permutations=0")
    out = capsys.readouterr().out
    assert "no rulings recorded" not in out
    assert "no samples recorded" not in out


def test_a_panel_that_sees_nobody_debates_too() -> None:
    go("task=debate", "debate=blind")
    (log,) = Path("logs").glob("*.jsonl")
    assert len(read(log)) == 12


def test_a_debate_with_a_failed_call_is_held_again(capsys: pytest.CaptureFixture[str]) -> None:
    go("task=debate", "out=log.jsonl")
    rows = read(Path("log.jsonl"))
    rows[3]["rounds"][1][0] |= {"status": "failed", "answer": None, "raw": None, "reasoning": "", "error": "HTTP 500"}
    Path("log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    capsys.readouterr()
    go("task=debate", "out=log.jsonl")
    assert "1 debates appended" in capsys.readouterr().err
    assert read(Path("log.jsonl"))[-1]["id"] == rows[3]["id"]


@pytest.mark.parametrize("task", ["task=judge", "task=audit"])
def test_nobody_pays_for_audits_of_a_simulated_corpus(task: str) -> None:
    with pytest.raises(ConfigError, match=r"corpus\.path=null"):
        go(task, "audit=llm", "audit.model=mock/careful", "judge.model=mock/careful")


def test_an_unfinished_run_says_what_is_left_and_how_to_go_on() -> None:
    with pytest.raises(
        BudgetReached, match=r"unfinished: 2 of 12 debates are in log.jsonl, 10 to do; llm.max_calls=20: "
    ):
        go("task=debate", "out=log.jsonl", "llm.max_calls=20")
    with pytest.raises(BudgetReached, match=r"2 of 12 sets of samples .*run the same command again"):
        go("task=samples", "out=log.jsonl", "llm.max_calls=20")
    with pytest.raises(BudgetReached, match=r"0 of 12 debates are in live.jsonl, 12 to do, nothing is evaluated yet; "):
        go("corpus=live", "out=live.jsonl", "llm.max_calls=5")
    go("task=debate", "dataset.limit=40", "out=log.jsonl")
    with pytest.raises(BudgetReached, match=r"3 of \d+ rulings are in rulings.jsonl"):
        go("task=judge", "corpus.path=log.jsonl", "judge.model=mock/careful", "out=rulings.jsonl", "llm.max_calls=3")


def run_command(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "error", "-m", "sentinel", "agents=mock_trio", "dataset.limit=3", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_script_can_tell_an_unfinished_run() -> None:
    stopped = run_command("task=debate", "llm.max_calls=9")
    assert stopped.returncode == 3
    assert stopped.stderr.splitlines()[-1].startswith("error: unfinished: 1 of 3 debates")
    assert run_command("task=debate").returncode == 0
    swept = run_command("task=debate", "--multirun", "llm.max_calls=9,90", "out=other.jsonl")
    assert swept.returncode == 1
    (failure,) = Path("multirun").glob("*/*/*/error.json")
    assert failure.parent.name == "0" and "unfinished: 1 of 3" in failure.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "task",
    [
        ("task=audit", "audit=llm", "audit.model=mock/careful"),
        ("task=audit", "audit=lexical"),
        ("task=judge", "judge.model=mock/careful"),
    ],
)
def test_a_log_without_texts_is_not_judged(task: tuple[str, ...]) -> None:
    go("task=debate", "out=log.jsonl", "debate.redact=true")
    with pytest.raises(AuditError, match=r"corpus.path=log.jsonl: the log keeps answers but no text .*redact"):
        go(*task, "corpus.path=log.jsonl", "out=made.jsonl")
    assert not Path("made.jsonl").exists()


def test_no_call_is_paid_for_where_the_audit_cannot_follow() -> None:
    with pytest.raises(ConfigError, match="audit=llm debate.redact=true"):
        go("corpus=live", "audit=llm", "audit.model=mock/careful", "debate.redact=true", "out=log.jsonl")
    assert not Path("log.jsonl").exists()


def test_a_judge_of_whom_nothing_could_be_read_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    go("task=debate", "dataset.limit=40", "out=log.jsonl")
    command = ("task=judge", "corpus.path=log.jsonl", "judge.model=mock/careful", "out=rulings.jsonl")
    monkeypatch.setattr("sentinel.llm._mock.behave", lambda *_: "Hm.")
    with pytest.raises(ProviderError, match=r"rulings: none of \d+ answers could be used \(no answer could be read\)"):
        go(*command)
    asked: list[str] = []

    def reply(name: str, messages: list[dict[str, str]], params: object) -> str:
        # The first debate's ruling stays unreadable when it is asked for again.
        asked.append(messages[1]["content"])
        return "Hm." if asked[-1] == asked[0] else "<answer>7</answer>"

    monkeypatch.setattr("sentinel.llm._mock.behave", reply)
    capsys.readouterr()
    go(*command)
    assert "1 not readable (no answer could be read); llm.cache=null asks for them again" in capsys.readouterr().err
    go(*command)
    assert "1 rulings appended" in capsys.readouterr().err


def test_a_panel_that_never_answered_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sentinel.llm._mock.behave", lambda *_: "")
    with pytest.raises(ProviderError, match=r"debates: none of 108 answers could be used \(no text came"):
        go("task=debate", "out=log.jsonl")


def test_prompts_name_the_log_by_what_they_say() -> None:
    for folder in ("one", "other"):
        Path(folder).mkdir()
        Path(folder, "reask.txt").write_text("Once more: <answer>$answer_form</answer>", encoding="utf-8")
        go("task=debate", f"debate.prompts={folder}")
    assert len(list(Path("logs").glob("*.jsonl"))) == 1
    Path("other", "reask.txt").write_text("Again: <answer>$answer_form</answer>", encoding="utf-8")
    go("task=debate", "debate.prompts=other")
    assert len(list(Path("logs").glob("*.jsonl"))) == 2


def test_a_new_agent_that_lacks_something_is_told_what(capsys: pytest.CaptureFixture[str]) -> None:
    message = "Invalid type assigned: dict is not a subclass of AgentSettings. value: {}\n    full_key: extra\n"
    print_hints(["agents=mock_trio", "+agents.extra.model=mock/careful"], message)
    assert "agents.extra: a new agent needs a role and a model: +roles@agents.extra.role=" in capsys.readouterr().err
    with pytest.raises(ConfigError, match=r"agents.extra.model: missing; add \+agents.extra.model="):
        settings("+roles@agents.extra.role=skeptic")


def test_prices_are_whole_dollars_too() -> None:
    given = settings("task=debate", "+llm.prices={openai/m:[1,2],openai/n:[0.5,2]}").llm.prices
    assert given == {"openai/m": [1, 2], "openai/n": [0.5, 2]}


@pytest.mark.parametrize(("first", "then", "said"), [("false", "true", "with"), ("true", "false", "without")])
def test_a_log_is_of_one_redaction(first: str, then: str, said: str) -> None:
    go("task=debate", f"debate.redact={first}", "out=log.jsonl")
    before = Path("log.jsonl").read_bytes()
    with pytest.raises(
        ConfigError, match=f"debate.redact={then}: log.jsonl holds 12 of these debates {said} the texts"
    ):
        go("task=debate", f"debate.redact={then}", "out=log.jsonl")
    assert Path("log.jsonl").read_bytes() == before
    # Debates of another seed in the same file are none of this run's.
    go("task=debate", f"debate.redact={then}", "out=log.jsonl", "corpus.seed=1")


def test_a_role_without_a_prompt_is_refused() -> None:
    Path("roles").mkdir()
    Path("roles/bare.yaml").write_text("name: bare\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"agents\.auditor\.role\.prompt: missing; the role bare needs"):
        settings(f"hydra.searchpath=['file://{Path.cwd()}']", "roles@agents.auditor.role=bare")
    with pytest.raises(ConfigError, match=r"agents\.auditor\.role\.prompt: missing; the role rigorous_auditor needs"):
        settings("agents.auditor.role.prompt=null")
    assert settings("agents.auditor.role.prompt=''").agents["auditor"].role.prompt == ""


def test_a_run_that_cannot_begin_leaves_no_empty_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(CredentialError):
        go("task=debate", "agents.auditor.model=openai/m", "out=log.jsonl")
    assert not Path("log.jsonl").exists()
    # One that was there before is the user's.
    Path("log.jsonl").touch()
    with pytest.raises(CredentialError):
        go("task=debate", "agents.auditor.model=openai/m", "out=log.jsonl")
    assert Path("log.jsonl").exists()
