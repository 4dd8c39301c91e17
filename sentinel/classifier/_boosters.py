"""The two optional gradient boosters. Both come with the extra `boosters`."""

import inspect
from pathlib import Path
from typing import Any

import numpy as np

from sentinel.classifier._classifier import Classifier, FloatArray, IntArray
from sentinel.classifier._parameters import check_names
from sentinel.settings import ClassifierKind


class XGBoostClassifier(Classifier):
    """XGBoost on histograms; missing values are handled by the trees themselves."""

    kind = ClassifierKind.xgboost
    model_file = "model.json"

    booster_: Any

    def _check_params(self) -> None:
        from xgboost import XGBClassifier

        owned = {"objective", "n_jobs", "random_state", "verbosity", "missing"}
        check_names(self.kind, self.params, XGBClassifier().get_params(), owned)

    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        from xgboost import XGBClassifier

        defaults = {
            "n_estimators": 150,
            "learning_rate": 0.04,
            "max_depth": 3,
            "subsample": 0.8,
            "colsample_bytree": 0.8,
        }
        model = XGBClassifier(
            **(defaults | dict(self.params)),
            objective="binary:logistic",
            n_jobs=self.n_jobs,
            random_state=self.random_state,
            verbosity=0,
        )
        self.booster_ = model.fit(X, y, sample_weight=weight).get_booster()

    def _probability(self, X: FloatArray) -> FloatArray:
        return self._predict(X)

    def _contributions(self, X: FloatArray) -> FloatArray | None:
        return self._predict(X, pred_contribs=True)[:, :-1]

    def _predict(self, X: FloatArray, **options: Any) -> FloatArray:
        from xgboost import DMatrix

        return np.asarray(self.booster_.predict(DMatrix(X, nthread=self.n_jobs), **options), dtype=np.float64)

    def _save(self, path: Path) -> None:
        self.booster_.save_model(path)

    def _load(self, path: Path) -> None:
        from xgboost import Booster

        self.booster_ = Booster({"nthread": self.n_jobs}, model_file=str(path))


class CatBoostClassifier(Classifier):
    """CatBoost; missing values are handled by the trees themselves."""

    kind = ClassifierKind.catboost
    model_file = "model.json"

    model_: Any

    def _check_params(self) -> None:
        import catboost

        known = set(inspect.signature(catboost.CatBoostClassifier.__init__).parameters) - {"self", "kwargs"}
        owned = {
            *("loss_function", "objective", "thread_count", "random_seed", "random_state"),
            *("allow_writing_files", "train_dir", "logging_level", "verbose", "silent", "verbose_eval"),
        }
        check_names(self.kind, self.params, known, owned)

    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        import catboost

        given = dict(self.params)
        defaults = {"iterations": 150, "learning_rate": 0.04, "depth": 4}
        aliases = {"iterations": {"n_estimators", "num_boost_round", "num_trees"}, "learning_rate": {"eta"}}
        aliases["depth"] = {"max_depth"}
        defaults = {name: value for name, value in defaults.items() if not aliases[name] & given.keys()}
        self.model_ = catboost.CatBoostClassifier(
            **(defaults | given),
            loss_function="Logloss",
            thread_count=self.n_jobs,
            random_seed=self.random_state,
            # Else it leaves a folder of training logs in the working directory.
            allow_writing_files=False,
            logging_level="Silent",
        )
        self.model_.fit(X, y, sample_weight=weight)

    def _probability(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.model_.predict_proba(X, thread_count=self.n_jobs)[:, 1], dtype=np.float64)

    def _contributions(self, X: FloatArray) -> FloatArray | None:
        import catboost

        values = self.model_.get_feature_importance(catboost.Pool(X), type="ShapValues", thread_count=self.n_jobs)
        return np.asarray(values, dtype=np.float64)[:, :-1]

    def _save(self, path: Path) -> None:
        self.model_.save_model(str(path), format="json")

    def _load(self, path: Path) -> None:
        import catboost

        self.model_ = catboost.CatBoostClassifier()
        self.model_.load_model(str(path), format="json")
