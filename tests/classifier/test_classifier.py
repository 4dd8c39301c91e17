"""Each classifier learns, explains itself where it can, and survives awkward data without a warning."""

import builtins
import importlib.util
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from sentinel.classifier import make_classifier
from sentinel.errors import ClassifierError
from sentinel.settings import ClassifierKind, ClassifierSettings

OPTIONAL = {ClassifierKind.xgboost: "xgboost", ClassifierKind.catboost: "catboost"}
KINDS = [
    pytest.param(
        kind,
        marks=pytest.mark.skipif(
            kind in OPTIONAL and importlib.util.find_spec(OPTIONAL[kind]) is None, reason="optional package"
        ),
    )
    for kind in ClassifierKind
]
NAMES = ("noise", "signal", "empty", "constant")


QUICK = {ClassifierKind.random_forest: {"n_estimators": 20}, ClassifierKind.mlp: {"max_iter": 150}}


def make(kind=ClassifierKind.lightgbm, random_state=0, n_jobs=1, **params):
    """An unfitted classifier, the slow ones made smaller than our defaults."""
    return make_classifier(ClassifierSettings(kind, n_jobs, QUICK.get(kind, {}) | params), random_state)


def sample(n=200, seed=0):
    """Four columns: noise with gaps, one that tells the class, one all missing, one constant."""
    generator = np.random.default_rng(seed)
    y = generator.integers(0, 2, n)
    X = np.column_stack([generator.normal(size=n), y + generator.normal(size=n), np.full(n, np.nan), np.ones(n)])
    X[generator.random(n) < 0.2, 0] = np.nan
    return X, y


def auc(y, score):
    """The share of (positive, negative) pairs in the right order, by definition."""
    pairs = score[y == 1][:, None] - score[y == 0][None, :]
    return float(((pairs > 0) + 0.5 * (pairs == 0)).mean())


@pytest.mark.parametrize("kind", KINDS)
def test_learns_a_planted_signal_from_awkward_columns(kind):
    X, y = sample()
    classifier = make_classifier(ClassifierSettings(kind), 0).fit(X, y, feature_names=NAMES)
    fresh, labels = sample(seed=1)
    probability = classifier.predict_proba(fresh)
    assert probability.shape == (200, 2)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    assert classifier.feature_names_in_ == NAMES
    # The signal alone separates two unit normals one apart: AUC = Phi(1 / sqrt(2)) = 0.76.
    assert auc(labels, probability[:, 1]) > 0.65


@pytest.mark.parametrize("kind", KINDS)
def test_one_class_gives_that_rate_and_no_contribution(kind):
    X, _ = sample(30)
    for label in (0, 1):
        classifier = make(kind).fit(X, np.full(30, label))
        assert classifier.predict_proba(X)[:, 1].tolist() == [float(label)] * 30
        assert not classifier.contributions(X).any()


@pytest.mark.parametrize("kind", KINDS)
def test_features_that_never_vary_give_the_weighted_rate(kind):
    X = np.column_stack([np.ones(4), np.full(4, np.nan)])
    classifier = make(kind).fit(X, [1, 0, 0, 0], sample_weight=[3.0, 1.0, 1.0, 1.0])
    assert classifier.predict_proba(X)[:, 1].tolist() == [0.5] * 4


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_model_and_no_row_is_fine(kind):
    X, y = sample(60)
    first, second = (make(kind, random_state=3).fit(X, y).predict_proba(X) for _ in range(2))
    assert np.array_equal(first, second)
    classifier = make(kind).fit(X, y)
    assert classifier.predict_proba(X[:0]).shape == (0, 2)
    assert classifier.contributions(X[:0]).shape == (0, 4)


@pytest.mark.parametrize("kind", KINDS)
def test_sample_weights_move_the_rate(kind):
    X, y = sample(80)
    heavy = np.where(y == 1, 20.0, 1.0)
    plain = make(kind).fit(X, y).predict_proba(X)[:, 1].mean()
    weighted = make(kind).fit(X, y, sample_weight=heavy).predict_proba(X)[:, 1].mean()
    # Weight 20 on one half of the rows moves the base rate from 1/2 to 20/21; a close fit follows only part of the way.
    assert weighted > plain + 0.15


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_parameter_is_refused_before_fitting(kind):
    X, y = sample(20)
    with pytest.raises(ClassifierError, match=r"classifier\.params\.no_such_thing: no such parameter of " + str(kind)):
        make(kind, no_such_thing=1).fit(X, y)


@pytest.mark.parametrize(
    ("kind", "params", "message"),
    [
        (ClassifierKind.lightgbm, {"num_leafs": 3}, "did you mean .*num_leaves"),
        (ClassifierKind.lightgbm, {"n_jobs": 3}, "params.n_jobs: set by"),
        (ClassifierKind.lightgbm, {"random_state": 3}, "params.random_state: set by"),
        (ClassifierKind.lightgbm, {"subsample": 0.5, "bagging_fraction": 0.5}, "given twice"),
        (ClassifierKind.lightgbm, {"bagging_fraction": 7}, "bagging_fraction"),
        (ClassifierKind.logistic_regression, {"c": 1.0}, "no such parameter of logistic_regression"),
        (ClassifierKind.logistic_regression, {"C": -1.0}, "check classifier.params .C=-1.0"),
        (ClassifierKind.mlp, {"random_state": 1}, "params.random_state: set by"),
    ],
)
def test_parameters_refused(kind, params, message):
    X, y = sample(40)
    with pytest.raises(ClassifierError, match=message):
        make_classifier(ClassifierSettings(kind, 1, params), 0).fit(X, y)


def test_lightgbm_takes_the_names_of_both_its_interfaces():
    X, y = sample()
    native = make(num_iterations=20, bagging_fraction=0.5, min_data_in_leaf=30).fit(X, y).predict_proba(X)
    alias = make(n_estimators=20, subsample=0.5, min_child_samples=30).fit(X, y).predict_proba(X)
    assert np.array_equal(native, alias)
    assert not np.array_equal(native, make().fit(X, y).predict_proba(X))


def test_a_forest_gives_the_same_bits_for_one_and_four_threads():
    # Sums over trees differ in the last bits with the order of the threads, and the order differs from call to call.
    X, y = sample(400)
    one, four = (make(ClassifierKind.random_forest, n_jobs=n, n_estimators=200).fit(X, y) for n in (1, 4))
    expected = one.predict_proba(X).tobytes()
    assert {four.predict_proba(X).tobytes() for _ in range(10)} == {expected}


def test_lightgbm_gives_the_same_bits_for_one_and_four_threads():
    X, y = sample(400)
    one, four = (make(n_jobs=n).fit(X, y) for n in (1, 4))
    assert np.array_equal(one.predict_proba(X), four.predict_proba(X))
    assert np.array_equal(one.contributions(X), four.contributions(X))


@pytest.mark.parametrize("kind", [ClassifierKind.lightgbm, ClassifierKind.random_forest, ClassifierKind.mlp])
def test_the_seed_matters(kind):
    X, y = sample()
    assert not np.array_equal(*(make(kind, random_state=seed).fit(X, y).predict_proba(X) for seed in (0, 1)))


@pytest.mark.parametrize("n", [8, 12, 20, 39])
def test_lightgbm_is_not_constant_below_forty_rows(n):
    y = np.arange(n) % 2
    probability = make().fit(y[:, None] + np.linspace(0, 0.5, n)[:, None], y).predict_proba([[0.0], [1.5]])[:, 1]
    assert probability[1] > probability[0] + 0.1


def test_lightgbm_importance_names_the_signal():
    X, y = sample()
    classifier = make().fit(X, y)
    importance = classifier.importance_
    assert importance["split"].shape == importance["gain"].shape == (4,)
    assert importance["gain"].argmax() == 1
    assert importance["split"][2:].tolist() == [0.0, 0.0]
    assert make(ClassifierKind.mlp).fit(X, y).importance_ is None


@pytest.mark.parametrize("kind", KINDS)
def test_contributions_and_intercept_make_the_log_odds(kind):
    X, y = sample()
    classifier = make(kind).fit(X, y)
    contributions = classifier.contributions(X)
    if kind in (ClassifierKind.random_forest, ClassifierKind.mlp, ClassifierKind.single_feature):
        assert contributions is None
        return
    probability = classifier.predict_proba(X)
    intercept = np.log(probability[:, 1] / probability[:, 0]) - contributions.sum(axis=1)
    np.testing.assert_allclose(intercept, intercept[0], atol=1e-4)
    np.testing.assert_allclose(contributions[:, 2:], 0.0, atol=1e-12)


def test_single_feature_takes_the_most_telling_one_in_either_direction():
    # AUC by pairs: a 1/4 in order (|-.25|), b 4/4 the wrong way round (|-.5|): b wins, and its curve falls.
    X = np.array([[1.0, 9.0], [4.0, 8.0], [3.0, 2.0], [0.0, 1.0]])
    classifier = make(ClassifierKind.single_feature).fit(X, [0, 0, 1, 1], feature_names=["a", "b"])
    low, high, missing, median = classifier.predict_proba([[0, 1.0], [0, 9.0], [0, np.nan], [0, 5.0]])[:, 1]
    assert low > 0.5 > high
    assert missing == median
    # Feature a has no say.
    assert classifier.predict_proba([[99.0, 1.0]])[0, 1] == low


def test_single_feature_is_not_misled_by_one_that_is_mostly_missing():
    n = 40
    y = np.arange(n) % 2
    rare = np.full(n, np.nan)
    rare[:2] = [0.0, 1.0]
    common = np.where(np.arange(n) < 30, y, 1 - y).astype(float)
    # AUC of `common` is 3/4. `rare` is right on its two rows, and with gaps filled by the median barely above 1/2.
    classifier = make(ClassifierKind.single_feature).fit(np.column_stack([rare, common]), y)
    assert classifier.predict_proba([[0.5, 1.0]])[0, 1] > classifier.predict_proba([[0.5, 0.0]])[0, 1]


def test_single_feature_cannot_overflow():
    X = np.array([[0.0], [1e6], [2e6], [3e6]])
    assert make(ClassifierKind.single_feature).fit(X, [0, 0, 1, 1]).predict_proba([[1e300]])[0, 1] == 1.0


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.zeros((0, 2)), [], "at least one of each"),
        (np.zeros(3), [0, 1, 0], "expected .rows, features."),
        (np.zeros((2, 1)), [0, 2], "labels of 0 or 1"),
        (np.zeros((2, 1)), [0], "expected 2 labels"),
        ([[0.0], [np.inf]], [0, 1], "feature x0: infinite"),
    ],
)
def test_data_refused(X, y, message):
    with pytest.raises(ClassifierError, match=message):
        make().fit(X, y)


def test_prediction_refuses_other_columns():
    X, y = sample(40)
    with pytest.raises(ClassifierError, match="not fitted"):
        make().predict_proba(X)
    classifier = make().fit(X, y, feature_names=NAMES)
    with pytest.raises(ClassifierError, match="3 columns: expected 4"):
        classifier.predict_proba(X[:, :3])
    with pytest.raises(ClassifierError, match="the order"):
        classifier.predict_proba(X, feature_names=NAMES[::-1])
    with pytest.raises(ClassifierError, match="noise, other"):
        classifier.predict_proba(X, feature_names=("other", *NAMES[1:]))
    with pytest.raises(ClassifierError, match="sample_weight"):
        make().fit(X, y, sample_weight=np.zeros(40))


@pytest.mark.parametrize("value", [np.nan, np.inf, 1.5])
def test_what_is_no_probability_is_refused(monkeypatch, value):
    X, y = sample(40)
    classifier = make(ClassifierKind.single_feature).fit(X, y)
    monkeypatch.setattr(classifier, "_probability", lambda rows: np.full(len(rows), value))
    with pytest.raises(ClassifierError, match="classifier=single_feature: gives probabilities that are not numbers"):
        classifier.predict_proba(X)


def test_what_is_no_number_is_refused():
    X, y = sample(40)
    words = [["a", "b", "c", "d"]] * 40
    with pytest.raises(ClassifierError, match="X: .*'a'; expected rows of numbers, NaN if missing"):
        make().fit(words, y)
    with pytest.raises(ClassifierError, match="X: .*'a'; expected rows of numbers, NaN if missing"):
        make().fit(X, y).predict_proba(words)


@pytest.mark.parametrize(
    ("kind", "package"), [(ClassifierKind.xgboost, "xgboost-cpu"), (ClassifierKind.catboost, "catboost")]
)
def test_a_package_that_is_not_installed_is_named_as_the_extra_names_it(monkeypatch, kind, package):
    monkeypatch.setattr("sentinel.classifier._factory.find_spec", lambda name: None)
    with pytest.raises(ClassifierError, match=f"^{kind}: not installed; pip install {package}$"):
        make(kind)
    assert make(ClassifierKind.mlp).kind == "mlp"
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert any(line.startswith(f"{package}>=") for line in project["optional-dependencies"]["boosters"])


def test_the_room_imports_no_slow_library(monkeypatch):
    slow = ("lightgbm", "sklearn", "scipy", "xgboost", "catboost", "skops")
    real = builtins.__import__

    def guarded(name, *args, **kwargs):
        assert name.split(".")[0] not in slow, f"{name} is imported with the room"
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.startswith("sentinel.classifier")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", guarded)
    importlib.import_module("sentinel.classifier")
