"""Calls language models: one owner of retries, waiting, budgets and cache before several kinds of provider.

In: an endpoint ("provider/name"), chat messages and sampling parameters. Out: a Completion, or an error whose type says
whether the run must stop.
"""

from sentinel.llm._caller import Caller
from sentinel.llm._check import check_credentials
from sentinel.llm._request import Completion, Endpoint, Params
from sentinel.llm._tally import Tally

__all__ = ["Caller", "Completion", "Endpoint", "Params", "Tally", "check_credentials"]
