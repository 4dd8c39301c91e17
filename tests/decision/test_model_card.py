"""Every sentence of a model card is true of the sentinel it belongs to."""

import pytest

from sentinel.decision import Sentinel
from sentinel.fingerprint import fingerprint_corpus
from sentinel.records import Corpus
from sentinel.settings import (
    Accounting,
    ClassifierKind,
    ClassifierSettings,
    CorpusSettings,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)
from sentinel.simulation import simulate_corpus

FLATTERED = "were chosen on the same probabilities"
NEVER = "This sentinel never flips: it keeps every vote."
SIMULATED = "**SIMULATED.** This sentinel was trained on debates that no model ever held."


@pytest.fixture(scope="module")
def prints(corpus):
    return fingerprint_corpus(corpus)


def card_of(tmp_path, sentinel, data):
    sentinel.fit(data).save(tmp_path / "model")
    return (tmp_path / "model" / "MODEL_CARD.md").read_text()


def test_the_card_of_a_simulated_corpus_says_simulated(trained, tmp_path):
    trained.save(tmp_path / "model")
    card = (tmp_path / "model" / "MODEL_CARD.md").read_text()
    assert SIMULATED in card
    assert f"| simulated/gsm8k | {trained.training_.domains['simulated/gsm8k'].debates} |" in card
    record = trained.training_.record
    assert f"{record.correct} correct, {record.harmful} harmful, {record.neutral} neutral" in card
    assert "cross-fitted" in card and "Do not use it" in card and "Brier score" in card


def test_so_does_that_of_one_without_an_effect(tmp_path):
    card = card_of(tmp_path, Sentinel(), simulate_corpus(CorpusSettings(scale=0.1, effect=0)))
    assert SIMULATED in card and "Corpus: simulated (seed 0, effect 0)" in card and "Planted effect 0 (0 plants" in card


def test_the_card_of_a_real_corpus_does_not_and_escapes_names(debate_of, tmp_path):
    debates = tuple(
        debate_of("ABB", "BAB", "BBA", name=f"d{i}", gold="AB"[i % 2], dataset="x|y\n<b>*") for i in range(12)
    )
    settings = ThresholdSettings(kind=ThresholdKind.risk_controlled, per=ThresholdScope.all)
    card = card_of(tmp_path, Sentinel(threshold=settings), Corpus("mine", debates))
    assert "SIMULATED" not in card
    assert "SHA-256 of its content: not known" in card
    assert r"| simulated/x\|y \<b\>\* | 12 | 12 | 6 |" in card
    assert "| any other | never |" in card
    assert "with confidence 0.9, at most 5% of the questions" in card
    # 12 right majorities at most can never show a risk of 5 % at this confidence: that takes 45.
    assert NEVER in card and "the rule flips nothing" in card and FLATTERED not in card
    assert "no feature varies over the training data: nothing tells them apart, every probability is 0.5" in card


@pytest.mark.parametrize("per", ThresholdScope)
@pytest.mark.parametrize("kind", ThresholdKind)
def test_what_is_said_of_the_cut_is_how_it_was_chosen(prints, tmp_path, kind, per):
    settings = ThresholdSettings(kind=kind, per=per, tau=0.7, alpha=0.125)
    card = card_of(tmp_path, Sentinel(threshold=settings), prints)
    chosen = kind is not ThresholdKind.fixed
    by_domain = chosen and per is ThresholdScope.domain
    assert (FLATTERED in card, "The cut 0.7 was given, not chosen" in card) == (chosen, not chosen)
    assert ("in each domain by itself, and over all domains for any other" in card) == by_domain
    assert ("cross-fitted figures" in card) == chosen
    risk = kind is ThresholdKind.risk_controlled
    assert ("with confidence 0.9, at most 12.5% of the questions" in card) == risk
    assert ("It holds for each domain by itself, not for all at once." in card) == (risk and by_domain)
    assert ("Learn-then-Test" in card, "largest net gain" in card) == (risk, kind is ThresholdKind.search)
    assert NEVER not in card and SIMULATED in card


@pytest.mark.parametrize(
    ("accounting", "kept"), [(Accounting.paper, "whose minority is wrong"), (Accounting.exact, "that are right")]
)
def test_what_is_preserved_follows_the_accounting(prints, tmp_path, accounting, kept):
    settings = ThresholdSettings(accounting=accounting, preservation=0.955, wrong_flip_cost=1.5)
    card = card_of(tmp_path, Sentinel(threshold=settings), prints)
    assert f"({accounting} accounting, a wrong flip costs 1.5)" in card
    assert f"at least 95.5% of the contested majorities {kept}; never where none gains" in card


@pytest.mark.parametrize("tau", [0.999, 1.0])
def test_a_rule_that_flipped_nothing_says_only_that(prints, tmp_path, tau):
    card = card_of(tmp_path, Sentinel(threshold=ThresholdSettings(kind=ThresholdKind.fixed, tau=tau)), prints)
    assert "the rule flips nothing, by out-of-fold probabilities." in card
    assert f"| any other | {tau:g} |" in card
    assert "correct," not in card and FLATTERED not in card and NEVER not in card


@pytest.mark.parametrize(
    "kind", [ClassifierKind.logistic_regression, ClassifierKind.mlp, ClassifierKind.single_feature]
)
def test_the_classifier_is_named(prints, tmp_path, kind):
    assert f"Classifier: {kind} on 22 features." in card_of(
        tmp_path, Sentinel(classifier=ClassifierSettings(kind)), prints
    )
