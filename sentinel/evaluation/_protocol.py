"""The two protocols beside cross-validation: a domain left out, and growing shares of the training questions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from sentinel.evaluation._baseline import fold_of_questions
from sentinel.evaluation._cross_fit import CrossFit, Method, cross_fit, derive_seed, train_masks
from sentinel.evaluation._interval import net_gain_intervals
from sentinel.evaluation._metric import auc, score
from sentinel.evaluation._reading import (
    RESULT_SCHEMA,
    Reading,
    contested_domains,
    describe_reading,
    read_held_out,
    result_row,
)
from sentinel.evaluation._sample import IntArray, Sample
from sentinel.settings import EvaluationSettings

_STREAM = 4


@dataclass(frozen=True, eq=False)
class Transfer:
    """Predictions and cuts for each left-out domain, its results in JSON form (None: overall), and their table."""

    fit: CrossFit
    reading: Reading
    described: dict[str | None, dict[str, Any]]
    table: pl.DataFrame


def transfer(sample: Sample, method: Method, settings: EvaluationSettings, seed: int) -> Transfer | None:
    """Leave each domain out in turn: train on the others and apply their cut for all; None for a single domain.

    Questions of the left-out domain that also occur in another one are not trained on.
    """
    debates, rows = sample.debates, sample.rows
    if len(debates.domains) < 2:
        return None
    fold = debates.domain[rows.debate]
    fit = cross_fit(rows, fold, train_masks(rows, fold), method, debates.totals)
    reading = read_held_out(sample, fit, "transfer")
    intervals = net_gain_intervals(debates, reading.outcome, settings.bootstrap, settings.confidence, seed)
    described: dict[str | None, dict[str, Any]] = {}
    for code, domain in enumerate(debates.domains):
        described[domain] = describe_reading(sample, fit, reading, intervals, settings.confidence, domain)
        described[domain]["tau"] = reading.tau_of(code, domain)[0] if code < len(reading.thresholds) else None
    described[None] = describe_reading(sample, fit, reading, intervals, settings.confidence, None)
    described[None]["tau"] = [described[domain]["tau"] for domain in contested_domains(debates)]
    table = [result_row(name, "transfer", values) for name, values in described.items()]
    return Transfer(fit, reading, described, pl.DataFrame(table, schema=RESULT_SCHEMA))


def learning_curve(
    sample: Sample, fold: IntArray, method: Method, settings: EvaluationSettings, seed: int
) -> pl.DataFrame:
    """Return AUC and cross-fitted net gain when only a share of the training folds' questions is learned from.

    Smaller shares are subsets of larger ones. `questions` (those without a candidate included) and `divergent_train`
    (debates with a candidate) are means over folds.
    """
    debates, rows = sample.debates, sample.rows
    fold_of = fold_of_questions(sample, fold, settings.folds, method.seed)
    rank = np.random.default_rng(derive_seed(method.seed, _STREAM)).permutation(len(fold_of))
    train = train_masks(rows, fold)
    cells = []
    for share in sorted(set(settings.train_shares)):
        masks, questions = [], []
        for k, mask in enumerate(train):
            others = np.sort(rank[fold_of != k])
            n_kept = int(np.ceil(share * len(others) - 1e-9))
            masks.append(mask & (rank[rows.question] <= (others[n_kept - 1] if n_kept else -1)))
            questions.append(n_kept)
        fit = cross_fit(rows, fold, tuple(masks), method, debates.totals)
        outcome = read_held_out(sample, fit).outcome
        intervals = net_gain_intervals(debates, outcome, settings.bootstrap, settings.confidence, seed)
        low, high = intervals[None].exact
        scores = score(debates, outcome)
        cells.append(
            {
                "share": share,
                "questions": float(np.mean(questions)) if questions else 0.0,
                "divergent_train": float(np.mean([len(np.unique(rows.debate[mask])) for mask in masks] or [0])),
                "auc": auc(rows.y, fit.probability),
                "ng_exact": scores.ng_exact,
                "ng_exact_low": low,
                "ng_exact_high": high,
                "ng_paper": scores.ng_paper,
                "flips": scores.flips,
            }
        )
    columns = ("share", "questions", "divergent_train", "auc", "ng_exact", "ng_exact_low", "ng_exact_high", "ng_paper")
    return pl.DataFrame(cells, schema={**dict.fromkeys(columns, pl.Float64), "flips": pl.Int64})
