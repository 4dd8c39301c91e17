"""The live half from the command line, with scripted agents: no key, no network."""

import json
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from sentinel.errors import ConfigError
from sentinel.paths import conf_dir
from sentinel.pipeline import Run, run
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
