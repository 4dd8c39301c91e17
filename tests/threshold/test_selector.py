"""Cuts chosen by hand, by brute force, and with a bound on the risk."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom

from sentinel.errors import ThresholdError
from sentinel.settings import Accounting, ThresholdKind, ThresholdScope, ThresholdSettings
from sentinel.threshold import Picks, Thresholds, ThresholdSelector, count_flips, grid, sweep

PER_ALL = {"per": ThresholdScope.all}


def make_picks(probability, outcome, domain=None, question=None, given_up=None):
    n = len(probability)
    return Picks(
        np.arange(n),
        np.asarray(probability, dtype=float),
        np.asarray(outcome, dtype=np.int8),
        np.asarray(domain if domain is not None else ["d"] * n, dtype=np.str_),
        np.asarray(question if question is not None else [f"q{i}" for i in range(n)], dtype=np.str_),
        np.asarray(given_up if given_up is not None else [False] * n, dtype=np.bool_),
    )


def select(picks, totals=None, **settings):
    totals = totals or Counter(str(name) for name in picks.domain)
    return ThresholdSelector(ThresholdSettings(**settings)).fit(picks, totals).thresholds_


def noise(n=150, seed=0, domains=("a", "b")):
    generator = np.random.default_rng(seed)
    probability = np.round(generator.random(n), 2)
    outcome = generator.choice([-1, 0, 1], n, p=[0.4, 0.2, 0.4])
    return make_picks(probability, outcome, generator.choice(domains, n), generator.integers(0, n // 2, n).astype(str))


def test_the_grid_of_the_paper():
    cuts = grid(ThresholdSettings())
    assert len(cuts) == 91
    assert cuts.tolist() == [round(5 / 100 + i / 100, 2) for i in range(91)]
    assert grid(ThresholdSettings(low=0.5, high=0.5)).tolist() == [0.5]
    assert grid(ThresholdSettings(low=0.1, high=0.2, step=0.025)).tolist() == [0.1, 0.125, 0.15, 0.175, 0.2]


def test_sweep_counts_strictly_above_the_cut():
    picks = make_picks([0.30, 0.31, 0.5, 0.9, 0.9], [1, -1, 0, 1, -1])
    counts = sweep(picks, 10, np.array([0.29, 0.30, 0.9]))
    assert counts.correct.tolist() == [2, 1, 0]
    assert counts.harmful.tolist() == [2, 2, 0]
    assert counts.neutral.tolist() == [1, 1, 0]
    np.testing.assert_allclose(counts.net_gain(Accounting.paper), [-0.1, -0.2, 0.0])
    np.testing.assert_allclose(counts.net_gain(Accounting.exact), [0.0, -0.1, 0.0])
    # Three debates have y = 0, two of them a right majority.
    np.testing.assert_allclose(counts.preservation(Accounting.paper), [0.0, 0.0, 1.0])
    np.testing.assert_allclose(counts.preservation(Accounting.exact), [0.0, 0.0, 1.0])


def test_sweep_agrees_with_counting_flip_by_flip():
    picks = noise()
    cuts = grid(ThresholdSettings())
    counts = sweep(picks, 400, cuts)
    for i, tau in enumerate(cuts):
        flips = count_flips(picks, picks.probability > tau)
        assert (counts.correct[i], counts.harmful[i], counts.neutral[i]) == (
            flips.correct,
            flips.harmful,
            flips.neutral,
        )
        assert counts.net_gain(Accounting.paper)[i] == pytest.approx(flips.net_gain(400, Accounting.paper))


def by_hand(picks, settings):
    """The rule as the paper states it, one cut at a time."""
    best, best_gain = None, 0.0
    held = picks.outcome < 1 if settings.accounting is Accounting.paper else picks.outcome == -1
    for hundredth in range(5, 96):
        tau = hundredth / 100
        flips = [o for p, o in zip(picks.probability, picks.outcome, strict=True) if p > tau]
        wrong = sum(o == -1 or (o == 0 and settings.accounting is Accounting.paper) for o in flips)
        gain = sum(o == 1 for o in flips) - settings.wrong_flip_cost * wrong
        if held.sum() and 1 - wrong / held.sum() < settings.preservation - 1e-12:
            continue
        if gain > 0 and gain >= best_gain - 1e-12:
            best, best_gain = tau, gain
    return best


@pytest.mark.parametrize("accounting", list(Accounting))
@pytest.mark.parametrize("preservation", [0.0, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("cost", [1.0, 0.3, 2.5])
def test_search_agrees_with_brute_force(accounting, preservation, cost):
    settings = ThresholdSettings(accounting=accounting, preservation=preservation, wrong_flip_cost=cost)
    chosen = []
    for seed in range(8):
        picks = noise(60, seed)
        thresholds = ThresholdSelector(settings).fit(picks, {"a": 60, "b": 60}).thresholds_
        for domain in ("a", "b"):
            assert thresholds.by_domain[domain] == by_hand(picks.select(picks.domain == domain), settings)
        assert thresholds.overall == by_hand(picks, settings)
        chosen += [thresholds.overall, *thresholds.by_domain.values()]
    assert any(tau is not None for tau in chosen)


def test_among_equal_gains_the_largest_cut():
    # Any cut from 0.05 to 0.79 flips exactly the one right candidate.
    assert select(make_picks([0.8, 0.01], [1, -1])).by_domain == {"d": 0.79}


def test_never_flip_wins_at_zero_gain():
    # At every cut one correct flip meets one wrong one.
    thresholds = select(make_picks([0.8, 0.8], [1, -1]), preservation=0.0)
    assert thresholds.by_domain == {"d": None}
    assert not thresholds.apply(make_picks([1.0], [1])).any()


def test_preservation_is_counted_under_the_chosen_accounting():
    # Cut 0.5: 3 correct, 1 neutral, no harmful. y = 0 in 10 debates, so paper preservation is 0.9, exact is 1.
    picks = make_picks([0.9] * 3 + [0.6] + [0.1] * 9, [1, 1, 1, 0] + [-1] * 9)
    paper = select(picks, preservation=0.95)
    assert paper.overall == 0.89
    assert select(make_picks([0.6] * 3 + [0.6] + [0.1] * 9, picks.outcome), preservation=0.95).overall is None
    exact = {"preservation": 0.95, "accounting": Accounting.exact}
    assert select(make_picks([0.6] * 3 + [0.6] + [0.1] * 9, picks.outcome), **exact).overall == 0.59


def test_the_floor_itself_is_allowed():
    # 1 of 20 right majorities overturned is a preservation of 0.95 exactly.
    picks = make_picks([0.9] * 3 + [0.9] + [0.1] * 19, [1, 1, 1] + [-1] * 20)
    assert select(picks, preservation=0.95).overall == 0.89
    assert select(picks, preservation=0.951).overall is None


@pytest.mark.parametrize("padding", [0, 100])
def test_unanimous_majorities_do_not_pay_for_divergent_ones(padding):
    # Cuts below 0.6 gain 3 and harm 1 of 10 divergent right majorities: 0.9. Unanimous ones, at P = 0.1, are all kept.
    probability = [0.6] * 4 + [0.1] * (9 + padding)
    outcome = [1] * 3 + [-1] * (10 + padding)
    picks = make_picks(probability, outcome, given_up=[False] * 13 + [True] * padding)
    assert select(picks, preservation=0.95).overall is None
    assert select(picks, preservation=0.9).overall == 0.59
    # Pooled, 109 of 110 would have passed for 0.95; and the other way round the rule is the same.
    if padding:
        assert select(make_picks(probability, outcome), preservation=0.95).overall == 0.59
    turned = make_picks(probability, outcome, given_up=~picks.given_up)
    assert select(turned, preservation=0.95).overall is None


def test_preservation_of_the_worse_kind_by_hand():
    # Above 0.5: divergent keep 3 of 4 with y = 0 and 1 of 2 right ones; given up keep 1 of 2 and 1 of 1.
    picks = make_picks([0.9, 0.1, 0.1, 0.1, 0.8, 0.1, 0.9], [-1, -1, 0, 0, 0, -1, 1], given_up=[False] * 4 + [True] * 3)
    counts = sweep(picks, 10, np.array([0.5]))
    assert counts.preservation(Accounting.paper).tolist() == [0.5]
    assert counts.preservation(Accounting.exact).tolist() == [0.5]
    # The given-up kind alone decides under paper accounting, the divergent kind alone under exact accounting.
    assert sweep(picks.select(~picks.given_up), 10, np.array([0.5])).preservation(Accounting.paper).tolist() == [0.75]
    assert sweep(picks.select(picks.given_up), 10, np.array([0.5])).preservation(Accounting.exact).tolist() == [1.0]


def test_scopes_and_stand_ins():
    picks = make_picks([0.9, 0.8, 0.1], [1, 1, -1], domain=["a", "b", "b"])
    per_domain = select(picks, {"a": 5, "b": 5, "c": 5})
    assert per_domain.lookup("a") == (0.89, False)
    assert per_domain.lookup("b") == (0.79, False)
    assert per_domain.lookup("c") == (0.79, True)
    assert per_domain.lookup("new") == (0.79, True)
    assert per_domain.apply(make_picks([0.85, 0.85, 0.75], [1, 1, 1], domain=["a", "b", "new"])).tolist() == [
        False,
        True,
        False,
    ]
    for_all = select(picks, **PER_ALL)
    assert for_all.by_domain == {}
    assert for_all.lookup("a") == for_all.lookup("new") == (0.79, False)


def test_a_fixed_cut_needs_no_data():
    thresholds = select(make_picks([], []), {"d": 1}, kind=ThresholdKind.fixed, tau=0.8)
    assert thresholds.lookup("anything") == (0.8, False)
    assert thresholds.apply(make_picks([0.8, 0.81], [1, 1])).tolist() == [False, True]


@pytest.mark.parametrize("kind", [ThresholdKind.search, ThresholdKind.risk_controlled])
def test_no_picks_means_never_flip(kind):
    thresholds = select(make_picks([], []), {"d": 10}, kind=kind)
    assert (thresholds.by_domain, thresholds.overall) == ({}, None)


def test_more_picks_than_debates_is_an_error():
    with pytest.raises(ThresholdError, match="domain d: 2 debates with candidates out of 1"):
        select(make_picks([0.1, 0.2], [1, 1]), {"d": 1})


def risk(picks, **settings):
    return select(picks, kind=ThresholdKind.risk_controlled, per=ThresholdScope.all, **settings).overall


def test_risk_control_by_hand():
    # 45 questions: 0.95^45 = 0.0994 <= 0.1 accepts no harm at all; one harmed: 0.0994 + 45 * 0.05 * 0.95^44 > 0.1.
    assert 0.95**45 <= 0.1 < 0.95**44
    at_half = make_picks([0.5] + [0.2] * 44, [-1] * 45)
    assert risk(at_half) == 0.5
    # With 44 questions not even zero harm is proof enough, so nothing flips.
    assert risk(make_picks([0.2] * 44, [-1] * 44)) is None
    # If 45 of 45 stay unharmed all the way down, the smallest cut of the grid is safe.
    assert risk(make_picks([0.04] * 45, [-1] * 45)) == 0.05
    # A looser promise accepts more: delta 0.5 takes one harmed question of 45 (P = 0.33).
    assert binom.cdf(1, 45, 0.05) < 0.5
    assert risk(at_half, delta=0.5) == 0.2


def test_risk_counts_questions_not_debates():
    # The same 45 debates come from 15 questions, which prove less; and gains of right minorities do not help.
    questions = [f"q{i // 3}" for i in range(45)]
    assert risk(make_picks([0.2] * 45, [-1] * 45, question=questions)) is None
    # One harmed debate harms its question, whatever the other two say.
    three_each = [f"q{i // 3}" for i in range(135)]
    probability = [0.2] * 135
    probability[1] = 0.7
    assert risk(make_picks(probability, [-1] * 135, question=three_each)) == 0.7
    # Questions whose majority is wrong are no part of the promise.
    assert risk(make_picks([0.9] * 60 + [0.2] * 44, [1] * 30 + [0] * 30 + [-1] * 44)) is None


def test_risk_is_controlled_for_each_kind_of_debate():
    # 45 unharmed questions prove a risk below 0.05 at 0.9 confidence, 44 do not (0.95^44 > 0.1).
    def both(divergent, unanimous):
        p = [*divergent, *unanimous]
        return risk(make_picks(p, [-1] * len(p), given_up=[False] * len(divergent) + [True] * len(unanimous)))

    assert both([0.2] * 45, [0.2] * 45) == 0.2
    assert both([0.2] * 45, [0.2] * 44 + [0.5]) == both([0.2] * 44 + [0.5], [0.2] * 45) == 0.5
    # Pooled, 89 questions with one harmed would do: 0.95^89 + 89 x 0.05 x 0.95^88 < 0.1.
    assert binom.cdf(1, 89, 0.05) < 0.1
    assert both([0.2] * 45, [0.2] * 44) is None
    # A kind without candidates makes no demand.
    assert both([0.2] * 45, []) == both([], [0.2] * 45) == 0.2


def test_risk_control_agrees_with_a_plain_loop():
    settings = ThresholdSettings(kind=ThresholdKind.risk_controlled)
    for seed in range(6):
        generator = np.random.default_rng(seed)
        n = 400
        picks = make_picks(
            generator.beta(1, 4, n), generator.choice([-1, 0, 1], n), question=generator.integers(0, 250, n).astype(str)
        )
        worst = {}
        for p, o, q in zip(picks.probability, picks.outcome, picks.question, strict=True):
            if o == -1:
                worst[q] = max(worst.get(q, 0.0), p)
        expected = None
        for tau in grid(settings)[::-1]:
            if binom.cdf(sum(p > tau for p in worst.values()), len(worst), 0.05) > 0.1:
                break
            expected = float(tau)
        assert risk(picks) == expected is not None


def test_the_risk_is_held_as_often_as_promised():
    # Harmful candidates have uniform P, so the true risk of a cut is 1 - tau: only cuts below 0.95 break alpha.
    broken = 0
    for seed in range(300):
        picks = make_picks(np.random.default_rng(seed).random(500), [-1] * 500)
        tau = risk(picks)
        broken += tau is not None and tau < 0.95 - 1e-9
    # At most one in ten, plus three standard errors.
    assert broken / 300 <= 0.1 + 3 * math.sqrt(0.09 / 300)


def test_thresholds_survive_json():
    thresholds = Thresholds({"a": 0.5, "b": None}, 0.7, ThresholdScope.domain)
    assert Thresholds.from_dict(thresholds.to_dict()) == thresholds
    for bad in (
        {},
        thresholds.to_dict() | {"scope": "galaxy"},
        thresholds.to_dict() | {"overall": 7},
        thresholds.to_dict() | {"overall": math.nan},
        thresholds.to_dict() | {"by_domain": [1]},
    ):
        with pytest.raises(ThresholdError, match="train again"):
            Thresholds.from_dict(bad)
