"""The whole: what an evaluation holds, that it repeats itself, and what it says where data are thin."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from evaluating import run
from scipy.stats import binomtest

from sentinel.errors import EvaluationError
from sentinel.evaluation import Evaluation, summarise_null_corpora
from sentinel.evaluation._corpus import corpus_notes
from sentinel.fingerprint import FEATURES, Fingerprints
from sentinel.settings import (
    ClassifierKind,
    ClassifierSettings,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)

LIGHT = ClassifierSettings(kind=ClassifierKind.lightgbm, params={"num_iterations": 15})
COLUMNS = {
    "corpus": "domain n questions divergent minority_truths mt_rate both_wrong tied unanswered majority_correct "
    "majority_accuracy oracle_accuracy any_correct given_up_candidates given_up_truths",
    "results": "domain reading n divergent minority_truths right_majorities tau auc flips cf wf harmful neutral "
    "flip_precision_paper flip_precision_exact recovery preservation_paper preservation_exact ng_paper ng_exact "
    "ng_exact_low ng_exact_high ng_paper_low ng_paper_high",
    "folds": "fold domain tau stand_in n_train n_test minority_truths_test",
    "baselines": "method reading cf wf harmful neutral flip_precision_paper flip_precision_exact recovery ng_paper "
    "ng_exact ng_exact_low ng_exact_high note",
    "threshold_sweep": "tau cf wf harmful neutral ng_paper ng_exact flip_precision_paper preservation_exact",
    "calibration": "bin_low bin_high mean_probability observed_rate count rate_low rate_high",
    "importance": "feature group splits gain mean_abs_contribution direction",
    "tests": "test reading statistic p_value note",
    "permutations": "permutation ng_paper_reading_paper ng_paper_reading_exact ng_cross_fitted_paper "
    "ng_cross_fitted_exact",
}


def notes_of(found: Evaluation) -> str:
    return "\n".join(found.metrics["notes"])


def test_one_debate_without_gold_is_singular() -> None:
    sample = SimpleNamespace(excluded=1, rows=(), debates=None)
    assert corpus_notes(sample, 5)[0] == "1 debate has no gold answer and is left out of every count"


def test_tables_and_artefacts_hold_what_is_promised(make: SimpleNamespace) -> None:
    found = run(make.draw(effect=1.0), LIGHT, permutations=2, baselines=True)
    assert {name: " ".join(table.columns) for name, table in found.tables.items() if name != "contributions"} == COLUMNS
    assert found.tables["contributions"].columns == ["id", "candidate", *FEATURES[:4]]
    assert found.tables["contributions"].height == found.predictions.height == 90
    assert found.debates.columns == [
        *("id", "domain", "question_key", "state", "voted_correct", "divergent"),
        *("outcome_paper", "outcome_cross_fitted"),
    ]
    assert found.predictions.columns == [
        *("id", "dataset", "source", "domain", "question_key", "candidate", "origin", "label", *FEATURES[:4]),
        *("fold", "probability", "tau_paper", "flip_paper", "outcome_paper"),
        *("tau_cross_fitted", "flip_cross_fitted", "outcome_cross_fitted"),
    ]
    json.dumps(found.metrics, allow_nan=False)


def test_metrics_tables_and_artefacts_agree(make: SimpleNamespace) -> None:
    found = run(make.draw(effect=2.0, n=120), baselines=True)
    for reading in ("paper", "cross_fitted"):
        scores = found.metrics["overall"][reading]
        outcome = found.debates[f"outcome_{reading}"]
        assert scores["cf"] == (outcome == "correct_flip").sum() > 0
        assert scores["harmful"] == (outcome == "harmful_flip").sum()
        assert scores["neutral"] == (outcome == "neutral_flip").sum()
        # Exact accounting: net gain is the change in accuracy, here by counting right answers before and after.
        before = found.debates["voted_correct"].sum()
        after = before + scores["cf"] - scores["harmful"]
        assert scores["ng_exact"] == pytest.approx((after - before) / 120)
        flips = found.predictions.filter(pl.col(f"flip_{reading}"))
        assert flips.height == scores["flips"]
        assert (flips["probability"] > flips[f"tau_{reading}"]).all()
        kept = found.predictions.filter(~pl.col(f"flip_{reading}") & pl.col(f"tau_{reading}").is_not_null())
        assert (kept["probability"] <= kept[f"tau_{reading}"]).all()
        assert set(flips[f"outcome_{reading}"].replace({"correct_flip": "minority_correct"})) <= {
            *("minority_correct", "harmful_flip", "neutral_flip")
        }
        results = found.tables["results"].filter(pl.col("reading") == reading)
        assert results["domain"].to_list() == ["s/a", "s/b", "overall"]
        assert results["cf"][0] + results["cf"][1] == results["cf"][2] == scores["cf"]
        row = found.tables["baselines"].filter((pl.col("method") == "sentinel") & (pl.col("reading") == reading))
        assert row["ng_exact"][0] == pytest.approx(scores["ng_exact"])
        assert [row["ng_exact_low"][0], row["ng_exact_high"][0]] == pytest.approx(scores["ng_exact_interval"])
        sweep = found.tables["threshold_sweep"]
        assert (sweep["cf"] + sweep["wf"]).is_sorted(descending=True)
    corpus = found.metrics["corpus"]
    truths = (found.predictions["label"] == "minority_correct").sum()
    assert corpus["minority_truths"] == truths
    assert corpus["oracle_accuracy"] == pytest.approx(corpus["majority_accuracy"] + truths / 120)


def test_the_sweep_is_the_flips_of_one_cut(make: SimpleNamespace) -> None:
    found = run(make.draw(effect=1.0))
    p = found.predictions["probability"].to_numpy()
    label = found.predictions["label"].to_numpy()
    for row in found.tables["threshold_sweep"].filter(pl.col("tau").is_in([0.2, 0.5])).iter_rows(named=True):
        flipped = label[p > row["tau"]]
        assert row["cf"] == (flipped == "minority_correct").sum()
        assert row["harmful"] == (flipped == "majority_correct").sum()
        assert row["ng_exact"] == pytest.approx((row["cf"] - row["harmful"]) / 150)


def test_the_same_arguments_give_the_same_bytes(make: SimpleNamespace) -> None:
    first, again = (run(make.draw(effect=1.0), LIGHT, permutations=2, baselines=True) for _ in range(2))
    assert json.dumps(first.metrics) == json.dumps(again.metrics)
    assert first.predictions.equals(again.predictions)
    assert first.debates.equals(again.debates)
    for name, table in first.tables.items():
        assert table.equals(again.tables[name])


def test_noise_looks_like_a_gain_in_the_paper_reading_only(make: SimpleNamespace) -> None:
    gains = []
    for seed in range(6):
        found = run(make.draw(n=160, divergent=100, seed=seed), LIGHT, threshold=ThresholdSettings(preservation=0.9))
        gains.append([found.metrics["overall"][reading]["ng_paper"] for reading in ("paper", "cross_fitted")])
    paper, cross_fitted = np.mean(gains, axis=0)
    assert paper > 0
    assert paper > cross_fitted
    assert cross_fitted <= 0.005


def test_a_planted_effect_is_found(make: SimpleNamespace) -> None:
    found = run(make.draw(effect=3.0), permutations=19)
    reading = found.metrics["overall"]["cross_fitted"]
    assert reading["auc"] > 0.9
    assert reading["ng_exact_interval"][0] > 0
    assert found.metrics["tests"]["mcnemar"]["cross_fitted"]["p_value"] < 0.01
    assert found.metrics["tests"]["permutation, exact accounting"]["paper"]["p_value"] == 0.05
    assert found.tables["importance"].row(0, named=True)["direction"] == "positive"
    assert found.tables["importance"]["mean_abs_contribution"].arg_max() == 0


def test_debates_without_gold_are_left_out_and_counted(make: SimpleNamespace) -> None:
    whole = make.draw()
    owner, candidate = make.split("nobody-knows", None, [9.0] * 4)
    more = make.fingerprints([owner, make.debate("either", gold=None)], [candidate])
    joined = Fingerprints(
        debates=pl.concat([whole.debates, more.debates]),
        candidates=pl.concat([whole.candidates, more.candidates]),
        name="synthetic",
        simulated=True,
        data_hash="0" * 64,
        notes=("read with care",),
    )
    found, expected = run(joined), run(whole)
    assert found.metrics["notes"][:2] == [
        "read with care",
        "2 debates have no gold answer and are left out of every count",
    ]
    assert found.metrics["corpus"]["without_gold"] == 2
    assert found.metrics["overall"] == expected.metrics["overall"]
    with pytest.raises(
        EvaluationError, match="none of its 2 debates has a gold answer; add `gold` to the log's debates$"
    ):
        run(more)
    slip = "unknown field goldd in 2 records: did you mean gold?"
    with pytest.raises(EvaluationError, match=f"debates; {re.escape(slip)}$"):
        run(replace(more, notes=("read with care", slip)))


def test_contradictions_are_errors(make: SimpleNamespace) -> None:
    owner, candidate = make.split("a", "both_wrong")
    with pytest.raises(EvaluationError, match="id a stands for several debates"):
        run(make.fingerprints([owner, owner], [candidate]))
    with pytest.raises(EvaluationError, match="candidates of a, which is not among the debates"):
        run(make.fingerprints([make.debate("b")], [candidate]))
    broken = make.fingerprints([owner], [candidate])
    object.__setattr__(broken, "candidates", broken.candidates.drop(FEATURES[1]))
    with pytest.raises(EvaluationError, match=f"features {FEATURES[1]}: not in the fingerprints"):
        run(broken)


def thin(make: SimpleNamespace, case: str) -> Fingerprints:
    """Return corpora in which something that the protocol rests on is missing."""
    labels = {
        "no minority truth": ["majority_correct", "both_wrong"] * 10,
        "only minority truths": ["minority_correct"] * 20,
        "three minority truths": ["minority_correct"] * 3 + ["majority_correct"] * 20,
        "two debates": ["minority_correct", "majority_correct"],
        "one debate": ["minority_correct"],
    }.get(case, ["minority_correct", "majority_correct", "both_wrong"] * 8)
    values = {"constant features": [1.0] * 4, "missing features": [float("nan")] * 4}.get(case)
    rng = np.random.default_rng(0)
    question = "all" if case == "one question" else None
    pairs = [
        make.split(f"d{i}", label, values or rng.normal(size=4).tolist(), question=question)
        for i, label in enumerate(labels)
    ]
    if case == "no candidates":
        return make.fingerprints([make.debate("a"), make.debate("b", voted=None, state="unanswered")], [])
    debates, candidates = zip(*pairs, strict=True)
    return make.fingerprints([*debates, make.debate("e", "s/other"), make.debate("f")], candidates)


@pytest.mark.parametrize("kind", [ClassifierKind.lightgbm, ClassifierKind.logistic_regression])
@pytest.mark.parametrize(
    ("case", "note"),
    [
        ("no candidates", "no debate has a minority answer: there is nothing to flip"),
        ("no minority truth", "no minority truth, so no flip can be right and recovery is undefined: s/d"),
        ("only minority truths", "one class to train on in 3 of 3 folds"),
        ("three minority truths", ""),
        ("two debates", "2 folds in place of 3"),
        ("one debate", "all candidates belong to one question"),
        ("one question", "all candidates belong to one question"),
        ("constant features", "features the same in every debate, so without effect: total_stance_changes"),
        ("missing features", "features missing in every debate, so without effect: total_stance_changes"),
        ("another domain without dissent", "no divergent debate: s/other"),
    ],
)
def test_thin_data_give_a_stated_result(make: SimpleNamespace, case: str, note: str, kind: ClassifierKind) -> None:
    found = run(thin(make, case), ClassifierSettings(kind=kind), baselines=True, permutations=1)
    assert note in notes_of(found)
    assert set(found.metrics["overall"]) == {"paper", "cross_fitted"}
    assert found.metrics["overall"]["cross_fitted"]["ng_exact"] is not None
    json.dumps(found.metrics, allow_nan=False)


@pytest.mark.parametrize(("case", "kind"), [("constant features", "the same"), ("missing features", "missing")])
def test_silent_features_are_named_in_the_setup(make: SimpleNamespace, case: str, kind: str) -> None:
    silent = run(thin(make, case)).metrics["setup"]["silent_features"]
    assert silent == {"missing": [], "the same": [], kind: list(FEATURES[:4])}


def test_few_minority_truths_are_said(make: SimpleNamespace) -> None:
    found = run(thin(make, "three minority truths"), folds=5)
    assert "fewer minority truths than folds, so figures rest on single debates: s/d (3 of 23)" in notes_of(found)
    assert "the minority is right in 3 debates only: too few to learn from (fewer than 20)" in notes_of(found)


@pytest.mark.parametrize("kind", list(ThresholdKind))
@pytest.mark.parametrize("per", list(ThresholdScope))
def test_every_way_of_choosing_the_cut_is_evaluated(
    make: SimpleNamespace, kind: ThresholdKind, per: ThresholdScope
) -> None:
    found = run(make.draw(effect=3.0), threshold=ThresholdSettings(kind=kind, per=per, alpha=0.2, tau=0.3))
    overall = found.metrics["overall"]
    assert overall["cross_fitted"]["flips"] > 0
    assert len(overall["cross_fitted"]["tau"]) == 3
    one_for_all = kind is ThresholdKind.fixed or per is ThresholdScope.all
    assert isinstance(overall["paper"]["tau"], float) is one_for_all
    assert isinstance(found.metrics["domains"]["s/a"]["paper"]["tau"], float)


def test_cuts_chosen_on_the_flips_have_no_exact_test(make: SimpleNamespace) -> None:
    found = run(make.draw(effect=3.0), baselines=True)
    tests = found.tables["tests"]
    note = "no valid test: the cut was chosen on the flips it would test; see permutation"
    paper = tests.filter(reading="paper")
    assert paper["test"].to_list() == ["mcnemar", "mcnemar: single_best_feature"]
    assert paper["p_value"].null_count() == 2
    assert paper["note"].unique().to_list() == [note]
    assert found.metrics["tests"]["mcnemar"]["paper"]["p_value"] is None
    assert tests.filter(reading="cross_fitted")["p_value"].null_count() == 0
    # One debate a question, so the test is the binomial one on correct and harmful flips.
    overall = found.metrics["overall"]
    gained, lost = overall["cross_fitted"]["cf"], overall["cross_fitted"]["harmful"]
    assert overall["cross_fitted"]["p_exact"] == pytest.approx(binomtest(gained, gained + lost).pvalue)
    assert overall["paper"]["p_exact"] is None
    assert "p_exact" not in found.metrics["domains"]["s/a"]["cross_fitted"]
    # A cut that was fixed beforehand saw no flip.
    fixed = run(make.draw(effect=3.0), threshold=ThresholdSettings(kind=ThresholdKind.fixed, tau=0.5))
    assert fixed.tables["tests"]["p_value"].null_count() == 0
    assert fixed.tables["tests"]["p_value"].n_unique() == 1


def test_the_least_possible_p_value_is_said(make: SimpleNamespace) -> None:
    strong = run(make.draw(effect=3.0), permutations=4).tables["tests"].filter(reading="paper")
    assert strong["p_value"].to_list()[1:] == [0.2, 0.2]
    assert set(strong["note"][1:]) == {
        "4 permutations of question blocks; at its least possible value with 4 permutations"
    }
    nothing = run(thin(make, "no minority truth"), permutations=4).tables["tests"].filter(reading="paper")
    assert nothing["p_value"].to_list()[1:] == [1.0, 1.0]
    assert set(nothing["note"][1:]) == {"4 permutations of question blocks"}


@pytest.mark.parametrize("per", list(ThresholdScope))
def test_a_domain_without_a_candidate_meets_no_cut(make: SimpleNamespace, per: ThresholdScope) -> None:
    found = run(thin(make, "another domain without dissent"), threshold=ThresholdSettings(per=per))
    other = found.tables["results"].filter(domain="s/other")
    assert other["tau"].to_list() == ["-", "-"]
    assert found.metrics["domains"]["s/other"]["paper"]["tau"] is None
    folds = found.tables["folds"].filter(domain="s/other")
    assert folds["tau"].to_list() == ["-"] * 3
    assert not folds["stand_in"].any()
    # Its absence leaves the cuts of the only other domain.
    cuts = found.tables["results"].filter(domain="s/d")["tau"].to_list()
    assert found.tables["results"].filter(domain="overall")["tau"].to_list() == cuts
    assert "-" not in found.tables["folds"].filter(domain="s/d")["tau"]


def test_rival_candidates_flip_their_debate_once(make: SimpleNamespace) -> None:
    debates, candidates = [], []
    for i in range(40):
        owner, candidate = make.split(f"d{i}", "both_wrong" if i % 2 else "minority_correct", [i % 2 == 0, 0.0])
        rival = {**candidate, "candidate": "C", "label": "minority_correct" if i % 2 else "both_wrong"}
        rival |= {FEATURES[0]: float(i % 2), "weight": 0.5}
        debates.append({**owner, "minority_truth": True, "both_wrong": False, "agents": 5})
        candidates += [{**candidate, "weight": 0.5}, rival]
    found = run(make.fingerprints(debates, candidates), threshold=ThresholdSettings(kind=ThresholdKind.fixed, tau=0.1))
    reading = found.metrics["overall"]["paper"]
    assert (reading["n"], reading["divergent"], reading["minority_truths"]) == (40, 40, 40)
    assert (reading["flips"], reading["cf"], reading["recovery"]) == (40, 40, 1.0)
    assert found.predictions.height == 80
    assert found.predictions["flip_paper"].sum() == 40


def test_what_the_fallback_gains_is_no_flip(make: SimpleNamespace) -> None:
    unanswered = {"state": "unanswered", "fallback": True}
    debates = [
        make.debate("a", voted="A", gold="A", **unanswered),
        make.debate("b", voted="B", gold="A", **unanswered),
        make.debate("c", voted=None, gold="A", state="unanswered", voted_correct=None),
        make.debate("d", state="tied"),
    ]
    found = run(make.fingerprints(debates, []))
    assert found.metrics["fallback"] == {"debates": 2, "gained": 1}
    corpus = found.metrics["corpus"]
    assert (corpus["debates"], corpus["unanswered"], corpus["tied"], corpus["majority_correct"]) == (4, 3, 1, 2)
    assert found.metrics["overall"]["paper"]["flips"] == 0
    assert found.debates["voted_correct"].to_list() == [True, False, False, True]


def test_the_precision_interval_counts_questions(make: SimpleNamespace) -> None:
    fixed = ThresholdSettings(kind=ThresholdKind.fixed, tau=0.0)
    labels = ["minority_correct"] * 6 + ["majority_correct"] * 6
    widths = []
    for repeats in (1, 3):
        pairs = [make.split(f"d{i}", label, [0.0, i], question=f"k{i // repeats}") for i, label in enumerate(labels)]
        debates, candidates = zip(*pairs, strict=True)
        reading = run(make.fingerprints(debates, candidates), threshold=fixed).metrics["overall"]["paper"]
        assert reading["flip_precision_exact"] == 0.5
        low, high = reading["flip_precision_interval"]
        widths.append(high - low)
    assert widths[1] > 1.3 * widths[0]


def test_a_classifier_without_importances_says_so(make: SimpleNamespace) -> None:
    found = run(make.draw(), ClassifierSettings(kind=ClassifierKind.random_forest, params={"n_estimators": 5}))
    assert found.tables["importance"].is_empty()
    assert found.tables["contributions"].is_empty()
    assert "importance: random_forest has neither importances nor contributions" in notes_of(found)


def test_null_corpora_are_summarised() -> None:
    def metrics(seed: int, paper: float, held_out: float) -> dict[str, Any]:
        readings = {"paper": paper, "cross_fitted": held_out}
        return {
            "setup": {"seed": seed},
            "overall": {name: {"ng_paper": gain, "ng_exact": gain, "auc": 0.5} for name, gain in readings.items()},
        }

    empty = Evaluation({"notes": []}, pl.DataFrame(), pl.DataFrame(), {})
    found = summarise_null_corpora(empty, [metrics(0, 0.02, -0.01), metrics(1, 0.01, 0.0)])
    assert found.metrics["null_corpora"]["ng_paper_exact"] == {"mean": 0.015, "positive": 2, "corpora": 2}
    assert found.metrics["null_corpora"]["ng_cross_fitted_exact"] == {"mean": -0.005, "positive": 0, "corpora": 2}
    assert found.tables["null_corpora"]["seed"].to_list() == [0, 1]
    assert "null_corpora" not in empty.metrics
