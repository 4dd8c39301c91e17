"""The folder of a run: everything is there, the same twice, and can be rebuilt from its own files."""

import json
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from sentinel.errors import ReportError
from sentinel.report import rebuild, write_run

FIGURES = ["baselines", "calibration", "contributions", "domains", "importance", "null", "threshold_sweep"]
MANIFEST = {"command": "python -m sentinel seed=3", "versions": {"sentinel": "0.1.0", "lightgbm": "4.7.0"}}


def read_all(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def run(evaluation, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    written = write_run(evaluation, folder, figures=True, dpi=50, manifest=MANIFEST)
    assert sorted(written) == sorted(path for path in folder.rglob("*") if path.is_file())
    return folder


def test_every_artefact_is_written(run: Path, evaluation) -> None:
    names = set(read_all(run))
    tables = {f"tables/{name}.{kind}" for name in evaluation.tables for kind in ("csv", "md")}
    figures = {f"figures/{name}.{kind}" for name in FIGURES for kind in ("png", "svg", "csv")}
    others = {"metrics.json", "manifest.json", "predictions.parquet", "debates.parquet", "report.md"}
    assert names == tables | figures | others
    assert json.loads((run / "metrics.json").read_text(encoding="utf-8")) == evaluation.metrics
    assert pl.read_parquet(run / "debates.parquet").equals(evaluation.debates)


def test_rebuilding_gives_the_same_bytes(run: Path, evaluation, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    write_run(evaluation, copy, figures=False, dpi=50, manifest=MANIFEST)
    assert not (copy / "figures").exists()
    (copy / "report.md").unlink()
    (copy / "tables" / "results.md").unlink()
    rebuild(copy, dpi=50)
    assert read_all(copy) == read_all(run)


def test_vector_figures_hold_no_date(run: Path) -> None:
    for path in (run / "figures").glob("*.svg"):
        assert "dc:date" not in path.read_text(encoding="utf-8")


def test_the_page_leads_with_the_headline_and_links_what_exists(run: Path) -> None:
    page = (run / "report.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line]
    assert lines[1].startswith("**SIMULATED DATA")
    assert lines[2].startswith("**Simulated: cross-fitted net gain +0.63 %")
    assert lines[lines.index("```sh") : lines.index("```") + 1] == ["```sh", "python -m sentinel seed=3", "```"]
    for link in [part.split(")")[0] for part in page.split("](")[1:]]:
        assert (run / link).is_file(), link


def test_names_in_the_data_are_escaped_and_never_become_files(evaluation, tmp_path: Path) -> None:
    hostile = "../x|<script>\n"
    results = evaluation.tables["results"].with_columns(
        domain=pl.col("domain").replace("simulated/gsm8k", hostile).replace("simulated/winogrande", "$\\frac{$")
    )
    ours = SimpleNamespace(
        metrics={**evaluation.metrics, "notes": [hostile]},
        debates=evaluation.debates,
        predictions=evaluation.predictions,
        tables={"corpus": evaluation.tables["corpus"], "results": results},
    )
    folder = tmp_path / "run"
    write_run(ours, folder, figures=True, dpi=50, manifest=MANIFEST)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert {path.stem for path in (folder / "figures").iterdir()} == {"domains"}
    for page in ("report.md", "tables/results.md"):
        text = (folder / page).read_text(encoding="utf-8")
        assert "<script>" not in text
        assert "../x\\|&lt;script&gt;" in text


def test_tables_without_rows_are_written_and_not_drawn(evaluation, tmp_path: Path) -> None:
    empty = {name: table.clear() for name, table in evaluation.tables.items()}
    metrics = {**evaluation.metrics, "overall": {}}
    ours = SimpleNamespace(
        metrics=metrics, debates=evaluation.debates, predictions=evaluation.predictions, tables=empty
    )
    write_run(ours, tmp_path, figures=True, dpi=50, manifest={})
    assert not (tmp_path / "figures").exists()
    assert (tmp_path / "tables" / "importance.csv").read_text().startswith("feature,group,splits")
    before = read_all(tmp_path)
    rebuild(tmp_path, dpi=50)
    assert read_all(tmp_path) == before


def test_a_folder_that_is_neither_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"neither a run nor a sweep; expected metrics\.json \(a run"):
        rebuild(tmp_path, dpi=50)
    with pytest.raises(ReportError, match="neither a run nor a sweep"):
        rebuild(tmp_path / "absent", dpi=50)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("metrics.json", b"{}", "incomplete, corpus, setup, simulated, overall, notes missing or cut short"),
        ("metrics.json", b'{"corpus": {"na', "not readable as JSON"),
        ("manifest.json", b"{}", "does not list the run's tables"),
        ("manifest.json", None, "not readable as JSON"),
        ("predictions.parquet", b"PAR1", "not readable as Parquet"),
        ("predictions.parquet", None, "missing"),
        ("tables/results.csv", None, "missing"),
        ("tables/results.csv", b"", "torn, its last line has no end"),
        ("tables/results.csv", b"domain,reading\nx,pap", "torn, its last line has no end"),
        ("tables/results.csv", b"domain,reading\nx,paper\n", "1 rows in place of 14"),
        ("tables/corpus.csv", b"a,b\n1,2,3\n", "not readable as CSV"),
    ],
)
def test_a_torn_run_is_named_with_the_way_out(
    evaluation, tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    write_run(evaluation, tmp_path, figures=False, dpi=50, manifest=MANIFEST)
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ReportError) as caught:
        rebuild(tmp_path, dpi=50)
    text = str(caught.value)
    assert name in text and message in text and "again" in text and "\n" not in text
