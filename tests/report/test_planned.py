"""What a sweep was to run, where the command line and an experiment both name a key, or a folder served before."""

from pathlib import Path

import pytest

from sentinel.report._aggregate import write_summary
from sentinel.report._planned import read_planned
from sentinel.report._sweep import read_jobs

MULTIRUN = """
hydra:
  sweep: {{dir: x, subdir: "${{hydra.job.num}}"}}
  sweeper: {{_target_: hydra._internal.core_plugins.basic_sweeper.BasicSweeper, params: {{seed: "range(20)"}}}}
  overrides: {{task: [{task}]}}
"""


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("'seed=range(2)', a=1", [["seed=0", "a=1"], ["seed=1", "a=1"]]),
        ("seed=7", [["seed=7"]]),
        ("'seed=1,2', 'seed=3,4'", [["seed=3"], ["seed=4"]]),
    ],
)
def test_the_command_line_takes_the_place_of_an_experiments_values(
    tmp_path: Path, task: str, expected: list[list[str]]
) -> None:
    (tmp_path / "multirun.yaml").write_text(MULTIRUN.format(task=task))
    assert read_planned(tmp_path) == expected


def test_jobs_of_an_earlier_sweep_into_the_folder_are_left_out(tmp_path: Path, make_metrics, write_job) -> None:
    (tmp_path / "multirun.yaml").write_text(MULTIRUN.format(task="'seed=0,1'"))
    for number in (0, 1, 2, 10):
        write_job(tmp_path / str(number), [f"seed={number}"], make_metrics())
    assert [job.name for job in read_jobs(tmp_path)] == ["0", "1"]
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    assert summary.headline.startswith("2 jobs (2 done). ")
    assert summary.notes[-2] == "not swept, as the command line says otherwise: seed=range(20)"
    assert summary.notes[-1] == "jobs of an earlier sweep into this folder, left out: 2, 10"
