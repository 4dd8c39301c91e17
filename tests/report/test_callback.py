"""The callback: found by Hydra without a slow import, and never silent about a failure."""

import subprocess
import sys
from pathlib import Path

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from sentinel.errors import ReportError
from sentinel.report import Aggregate


def sweep_config(folder: Path) -> object:
    return OmegaConf.create({"hydra": {"sweep": {"dir": str(folder)}}})


def test_finding_it_imports_nothing_slow() -> None:
    code = (
        "import sys; from sentinel.report import Aggregate; "
        "print([m for m in ('polars', 'seaborn', 'matplotlib', 'scipy', 'sklearn', 'lightgbm') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_sweep_is_summarised_and_printed(tmp_path: Path, make_metrics, write_job, capsys) -> None:
    write_job(tmp_path / "0", ["seed=0"], make_metrics())
    write_job(tmp_path / "1", ["seed=1"], error="boom")
    instantiate({"_target_": "sentinel.report.Aggregate"}).on_multirun_end(sweep_config(tmp_path))
    printed = capsys.readouterr().out
    assert "2 jobs (1 done, 1 failed)" in printed
    assert "job 1 failed: boom" in printed
    assert (tmp_path / "summary.md").is_file()


def test_a_failure_is_printed_and_raised(tmp_path: Path, capsys) -> None:
    with pytest.raises(ReportError):
        Aggregate().on_multirun_end(sweep_config(tmp_path))
    assert "ReportError" in capsys.readouterr().err


def test_a_sweep_of_another_task_is_left_alone(tmp_path: Path, write_job, capsys) -> None:
    write_job(tmp_path / "0", ["task=inspect"], task="inspect")
    Aggregate().on_multirun_end(sweep_config(tmp_path))
    assert capsys.readouterr().out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["0"]
