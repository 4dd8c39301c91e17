"""Artefacts of a finished evaluation in, files and text out: tables, figures, the summary of a sweep.

Everything is loaded on first use: Hydra imports this module to find `Aggregate`, also for `--help`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sentinel.report._callback import Aggregate

if TYPE_CHECKING:
    from sentinel.report._aggregate import aggregate
    from sentinel.report._run import rebuild, write_run
    from sentinel.report._summary import format_summary, headline

__all__ = ["Aggregate", "aggregate", "format_summary", "headline", "rebuild", "write_run"]

_HOMES = {
    "aggregate": "_aggregate",
    "format_summary": "_summary",
    "headline": "_summary",
    "rebuild": "_run",
    "write_run": "_run",
}


def __getattr__(name: str) -> object:
    """Return a public function, importing its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
