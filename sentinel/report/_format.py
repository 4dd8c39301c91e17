"""Numbers and tables as text: aligned for a terminal, escaped for Markdown. Names of data are never trusted."""

import math
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from sentinel.records import OVERALL

MISSING = "-"
MEAN_COUNTS = ("questions", "divergent_train")  # of a learning curve, over folds
_SHARES = frozenset(("accuracy", "rate", "recovery", "precision", "preservation", "share"))
_NO_WIDTH = ("Mn", "Me")
_KEPT = 4  # characters of a common beginning that stay before what differs
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", **{mark: f"\\{mark}" for mark in "\\`*[]|~$"}})
_OUTER_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_BLOCK_START = re.compile(r"^(\d*)([#+-]|(?<=\d)[.)])(?=[ #])")


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


def count_of(number: int, noun: str) -> str:
    """Return "1 debate", "1,754 debates"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def interval(low: float | None, high: float | None, flips: float | None = None) -> str:
    """Return an interval of net gains in percent, empty where there is none; a rule without a flip has none to give."""
    if flips == 0:
        return "no flip"
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"{gain(low)} to {gain(high)}"


def clean(text: object, width: int | None = None) -> str:
    """Return data as one printable line (control characters become spaces); a width cuts out its middle."""
    line = str(text)
    if not line.isprintable():
        line = "".join(char if char.isprintable() else " " for char in line)
    line = " ".join(line.split())
    if width is None or display_width(line) <= width:
        return line
    head, tail = line[: len(line) // 2], line[len(line) // 2 :]
    while display_width(head) + display_width(tail) > max(width - 3, 0):
        if display_width(head) >= display_width(tail):
            head = head[:-1]
        else:
            tail = tail[1:]
    return f"{head}...{tail}"


def display_width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(char) in _NO_WIDTH else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def distinct(texts: Iterable[str], width: int | None = None) -> dict[str, str]:
    """Return each text as one line, of at most `width` columns if given, where different texts never look the same.

    What would when its middle is cut out loses the common beginning instead; where that does not help, it is numbered.
    """
    texts = list(dict.fromkeys(texts))
    lines = [clean(text, width) for text in texts]
    alike: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        alike.setdefault(line, []).append(place)
    for places in alike.values():
        whole = [clean(texts[place]) for place in places]
        shared = len(os.path.commonprefix(whole)) - _KEPT
        if width is not None and len(places) > 1 and shared > 0:
            for place, line in zip(places, whole, strict=True):
                lines[place] = clean(f"...{line[shared:]}", width)
    return dict(zip(texts, number_repeats(lines, width), strict=True))


def number_repeats(lines: Sequence[str], width: int | None = None) -> list[str]:
    """Return the lines with a number after each that an earlier one equals."""
    numbered: dict[str, None] = {}
    for line in lines:
        candidate, number = line, 1
        while candidate in numbered:
            number += 1
            mark = f" #{number}"
            candidate = clean(line, None if width is None else width - len(mark)) + mark
        numbered[candidate] = None
    return list(numbered)


def short_domains(domains: Iterable[str]) -> dict[str, str]:
    """Return what to call each domain: its dataset, with as much of the source as tells it from the others."""
    domains = list(dict.fromkeys(domains))
    forms = {domain: _domain_forms(domain) for domain in domains}
    names: dict[str, str] = {}
    for place in range(len(forms[domains[0]]) if domains else 0):
        found = Counter(own[place] for own in forms.values())
        for domain, own in forms.items():
            if found[own[place]] == 1:
                names.setdefault(domain, own[place])
    # The total comes first, so that it keeps its name whatever a source and a dataset are called.
    order = sorted(domains, key=lambda domain: domain != OVERALL)
    numbered = number_repeats([names.get(domain, forms[domain][-1]) for domain in order])
    return dict(zip(order, numbered, strict=True))


def _domain_forms(domain: str) -> tuple[str, ...]:
    """Return names of a domain, from the dataset alone to dataset and whole source; the total has one."""
    if domain == OVERALL:
        return (OVERALL,) * 3
    source, _, escaped = domain.rpartition("/")
    dataset = escaped.replace("%2F", "/").replace("%25", "%")
    owners = (source.partition("/")[0], source) if source else ("no source",) * 2
    return (clean(dataset), *(clean(f"{dataset} ({owner})") for owner in owners))


def align(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1, gap: int = 2) -> list[str]:
    """Return lines of a table for a terminal: the first `left` columns flush left, the others flush right."""
    table = [list(header), *[list(row) for row in rows]]
    widths = [max(display_width(row[column]) for row in table) for column in range(len(header))]

    def pad(text: str, column: int) -> str:
        blank = " " * (widths[column] - display_width(text))
        return text + blank if column < left else blank + text

    return [(" " * gap).join(pad(text, column) for column, text in enumerate(row)).rstrip() for row in table]


def escape_markdown(text: object) -> str:
    """Return data as text that cannot end a table cell, start markup, a list or a formula, or carry HTML."""
    line = clean(text).translate(_ESCAPES)
    if "_" in line:
        # Between letters it means nothing, and the names of features are easier to read without.
        line = _OUTER_UNDERSCORE.sub(r"\\_", line)
    # Most cells are numbers, which start nothing.
    return _BLOCK_START.sub(r"\1\\\2", line) if " " in line or "#" in line else line


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table of cells that are already escaped."""
    rule = [":---" if column < left else "---:" for column in range(len(header))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, rule, *rows])


@cache
def is_share(name: str) -> bool:
    """Whether a column of ours holds fractions that are read more easily in percent."""
    parts = name.split("_")
    return parts[0] == "ng" or name == "any_correct" or any(part in _SHARES for part in parts)


def places(name: str, values: Iterable[float | None]) -> int:
    """Return the decimals of a whole column: one for means of counts and where a value is 10 or more, else four."""
    sizes = (abs(value) for value in values if value is not None and math.isfinite(value))
    return 1 if name in MEAN_COUNTS or max(sizes, default=0.0) >= 10 else 4


def cell(name: str, value: object, digits: int) -> str:
    """Return a value of a column as text: shares in percent, p values with three places, others with `digits`."""
    if value is None:
        return MISSING
    if not isinstance(value, float):
        return clean(value)
    if is_share(name):
        return percent(value, 2, sign=name.startswith("ng_"))
    return probability(value) if name == "p_value" else decimal(value, digits)
