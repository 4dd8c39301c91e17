"""One evaluation with few words: small, quick, with a classifier that needs no tuning."""

from typing import Any

from sentinel.evaluation import Evaluation, evaluate
from sentinel.fingerprint import FEATURES, Fingerprints
from sentinel.settings import ClassifierKind, ClassifierSettings, EvaluationSettings, ThresholdSettings

LOGISTIC = ClassifierSettings(kind=ClassifierKind.logistic_regression)


def run(
    fingerprints: Fingerprints,
    classifier: ClassifierSettings = LOGISTIC,
    threshold: ThresholdSettings | None = None,
    features: int = 4,
    **options: Any,
) -> Evaluation:
    settings = {"folds": 3, "inner_folds": 2, "bootstrap": 100, "permutations": 0, "baselines": False, **options}
    return evaluate(
        fingerprints,
        FEATURES[:features],
        classifier,
        threshold or ThresholdSettings(),
        EvaluationSettings(**settings),
        0,
    )
