"""What is not meant for a sentinel is refused by name, with what was expected."""

from dataclasses import replace

import numpy as np
import pytest

from sentinel.decision import Sentinel
from sentinel.errors import ConfigError, DecisionError
from sentinel.fingerprint import fingerprint_corpus
from sentinel.settings import ClassifierSettings, ThresholdScope, ThresholdSettings
from sentinel.threshold import Thresholds


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"classifier": "mlp"}, "classifier='mlp': expected a sentinel.settings.ClassifierSettings"),
        ({"threshold": None}, "threshold=None: expected a sentinel.settings.ThresholdSettings"),
        (
            {"threshold": ThresholdSettings("guess")},
            r"threshold.kind: Invalid value 'guess', expected one of \[search, fixed, risk_controlled\]$",
        ),
        (
            {"classifier": ClassifierSettings(params={"num_leaves": np.int64(3)})},
            "classifier.params.num_leaves: Value 'int64' is not a supported",
        ),
        ({"folds": 1}, "folds=1: expected at least 2 folds"),
        ({"folds": "5"}, "folds='5': expected at least 2 folds"),
        ({"random_state": -1}, "random_state=-1: expected a whole number from 0 to 2147483647"),
        ({"random_state": None}, "random_state=None: expected a whole number"),
    ],
)
def test_settings_of_another_kind_are_named(corpus, settings, expected):
    with pytest.raises(ConfigError, match=f"^{expected}"):
        Sentinel(**settings).fit(corpus)


def test_a_kind_given_by_its_name_is_that_kind(corpus, tmp_path):
    sentinel = Sentinel(
        classifier=ClassifierSettings("single_feature"),
        threshold=ThresholdSettings("fixed", tau=0.3),
        random_state=np.int64(3),
    ).fit(corpus)
    assert sentinel.thresholds_ == Thresholds({}, 0.3, ThresholdScope.all)
    sentinel.save(tmp_path / "model")
    assert Sentinel.load(tmp_path / "model").random_state == 3


@pytest.mark.parametrize("data", ["logs/x.jsonl", [], None, "table"])
def test_only_a_corpus_or_its_fingerprints_are_learned_from(corpus, data):
    data = fingerprint_corpus(corpus).candidates if data == "table" else data
    with pytest.raises(DecisionError, match=f"^fit: got {type(data).__name__}; expected a corpus, as load_debates"):
        Sentinel().fit(data)


def test_only_debates_are_decided(trained, corpus):
    debate = corpus.debates[0]
    for call, given in (
        (trained.decide, "x"),
        (trained.decide, corpus),
        (trained.decide_many, "x"),
        (trained.decide_many, [corpus]),
    ):
        with pytest.raises(
            DecisionError, match=r"^decide: got (str|Corpus); expected a debate; a whole corpus goes to"
        ):
            call(given)
    with pytest.raises(DecisionError, match="^decide_many: got Debate; expected debates; a single one goes to decide"):
        trained.decide_many(debate)
    with pytest.raises(DecisionError, match=r"^audits: got Corpus; expected what a corpus holds as corpus\.audits"):
        trained.decide(debate, corpus)


@pytest.mark.parametrize(
    ("table", "change", "expected"),
    [
        (
            "candidates",
            lambda t: t.drop("weight", "label"),
            "columns label, weight: not in the fingerprints of simulated",
        ),
        ("debates", lambda t: t.drop("gold"), "columns gold: not in the fingerprints of simulated"),
        (
            "candidates",
            lambda t: t.with_columns(vote_margin=t["domain"]),
            "features vote_margin: expected columns of numbers",
        ),
    ],
)
def test_fingerprints_with_other_columns_are_refused(corpus, table, change, expected):
    prints = fingerprint_corpus(corpus)
    with pytest.raises(DecisionError, match=expected):
        Sentinel().fit(replace(prints, **{table: change(getattr(prints, table))}))
