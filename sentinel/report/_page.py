"""Markdown: one table, and the page of a run that a reader opens first."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from sentinel.report._figures import Plan
from sentinel.report._format import count_of, escape_markdown, markdown_table
from sentinel.report._grid import Grid, baseline_grid, corpus_grid, curve_legend, legend, plain_grid, tests_grid
from sentinel.report._paper import is_main_experiment, load_paper, paper_results
from sentinel.report._summary import SIMULATED, describe_flips, describe_null, describe_run, headline, result_grids

_LONGEST = 100


def grid_to_markdown(grid: Grid) -> str:
    """Return a grid as a Markdown table."""
    rows = [[escape_markdown(text) for text in row] for row in grid.rows]
    return markdown_table([escape_markdown(text) for text in grid.header], rows, grid.left)


def frame_to_markdown(table: pl.DataFrame) -> str:
    """Return a table as Markdown; after 100 rows it says how many more the CSV file holds."""
    rest = table.height - _LONGEST
    more = f"\n{count_of(rest, 'more row')} in the CSV file.\n" if rest > 0 else ""
    return f"{grid_to_markdown(plain_grid(table.head(_LONGEST)))}\n{more}"


def table_to_markdown(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the table of that name as Markdown, the tests with what their permutations allow."""
    if name != "tests":
        return frame_to_markdown(tables[name])
    draws = tables["permutations"].height if "permutations" in tables else 0
    return f"{grid_to_markdown(tests_grid(tables[name], draws))}\n"


def figure_links(plan: Plan) -> str:
    """Return a figure with its caption and where its vector form and data are."""
    links = f"[SVG](figures/{plan.name}.svg), [data](figures/{plan.name}.csv)"
    return f"![{plan.name}](figures/{plan.name}.png)\n\n{plan.caption} {links}"


def run_page(
    metrics: Mapping[str, Any],
    tables: Mapping[str, pl.DataFrame],
    manifest: Mapping[str, Any],
    plans: Sequence[Plan],
) -> str:
    """Return the page: headline, results, other methods, corpus, tests, figures, notes, and how to run it again."""
    grids = result_grids(metrics, tables)
    published = paper_results(metrics, tables["corpus"])
    parts = [f"# {escape_markdown(metrics['corpus']['name'])}"]
    parts += [f"**{SIMULATED}**"] if metrics["simulated"] else []
    parts += [f"**{escape_markdown(headline(metrics, tables))}**", escape_markdown(describe_run(metrics))]
    null = describe_null(metrics)
    parts += [escape_markdown(null)] if null else []
    for title, grid in grids:
        parts += [f"## {title}", grid_to_markdown(grid)]
    if published:
        parts.append("Ours is simulated; the columns after `paper:` are the published figures, for real debates.")
    parts += [escape_markdown(text) for text in describe_flips(metrics)]
    parts += [escape_markdown(legend(metrics["setup"]["confidence"]))] if grids else []
    if "baselines" in tables:
        paper = load_paper().baselines if is_main_experiment(metrics) else {}
        parts += ["## Other methods", grid_to_markdown(baseline_grid(tables["baselines"], paper))]
    parts += ["## Corpus", grid_to_markdown(corpus_grid(tables["corpus"]))]
    for name in ("learning_curve", "null_corpora", "tests"):
        if name in tables and tables[name].height:
            parts += [f"## {name.replace('_', ' ').capitalize()}", table_to_markdown(name, tables).strip()]
    if "learning_curve" in tables:
        parts.append(escape_markdown(curve_legend(metrics["setup"]["confidence"])))
    parts += ["## Figures"] if plans else []
    parts += [figure_links(plan) for plan in plans]
    if metrics["notes"]:
        parts += ["## Notes", "\n".join(f"- {escape_markdown(note)}" for note in metrics["notes"])]
    parts += ["## Run it again", _provenance(metrics, manifest)]
    names = ", ".join(f"[{name}](tables/{name}.csv)" for name in sorted(tables))
    parts.append(
        f"All tables: {names}. One row a debate: `debates.parquet`; one row a candidate: `predictions.parquet`."
    )
    return "\n\n".join(parts) + "\n"


def _provenance(metrics: Mapping[str, Any], manifest: Mapping[str, Any]) -> str:
    command = str(manifest.get("command", ""))
    # Longer than any run of backticks inside, and the lines of a quoted value stay as they are.
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", command))])
    versions = manifest.get("versions") or {}
    lines = [
        f"{fence}sh\n{command}\n{fence}",
        "",
        f"Data hash `{metrics['corpus']['data_hash']}`, seed {metrics['setup']['seed']}.",
        ", ".join(f"{escape_markdown(name)} {escape_markdown(version)}" for name, version in sorted(versions.items())),
    ]
    return "\n".join(lines).strip("\n")
