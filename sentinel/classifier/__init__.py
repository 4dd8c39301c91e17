"""From fingerprints to the probability that the minority is right.

In: X (n, p) with NaN for missing, y 0/1 (n,). Out: a fitted `Classifier`, out-of-fold probabilities by folds that never
split a question, and files to store it in.
"""

from sentinel.classifier._classifier import Classifier
from sentinel.classifier._factory import make_classifier
from sentinel.classifier._folds import OutOfFold, assign_folds, out_of_fold
from sentinel.classifier._storage import load_classifier, save_classifier

__all__ = [
    "Classifier",
    "OutOfFold",
    "assign_folds",
    "load_classifier",
    "make_classifier",
    "out_of_fold",
    "save_classifier",
]
