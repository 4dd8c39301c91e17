"""How large a net gain the whole selection finds where labels and fingerprints have nothing to do with each other.

Labels move in blocks: those of all candidates of one question go to another question of the same domain whose debates
have the same numbers of candidates, so that repeats of a question and rival candidates stay as alike as they were. A
block without such a partner keeps its labels, which makes the p value larger, never smaller.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from sentinel.evaluation._cross_fit import (
    Method,
    assign_rows,
    choose_on,
    cross_fit,
    derive_seed,
    pick_rows,
    predict_folds,
    train_masks,
)
from sentinel.evaluation._interval import question_units
from sentinel.evaluation._sample import IntArray, Rows
from sentinel.evaluation._threads import one_thread
from sentinel.settings import Accounting
from sentinel.threshold import FlipCounts, count_flips

_STREAM = 2
COLUMNS = ("ng_paper_reading_paper", "ng_paper_reading_exact", "ng_cross_fitted_paper", "ng_cross_fitted_exact")


@dataclass(frozen=True, eq=False)
class Blocks:
    """Exchangeable blocks of rows: one array (blocks, rows of a block) for each kind; `fixed` rows have no partner."""

    kinds: tuple[IntArray, ...]
    fixed: int


def find_blocks(rows: Rows) -> Blocks:
    """Group the questions of a domain by the numbers of candidates of their debates, in reading order."""
    if not len(rows):
        return Blocks((), 0)
    _, domain = np.unique(rows.domain, return_inverse=True)
    unit = question_units(domain.astype(np.int64), rows.question)
    order = np.lexsort((np.arange(len(rows)), rows.debate, unit))
    blocks = np.split(order, np.flatnonzero(np.diff(unit[order])) + 1)
    kinds: dict[tuple[object, ...], list[IntArray]] = {}
    for block in blocks:
        debate = rows.debate[block]
        _, start = np.unique(debate, return_index=True)
        shape = tuple((len(part), int(rows.given_up[part].sum())) for part in np.split(block, np.sort(start)[1:]))
        kinds.setdefault((int(domain[block[0]]), shape), []).append(block)
    stacked = tuple(np.stack(members) for members in kinds.values())
    return Blocks(stacked, sum(kind.size for kind in stacked if len(kind) == 1))


def shuffle_blocks(blocks: Blocks, n_rows: int, rng: np.random.Generator) -> IntArray:
    """Return from which row each row (n,) takes its label."""
    order = np.arange(n_rows)
    for kind in blocks.kinds:
        order[kind] = kind[rng.permutation(len(kind))]
    return order


def permute(
    rows: Rows,
    method: Method,
    totals: Mapping[str, int],
    folds: int,
    permutations: int,
    cross_fitted: bool,
    workers: int,
) -> pl.DataFrame:
    """Return the net gain of each permutation under both accountings, null for a reading that was not asked for.

    The result does not depend on the number of worker processes.
    """
    blocks = find_blocks(rows)
    tasks = [(rows, blocks, method, totals, folds, cross_fitted, number) for number in range(permutations)]
    if workers > 1 and permutations > 1:
        from joblib import Parallel, delayed

        gains = Parallel(n_jobs=workers, backend="loky")(delayed(_permute_once)(*task) for task in tasks)
    else:
        gains = [_permute_once(*task) for task in tasks]
    schema = {"permutation": pl.Int64, **dict.fromkeys(COLUMNS, pl.Float64)}
    return pl.DataFrame([{"permutation": number, **gain} for number, gain in enumerate(gains)], schema=schema)


def permutation_p(observed: float, permuted: pl.Series) -> float:
    """Return (1 + b) / (1 + B), where b of the B permutations gain at least what was observed."""
    at_least = int((permuted >= observed - 1e-12).sum())
    return (1 + at_least) / (1 + len(permuted))


def _permute_once(
    rows: Rows,
    blocks: Blocks,
    method: Method,
    totals: Mapping[str, int],
    folds: int,
    cross_fitted: bool,
    number: int,
) -> dict[str, float | None]:
    rng = np.random.default_rng(derive_seed(method.seed, _STREAM, number))
    shuffled = rows.relabel(shuffle_blocks(blocks, len(rows), rng))
    n = sum(totals.values())
    held_out: tuple[float | None, float | None] = (None, None)
    with one_thread():
        fold = assign_rows(shuffled, folds, method.seed)
        train = train_masks(shuffled, fold)
        if cross_fitted:
            fit = cross_fit(shuffled, fold, train, method, totals)
            picks, held_out = fit.picks, _gains(count_flips(fit.picks, fit.flip), n)
        else:
            probability, _ = predict_folds(shuffled, fold, train, method)
            picks = pick_rows(shuffled, probability)
    paper = _gains(count_flips(picks, choose_on(picks, method.threshold, totals).apply(picks)), n)
    return dict(zip(COLUMNS, (*paper, *held_out), strict=True))


def _gains(counts: FlipCounts, n: int) -> tuple[float, float]:
    return counts.net_gain(n, Accounting.paper), counts.net_gain(n, Accounting.exact)
