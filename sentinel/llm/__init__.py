"""Calls language models: one owner of retries, waiting, budgets and cache before several kinds of provider.

In: an endpoint ("provider/name"), chat messages and sampling parameters. Out: a Completion, or an error whose type says
whether the run must stop. `run_window` does so for any number of items, each of which takes some calls.
"""

from sentinel.llm._caller import Caller
from sentinel.llm._check import check_credentials
from sentinel.llm._quote import clean, quote
from sentinel.llm._request import Completion, Endpoint, Params, add_up, seed_for
from sentinel.llm._window import Made, RunReport, run_window

__all__ = [
    "Caller",
    "Completion",
    "Endpoint",
    "Made",
    "Params",
    "RunReport",
    "add_up",
    "check_credentials",
    "clean",
    "quote",
    "run_window",
    "seed_for",
]
