"""The baseline of one feature: the most telling one, and a logistic curve on it."""

import json
from pathlib import Path

import numpy as np

from sentinel.classifier._classifier import Classifier, FloatArray, IntArray
from sentinel.classifier._parameters import check_names
from sentinel.settings import ClassifierKind


class SingleFeature(Classifier):
    """The feature with the largest |AUC - 0.5| on the training rows, and a logistic regression on it.

    Gaps are filled with the training median before features are compared, so that one present in few rows cannot win by
    chance. The curve is monotone: a cut on the probability is a cut on the feature. Equal features: the first.
    """

    kind = ClassifierKind.single_feature
    model_file = "model.json"

    feature_: int
    fill_: float
    slope_: float
    intercept_: float

    def _check_params(self) -> None:
        check_names(self.kind, self.params, (), ())

    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        from sklearn.linear_model import LogisticRegression

        fills = [float(np.median(present)) if len(present := column[~np.isnan(column)]) else 0.0 for column in X.T]
        filled = np.where(np.isnan(X), fills, X)
        self.feature_ = int(np.abs(_auc(filled, y) - 0.5).argmax())
        self.fill_ = fills[self.feature_]
        column = filled[:, self.feature_]
        # The penalty acts on the slope, so it needs a unit: the column's own spread, 1 where it has none.
        spread = float(column.std()) or 1.0
        model = LogisticRegression().fit((column / spread)[:, None], y, sample_weight=weight)
        self.slope_ = float(model.coef_[0, 0]) / spread
        self.intercept_ = float(model.intercept_[0])

    def _probability(self, X: FloatArray) -> FloatArray:
        column = X[:, self.feature_]
        logit = self.intercept_ + self.slope_ * np.where(np.isnan(column), self.fill_, column)
        # The hyperbolic form cannot overflow.
        return np.asarray(0.5 * (1.0 + np.tanh(logit / 2.0)), dtype=np.float64)

    def _save(self, path: Path) -> None:
        content = {"feature": self.feature_, "fill": self.fill_, "slope": self.slope_, "intercept": self.intercept_}
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    def _load(self, path: Path) -> None:
        content = json.loads(path.read_text(encoding="utf-8"))
        self.feature_ = range(len(self.feature_names_in_))[int(content["feature"])]
        self.fill_, self.slope_, self.intercept_ = (float(content[name]) for name in ("fill", "slope", "intercept"))


def _auc(columns: FloatArray, y: IntArray) -> FloatArray:
    """Return each column's area under the ROC curve (p,), ties counted half (Mann-Whitney)."""
    from scipy.stats import rankdata

    positives = int(y.sum())
    ranks = rankdata(columns, axis=0)[y == 1].sum(axis=0)
    return np.asarray((ranks / positives - (positives + 1) / 2) / (len(y) - positives), dtype=np.float64)
