"""What a user is told after Hydra has refused a command line."""

from pathlib import Path

import pytest

from sentinel._help import format_help
from sentinel._hint import find_file_hints, find_hints, order_arguments, print_hints
from sentinel.paths import conf_dir


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["corpos=file"], "corpos: did you mean corpus"),
        (["feature_group=full"], "feature_group: did you mean feature_groups"),
        (["feature_groups=dynamcs_only"], "did you mean feature_groups=dynamics_only"),
        (["classifier=ligtgbm"], "did you mean classifier=lightgbm"),
        (
            ["--multirun", "feature_groups=full,no_dinamics"],
            "feature_groups=no_dinamics: did you mean feature_groups=no_dyn",
        ),
        (["report=zzz"], "report=zzz: no such option; have: default"),
        (["+threshold.taus=1"], "did you mean threshold.tau"),
        (["classifier=dynamics_only"], "feature_groups=dynamics_only"),
        (["threshold.taus=0.3"], "threshold.taus: did you mean threshold.tau"),
        (["bootstrap=50"], "evaluation.bootstrap"),
        (["zzz=1"], "zzz: no such key or group"),
        (["corpus.path=a (b).jsonl"], "put the value in quotes"),
        (["ablation"], "an override has the form key=value"),
    ],
)
def test_the_nearest_valid_name_is_offered(arguments: list[str], expected: str) -> None:
    (hint,) = find_hints(arguments)
    assert expected in hint


@pytest.mark.parametrize(
    "arguments",
    [
        ["--multirun", "seed=range(20)", "classifier=lightgbm,mlp"],
        ["corpus=file", "corpus.path=x.jsonl", "+classifier.params.max_depth=3", "hydra.job.name=x"],
        ["feature_groups=glob(*)"],
        ["--help"],
    ],
)
def test_a_good_command_line_gets_no_hint(arguments: list[str]) -> None:
    assert find_hints(arguments) == []


def test_options_of_a_users_own_directory_are_known(tmp_path: Path) -> None:
    (tmp_path / "classifier").mkdir()
    (tmp_path / "classifier" / "mine.yaml").write_text("kind: lightgbm\n")
    assert find_hints(["--config-dir", str(tmp_path), "classifier=mine"]) == []
    assert "classifier=mine" in find_hints(["--config-dir", str(tmp_path), "classifier=mines"])[0]


def test_flags_may_stand_anywhere() -> None:
    given = ["corpus.scale=1", "--config-dir", "my", "seed=0,1", "--multirun"]
    assert order_arguments(given) == ["--config-dir", "my", "--multirun", "corpus.scale=1", "seed=0,1"]
    assert order_arguments(["--help"]) == ["--help"]
    assert order_arguments(["seed=1", "--cfg", "job", "-p", "agents"]) == ["--cfg", "job", "-p", "agents", "seed=1"]


def test_help_lists_every_group_and_option(tmp_path: Path) -> None:
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "pedant.yaml").write_text("name: pedant\n")
    page = format_help(["--help", "--config-dir", str(tmp_path)])
    for file in conf_dir().glob("*/*.yaml"):
        assert file.stem in page and f"  {file.parent.name}" in page
    assert "lightgbm*" in page and "pedant" in page and "task=evaluate" in page
    assert max(map(len, page.splitlines())) <= 120


def write_role(folder: Path, text: str) -> Path:
    file = folder / "roles" / "pedant.yaml"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    return file


UNKNOWN = "ConfigKeyError raised while composing config:\nKey '{key}' not in '{type}'\n    full_key: {key}"


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        ("promt: x\n", UNKNOWN.format(key="promt", type="RoleSettings"), "promt: did you mean prompt?"),
        ("zzz: x\n", UNKNOWN.format(key="zzz", type="RoleSettings"), "no such key; have: name, prompt, temperature"),
        (
            "# @package nonsense\nname: x\n",
            UNKNOWN.format(key="nonsense", type="Settings"),
            "(its keys are placed by the line `# @package nonsense`)",
        ),
        ("seed: 1\n", UNKNOWN.format(key="experiment", type="Settings"), "begins with the line `# @package _global_`"),
        (
            "temperature: hot\n",
            "ValidationError raised while composing config:\nValue 'hot' could not be converted to Float\n"
            "    full_key: agents.a.role.temperature",
            "agents.a.role.temperature: a value that this key cannot take",
        ),
        ("defaults: [/corpus: fille]\n", "Could not find 'corpus/fille'", "no corpus/fille; have: file"),
        (
            "defaults: [override /clasifier: mlp]\n",
            "Could not override 'clasifier'. No match in the defaults list.",
            "no group clasifier to override; have: classifier",
        ),
    ],
)
def test_a_slip_in_a_file_of_the_users_is_named_with_the_file(
    tmp_path: Path, text: str, message: str, expected: str
) -> None:
    file = write_role(tmp_path, text)
    (hint,) = find_file_hints(["--config-dir", str(tmp_path)], f"In 'roles/pedant': {message}")
    assert hint.startswith(f"{file}: ") and expected in hint
    assert not list(find_file_hints([], f"In 'roles/pedant': {message}"))


def test_an_unknown_key_of_an_agent_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    message = "Key 'modle' not in 'AgentSettings'\n    full_key: agents.auditor.modle\n"
    print_hints(["agents.auditor.modle=x"], message)
    assert "hint: agents.auditor.modle: did you mean agents.auditor.model" in capsys.readouterr().err


def test_hints_do_not_repeat_a_key() -> None:
    assert find_hints(["sk-canary-canary"]) == ["[redacted]: an override has the form key=value"]


def test_a_single_value_where_a_list_is_due_is_shown_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    refusal = (
        "Error merging override corpus.exclude=*adv*\nInvalid value assigned: str is not a ListConfig, list or tuple."
    )
    print_hints(["corpus.exclude=*adv*"], refusal)
    assert capsys.readouterr().err == "hint: corpus.exclude takes a list: 'corpus.exclude=[*adv*]'\n"
