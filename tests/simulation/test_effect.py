"""The planted effect: nothing at 0, word for word; at 1 it shows in the behaviour it was planted in."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sentinel.classifier import out_of_fold
from sentinel.fingerprint import FEATURE_GROUPS, fingerprint_corpus
from sentinel.records import Corpus, Label
from sentinel.settings import ClassifierSettings, CorpusSettings, DecisionSettings, FeatureGroup, FingerprintSettings
from sentinel.simulation import simulate_corpus
from sentinel.simulation._counts import Outcome
from sentinel.simulation._debate import simulate_debate
from sentinel.simulation._table import DATASETS, DatasetSpec
from sentinel.vote import answer_grid, list_candidates, take_vote

PAPER_GROUPS = (FeatureGroup.dynamics, FeatureGroup.meta, FeatureGroup.audit)
DIVERGENT = (Outcome.MINORITY_CORRECT, Outcome.MAJORITY_CORRECT, Outcome.BOTH_WRONG)


@pytest.mark.parametrize("settings", [{}, {"agents": 5, "rounds": 3}, {"agents": 7, "unparsed_share": 0.2}])
@pytest.mark.parametrize("spec", DATASETS, ids=lambda spec: spec.name)
def test_without_effect_a_divergent_debate_is_the_same_whoever_is_right(
    spec: DatasetSpec, settings: dict[str, float]
) -> None:
    """All that can be observed: answers, texts, declarations, audits, ruling, samples. Only the gold answer differs."""
    chosen = CorpusSettings(effect=0.0, **settings)  # type: ignore[arg-type]
    outcomes = DIVERGENT[:2] if spec.options == 2 else DIVERGENT
    for index in range(40):
        versions = [simulate_debate(spec, index, outcome, chosen) for outcome in outcomes]
        assert len({version.debate.gold for version in versions}) == len(outcomes)
        blank = [replace(version, debate=replace(version.debate, gold=None)) for version in versions]
        assert all(version == blank[0] for version in blank[1:])


def test_with_an_effect_debates_depend_on_who_is_right() -> None:
    spec = DATASETS[2]
    different = 0
    for index in range(40):
        texts = [simulate_debate(spec, index, outcome, CorpusSettings()).debate.rounds for outcome in DIVERGENT[:2]]
        different += texts[0] != texts[1]
    assert different > 30


@pytest.fixture(scope="module", params=[0, 1])
def corpus(request: pytest.FixtureRequest) -> Corpus:
    return simulate_corpus(CorpusSettings(seed=request.param))


@pytest.fixture(scope="module")
def candidates(corpus: Corpus) -> pl.DataFrame:
    return fingerprint_corpus(
        corpus, FingerprintSettings(), DecisionSettings(), equations=True, seed=0, lexical=False
    ).candidates


def judge(corpus: Corpus) -> tuple[float, float]:
    """How often the judge sides with the minority: where that is right, and elsewhere."""
    sided: dict[bool, list[bool]] = {True: [], False: []}
    for debate in corpus:
        if debate.id in corpus.rulings:
            for candidate in list_candidates(answer_grid(debate), take_vote(debate)):
                sided[candidate.answer == debate.gold].append(corpus.rulings[debate.id].answer == candidate.answer)
    return sum(sided[True]) / len(sided[True]), sum(sided[False]) / len(sided[False])


def test_the_judge_is_mediocre_and_harmful_on_balance(corpus: Corpus) -> None:
    recovery, harm = judge(corpus)
    # The paper's judge recovers 70 of 175 and wrongs 94 of 511; five standard errors are 0.19 and 0.09.
    assert abs(recovery - 70 / 175) < 0.19
    assert abs(harm - 94 / 511) < 0.09
    assert recovery * 175 < harm * 511


def test_without_effect_the_judge_is_as_often_with_a_wrong_minority() -> None:
    recovery, harm = judge(simulate_corpus(CorpusSettings(effect=0.0)))
    assert abs(recovery - harm) < 5 * (0.25 * 0.75 * (1 / 175 + 1 / 511)) ** 0.5


def measure_auc(candidates: pl.DataFrame, features: list[str], domain: str | None = None) -> float:
    """Pooled AUC of the standard LightGBM's out-of-fold probabilities, by ranks (Mann-Whitney)."""
    y = (candidates["label"] == Label.MINORITY_CORRECT).to_numpy()
    folds = out_of_fold(
        ClassifierSettings(), candidates.select(features).to_numpy(), y, candidates["question_key"].to_numpy(), 5, 0,
        feature_names=features,
    )  # fmt: skip
    chosen = np.ones(len(y), dtype=bool) if domain is None else (candidates["dataset"] == domain).to_numpy()
    right, wrong = folds.probability[chosen & y], folds.probability[chosen & ~y]
    above = (right[:, None] > wrong[None, :]).mean()
    return float(above + 0.5 * (right[:, None] == wrong[None, :]).mean())


def test_dynamics_are_the_backbone(candidates: pl.DataFrame) -> None:
    dynamics, meta, audit = (list(FEATURE_GROUPS[group]) for group in PAPER_GROUPS)
    assert 0.70 < measure_auc(candidates, dynamics + meta + audit) < 0.80
    alone = [measure_auc(candidates, group) for group in (dynamics, meta, audit)]
    assert max(alone) == alone[0]
    removed = [measure_auc(candidates, rest) for rest in (meta + audit, dynamics + audit, dynamics + meta)]
    assert min(removed) == removed[0]


def test_gsm8k_is_the_most_separable(candidates: pl.DataFrame) -> None:
    features = [name for group in PAPER_GROUPS for name in FEATURE_GROUPS[group]]
    aucs = {spec.name: measure_auc(candidates, features, spec.name) for spec in DATASETS}
    assert max(aucs, key=lambda name: aucs[name]) == "gsm8k"


def test_sums_are_wrong_more_often_under_a_wrong_answer(candidates: pl.DataFrame) -> None:
    rows = candidates.filter(candidates["dataset"] == "gsm8k")
    # The candidate's share of wrong sums minus the majority's: negative where the minority is right.
    share, label = rows["equation_wrong_share"].to_numpy(), rows["label"].to_numpy()
    truths, others = share[label == Label.MINORITY_CORRECT], share[label == Label.MAJORITY_CORRECT]
    assert np.nanmean(truths) < 0 < np.nanmean(others)


def test_repeating_and_siding_reach_the_features(candidates: pl.DataFrame) -> None:
    """Texts, not flags, carry novelty and endorsement: both vary, and neither is missing."""
    for name in ("minority_new_info_ratio", "majority_new_info_ratio"):
        assert set(candidates[name].unique()) == {0.0, 0.5, 1.0}
        assert 0.3 < candidates[name].mean() < 0.9  # type: ignore[operator]
    assert candidates["minority_agreement_count"].n_unique() > 3
    assert candidates["majority_agreement_count"].n_unique() > 3
