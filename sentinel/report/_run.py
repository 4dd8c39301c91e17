"""The folder of a run: results first, then what is read from them; and all of the latter again from the files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sentinel.errors import ReportError
from sentinel.report._aggregate import aggregate
from sentinel.report._figures import plan_figures, save_figures
from sentinel.report._files import (
    read_csv,
    read_json,
    read_metrics,
    read_parquet,
    write_csv,
    write_json,
    write_parquet,
    write_text,
)
from sentinel.report._page import run_page, table_to_markdown
from sentinel.report._sweep import holds_jobs
from sentinel.settings import ReportSettings

if TYPE_CHECKING:
    from sentinel.evaluation import Evaluation


def write_run(
    evaluation: "Evaluation", folder: Path, *, figures: bool, dpi: int, manifest: Mapping[str, Any]
) -> list[Path]:
    """Write a run's artefacts into its folder; return their paths.

    `metrics.json` comes after all other results, so that its presence says they are complete, and before the figures,
    which can be drawn again from the files.
    """
    written = [
        write_parquet(folder / "predictions.parquet", evaluation.predictions),
        write_parquet(folder / "debates.parquet", evaluation.debates),
        *(write_csv(folder / "tables" / f"{name}.csv", table) for name, table in evaluation.tables.items()),
        write_json(folder / "manifest.json", {**manifest, "tables": _heights(evaluation.tables)}),
        write_json(folder / "metrics.json", evaluation.metrics),
    ]
    return written + _write_readable(
        folder, evaluation.metrics, evaluation.tables, evaluation.predictions, manifest, figures, dpi
    )


def rebuild(folder: Path, *, dpi: int = ReportSettings.dpi) -> list[Path]:
    """Write again what is read from a finished run's or a sweep's results; return the paths.

    Raises ReportError where the folder holds neither.
    """
    if (folder / "metrics.json").is_file():
        metrics, manifest = read_metrics(folder / "metrics.json"), read_json(folder / "manifest.json")
        tables = _read_tables(folder / "tables", manifest)
        predictions = read_parquet(folder / "predictions.parquet")
        return _write_readable(folder, metrics, tables, predictions, manifest, True, dpi)
    if holds_jobs(folder):
        return aggregate(folder, dpi=dpi)
    raise ReportError(
        f"{folder}: neither a run nor a sweep; expected metrics.json (a run of task=evaluate) "
        "or subfolders 0, 1, ... of a multirun"
    )


def _read_tables(folder: Path, manifest: Mapping[str, Any]) -> dict[str, pl.DataFrame]:
    """Return the tables that a run's manifest lists; ReportError where one is missing, torn or cut short."""
    heights = manifest.get("tables")
    if not isinstance(heights, dict):
        raise ReportError(f"{folder.parent / 'manifest.json'}: does not list the run's tables; run it again")
    tables = {name: read_csv(folder / f"{name}.csv") for name in heights}
    for name, table in tables.items():
        if table.height != heights[name]:
            file = folder / f"{name}.csv"
            raise ReportError(f"{file}: {table.height} rows in place of {heights[name]}; run the job again")
    return tables


def _heights(tables: Mapping[str, pl.DataFrame]) -> dict[str, int]:
    return {name: table.height for name, table in tables.items()}


def _write_readable(
    folder: Path,
    metrics: Mapping[str, Any],
    tables: Mapping[str, pl.DataFrame],
    predictions: pl.DataFrame,
    manifest: Mapping[str, Any],
    figures: bool,
    dpi: int,
) -> list[Path]:
    written = [write_text(folder / "tables" / f"{name}.md", table_to_markdown(name, tables)) for name in tables]
    plans = plan_figures(metrics, tables, predictions) if figures else []
    written += save_figures(folder / "figures", plans, metrics["simulated"], dpi)
    return [*written, write_text(folder / "report.md", run_page(metrics, tables, manifest, plans))]
