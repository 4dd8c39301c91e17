"""Numbers and tables as text: aligned for a terminal, escaped for Markdown. Names of data are never trusted."""

import math
import unicodedata
from collections.abc import Sequence

MISSING = "-"
_SHARES = frozenset(("accuracy", "rate", "recovery", "precision", "preservation", "share"))


def percent(value: float | None, digits: int = 1, sign: bool = False) -> str:
    """Return a share in percent, without the unit; `-` for a missing one, never "-0.00"."""
    if value is None or not math.isfinite(value):
        return MISSING
    scaled = round(100 * value, digits) + 0.0
    return f"{scaled:{'+' if sign and scaled else ''}.{digits}f}"


def gain(value: float | None) -> str:
    """Return a net gain in percent with its sign."""
    return percent(value, 2, sign=True)


def decimal(value: float | None, digits: int = 3) -> str:
    """Return a plain decimal, `-` for a missing one."""
    return MISSING if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


def area(value: float | None) -> str:
    """Return an AUC with three places, without the leading zero."""
    return decimal(value).removeprefix("0")


def probability(value: float | None) -> str:
    """Return a p value with three places, none of them rounded to zero."""
    return "<0.001" if value is not None and value < 0.001 else decimal(value)


def permuted(value: float | None, draws: int) -> str:
    """Return the p value of a permutation test; the least that so many draws can give is told from a found one."""
    if value is None or value * (draws + 1) > 1.5:
        return probability(value)
    return f"<= {probability(value)} (the least possible with {draws})"


def significance(confidence: float) -> float:
    """Return the level of tests that goes with that of intervals; 0.05 for 0.95, without the rounding error."""
    return round(1 - confidence, 12)


def level(confidence: float) -> str:
    """Return the level of intervals, as in "95 %"."""
    return f"{100 * confidence:.4g} %"


def describe_interval(confidence: float) -> str:
    """Return what an interval of net gain is, and which variation it leaves out."""
    return (
        f"{level(confidence)} percentile bootstrap over questions, for these fitted rules; it leaves out variation of "
        "training, folds and cuts"
    )


def count(value: float | None) -> str:
    """Return a count, `-` for a missing one."""
    return MISSING if value is None or not math.isfinite(value) else f"{value:.0f}"


def interval(low: float | None, high: float | None, flips: float | None = None) -> str:
    """Return an interval of net gains in percent, empty where there is none; a rule without a flip has none to give."""
    if flips == 0:
        return "no flip"
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{gain(low)} to {gain(high)}"


def clean(text: object, width: int | None = None) -> str:
    """Return data as one printable line (control characters become spaces); a width cuts out its middle."""
    line = " ".join("".join(char if char.isprintable() else " " for char in str(text)).split())
    if width is None or display_width(line) <= width:
        return line
    head, tail = line[: len(line) // 2], line[len(line) // 2 :]
    while display_width(head) + display_width(tail) > width - 3:
        if display_width(head) >= display_width(tail):
            head = head[:-1]
        else:
            tail = tail[1:]
    return f"{head}...{tail}"


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def short_domains(domains: Sequence[str]) -> dict[str, str]:
    """Return what to call each domain: its dataset, with the source's owner where several share the dataset's name."""
    domains = list(dict.fromkeys(domains))
    datasets = [domain.rpartition("/")[2] for domain in domains]
    names = [
        f"{dataset} ({domain.partition('/')[0]})" if datasets.count(dataset) > 1 else dataset
        for domain, dataset in zip(domains, datasets, strict=True)
    ]
    # A source may hold the same dataset twice, under longer paths: then only the whole domain tells them apart.
    return {domain: domain if names.count(name) > 1 else name for domain, name in zip(domains, names, strict=True)}


def align(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, gap: int = 2) -> list[str]:
    """Return lines of a table for a terminal: the first `left` columns flush left, the others flush right."""
    table = [list(header), *[list(row) for row in rows]]
    widths = [max(display_width(row[column]) for row in table) for column in range(len(header))]

    def pad(text: str, column: int) -> str:
        blank = " " * (widths[column] - display_width(text))
        return text + blank if column < left else blank + text

    return [(" " * gap).join(pad(text, column) for column, text in enumerate(row)).rstrip() for row in table]


def escape_markdown(text: object) -> str:
    """Return data as text that cannot end a table cell, start markup or carry HTML."""
    line = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "\\`*[]|~":
        line = line.replace(mark, "\\" + mark)
    return line


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table of cells that are already escaped."""
    rule = [":---" if column < left else "---:" for column in range(len(header))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


def is_share(name: str) -> bool:
    """Whether a column of ours holds fractions that are read more easily in percent."""
    parts = name.split("_")
    return parts[0] == "ng" or name == "any_correct" or any(part in _SHARES for part in parts)


def cell(name: str, value: object) -> str:
    """Return a value of a column as text: shares in percent, other decimals with four places, one from 10 on."""
    if value is None:
        return MISSING
    if not isinstance(value, float):
        return clean(value)
    if is_share(name):
        return percent(value, 2, sign=name.startswith("ng_"))
    return probability(value) if name == "p_value" else decimal(value, 4 if abs(value) < 10 else 1)
