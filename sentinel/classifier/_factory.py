"""From settings to an unfitted classifier."""

from importlib.util import find_spec

from sentinel.classifier._boosters import CatBoostClassifier, XGBoostClassifier
from sentinel.classifier._classifier import Classifier
from sentinel.classifier._lightgbm import LightGBMClassifier
from sentinel.classifier._single_feature import SingleFeature
from sentinel.classifier._sklearn import MLP, LogisticRegression, RandomForest
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind, ClassifierSettings

_CLASSES: tuple[type[Classifier], ...] = (
    LightGBMClassifier,
    XGBoostClassifier,
    CatBoostClassifier,
    RandomForest,
    LogisticRegression,
    MLP,
    SingleFeature,
)
CLASSIFIERS = {cls.kind: cls for cls in _CLASSES}
# The module to look for, and the package of the extra `boosters` that brings it.
_OPTIONAL = {ClassifierKind.xgboost: ("xgboost", "xgboost-cpu"), ClassifierKind.catboost: ("catboost", "catboost")}


def make_classifier(settings: ClassifierSettings, random_state: int) -> Classifier:
    """Return an unfitted classifier; raises ClassifierError where its package is not installed."""
    if settings.kind in _OPTIONAL:
        module, package = _OPTIONAL[settings.kind]
        if find_spec(module) is None:
            raise ClassifierError(f"{module}: not installed; pip install {package}")
    return CLASSIFIERS[settings.kind](settings.params, random_state, settings.n_jobs)
