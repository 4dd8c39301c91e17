"""Sweeps: every job is accounted for, and configurations are compared as far as the data allow."""

import os
from pathlib import Path

import polars as pl
import pytest

from sentinel.errors import ReportError
from sentinel.report import aggregate, rebuild
from sentinel.report._aggregate import sweep_text, write_summary
from sentinel.report._comparison import choose_reference, compare_configurations
from sentinel.report._sweep import group_jobs, is_seed, jobs_unknown, read_jobs, summary_table, varying_overrides


def flips(correct: int, harmful: int, n: int = 40) -> list[str]:
    return ["correct_flip"] * correct + ["harmful_flip"] * harmful + ["kept"] * (n - correct - harmful)


def test_jobs_are_read_by_number_with_their_overrides(tmp_path: Path, make_metrics, write_job) -> None:
    for number in (10, 2, 0, 1):
        write_job(tmp_path / str(number), [f"seed={number}", "+x.note='数 a=b'"], make_metrics(seed=number))
    (tmp_path / ".fingerprints").mkdir()
    jobs = read_jobs(tmp_path)
    assert [job.name for job in jobs] == ["0", "1", "2", "10"]
    assert jobs[3].overrides == {"seed": "10", "x.note": "数 a=b"}
    assert varying_overrides(jobs) == ["seed"]


def test_how_a_job_ended(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["classifier=lightgbm"], make_metrics())
    write_job(tmp_path / "1", ["classifier=xgboost"], error="xgboost: not installed; pip install xgboost")
    write_job(tmp_path / "2", ["classifier=mlp"], error="boom\nline two")
    write_job(tmp_path / "3", ["classifier=catboost"])
    torn = write_job(tmp_path / "4", ["classifier=random_forest"])
    (torn / "metrics.json").write_text('{"corpus"')
    assert [job.status for job in read_jobs(tmp_path)] == ["done", "not installed", "failed", "unfinished", "failed"]


def test_the_later_file_says_how_a_repeated_job_ended(tmp_path: Path, make_metrics, write_job) -> None:
    for name, metrics_at, error_at in (("0", 200, 100), ("1", 100, 200)):
        folder = write_job(tmp_path / name, [f"seed={name}"], make_metrics(), error="boom")
        os.utime(folder / "metrics.json", (metrics_at, metrics_at))
        os.utime(folder / "error.json", (error_at, error_at))
    assert [job.status for job in read_jobs(tmp_path)] == ["done", "failed"]


def test_other_tasks_get_no_summary_and_no_jobs_are_an_error(tmp_path: Path, write_job) -> None:
    with pytest.raises(ReportError, match="no job of a sweep here"):
        aggregate(tmp_path)
    write_job(tmp_path / "0", ["a=1"], task="inspect")
    assert aggregate(tmp_path) == []
    assert not (tmp_path / "summary.csv").exists()


@pytest.mark.parametrize(
    ("name", "expected"), [("seed", True), ("corpus.seed", True), ("seeds", False), ("a.seed.b", False)]
)
def test_what_counts_as_a_seed(name: str, expected: bool) -> None:
    assert is_seed(name) is expected


def test_summary_has_both_readings_and_every_job(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["seed=0"], make_metrics())
    write_job(tmp_path / "1", ["seed=1"], error="boom")
    table = summary_table(read_jobs(tmp_path))
    row = table.row(0, named=True)
    assert (row["job"], row["seed"], row["status"]) == ("0", "0", "done")
    # 27 correct, 16 harmful and 7 neutral flips of 1754; paper reading 38, 9 and 4.
    assert row["cross_fitted_ng_exact"] == pytest.approx(11 / 1754)
    assert row["cross_fitted_ng_paper"] == pytest.approx(4 / 1754)
    assert row["paper_ng_paper"] == pytest.approx(25 / 1754)
    assert (row["paper_cf"], row["paper_wf"], row["paper_harmful"], row["paper_flips"]) == (38, 13, 9, 51)
    assert row["cross_fitted_ng_exact_low"] == pytest.approx(11 / 1754 - 0.01)
    assert row["brier"] == 0.171
    failed = table.row(1, named=True)
    assert (failed["status"], failed["error"], failed["brier"]) == ("failed", "boom", None)


def test_a_seed_sweep_is_a_spread_beside_the_published_one(tmp_path: Path, make_metrics, write_job) -> None:
    for seed in range(3):
        metrics = make_metrics(seed=seed)
        metrics["overall"]["cross_fitted"]["ng_exact"] = (seed - 1) / 100
        write_job(tmp_path / str(seed), [f"seed={seed}"], metrics)
    written = aggregate(tmp_path, dpi=50)
    assert {path.name for path in written} == {"summary.csv", "summary.md", "seeds.png", "seeds.svg", "seeds.csv"}
    page = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "over 3 seeds: mean 0.00 %, from -1.00 to +1.00 %, above zero in 1." in page
    assert "not a sampling interval" in page
    # Mean, sample standard deviation, least, greatest.
    assert "| NG cross-fitted, exact | 3 | 0.00 | 1.00 | -1.00 | +1.00 | 1 of 3 |" in page
    assert "| +1.65 | 0.19 |" in page
    assert not (tmp_path / "FAILED").exists()


def test_corpus_seeds_are_not_the_published_study(tmp_path: Path, make_metrics, write_job) -> None:
    for seed in range(2):
        metrics = make_metrics()
        metrics["corpus"]["data_hash"] = str(seed)
        write_job(tmp_path / str(seed), [f"corpus.seed={seed}"], metrics)
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    assert "spread over seeds on debates that differ too" in summary.headline
    assert "paper: mean" not in summary.grids[0][1].header


def test_configurations_are_compared_on_the_same_debates(tmp_path: Path, make_metrics, write_job) -> None:
    names = {"audit_only": 8, "full": 22, "no_meta": 18}
    gains = {"audit_only": (0, 8), "full": (4, 2), "no_meta": (6, 2)}
    for number, (name, size) in enumerate(names.items()):
        metrics = make_metrics(feature_group=name, features=[f"f{i}" for i in range(size)])
        write_job(tmp_path / str(number), [f"feature_groups={name}"], metrics, outcomes=flips(*gains[name]))
    configurations = group_jobs(read_jobs(tmp_path))
    assert choose_reference(configurations).label == "full"
    table = compare_configurations(configurations)
    rows = {row["configuration"]: row for row in table.iter_rows(named=True)}
    # no_meta: debates 4 and 5 change from harmful to correct (+2 each), 6 and 7 from kept to harmful (-1 each).
    assert rows["no_meta"]["difference"] == pytest.approx((2 + 2 - 1 - 1) / 40)
    assert rows["no_meta"]["note"] == "questions: 2 gained, 2 lost"
    assert rows["no_meta"]["p_value"] == 1.0
    # audit_only: 0 to 3 from correct to harmful, 4 and 5 unchanged, 6 and 7 from kept to harmful: 6 lost, 0 gained.
    assert rows["audit_only"]["p_value"] == pytest.approx(2 / 2**6)
    assert rows["audit_only"]["p_holm"] == pytest.approx(4 / 2**6)
    assert rows["audit_only"]["difference_high"] < 0
    assert rows["full"]["difference"] is None
    assert rows["no_meta"]["published_ng"] == 0.0177
    written = aggregate(tmp_path, dpi=50)
    assert tmp_path / "figures" / "ablation.png" in written
    page = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "2 compared with full on the same debates: no difference is distinguishable from zero" in page


def test_missing_classifiers_and_failures_are_rows(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["classifier=lightgbm"], make_metrics())
    write_job(tmp_path / "1", ["classifier=xgboost"], error="xgboost: not installed; pip install x")
    write_job(tmp_path / "2", ["classifier=mlp"], error="bo|om\n<b>")
    write_job(tmp_path / "3", ["classifier=catboost"])
    written = aggregate(tmp_path, dpi=50)
    assert tmp_path / "figures" / "classifiers.svg" in written
    assert (tmp_path / "FAILED").read_text() == "2: bo|om <b>\n"
    page = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "4 jobs (1 done, 1 not installed, 1 failed, 1 unfinished)" in page
    assert "| xgboost | - | not installed |" in page
    assert "- job 2 failed: bo\\|om &lt;b&gt;" in page
    assert pl.read_csv(tmp_path / "summary.csv")["status"].to_list() == [
        "done",
        "not installed",
        "failed",
        "unfinished",
    ]
    # Mended and summarised again: the mark goes.
    (tmp_path / "2" / "error.json").unlink()
    rebuild(tmp_path, dpi=50)
    assert not (tmp_path / "FAILED").exists()


def test_seeds_within_configurations_are_averaged_and_paired(tmp_path: Path, make_metrics, write_job) -> None:
    number = 0
    for name, gains in (("lightgbm", (0.01, 0.03)), ("mlp", (0.00, 0.01))):
        for seed, value in enumerate(gains):
            metrics = make_metrics(classifier=name, seed=seed)
            metrics["overall"]["cross_fitted"]["ng_exact"] = value
            write_job(tmp_path / str(number), [f"classifier={name}", f"seed={seed}"], metrics)
            number += 1
    table = compare_configurations(group_jobs(read_jobs(tmp_path)))
    first, second = table.iter_rows(named=True)
    assert (first["jobs"], first["ng_exact"], first["low"], first["high"]) == (2, pytest.approx(0.02), 0.01, 0.03)
    assert second["difference"] == pytest.approx(-0.015)
    assert (second["difference_low"], second["difference_high"]) == (pytest.approx(-0.02), pytest.approx(-0.01))
    assert second["p_value"] is None
    assert second["published_ng"] == 0.0011
    summary, _ = write_summary(tmp_path, 50)
    assert "spreads over seeds, not sampling intervals" in summary.headline


def test_other_debates_are_not_paired_and_not_beside_the_paper(tmp_path: Path, make_metrics, write_job) -> None:
    for number, effect in enumerate(("1.0", "0.0")):
        metrics = make_metrics()
        metrics["corpus"]["data_hash"] = effect
        write_job(tmp_path / str(number), [f"corpus.effect={effect}"], metrics, outcomes=flips(3, 1))
    table = compare_configurations(group_jobs(read_jobs(tmp_path)))
    assert table["note"].to_list() == [None, "other debates than the reference's: not paired"]
    assert table["published_ng"].null_count() == 2


def test_runs_that_scored_other_debates_say_so(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["a=1"], make_metrics(), outcomes=flips(3, 1))
    write_job(tmp_path / "1", ["a=2"], make_metrics(), outcomes=flips(3, 1, 39))
    write_job(tmp_path / "2", ["a=3"], make_metrics())
    notes = compare_configurations(group_jobs(read_jobs(tmp_path)))["note"].to_list()
    assert notes[0] is None
    assert all(note.startswith("not paired: ") for note in notes[1:])


def test_many_jobs_below_a_relative_path(tmp_path: Path, make_metrics, write_job, monkeypatch) -> None:
    for number in range(120):
        write_job(tmp_path / "sweep" / str(number), [f"threshold.tau=0.{number:03d}", "corpus.scale=2"], make_metrics())
    monkeypatch.chdir(tmp_path)
    written = aggregate("sweep", dpi=50)
    assert Path("sweep/summary.md") in written
    table = pl.read_csv("sweep/summary.csv", schema_overrides={"threshold.tau": pl.String})
    assert table["job"].to_list() == list(range(120))
    assert "corpus.scale" not in table.columns


def test_a_sweep_without_any_result_is_still_summarised(tmp_path: Path, write_job) -> None:
    write_job(tmp_path / "0", ["seed=0"], error="boom")
    write_job(tmp_path / "1", ["seed=1"])
    written = aggregate(tmp_path, dpi=50)
    assert {path.name for path in written} == {"summary.csv", "summary.md", "FAILED"}


def test_learning_curves_over_seeds_have_no_box_plot(tmp_path: Path, make_metrics, write_job) -> None:
    for seed in range(2):
        write_job(tmp_path / str(seed), [f"seed={seed}"], {**make_metrics(seed=seed), "overall": {}, "calibration": {}})
    summary, written = write_summary(tmp_path, 50)
    assert "No job measured a net gain." in summary.headline
    assert [path.name for path in written] == ["summary.csv", "summary.md"]


def test_learning_curves_are_summarised_by_their_last_share(tmp_path: Path, make_metrics, write_job) -> None:
    for seed, value in enumerate((0.01, 0.03)):
        metrics = {**make_metrics(seed=seed, evaluation="learning_curve"), "overall": {}, "calibration": {}}
        folder = write_job(tmp_path / str(seed), [f"seed={seed}"], metrics)
        (folder / "tables").mkdir()
        rows = f"0.5,0.6,0,-0.1,0.1,0\n1.0,0.7,{value},0,0.1,{value}\n"
        header = "share,auc,ng_exact,ng_exact_low,ng_exact_high,ng_paper\n"
        (folder / "tables" / "learning_curve.csv").write_text(header + rows)
    summary, _ = write_summary(tmp_path, 50)
    assert "Exact net gain (learning curve, last share, cross-fitted) over 2 seeds: mean +2.00 %" in summary.headline
    assert "| 1 | 1 | done | +3.00 | 0.00 to +10.00 |" in (tmp_path / "summary.md").read_text(encoding="utf-8")


MULTIRUN = """
hydra:
  sweep: {{dir: x, subdir: "{subdir}"}}
  sweeper: {{_target_: hydra._internal.core_plugins.basic_sweeper.BasicSweeper, params: {params}}}
  overrides: {{task: ["a=[1,2]", "seed=range(0,2)", "b='x,y',z"]}}
"""


def test_jobs_that_were_never_started_are_counted(tmp_path: Path, make_metrics, write_job) -> None:
    text = MULTIRUN.format(subdir="${hydra.job.num}", params="{c: '1,2'}")
    (tmp_path / "multirun.yaml").write_text(text)
    write_job(tmp_path / "0", ["c=1", "a=[1,2]", "seed=0", "b='x,y'"], make_metrics())
    jobs = read_jobs(tmp_path)
    assert [job.name for job in jobs] == [str(number) for number in range(8)]
    assert jobs[7].overrides == {"c": "2", "a": "[1,2]", "seed": "1", "b": "z"}
    assert {job.status for job in jobs[1:]} == {"never started"}
    summary, _ = write_summary(tmp_path, 50)
    assert summary.headline.startswith("8 jobs (1 done, 7 never started). ")
    assert "cannot be known" not in summary.headline
    assert "- 7 jobs never started: 1, 2, 3, 4, 5, 6, 7" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_what_was_planned_may_be_unknown(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["seed=0"], make_metrics())
    assert jobs_unknown(tmp_path) == "no multirun.yaml"
    summary, _ = write_summary(tmp_path, 50)
    assert "cannot be known (no multirun.yaml)" in summary.headline
    (tmp_path / "multirun.yaml").write_text(MULTIRUN.format(subdir="${seed}", params="null"))
    assert jobs_unknown(tmp_path).endswith("in subfolders ${seed}")


def test_the_level_of_a_comparison_is_the_runs(tmp_path: Path, make_metrics, write_job) -> None:
    for number, (name, outcomes) in enumerate({"full": flips(8, 0), "no_meta": flips(2, 0)}.items()):
        metrics = make_metrics(feature_group=name, features=["a", "b"][number:], confidence=0.99)
        write_job(tmp_path / str(number), [f"feature_groups={name}"], metrics, outcomes=outcomes)
    summary, _ = write_summary(tmp_path, 50)
    # Six questions lost, none gained: p = 2 / 2**6 = 0.031.
    assert "no difference is distinguishable from zero (least p after Holm's correction 0.031)" in summary.headline
    assert "interval: 99 % percentile bootstrap over questions" in summary.grids[0].legend
    assert "paper reading" in summary.grids[0].grid.header


def test_other_protocols_are_not_paired(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["evaluation=cross_validated"], make_metrics(), outcomes=flips(3, 1))
    metrics = make_metrics()
    metrics["overall"] = {"transfer": metrics["overall"]["cross_fitted"]}
    write_job(tmp_path / "1", ["evaluation=transfer"], metrics, outcomes=flips(3, 1))
    table = compare_configurations(group_jobs(read_jobs(tmp_path)))
    assert table["note"].to_list() == [None, "another protocol than the reference's: not paired"]
    assert table["ng_exact"].null_count() == 0


def test_left_out_domains_are_summarised_by_their_own_reading(tmp_path: Path, make_metrics, write_job) -> None:
    for seed in range(2):
        metrics = make_metrics(seed=seed)
        metrics["overall"] = {"transfer": metrics["overall"]["cross_fitted"]}
        write_job(tmp_path / str(seed), [f"seed={seed}"], metrics)
    summary, _ = write_summary(tmp_path, 50)
    assert "Exact net gain (transfer) over 2 seeds: mean +0.63 %" in summary.headline


def test_notes_of_jobs_are_told_once_with_their_jobs(tmp_path: Path, make_metrics, write_job) -> None:
    notes = {0: ["common", "rare"], 1: ["common", "rare"], 2: ["common"], 3: ["common", "rare"]}
    for seed, said in notes.items():
        write_job(tmp_path / str(seed), [f"seed={seed}"], {**make_metrics(seed=seed), "notes": said})
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    assert summary.notes == ["common (all jobs)", "rare (jobs 0-1, 3)"]
    assert "## Notes\n\n- common (all jobs)\n- rare (jobs 0-1, 3)\n" in (tmp_path / "summary.md").read_text()
    assert "Note: rare (jobs 0-1, 3)" in sweep_text(summary)
    assert pl.read_csv(tmp_path / "summary.csv")["notes"].to_list() == [" | ".join(said) for said in notes.values()]


def test_features_that_a_log_lacks_are_no_finding(tmp_path: Path, make_metrics, write_job) -> None:
    groups = {"full": ["d1", "d2", "a1"], "no_audit": ["d1", "d2"], "d1_only": ["d1"], "audit_only": ["a1"]}
    # The audit group alone flips worst by far: without the mark it would be the finding of this sweep.
    gains = {"full": (4, 2), "no_audit": (4, 2), "d1_only": (5, 2), "audit_only": (0, 38)}
    for number, (name, features) in enumerate(groups.items()):
        silent = {"missing": [feature for feature in features if feature == "a1"], "the same": []}
        metrics = make_metrics(feature_group=name, features=features, silent_features=silent)
        write_job(tmp_path / str(number), [f"feature_groups={name}"], metrics, outcomes=flips(*gains[name]))
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    rows = {row[0]: row for row in summary.grids[0].grid.rows}
    assert "no such features in this log" in rows["audit_only"]
    assert "in effect the features of full" in rows["no_audit"]
    assert "2 of them no finding of their own (no_audit: in effect the features of full; " in summary.headline
    assert "audit_only: no such features in this log); exact net gains of the others" in summary.headline
    assert "1 compared with full" in summary.headline
    data = pl.read_csv(tmp_path / "figures" / "ablation.csv")
    assert data["p_value"].is_not_null().to_list() == [False, False, True, False]
    flags = pl.read_csv(tmp_path / "summary.csv")["flag"].to_list()
    assert flags == [None, None, None, "no such features in this log"]


def test_seeds_without_any_feature_are_no_finding(tmp_path: Path, make_metrics, write_job) -> None:
    silent = {"missing": [], "the same": ["d1"]}
    for seed in range(2):
        metrics = make_metrics(seed=seed, features=["d1"], silent_features=silent)
        write_job(tmp_path / str(seed), [f"seed={seed}"], metrics)
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    assert "No finding, features the same in every debate." in summary.headline


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("metrics.json", b"{}"),
        ("tables/learning_curve.csv", None),
        ("tables/learning_curve.csv", b"share,ng_exact\n1.0,0."),
        (".hydra/overrides.yaml", b"[seed=1, 'x"),
    ],
)
def test_a_job_half_there_is_a_failed_one(
    tmp_path: Path, make_metrics, write_job, name: str, content: bytes | None
) -> None:
    write_job(tmp_path / "0", ["seed=0"], make_metrics())
    torn = write_job(tmp_path / "1", ["seed=1"], make_metrics(evaluation="learning_curve"))
    (torn / "tables").mkdir()
    if content is not None:
        (torn / name).write_bytes(content)
    jobs = read_jobs(tmp_path)
    assert [job.status for job in jobs] == ["done", "failed"]
    assert name in str(jobs[1].error)
    aggregate(tmp_path, dpi=50)
    assert name in (tmp_path / "FAILED").read_text()


def test_a_torn_outcome_leaves_a_job_unpaired_and_says_so(tmp_path: Path, make_metrics, write_job) -> None:
    write_job(tmp_path / "0", ["classifier=lightgbm"], make_metrics(), outcomes=flips(4, 2))
    write_job(tmp_path / "1", ["classifier=mlp"], make_metrics(classifier="mlp"))
    (tmp_path / "1" / "debates.parquet").write_bytes(b"PAR1")
    (tmp_path / "multirun.yaml").write_text("hydra: [")
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    assert len(summary.notes) == 2 and "debates.parquet: not readable as Parquet" in summary.notes[1]
    assert "cannot be known (a torn multirun.yaml)" in summary.headline


def test_values_that_are_cut_stay_apart(tmp_path: Path, make_metrics, write_job) -> None:
    for number in range(2):
        path = f"corpus.path=logs/{'deep/' * 20}run-{number}-of-many-more-in-this-long-name.jsonl"
        write_job(tmp_path / str(number), [path], make_metrics(), outcomes=flips(4, 2))
    summary, _ = write_summary(tmp_path, 50)
    assert summary is not None
    cells = [row[1] for row in summary.grids[-1].grid.rows]
    assert len(set(cells)) == 2 and all(len(cell) <= 30 for cell in cells)
