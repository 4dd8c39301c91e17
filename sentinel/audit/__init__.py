"""Who made the stronger case in a debate, judged from the outside without the gold answer; and what a judge would rule.

In: debates and their minority candidates. Out: an `Audit` of seven values each, by fixed rules over the texts (lexical)
or from a model that is not told which side is the majority; a model's `Ruling` on each divergent debate. What calls a
model is imported on first use, so that fingerprinting does not pay for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sentinel.audit._lexical import lexical_audit

if TYPE_CHECKING:
    from sentinel.audit._judge import judge_debate
    from sentinel.audit._llm_audit import audit_with_llm
    from sentinel.audit._run import run_audits, run_judge

__all__ = ["audit_with_llm", "judge_debate", "lexical_audit", "run_audits", "run_judge"]

_HOMES = {
    "audit_with_llm": "_llm_audit",
    "judge_debate": "_judge",
    "run_audits": "_run",
    "run_judge": "_run",
}


def __getattr__(name: str) -> object:
    """Return a public name, importing its module (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
