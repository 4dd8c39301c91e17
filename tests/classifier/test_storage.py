"""A saved classifier predicts the same bits, runs no code when loaded, and says what is wrong with a bad file."""

import importlib.util
import json
import os
import re

import numpy as np
import pytest

from sentinel.classifier import load_classifier, make_classifier, save_classifier
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


def fitted(kind, **params):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(80, 3))
    X[::7, 1] = np.nan
    y = (X[:, 0] + generator.normal(size=80) > 0).astype(int)
    quick = {ClassifierKind.random_forest: {"n_estimators": 20}, ClassifierKind.mlp: {"max_iter": 150}}
    settings = ClassifierSettings(kind, 1, quick.get(kind, {}) | params)
    return make_classifier(settings, 5).fit(X, y, feature_names=("a", "b", "c")), X


@pytest.mark.parametrize("kind", KINDS)
def test_round_trip(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    classifier, X = fitted(kind)
    folder = tmp_path / "model"
    folder.mkdir()
    save_classifier(classifier, folder)
    assert os.listdir(tmp_path) == ["model"], "a library left files in the working directory"
    loaded = load_classifier(folder)
    assert loaded.kind == kind
    assert loaded.feature_names_in_ == ("a", "b", "c")
    np.testing.assert_allclose(loaded.predict_proba(X), classifier.predict_proba(X), rtol=0, atol=1e-12)
    if classifier.contributions(X) is not None:
        np.testing.assert_allclose(loaded.contributions(X), classifier.contributions(X), rtol=0, atol=1e-6)


def test_lightgbm_round_trip_is_exact(tmp_path):
    classifier, X = fitted(ClassifierKind.lightgbm)
    save_classifier(classifier, tmp_path)
    assert np.array_equal(load_classifier(tmp_path).predict_proba(X), classifier.predict_proba(X))


@pytest.mark.parametrize(
    "params", [{"boosting": "rf"}, {"boosting": "dart"}, {"min_data_in_leaf": 79}, {"max_depth": 1}]
)
def test_lightgbm_round_trip_of_other_trees(params, tmp_path):
    classifier, X = fitted(ClassifierKind.lightgbm, **params)
    save_classifier(classifier, tmp_path)
    assert np.array_equal(load_classifier(tmp_path).predict_proba(X), classifier.predict_proba(X))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # LightGBM itself ends the process, or reads foreign memory, on most of these.
        ("left_child=", "left_child=99999 "),
        (r"left_child=\S+", "left_child=99999"),
        (r"left_child=\S+", "left_child=0"),
        (r"right_child=\S+", "right_child=-999"),
        (r"split_feature=\S+", "split_feature=3"),
        (r"split_feature=\S+", "split_feature=1_0"),
        (r"num_leaves=\d+", "num_leaves=900"),
        (r"num_leaves=\d+", "num_leaves=-1"),
        ("num_cat=0", "num_cat=1"),
        ("is_linear=0", "is_linear=1"),
        (r"decision_type=\S+", "decision_type=1"),
        (r"leaf_value=\S+", "leaf_value=nan"),
        (r"leaf_value=.*\n", ""),
        ("shrinkage=1", "shrinkage=1\nshrinkage=1"),
        ("max_feature_idx=2", "max_feature_idx=7"),
        ("num_class=1", "num_class=3"),
        ("\nend of trees\n", "\n"),
        ("(?s)\nend of trees.*", ""),
        ("(?s)threshold.*", "thr"),
    ],
)
def test_a_damaged_lightgbm_model_is_refused_not_parsed(old, new, tmp_path):
    save_classifier(fitted(ClassifierKind.lightgbm)[0], tmp_path)
    path = tmp_path / "model.txt"
    text = path.read_text()
    damaged = re.sub(old, new, text, count=1)
    assert damaged != text
    path.write_text(damaged)
    with pytest.raises(ClassifierError, match="model.txt: unreadable"):
        load_classifier(tmp_path)


def test_sizes_that_lie_about_the_trees_do_no_harm(tmp_path):
    classifier, X = fitted(ClassifierKind.lightgbm)
    save_classifier(classifier, tmp_path)
    path = tmp_path / "model.txt"
    path.write_text(re.sub("tree_sizes=[0-9]+", "tree_sizes=99999999", path.read_text()))
    assert np.array_equal(load_classifier(tmp_path).predict_proba(X), classifier.predict_proba(X))


def test_a_constant_needs_no_model_file(tmp_path):
    save_classifier(make_classifier(ClassifierSettings(), 0).fit([[0.0], [1.0]], [1, 1]), tmp_path)
    assert os.listdir(tmp_path) == ["classifier.json"]
    assert load_classifier(tmp_path).predict_proba([[5.0]]).tolist() == [[0.0, 1.0]]


def test_an_unfitted_classifier_is_not_saved(tmp_path):
    with pytest.raises(ClassifierError, match="not fitted"):
        save_classifier(make_classifier(ClassifierSettings(), 0), tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_named(kind, tmp_path):
    classifier, _ = fitted(kind)
    save_classifier(classifier, tmp_path)
    model = tmp_path / classifier.model_file
    model.write_text("nonsense", encoding="utf-8")
    with pytest.raises(ClassifierError, match=rf"{model.name}: unreadable .*train again"):
        load_classifier(tmp_path)
    model.unlink()
    with pytest.raises(ClassifierError, match=f"{model.name}: missing"):
        load_classifier(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "oracle"}, "classifier.json: unreadable"),
        ({"features": None}, "classifier.json: unreadable"),
        ({"features": ["c", "b", "a"]}, "model.txt: its features are not those of classifier.json"),
    ],
)
def test_a_changed_description_is_refused(change, message, tmp_path):
    save_classifier(fitted(ClassifierKind.lightgbm)[0], tmp_path)
    path = tmp_path / "classifier.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ClassifierError, match=message):
        load_classifier(tmp_path)


def test_a_missing_description_is_named(tmp_path):
    with pytest.raises(ClassifierError, match="classifier.json: missing"):
        load_classifier(tmp_path)


class Trap:
    """Its state restores by calling a constructor of ours, as foreign code would."""

    built = 0

    def __init__(self):
        Trap.built += 1
        self.value = 1


def test_a_type_that_sentinel_never_saves_is_refused_unbuilt(tmp_path):
    from skops.io import dump

    save_classifier(fitted(ClassifierKind.logistic_regression)[0], tmp_path)
    dump({"pipeline": Trap()}, tmp_path / "model.skops")
    with pytest.raises(ClassifierError, match=r"model\.skops: asks for .*Trap.*do not use it"):
        load_classifier(tmp_path)
    assert Trap.built == 1


def test_another_estimator_than_described_is_refused(tmp_path):
    from skops.io import dump

    save_classifier(fitted(ClassifierKind.logistic_regression)[0], tmp_path)
    dump({"just": "a dict"}, tmp_path / "model.skops")
    with pytest.raises(ClassifierError, match="holds no logistic_regression"):
        load_classifier(tmp_path)
    dump(fitted(ClassifierKind.mlp)[0].pipeline_, tmp_path / "model.skops")
    with pytest.raises(ClassifierError, match="holds no logistic_regression"):
        load_classifier(tmp_path)


def test_scikit_learn_state_of_another_version_is_refused(tmp_path):
    save_classifier(fitted(ClassifierKind.logistic_regression)[0], tmp_path)
    path = tmp_path / "classifier.json"
    content = json.loads(path.read_text())
    content["library"] = {"scikit-learn": "0.99.1"}
    path.write_text(json.dumps(content))
    with pytest.raises(ClassifierError, match=r"scikit-learn 0\.99\.1, .*pip install 'scikit-learn==0\.99\.1'"):
        load_classifier(tmp_path)
