"""Keys and passwords are found before anything is written, named by their place and never shown."""

import json
from pathlib import Path

import pytest

from sentinel import cli
from sentinel._hint import find_secret_argument
from sentinel._secret import find_secret

LONG = "abcCANARY0123456789"


@pytest.mark.parametrize(
    ("argument", "place"),
    [
        ("+agents.extra.api_key=sk-CANARY", "agents.extra.api_key"),
        ("+agents.a.params.api_key=CANARY", "agents.a.params.api_key"),
        ("+agents.a.params={extra_body: {Authorization: CANARY}}", "agents.a.params.extra_body.Authorization"),
        ("+agents.a.params={headers: {x: CANARY}}", "agents.a.params.headers"),
        ("+agents.a.params.user=sk-CANARY", "agents.a.params.user"),
        ("+judge.params.user='Bearer CANARY'", "judge.params.user"),
        ("agents.a.base_url=http://user:CANARY@host/v1", "agents.a.base_url"),
        ("agents.a.base_url='http://host/v1?k=CANARY'", "agents.a.base_url"),
        # The grammar of overrides refuses the second =, and this is looked at all the same.
        ("agents.a.base_url=http://host/v1?k=CANARY", "agents.a.base_url"),
        ("agents.a.base_url=http://host/v1,http://user:CANARY@host/v1", "agents.a.base_url"),
        ("agents.a.api_key_env=sk-CANARY", "agents.a.api_key_env"),
        ("agents.a.api_key_env=hf_CANARY", "agents.a.api_key_env"),
        ("judge.api_key_env=0CANARY", "judge.api_key_env"),
        ("llm.timeout=3,sk-CANARY", "llm.timeout"),
        (f"out=sk-{LONG}", "out"),
        ("dataset.path=https://user:CANARY@host/x.jsonl", "dataset.path"),
        ("+hydra.job.env_set.OPENAI_API_KEY=CANARY", "hydra.job.env_set.OPENAI_API_KEY"),
        (f"sk-{LONG}", "looks like a key"),
    ],
)
def test_a_secret_is_found_and_not_shown(argument: str, place: str) -> None:
    fault = str(find_secret_argument(["--multirun", "seed=0,1", argument]))
    assert fault.startswith(place)
    assert "CANARY" not in fault


@pytest.mark.parametrize(
    "argument",
    [
        "agents.a.api_key_env=MY_VAR",
        "agents.a.api_key_env=null",
        "agents.a.base_url=http://localhost:8000/v1",
        "agents.a.model=openrouter/xai-grok-large",
        "agents.a.role.prompt='You check basic arithmetic, key by key.'",
        "+agents.a.params.prompt_cache_key=panel",
        "+agents.a.params.max_tokens=5",
        "debate.answer_tokens=100",
        "corpus.path=hf_debates_of_last_week.jsonl",
        "out=models/sk-logistic-regression-v1",
        "+dataset.fields={gold: key, question: text}",
        "dataset.path=hf://datasets/owner/name@main/test.jsonl",
        "hydra.job.env_set.OMP_NUM_THREADS=1",
        "~agents.a",
        "seed=range(3)",
    ],
)
def test_what_is_no_secret_passes(argument: str) -> None:
    assert find_secret_argument([argument]) is None


def test_an_interpolation_is_no_secret_but_what_it_gives_is() -> None:
    assert find_secret("${oc.env:MY_KEY}", "agents.a.params.api_key") is None
    assert find_secret("CANARY", "agents.a.params.api_key") is not None
    assert find_secret({"api_key_env": None, "api_key": ""}, "agents.a") is None


def test_the_record_of_a_failed_job_shows_no_key(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(cli, "_failed_jobs", [])
    monkeypatch.setenv("MINE_API_KEY", "of-mine-CANARY")
    for error in (ValueError("401 for sk-CANARY-1"), cli.ConfigError("of-mine-CANARY: no"), OSError("sk-CANARY-2")):
        cli._record_failure(tmp_path, error)
        record = json.loads((tmp_path / "error.json").read_text(encoding="utf-8"))
        assert record["type"] == type(error).__name__ and "CANARY" not in str(record)
    assert "failed: " in caplog.text and "CANARY" not in caplog.text
