"""The look of all figures and how they become files: no pyplot, no global state, the same bytes for the same data."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sentinel.report._files import write_atomic, write_csv
from sentinel.report._format import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NARROW, WIDE = 3.5, 7.0  # inches: one and two columns of a paper
# Okabe and Ito's palette: distinct under all common colour deficiencies and in grey.
BLUE, ORANGE, GREEN, PINK, GREY, BLACK = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#7F7F7F", "#000000"
GROUP_COLOURS = {"dynamics": BLUE, "meta": GREEN, "audit": ORANGE, "equations": PINK}
BARS = "bootstrap over questions, for these fitted rules"
_SETTINGS = {
    "axes.titlelocation": "left",
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "grid.linewidth": 0.4,
    "font.size": 8,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "lines.linewidth": 1.2,
    "patch.linewidth": 0.4,
    "svg.hashsalt": "sentinel",
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.03,
}


def make_figure(width: float, height: float, title: str, simulated: bool) -> "Figure":
    """Return an empty figure in inches whose title says where simulated data were used."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    stamp = " (simulated data)" if simulated else ""
    figure.suptitle(title + stamp, x=0.01, ha="left", fontsize=8, fontweight="bold")
    return figure


def label(text: object, width: int = 28) -> str:
    """Return data as a label: one short line in which a dollar sign starts no formula."""
    return clean(text, width).replace("$", r"\$")


def mark_zero(axes: "Axes") -> None:
    """Draw the line of no gain across a horizontal axis."""
    axes.axvline(0, color=BLACK, linewidth=0.6, zorder=1)


def save_figure(path: Path, data: pl.DataFrame, draw: Callable[[], "Figure"], dpi: int) -> list[Path]:
    """Draw in the common style and write PATH.png, PATH.svg and the data as PATH.csv; return the three paths."""
    import seaborn as sns
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    style = {**sns.axes_style("whitegrid"), **sns.plotting_context("paper"), **_SETTINGS}
    png, svg = path.with_name(f"{path.name}.png"), path.with_name(f"{path.name}.svg")
    with rc_context(style), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn as boxes; the CSV file has it in full.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = draw()
        figure.set_dpi(dpi)
        # `savefig` would lay out and draw everything twice for each format.
        raster: Any = FigureCanvasAgg(figure)
        write_atomic(png, raster.print_png)
        figure.set_layout_engine("none")
        vector: Any = FigureCanvasSVG(figure)
        write_atomic(svg, lambda target: vector.print_svg(target, metadata={"Date": None}))
    return [png, svg, write_csv(path.with_name(f"{path.name}.csv"), data)]
