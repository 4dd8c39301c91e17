"""Sentinel decides when to overturn the majority vote of a multi-agent LLM debate.

from sentinel import Sentinel, load_debates

sentinel = Sentinel().fit(load_debates("logs/*.jsonl", split="train"))
for decision in sentinel.decide_many(load_debates("logs/*.jsonl", split="test")):
    print(decision.id, decision.answer, decision.flipped)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sentinel.decision import Decision, Sentinel
    from sentinel.fingerprint import fingerprint_corpus
    from sentinel.log_store import load_debates

__all__ = ["Decision", "Sentinel", "fingerprint_corpus", "load_debates"]

_ROOMS = {
    "Decision": "sentinel.decision",
    "Sentinel": "sentinel.decision",
    "fingerprint_corpus": "sentinel.fingerprint",
    "load_debates": "sentinel.log_store",
}


def __getattr__(name: str) -> Any:
    # On first use, so that the command line does not pay for polars and numpy at start.
    if name in _ROOMS:
        return getattr(import_module(_ROOMS[name]), name)
    raise AttributeError(f"module 'sentinel' has no attribute {name!r}; it has {', '.join(__all__)}")
