"""What else could be done with the same debates: each baseline as the outcomes of its flips.

Those that bring an answer of their own (agent, samples) are compared with the vote on all debates. Whether such an
answer differs from a wrong vote is not recorded, so they have no neutral flips and no paper accounting.
"""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from sentinel.evaluation._cross_fit import CrossFit, Method, choose_on, cross_fit, derive_seed, pick_rows
from sentinel.evaluation._interval import net_gain_intervals
from sentinel.evaluation._metric import CORRECT, HARMFUL, KEPT, NEUTRAL, outcome_of_debates, score
from sentinel.evaluation._reading import Reading, read_held_out, read_paper
from sentinel.evaluation._sample import BoolArray, IntArray, Sample
from sentinel.settings import ClassifierKind, ClassifierSettings, EvaluationSettings

_STREAM = 3
_REFITTED = {
    "single_best_feature": ClassifierKind.single_feature,
    "logistic_regression": ClassifierKind.logistic_regression,
}


@dataclass(frozen=True, eq=False)
class Baseline:
    """Outcomes (N,) of a method under a reading, None where its data are missing; `answers` where it brings its own."""

    method: str
    reading: str
    outcome: IntArray | None
    note: str | None = None
    answers: bool = False


def run_baselines(
    sample: Sample,
    fit: CrossFit,
    train: tuple[BoolArray, ...],
    method: Method,
    readings: tuple[Reading, ...],
    folds: int,
) -> list[Baseline]:
    """Return all baselines, sentinel and oracle, on the folds of `fit`."""
    debates = sample.debates
    kept = np.full(len(debates), KEPT, dtype=np.int64)
    found = [
        Baseline("majority_voting", "none", kept),
        Baseline("always_minority", "none", _always_minority(sample)),
    ]
    for name, kind in _REFITTED.items():
        if method.classifier.kind is kind:
            found += [Baseline(name, reading.name, reading.outcome, "same as sentinel") for reading in readings]
            continue
        other = replace(method, classifier=ClassifierSettings(kind=kind))
        refitted = cross_fit(sample.rows, fit.fold, train, other, debates.totals)
        chosen = choose_on(refitted.picks, method.threshold, debates.totals)
        note = _chosen_features(sample, refitted) if kind is ClassifierKind.single_feature else None
        for reading in (read_paper(sample, refitted, chosen), read_held_out(sample, refitted)):
            found.append(Baseline(name, reading.name, reading.outcome, note))
    found += [_judge(sample), _single_best_agent(sample, fit.fold, folds, method.seed), _self_consistency(sample)]
    found += [Baseline("sentinel", reading.name, reading.outcome) for reading in readings]
    oracle = np.where(debates.recoverable, CORRECT, KEPT).astype(np.int64)
    more = int((debates.recoverable & ~debates.minority_truth).sum())
    note = f"with {more} right answers given up on the way" if more else None
    return [*found, Baseline("oracle", "none", oracle, note)]


def tabulate_baselines(
    sample: Sample, baselines: list[Baseline], settings: EvaluationSettings, seed: int
) -> pl.DataFrame:
    """Return one row a baseline and reading; what its data cannot tell is null."""
    schema = {
        "method": pl.String,
        "reading": pl.String,
        **dict.fromkeys(("cf", "wf", "harmful", "neutral"), pl.Int64),
        **dict.fromkeys(
            ("flip_precision_paper", "flip_precision_exact", "recovery", "ng_paper", "ng_exact"), pl.Float64
        ),
        **dict.fromkeys(("ng_exact_low", "ng_exact_high"), pl.Float64),
        "note": pl.String,
    }
    rows = [_row(sample, found, settings, seed) for found in baselines]
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema)


def _row(sample: Sample, found: Baseline, settings: EvaluationSettings, seed: int) -> dict[str, object]:
    row: dict[str, object] = {"method": found.method, "reading": found.reading, "note": found.note}
    if found.outcome is None:
        return row
    scores = score(sample.debates, found.outcome)
    intervals = net_gain_intervals(sample.debates, found.outcome, settings.bootstrap, settings.confidence, seed)
    low, high = intervals[None].exact
    row |= {
        "cf": scores.cf,
        "harmful": scores.harmful,
        "flip_precision_exact": scores.flip_precision_exact,
        "recovery": scores.recovery,
        "ng_exact": scores.ng_exact,
        "ng_exact_low": low,
        "ng_exact_high": high,
    }
    if not found.answers:
        row |= {
            "wf": scores.wf,
            "neutral": scores.neutral,
            "flip_precision_paper": scores.flip_precision_paper,
            "ng_paper": scores.ng_paper,
        }
    return row


def _always_minority(sample: Sample) -> IntArray:
    rows = sample.rows
    # Equal probabilities leave the choice to the tie rule: the larger camp, then the first speaker.
    picks = pick_rows(rows, np.where(rows.given_up, np.nan, 0.5))
    return outcome_of_debates(rows, picks, np.ones(len(picks), dtype=np.bool_), len(sample.debates))


def _chosen_features(sample: Sample, fit: CrossFit) -> str | None:
    chosen = Counter(
        sample.features[index] for fitted in fit.classifiers if (index := getattr(fitted, "feature_", None)) is not None
    )
    return (
        ", ".join(f"{name} in {count} of {len(fit.classifiers)} folds" for name, count in chosen.most_common()) or None
    )


def _judge(sample: Sample) -> Baseline:
    frame = sample.debate_frame
    divergent, voted = sample.debates.divergent, sample.debates.voted_correct
    ruled = (frame["ruling"].is_not_null() | frame["ruling_correct"].is_not_null()).to_numpy() & divergent
    if not ruled.any():
        return Baseline("llm_judge", "none", None, "no rulings recorded")
    differs = ruled & (frame["ruling"] != frame["voted"]).fill_null(False).to_numpy()
    right = frame["ruling_correct"].fill_null(False).to_numpy()
    outcome = _compare_answers(sample, right, differs)
    outcome[differs & ~right & ~voted] = NEUTRAL
    n, n_ruled = int(divergent.sum()), int(ruled.sum())
    n_unread = int((ruled & frame["ruling"].is_null().to_numpy()).sum())
    notes = [f"rulings for {n_ruled} of {n} divergent debates"] if n_ruled < n else []
    notes += [f"{n_unread} rulings without a readable answer"] if n_unread else []
    notes = [f"{'; '.join(notes)}; the vote stands there"] if notes else []
    # A judge may answer what no agent did, which no flip can; so it may stand above the oracle.
    if own := int(((outcome == CORRECT) & ~sample.debates.minority_truth).sum()):
        notes.append(f"{own} of its right answers no agent gave in the end")
    return Baseline("llm_judge", "none", outcome, "; ".join(notes) or None)


def _self_consistency(sample: Sample) -> Baseline:
    frame = sample.debate_frame
    known = frame["samples_correct"].is_not_null().to_numpy()
    if not known.any():
        return Baseline("self_consistency", "none", None, "no samples recorded", answers=True)
    outcome = _compare_answers(sample, frame["samples_correct"].fill_null(False).to_numpy(), known)
    notes = []
    if not known.all():
        notes.append(f"samples for {int(known.sum())} of {len(frame)} debates; the vote stands in the others")
    calls = pl.col("agents") * (pl.col("rounds") + 1)
    if fewer := frame.filter(pl.col("samples_correct").is_not_null() & (pl.col("samples") < calls)).height:
        notes.append(f"fewer samples than calls in {fewer} of them")
    return Baseline("self_consistency", "none", outcome, "; ".join(notes) or None, answers=True)


def _single_best_agent(sample: Sample, fold: IntArray, folds: int, seed: int) -> Baseline:
    """Choose, by domain, the name that was right most often in the debates of the other folds it took part in."""
    name, reading = "single_best_agent", "cross_fitted"
    debates = sample.debates
    cells: dict[tuple[int, str], int] = {}
    entries = []
    listed = zip(
        sample.debate_frame["agent_names"].to_list(), sample.debate_frame["agent_correct"].to_list(), strict=True
    )
    for debate, (names, correct) in enumerate(listed):
        for agent, right in zip(names or (), correct or (), strict=False):
            cell = cells.setdefault((int(debates.domain[debate]), agent), len(cells))
            entries.append((debate, cell, bool(right)))
    if not entries:
        return Baseline(name, reading, None, "no agents recorded", answers=True)
    debate, cell, right = np.array(entries, dtype=np.int64).T
    home = np.array([domain for domain, _ in cells])
    fold_of = fold_of_questions(sample, fold, folds, seed)[debates.question]
    outcome = np.full(len(debates), KEPT, dtype=np.int64)
    chosen: Counter[str] = Counter()
    labels = [agent for _, agent in cells]
    for k in range(int(fold_of.max()) + 1):
        train = fold_of[debate] != k
        seen = np.bincount(cell[train], minlength=len(cells))
        accuracy = np.bincount(cell[train], weights=right[train], minlength=len(cells)) / np.maximum(seen, 1)
        accuracy[seen == 0] = -1
        for domain in np.unique(home):
            members = np.flatnonzero(home == domain)
            best = members[accuracy[members].argmax()]
            if seen[best]:
                chosen[labels[best]] += 1
                spoke = (fold_of[debate] == k) & (cell == best)
                answered, correct_there = debate[spoke], right[spoke] == 1
                outcome[answered[correct_there & ~debates.voted_correct[answered]]] = CORRECT
                outcome[answered[~correct_there & debates.voted_correct[answered]]] = HARMFUL
    agents = ", ".join(agent for agent, _ in chosen.most_common(3)) + (", ..." if len(chosen) > 3 else "")
    return Baseline(name, reading, outcome, f"by domain, chosen in the training folds: {agents}", answers=True)


def fold_of_questions(sample: Sample, fold: IntArray, folds: int, seed: int) -> IntArray:
    """Return the fold of every question code: that of its candidates, and dealt out in turn where it has none."""
    n_questions = int(sample.debates.question.max()) + 1
    fold_of = np.full(n_questions, -1, dtype=np.int64)
    fold_of[sample.rows.question] = fold
    rest = np.flatnonzero(fold_of < 0)
    shuffled = np.random.default_rng(derive_seed(seed, _STREAM)).permutation(rest)
    fold_of[shuffled] = np.arange(len(rest)) % folds
    return fold_of


def _compare_answers(sample: Sample, right: BoolArray, answered: BoolArray) -> IntArray:
    """Return the outcomes of replacing the vote by another answer where there is one."""
    voted = sample.debates.voted_correct
    outcome = np.full(len(voted), KEPT, dtype=np.int64)
    outcome[answered & right & ~voted] = CORRECT
    outcome[answered & ~right & voted] = HARMFUL
    return outcome
