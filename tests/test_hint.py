"""What a user is told after Hydra has refused a command line."""

from pathlib import Path

import pytest

from sentinel._help import format_help
from sentinel._hint import find_broken_yaml, find_hints, order_arguments
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


def test_a_broken_file_of_the_users_is_named(tmp_path: Path) -> None:
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "good.yaml").write_text("name: good\n")
    assert find_broken_yaml(["--config-dir", str(tmp_path)]) is None
    (tmp_path / "roles" / "bad.yaml").write_text("name: [\n")
    assert "bad.yaml: not a YAML file" in str(find_broken_yaml(["--config-dir", str(tmp_path)]))
