"""How much the rule gains, how sure that is, and what else could be had.

In: fingerprints and the settings of classifier, threshold and protocol. Out: `Evaluation` (metrics, one row a debate,
one row a candidate, tables). Two readings and two accountings are always reported side by side.
"""

from sentinel.evaluation._compare import Difference, holm, paired_difference
from sentinel.evaluation._evaluate import Evaluation, evaluate
from sentinel.evaluation._null import summarise_null_corpora

__all__ = ["Difference", "Evaluation", "evaluate", "holm", "paired_difference", "summarise_null_corpora"]
