"""Scikit-learn estimators, each a pipeline that fills gaps with the training median, and scales where that matters."""

import warnings
from abc import abstractmethod
from pathlib import Path
from typing import Any

import numpy as np

from sentinel.classifier._classifier import Classifier, FloatArray, IntArray
from sentinel.classifier._parameters import check_names
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind

# What a saved pipeline may hold beyond what skops trusts by itself.
TRUSTED_TYPES = (
    "numpy.dtype",
    "sklearn.tree._tree.Tree",
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
)


class PipelineClassifier(Classifier):
    """A scikit-learn pipeline; imputer and scaler are fitted with it, hence inside the fold."""

    model_file = "model.skops"
    scaled = True
    owned: tuple[str, ...] = ("random_state", "verbose", "warm_start")

    pipeline_: Any

    @abstractmethod
    def _make_estimator(self) -> Any:
        """Return the unfitted final step with our defaults."""

    def _check_params(self) -> None:
        check_names(self.kind, self.params, self._make_estimator().get_params(), self.owned)

    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import StandardScaler

        estimator = self._make_estimator().set_params(**self.params)
        steps: list[tuple[str, Any]] = [("impute", SimpleImputer(strategy="median", keep_empty_features=True))]
        if self.scaled:
            steps.append(("scale", StandardScaler()))
        self.pipeline_ = Pipeline([*steps, ("estimate", estimator)])
        with warnings.catch_warnings():
            # A cap on iterations is part of the estimator here, as it is of the paper's comparison.
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.pipeline_.fit(X, y, estimate__sample_weight=weight)

    def _probability(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.pipeline_.predict_proba(X)[:, 1], dtype=np.float64)

    def _save(self, path: Path) -> None:
        from skops.io import dump

        dump(self.pipeline_, path)

    def _load(self, path: Path) -> None:
        from skops.io import get_untrusted_types, load

        foreign = sorted(set(get_untrusted_types(file=path)) - set(TRUSTED_TYPES))
        if foreign:
            raise ClassifierError(
                f"{path.name}: asks for {', '.join(foreign)}, which sentinel never saves; do not use it"
            )
        self.pipeline_ = load(path, trusted=list(TRUSTED_TYPES))
        steps = [name for name, _ in getattr(self.pipeline_, "steps", [])]
        if steps[-1:] != ["estimate"] or type(self.pipeline_["estimate"]) is not type(self._make_estimator()):
            raise ClassifierError(f"{path.name}: holds no {self.kind}; train again")


class RandomForest(PipelineClassifier):
    """A random forest with at least 5 rows a leaf."""

    kind = ClassifierKind.random_forest
    scaled = False
    owned = (*PipelineClassifier.owned, "n_jobs")

    def _make_estimator(self) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(min_samples_leaf=5, n_jobs=self.n_jobs, random_state=self.random_state)

    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        super()._fit(X, y, weight)
        # Threads add up the trees in the order in which they finish, which changes the last bits of a prediction.
        self.pipeline_.set_params(estimate__n_jobs=1)


class LogisticRegression(PipelineClassifier):
    """Logistic regression with an L2 penalty on standardised features."""

    kind = ClassifierKind.logistic_regression
    owned = (*PipelineClassifier.owned, "n_jobs")

    def _make_estimator(self) -> Any:
        from sklearn.linear_model import LogisticRegression as Estimator

        return Estimator(max_iter=1000, random_state=self.random_state)

    def _contributions(self, X: FloatArray) -> FloatArray | None:
        standardised = self.pipeline_[:-1].transform(X)
        return np.asarray(standardised * self.pipeline_["estimate"].coef_[0], dtype=np.float64)


class MLP(PipelineClassifier):
    """A perceptron with one hidden layer of 32 units on standardised features."""

    kind = ClassifierKind.mlp

    def _make_estimator(self) -> Any:
        from sklearn.neural_network import MLPClassifier

        return MLPClassifier(hidden_layer_sizes=(32,), max_iter=200, random_state=self.random_state)
