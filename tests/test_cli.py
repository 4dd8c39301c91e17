"""The command line as a user meets it: `python -m sentinel` in a process of its own, in an empty folder."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

SMALL = ["corpus.scale=0.1", "evaluation.permutations=0", "evaluation.bootstrap=100", "report.figures=never"]


def sentinel(folder: Path, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "sentinel", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, input=stdin, timeout=300)


def run_folder(folder: Path) -> Path:
    (found,) = folder.glob("outputs/*/*")
    return found


def test_a_plain_run_prints_the_table_and_writes_the_report(tmp_path: Path) -> None:
    done = sentinel(tmp_path, "corpus.scale=0.1", "evaluation.bootstrap=100", "evaluation.permutations=2")
    assert done.returncode == 0, done.stderr
    assert "SIMULATED DATA" in done.stdout and "Cross-fitted (the headline)" in done.stdout
    folder = run_folder(tmp_path)
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"metrics.json", "predictions.parquet", "debates.parquet", "manifest.json", "report.md"} <= names
    assert {"tables/results.csv", "tables/results.md", "figures/threshold_sweep.png"} <= names
    assert {"figures/threshold_sweep.svg", "figures/threshold_sweep.csv"} <= names
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["simulated"] is True and manifest["versions"]["lightgbm"]
    predictions = pl.read_parquet(folder / "predictions.parquet")
    # One row per candidate; at a tenth of Table 2 the divergent debates number 3 + 12 + 8 + 24 + 8 + 15.
    assert len(predictions) == 70
    assert {"fold", "probability", "tau_cross_fitted", "flip_cross_fitted", "outcome_cross_fitted"} <= set(
        predictions.columns
    )


def test_the_same_seed_gives_the_same_bytes_on_one_and_on_four_threads(tmp_path: Path) -> None:
    contents = []
    for name, threads in (("a", 1), ("b", 1), ("c", 4)):
        folder = tmp_path / name
        folder.mkdir()
        done = sentinel(folder, *SMALL, "seed=3", f"classifier.n_jobs={threads}")
        assert done.returncode == 0, done.stderr
        found = run_folder(folder)
        contents.append([(found / file).read_bytes() for file in ("metrics.json", "predictions.parquet")])
    assert contents[0] == contents[1] == contents[2]


def test_a_sweep_goes_on_after_a_failed_job_and_lists_it(tmp_path: Path) -> None:
    done = sentinel(tmp_path, "--multirun", *SMALL, "corpus.tied_share=0.1,1.0", "threshold.tau=0.5,7")
    assert done.returncode == 1
    assert "threshold.tau=7.0: expected a share between 0 and 1" in done.stderr
    (folder,) = tmp_path.glob("multirun/*/*")
    summary = pl.read_csv(folder / "summary.csv")
    assert summary["status"].to_list().count("failed") >= 2
    assert (folder / "FAILED").is_file() and (folder / "summary.md").is_file()
    # Fingerprints were computed once for each of the two corpora, not once a job.
    assert len([path for path in (folder / ".fingerprints").iterdir() if path.suffix != ".lock"]) == 2


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["threshold.taus=0.3"], "hint: threshold.taus: did you mean threshold.tau"),
        (
            ["feature_groups=dynamcs_only"],
            "hint: feature_groups=dynamcs_only: did you mean feature_groups=dynamics_only",
        ),
        (["corpus=file"], "error: corpus.path=null: corpus=file needs the log to read"),
        (["--multirun", "threshold.taus=1,2"], "hint: threshold.taus: did you mean threshold.tau"),
        (["classifier=zzz"], "hint: classifier=zzz: no such option"),
        (["--config-dir", "nowhere"], "error: --config-dir=nowhere: no such folder"),
        (["task=decide"], "error: model=null: task=decide needs the folder of a trained sentinel"),
    ],
)
def test_slips_are_named_without_a_traceback(tmp_path: Path, arguments: list[str], expected: str) -> None:
    done = sentinel(tmp_path, *arguments)
    assert done.returncode != 0
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_train_in_one_process_decide_in_another(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    from sentinel import Sentinel
    from sentinel.log_store import LogWriter
    from sentinel.settings import CorpusSettings
    from sentinel.simulation import simulate_corpus

    corpus = simulate_corpus(CorpusSettings(scale=0.2))
    with LogWriter(log) as writer:
        for record in (*corpus.debates, *corpus.audits.values()):
            writer.append(record)
    done = sentinel(tmp_path, "task=train", "corpus.path=log.jsonl", "out=model")
    assert done.returncode == 0, done.stderr
    done = sentinel(tmp_path, "task=decide", "model=model", "corpus.path=-", stdin=log.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    here = Sentinel.load(tmp_path / "model").decide_many(corpus)
    assert printed == json.loads(json.dumps([decision.to_dict() for decision in here]))
    assert any(decision["flipped"] for decision in printed)


def test_configuration_is_shown_without_running(tmp_path: Path) -> None:
    done = sentinel(tmp_path, "--cfg", "job", "classifier=mlp")
    assert done.returncode == 0, done.stderr
    assert "kind: mlp" in done.stdout
    assert not (tmp_path / "outputs").exists()


def rerun(folder: Path, manifest: Path) -> bytes:
    """Run a manifest's command as a shell would, and return the metrics that it gives."""
    command = json.loads(manifest.read_text(encoding="utf-8"))["command"]
    python, flag, module, *arguments = shlex.split(command)
    assert [python, flag, module] == ["python", "-m", "sentinel"]
    before = set(folder.rglob("metrics.json"))
    done = sentinel(folder, *arguments)
    assert done.returncode == 0, done.stderr
    (new,) = set(folder.rglob("metrics.json")) - before
    return new.read_bytes()


def test_the_command_of_a_run_and_of_a_job_gives_the_same_again(tmp_path: Path) -> None:
    group = tmp_path / "my own" / "classifier"
    group.mkdir(parents=True)
    (group / "ridge.yaml").write_text("kind: logistic_regression\nparams: {C: 0.5}\n", encoding="utf-8")
    done = sentinel(tmp_path, "--config-dir", "my own", "classifier=ridge", *SMALL)
    assert done.returncode == 0, done.stderr
    folder = run_folder(tmp_path)
    assert rerun(tmp_path, folder / "manifest.json") == (folder / "metrics.json").read_bytes()
    sweep = ["--multirun", "hydra.sweep.dir=sweep", "classifier=ridge", "threshold=search,fixed", "threshold.tau=0.6"]
    few = ["corpus.scale=0.1", "evaluation.bootstrap=100"]
    done = sentinel(tmp_path, "--config-dir", str(tmp_path / "my own"), *sweep, *few)
    assert done.returncode == 0, done.stderr
    job = tmp_path / "sweep" / "0"
    assert str(tmp_path) not in json.loads((job / "manifest.json").read_text(encoding="utf-8"))["command"]
    assert rerun(tmp_path, job / "manifest.json") == (job / "metrics.json").read_bytes()


@pytest.mark.parametrize("flags", [[], ["--multirun", "seed=0,1"]])
def test_a_refused_key_is_left_nowhere(tmp_path: Path, flags: list[str]) -> None:
    group = tmp_path / "my" / "judge"
    group.mkdir(parents=True)
    (group / "mine.yaml").write_text("model: openai/x\nparams: {user: '${oc.env:OF_MINE}'}\n", encoding="utf-8")
    runs = [
        (["--config-dir", "my", *flags, "judge=mine"], {"OF_MINE": "sk-CANARY"}),
        ([*flags, "+agents.extra.api_key=sk-CANARY"], {}),
        ([*flags, "llm.timeout=1,sk-CANARY"], {}),
    ]
    for arguments, variables in runs:
        command = [sys.executable, "-m", "sentinel", *arguments, *SMALL]
        environment = {**os.environ, **variables}
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, env=environment)
        assert done.returncode != 0
        assert "CANARY" not in done.stdout + done.stderr and "Traceback" not in done.stderr
    left = [path for path in tmp_path.rglob("*") if path.is_file() and b"CANARY" in path.read_bytes()]
    assert left == []


@pytest.mark.parametrize(("flags", "name"), [([], "outputs"), (["--multirun", "seed=0,1"], "multirun")])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, flags: list[str], name: str) -> None:
    (tmp_path / name).write_text("in the way", encoding="utf-8")
    done = sentinel(tmp_path, *flags, *SMALL)
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if "HYDRA" not in line]
    assert len(errors) == 1 and errors[0].startswith(f"error: {name}/") and "hydra.run.dir=FOLDER" in errors[0]


def test_a_reader_that_has_seen_enough_ends_a_run_quietly(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    for arguments in (["--help"], ["--cfg", "job"], SMALL):
        command = [sys.executable, "-m", "sentinel", *arguments]
        done = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=300)
        assert (done.returncode, done.stderr) == (141, "")
    os.close(writing)


def test_a_sweep_goes_on_when_its_reader_has_seen_enough(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "sentinel", "--multirun", "seed=0,1", *SMALL]
    done = subprocess.run(command, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=300)
    os.close(writing)
    assert "Traceback" not in done.stderr
    assert len(list(tmp_path.glob("multirun/*/*/*/metrics.json"))) == 2
    (summary,) = tmp_path.glob("multirun/*/*/summary.md")
    assert "2 jobs (2 done)" in summary.read_text(encoding="utf-8")


def test_a_terminal_without_unicode_gets_escapes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sentinel", "--cfg", "job", "+classifier.params={a: 'caf\u00e9 \U0001f600'}"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    assert r"a: caf\u00e9 \ud83d\ude00" in done.stdout
