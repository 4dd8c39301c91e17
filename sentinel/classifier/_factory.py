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
_OPTIONAL = {ClassifierKind.xgboost: "xgboost", ClassifierKind.catboost: "catboost"}


def make_classifier(settings: ClassifierSettings, random_state: int) -> Classifier:
    """Return an unfitted classifier; raises ClassifierError where its package is not installed."""
    package = _OPTIONAL.get(settings.kind)
    if package is not None and find_spec(package) is None:
        raise ClassifierError(f"{package}: not installed; pip install 'minority-sentinel[boosters]'")
    return CLASSIFIERS[settings.kind](settings.params, random_state, settings.n_jobs)
