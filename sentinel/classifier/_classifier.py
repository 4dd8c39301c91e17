"""What all classifiers share: checks of input, the constant predictor, the shape of their output."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


class Classifier(ABC):
    """A probability that the minority is right, from a fingerprint; scikit-learn habits.

    `X` is float (n, p), NaN where a feature is missing; `y` is 0/1 (n,). A training set of one class, or without any
    column that varies, gives the constant training rate. `params` are the library's own names and win over our
    defaults.
    """

    kind: ClassVar[ClassifierKind]
    model_file: ClassVar[str]

    feature_names_in_: tuple[str, ...]
    constant_: float | None

    def __init__(self, params: Mapping[str, Any], random_state: int, n_jobs: int) -> None:
        self.params = params
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
    ) -> Self:
        """Learn from X (n, p) and y (n,); `feature_names` default to x0, x1, ...

        Raises ClassifierError for an unknown parameter, a value the library refuses, and data of the wrong shape.
        """
        rows = _as_floats(X)
        if rows.ndim != 2 or 0 in rows.shape:
            raise ClassifierError(f"X of shape {rows.shape}: expected (rows, features) with at least one of each")
        names = tuple(feature_names) if feature_names is not None else tuple(f"x{i}" for i in range(rows.shape[1]))
        self._check_rows(rows, names)
        labels = np.asarray(y)
        if labels.shape != (len(rows),) or not np.isin(labels, (0, 1)).all():
            raise ClassifierError(f"y of shape {labels.shape}: expected {len(rows)} labels of 0 or 1")
        weights = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if weights.shape != (len(rows),) or not (np.isfinite(weights).all() and (weights > 0).all()):
            raise ClassifierError(f"sample_weight of shape {weights.shape}: expected {len(rows)} numbers above 0")
        self._check_params()
        self.feature_names_in_ = names
        self.constant_ = None
        if labels.min() == labels.max() or not _any_varies(rows):
            self.constant_ = float(np.average(labels, weights=weights))
            return self
        try:
            self._fit(rows, labels.astype(np.int64), weights)
        except Exception as error:
            if not self.params:
                raise
            given = ", ".join(f"{name}={value}" for name, value in self.params.items())
            reason = str(error).partition("\n")[0]
            raise ClassifierError(f"classifier={self.kind}: {reason}; check classifier.params ({given})") from error
        return self

    def predict_proba(self, X: npt.ArrayLike, feature_names: Sequence[str] | None = None) -> FloatArray:
        """Return (n, 2): the probability that the minority is wrong, and that it is right.

        `feature_names`, where given, must be those of `fit` in the same order. Raises ClassifierError otherwise, and
        where the model gives anything but probabilities.
        """
        rows = self._as_fitted(X, feature_names)
        learned = self.constant_ is None and len(rows) > 0
        right = self._probability(rows) if learned else np.full(len(rows), self.constant_ or 0.0)
        if not ((right >= 0) & (right <= 1)).all():
            raise ClassifierError(
                f"classifier={self.kind}: gives probabilities that are not numbers between 0 and 1; "
                "check classifier.params, or train again"
            )
        return np.column_stack([1.0 - right, right])

    def contributions(self, X: npt.ArrayLike, feature_names: Sequence[str] | None = None) -> FloatArray | None:
        """Return (n, p): what each feature adds to the log-odds, without the intercept; None where there is no such."""
        rows = self._as_fitted(X, feature_names)
        return self._contributions(rows) if self.constant_ is None and len(rows) else np.zeros_like(rows)

    @property
    def importance_(self) -> dict[str, FloatArray] | None:
        """Importances by kind (`split`: count of splits, `gain`: total gain), each (p,); None where there is none."""
        self._as_fitted(np.zeros((0, len(getattr(self, "feature_names_in_", ())))), None)
        return None if self.constant_ is not None else self._importance()

    @abstractmethod
    def _check_params(self) -> None:
        """Raise ClassifierError for a parameter that the library does not know or that is not the user's to set."""

    @abstractmethod
    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        """Learn from both classes."""

    @abstractmethod
    def _probability(self, X: FloatArray) -> FloatArray:
        """Return the probability of class 1 (n,)."""

    @abstractmethod
    def _save(self, path: Path) -> None:
        """Write the learned model to one file."""

    @abstractmethod
    def _load(self, path: Path) -> None:
        """Read what `_save` wrote."""

    def _contributions(self, X: FloatArray) -> FloatArray | None:
        return None

    def _importance(self) -> dict[str, FloatArray] | None:
        return None

    def _as_fitted(self, X: npt.ArrayLike, feature_names: Sequence[str] | None) -> FloatArray:
        if not hasattr(self, "feature_names_in_"):
            raise ClassifierError(f"classifier={self.kind}: not fitted; call fit first")
        rows = _as_floats(X)
        if rows.ndim != 2:
            raise ClassifierError(f"X of shape {rows.shape}: expected (rows, features)")
        if feature_names is not None and tuple(feature_names) != self.feature_names_in_:
            differing = sorted(set(feature_names) ^ set(self.feature_names_in_))
            what = ", ".join(differing) if differing else "the order"
            raise ClassifierError(f"features differ from those of the training in: {what}; give them as trained")
        self._check_rows(rows, self.feature_names_in_)
        return rows

    def _check_rows(self, rows: FloatArray, names: tuple[str, ...]) -> None:
        if rows.shape[1] != len(names):
            raise ClassifierError(f"X has {rows.shape[1]} columns: expected {len(names)} ({', '.join(names)})")
        infinite = np.isinf(rows).any(axis=0)
        if infinite.any():
            raise ClassifierError(
                f"feature {names[int(infinite.argmax())]}: infinite; expected numbers, NaN if missing"
            )


def _as_floats(X: npt.ArrayLike) -> FloatArray:
    try:
        return np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ClassifierError(f"X: {error}; expected rows of numbers, NaN if missing") from error


def _any_varies(rows: FloatArray) -> bool:
    return bool(np.any((rows != rows[:1]) & ~(np.isnan(rows) & np.isnan(rows[:1]))))
