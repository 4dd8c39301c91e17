"""Gradient-boosted trees by LightGBM's native interface, which costs less than its scikit-learn wrapper."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sentinel.classifier._classifier import Classifier, FloatArray, IntArray
from sentinel.classifier._model_text import check_model_text
from sentinel.classifier._parameters import check_names
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind

# Small trees, slowly: some 500 rows of counts and shares carry few interactions. The seed acts through both fractions,
# and rows are drawn anew for each tree (`bagging_freq`), without which it would not act at all.
_DEFAULTS: dict[str, Any] = {
    "num_iterations": 150,
    "learning_rate": 0.03,
    "num_leaves": 5,
    "min_data_in_leaf": 10,
    "max_bin": 63,
    "feature_fraction": 0.8,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 1.0,
}
# Not the user's: a probability of two classes from plain trees on numeric features, the same for any number of threads.
_OWNED: dict[str, Any] = {
    "objective": "binary",
    "num_class": 1,
    "linear_tree": False,
    "deterministic": True,
    "force_row_wise": True,
    "force_col_wise": False,
    "verbosity": -1,
}


@cache
def _canonical_names() -> dict[str, str]:
    """Map every parameter name of the installed LightGBM, aliases included, to its canonical one."""
    from lightgbm.basic import _ConfigAliases

    aliases: dict[str, list[str]] = _ConfigAliases._get_all_param_aliases()
    return {alias: name for name, names in aliases.items() for alias in [name, *names]}


class LightGBMClassifier(Classifier):
    """LightGBM; missing values are handled by the trees themselves."""

    kind = ClassifierKind.lightgbm
    model_file = "model.txt"

    booster_: Any

    def _check_params(self) -> None:
        canonical = _canonical_names()
        taken = {*_OWNED, "seed", "num_threads", "categorical_feature"}
        check_names(self.kind, self.params, canonical, [name for name in canonical if canonical[name] in taken])
        names = [canonical[name] for name in self.params]
        for name in self.params:
            if names.count(canonical[name]) > 1:
                raise ClassifierError(f"classifier.params.{name}: given twice, as an alias too; keep one")

    def _fit(self, X: FloatArray, y: IntArray, weight: FloatArray) -> None:
        import lightgbm

        canonical = _canonical_names()
        # On tiny sets ten rows a leaf would leave nothing to split.
        defaults = _DEFAULTS | {"min_data_in_leaf": max(1, min(_DEFAULTS["min_data_in_leaf"], len(X) // 8))}
        params = defaults | {canonical[name]: value for name, value in self.params.items()} | _OWNED
        params |= {"seed": self.random_state, "num_threads": self.n_jobs}
        rounds = params.pop("num_iterations")
        data = lightgbm.Dataset(X, label=y, weight=weight, feature_name=list(self.feature_names_in_), params=params)
        self.booster_ = lightgbm.train(params, data, num_boost_round=rounds)

    def _probability(self, X: FloatArray) -> FloatArray:
        return np.asarray(self._predict(X), dtype=np.float64)

    def _contributions(self, X: FloatArray) -> FloatArray | None:
        # The last column is the expected value, the same for all rows.
        return np.asarray(self._predict(X, pred_contrib=True), dtype=np.float64)[:, :-1]

    def _predict(self, X: FloatArray, **options: Any) -> Any:
        return self.booster_.predict(X, num_threads=self.n_jobs, **options)

    def _importance(self) -> dict[str, FloatArray] | None:
        return {
            kind: np.asarray(self.booster_.feature_importance(kind), dtype=np.float64) for kind in ("split", "gain")
        }

    def _save(self, path: Path) -> None:
        path.write_text(self.booster_.model_to_string(), encoding="utf-8")

    def _load(self, path: Path) -> None:
        import lightgbm

        text = check_model_text(path.read_text(encoding="utf-8"), len(self.feature_names_in_))
        self.booster_ = lightgbm.Booster(model_str=text)
        if tuple(self.booster_.feature_name()) != self.feature_names_in_:
            raise ClassifierError(f"{path.name}: its features are not those of classifier.json; train again")
