"""Who made the stronger case in a debate, judged from the outside without the gold answer.

In: a debate and one of its minority candidates. Out: an `Audit` of seven values, by fixed rules over the texts (lexical).
"""

from sentinel.audit._lexical import lexical_audit

__all__ = ["lexical_audit"]
