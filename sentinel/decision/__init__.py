"""From debates to decisions: a `Sentinel` is fitted, saved as a folder, loaded without running any code, applied.

In: debates with known answers to learn from, new debates to decide. Out: one `Decision` a debate, with its reasons.
"""

from sentinel.decision._artefact import check_replaceable
from sentinel.decision._decision import Decision, Influence
from sentinel.decision._sentinel import Sentinel

__all__ = ["Decision", "Influence", "Sentinel", "check_replaceable"]
