"""What the corpus holds, before any flip: counts by domain, and what a reader of the results must know about it."""

from typing import Any

import numpy as np
import polars as pl

from sentinel.evaluation._metric import share
from sentinel.evaluation._sample import BoolArray, IntArray, Sample
from sentinel.records import FEW_TRUTHS, OVERALL
from sentinel.vote import VoteState

_SHARES = ("mt_rate", "majority_accuracy", "oracle_accuracy", "any_correct")
_NAMED = 5


def tabulate_corpus(sample: Sample) -> pl.DataFrame:
    """Return counts of debates by domain and overall; `any_correct` and the accuracies are shares.

    `given_up_candidates` and `given_up_truths` count debates with an answer given up on the way, and with a right one.
    """
    debates = sample.debates
    rows = [{"domain": name, **_describe(sample, debates.domain == code)} for code, name in enumerate(debates.domains)]
    rows.append({"domain": OVERALL, **_describe(sample, np.ones(len(debates), dtype=np.bool_))})
    schema = {name: pl.String if name == "domain" else pl.Float64 if name in _SHARES else pl.Int64 for name in rows[0]}
    return pl.DataFrame(rows, schema=schema)


def _describe(sample: Sample, where: BoolArray) -> dict[str, Any]:
    debates, frame = sample.debates, sample.debate_frame

    def count(flags: pl.Series) -> int:
        return int(flags.fill_null(False).to_numpy()[where].sum())

    given_up = np.zeros(len(debates), dtype=np.bool_)
    given_up[sample.rows.debate[sample.rows.given_up]] = True
    n, truths = int(where.sum()), int(debates.minority_truth[where].sum())
    divergent, right = int(debates.divergent[where].sum()), int(debates.voted_correct[where].sum())
    return {
        "n": n,
        "questions": len(np.unique(debates.question[where])),
        "divergent": divergent,
        "minority_truths": truths,
        "mt_rate": share(truths, divergent),
        "both_wrong": count(frame["both_wrong"]),
        "tied": count(frame["state"] == VoteState.TIED.value),
        "unanswered": count(frame["state"] == VoteState.UNANSWERED.value),
        "majority_correct": right,
        "majority_accuracy": share(right, n),
        "oracle_accuracy": share(right + truths, n),
        "any_correct": share(count(frame["any_correct"]), n),
        "given_up_candidates": int(given_up[where].sum()),
        "given_up_truths": count(frame["given_up_truth"]),
    }


def describe_recoverable(sample: Sample) -> dict[str, int | float | None]:
    """Return the debates in which some candidate is right, and the accuracy with all of them flipped to it.

    `oracle_accuracy_any_round` counts answers given up on the way too; None where there are none among the candidates.
    """
    debates = sample.debates
    recoverable, right = int(debates.recoverable.sum()), int(debates.voted_correct.sum())
    reached = share(right + recoverable, len(debates)) if sample.rows.given_up.any() else None
    return {"recoverable": recoverable, "oracle_accuracy_any_round": reached}


def describe_fallback(sample: Sample) -> dict[str, int]:
    """Return how many answers the fallback supplied, and how many of them are right: a gain that no flip made."""
    supplied = sample.debate_frame["fallback"].fill_null(False).to_numpy()
    return {"debates": int(supplied.sum()), "gained": int((supplied & sample.debates.voted_correct).sum())}


def corpus_notes(sample: Sample, folds: int) -> list[str]:
    """Return what limits the results: missing gold, features that say nothing, domains with too little to learn."""
    rows, debates = sample.rows, sample.debates
    notes = []
    if sample.excluded:
        notes.append(
            "1 debate has no gold answer and is left out of every count"
            if sample.excluded == 1
            else f"{sample.excluded} debates have no gold answer and are left out of every count"
        )
    if not len(rows):
        return [*notes, "no debate has a minority answer: there is nothing to flip"]
    for what, names in silent_features(sample).items():
        if names:
            notes.append(f"features {what} in every debate, so without effect: {_list(names)}")
    right = int(debates.minority_truth.sum())
    if right < FEW_TRUTHS:
        count = f"{right} debate{'' if right == 1 else 's'}"
        notes.append(f"the minority is right in {count} only: too few to learn from (fewer than {FEW_TRUTHS})")
    divergent = np.bincount(debates.domain[debates.divergent], minlength=len(debates.domains))
    truths = np.bincount(debates.domain[debates.minority_truth], minlength=len(debates.domains))
    none = [name for name, d, t in zip(debates.domains, divergent, truths, strict=True) if d and not t]
    if none:
        notes.append(f"no minority truth, so no flip can be right and recovery is undefined: {_list(none)}")
    few = [
        f"{name} ({t} of {d})" for name, d, t in zip(debates.domains, divergent, truths, strict=True) if 0 < t < folds
    ]
    if few:
        notes.append(f"fewer minority truths than folds, so figures rest on single debates: {_list(few)}")
    whole = [name for name, d in zip(debates.domains, divergent, strict=True) if not d]
    if whole:
        notes.append(f"no divergent debate: {_list(whole)}")
    return notes


def silent_features(sample: Sample) -> dict[str, list[str]]:
    """Return the features without effect: those `missing` in every debate, and those `the same` in every debate."""
    silent: dict[str, list[str]] = {"missing": [], "the same": []}
    for name, column in zip(sample.features, sample.rows.x.T, strict=True):
        # A value that some debates have and others lack does tell them apart.
        if len(np.unique(column)) == 1:
            silent["missing" if np.isnan(column[0]) else "the same"].append(name)
    return silent


def fold_notes(sample: Sample, fold: IntArray, folds: int) -> list[str]:
    """Return what the folds could not do: too few questions, or one class to train on."""
    rows = sample.rows
    if not len(rows):
        return []
    made = int(fold.max()) + 1
    if made < 2:
        return ["all candidates belong to one question: nothing is left to train on, and no debate is flipped"]
    notes = [f"{made} folds in place of {folds}: there are no more questions with a candidate"] if made < folds else []
    single = [k for k in range(made) if len(np.unique(rows.y[fold != k])) < 2]
    if single:
        notes.append(f"one class to train on in {len(single)} of {made} folds: a constant probability there")
    return notes


def _list(names: list[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:_NAMED])} and {rest} more"
