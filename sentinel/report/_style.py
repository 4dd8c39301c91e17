"""The look of all figures and how they become files: no pyplot, no global state, the same bytes for the same data."""

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sentinel.report._files import write_atomic, write_csv
from sentinel.report._format import clean, distinct, number_repeats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NARROW, WIDE = 3.5, 7.0  # inches: one and two columns of a paper
# Okabe and Ito's palette: distinct under all common colour deficiencies and in grey.
BLUE, ORANGE, GREEN, PINK, GREY, BLACK = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#7F7F7F", "#000000"
GROUP_COLOURS = {"dynamics": BLUE, "meta": GREEN, "audit": ORANGE, "equations": PINK}
BARS = "bootstrap over questions, for these fitted rules"
_FONT = "DejaVu Sans"  # comes with matplotlib, so that a figure looks the same on every machine
_BOX = "\N{WHITE SQUARE}"
_SETTINGS: dict[str, object] = {
    "axes.titlelocation": "left",
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "grid.linewidth": 0.4,
    "font.family": _FONT,
    "font.size": 8,
    "legend.fontsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "lines.linewidth": 1.2,
    "patch.linewidth": 0.4,
    "svg.hashsalt": "sentinel",
    "text.parse_math": False,  # a dollar sign in a name starts no formula
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


def labels(texts: Iterable[str], width: int = 28) -> dict[str, str]:
    """Return data as labels, each one short line and all different; what the font cannot draw becomes a box."""
    texts = list(texts)
    drawn = {text: "".join(char if ord(char) in _drawable() else _BOX for char in clean(text)) for text in texts}
    # Names in a script that the font lacks are all boxes, and told apart by their numbers.
    numbered = dict(zip(drawn, number_repeats(list(drawn.values())), strict=True))
    short = distinct(numbered.values(), width)
    return {text: short[line] for text, line in numbered.items()}


def undrawable(texts: Iterable[str]) -> list[str]:
    """Return, each once, the texts that `labels` cannot draw without a box."""
    return [text for text in dict.fromkeys(map(clean, texts)) if any(ord(char) not in _drawable() for char in text)]


def bound(axes: "Axes", low: float, high: float, *, x: bool = False) -> None:
    """Cut the vertical axis (`x`: the horizontal one) off where its quantity ends; call it after drawing."""
    set_limits, (least, greatest) = (axes.set_xlim, axes.get_xlim()) if x else (axes.set_ylim, axes.get_ylim())
    set_limits(max(least, low), min(greatest, high))


@cache
def _drawable() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont(_FONT)).get_charmap())


def mark_zero(axes: "Axes") -> None:
    """Draw the line of no gain across a horizontal axis."""
    axes.axvline(0, color=BLACK, linewidth=0.6, zorder=1)


def save_figure(path: Path, data: pl.DataFrame, draw: Callable[[], "Figure"], dpi: int) -> list[Path]:
    """Draw in the common style and write PATH.png, PATH.svg and the data as PATH.csv; return the three paths."""
    import seaborn as sns
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    png, svg = path.with_name(f"{path.name}.png"), path.with_name(f"{path.name}.svg")
    style: dict[Any, Any] = {**sns.axes_style("whitegrid"), **sns.plotting_context("paper"), **_SETTINGS}
    with rc_context(style):
        figure = draw()
        figure.set_dpi(dpi)
        # `savefig` would lay out and draw everything twice for each format.
        raster: Any = FigureCanvasAgg(figure)
        write_atomic(png, raster.print_png)
        figure.set_layout_engine("none")
        vector: Any = FigureCanvasSVG(figure)
        write_atomic(svg, lambda target: vector.print_svg(target, metadata={"Date": None}))
    return [png, svg, write_csv(path.with_name(f"{path.name}.csv"), data)]
