"""One reading of the same predictions: which cut each debate met, what became of it, and its scores and intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl

from sentinel.evaluation._compare import sign_test
from sentinel.evaluation._cross_fit import CrossFit
from sentinel.evaluation._interval import GainIntervals, question_units, wilson
from sentinel.evaluation._metric import (
    CORRECT,
    GAIN_EXACT,
    HARMFUL,
    KEPT,
    NEUTRAL,
    auc,
    outcome_of_debates,
    preservation,
    score,
)
from sentinel.evaluation._sample import BoolArray, DebateArrays, IntArray, Sample
from sentinel.records import OVERALL
from sentinel.settings import ThresholdScope
from sentinel.threshold import Thresholds

RESULT_SCHEMA: dict[str, type[pl.DataType]] = {
    "domain": pl.String,
    "reading": pl.String,
    **dict.fromkeys(("n", "divergent", "minority_truths", "right_majorities"), pl.Int64),
    "tau": pl.String,
    "auc": pl.Float64,
    **dict.fromkeys(("flips", "cf", "wf", "harmful", "neutral"), pl.Int64),
    **dict.fromkeys(("flip_precision_paper", "flip_precision_exact", "recovery"), pl.Float64),
    **dict.fromkeys(("preservation_paper", "preservation_exact", "ng_paper", "ng_exact"), pl.Float64),
    **dict.fromkeys(("ng_exact_low", "ng_exact_high", "ng_paper_low", "ng_paper_high"), pl.Float64),
}
NO_CUT = "-"


@dataclass(frozen=True, eq=False)
class Reading:
    """Cuts as applied: `thresholds` one for all folds or one a fold; `flip` aligned with the picks; `outcome` (N,)."""

    name: str
    thresholds: tuple[Thresholds, ...]
    flip: BoolArray
    outcome: IntArray

    def tau_of(self, fold: int, domain: str) -> tuple[float | None, bool]:
        """Return the cut that a debate of this fold and domain meets, and whether it is a stand-in."""
        chosen = self.thresholds[fold] if len(self.thresholds) > 1 else self.thresholds[0]
        return chosen.lookup(domain)

    def taus(self, domains: Sequence[str]) -> Any:
        """Return the cut that holds for these domains, else a list of one a domain; of one a fold, unless paper's."""
        by_fold: list[Any] = []
        for chosen in self.thresholds:
            cuts = [chosen.lookup(domain)[0] for domain in domains]
            by_fold.append(cuts[0] if len(cuts) == 1 or chosen.scope is ThresholdScope.all else cuts)
        return by_fold[0] if self.name == "paper" else by_fold


def read_paper(sample: Sample, fit: CrossFit, chosen: Thresholds) -> Reading:
    """Return the reading in which the cuts were chosen on the predictions that are scored."""
    flip = chosen.apply(fit.picks)
    return Reading("paper", (chosen,), flip, outcome_of_debates(sample.rows, fit.picks, flip, len(sample.debates)))


def read_held_out(sample: Sample, fit: CrossFit, name: str = "cross_fitted") -> Reading:
    """Return the reading in which each fold met a cut chosen without it."""
    outcome = outcome_of_debates(sample.rows, fit.picks, fit.flip, len(sample.debates))
    return Reading(name, fit.thresholds, fit.flip, outcome)


def describe_reading(
    sample: Sample,
    fit: CrossFit,
    reading: Reading,
    intervals: Mapping[str | None, GainIntervals],
    confidence: float,
    domain: str | None,
) -> dict[str, Any]:
    """Return the JSON form of a reading's results in one domain, or in all (None).

    `tau` is None too where no debate has a candidate. `given_up` holds the debates without a final split, whose
    candidates were given up on the way. `p_exact`, overall only, is the exact test against the majority vote; None for
    the paper reading, whose cut was chosen on the flips it would test.
    """
    debates, rows = sample.debates, sample.rows
    where = np.ones(len(debates), dtype=np.bool_) if domain is None else _members(debates, domain)
    member_rows = where[rows.debate]
    scores = score(debates, reading.outcome, where)
    apart = where & debates.given_up
    given_up = score(debates, reading.outcome, apart)
    kept_paper, kept_exact = preservation(debates, reading.outcome, apart & ~debates.recoverable)
    gains = intervals[domain]
    met = [name for name in contested_domains(debates) if domain in (None, name)]
    described = {
        "tau": reading.taus(met) if met else None,
        "auc": auc(rows.y[member_rows], fit.probability[member_rows]),
        **asdict(scores),
        "flip_precision_interval": _precision_interval(debates, reading.outcome, where, (CORRECT, HARMFUL), confidence),
        "flip_precision_paper_interval": _precision_interval(
            debates, reading.outcome, where, (CORRECT, HARMFUL, NEUTRAL), confidence
        ),
        "ng_paper_interval": list(gains.paper),
        "ng_exact_interval": list(gains.exact),
        "given_up": {
            "debates": given_up.n,
            "right_majorities": given_up.right_majorities,
            "flips": given_up.flips,
            "cf": given_up.cf,
            "harmful": given_up.harmful,
            "neutral": given_up.neutral,
            "preservation_paper": kept_paper,
            "preservation_exact": kept_exact,
        },
    }
    if domain is None:
        unit = question_units(debates.domain, debates.question)
        described["p_exact"] = None if reading.name == "paper" else sign_test(GAIN_EXACT[reading.outcome], unit).p_value
    return described


def contested_domains(debates: DebateArrays) -> list[str]:
    """Return the domains with a debate that has a candidate; no cut is met in the others."""
    codes = np.unique(debates.domain[debates.divergent | debates.given_up])
    return [debates.domains[code] for code in codes]


def result_row(domain: str | None, reading: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """Return one row of the results table from `describe_reading`'s form; None: all domains."""
    row = {name: described[name] for name in RESULT_SCHEMA if name in described}
    contested = described["divergent"] + described["given_up"]["debates"]
    name = OVERALL if domain is None else domain
    row |= {"domain": name, "reading": reading, "tau": format_taus(described["tau"]) if contested else NO_CUT}
    for accounting in ("exact", "paper"):
        row[f"ng_{accounting}_low"], row[f"ng_{accounting}_high"] = described[f"ng_{accounting}_interval"]
    return row


def format_taus(taus: Any) -> str:
    """Return one cut, or any nesting of lists of them, as a cell: 0.81, 0.71-0.85, never, or 0.71-never."""
    cuts = _flatten(taus)
    finite = [tau for tau in cuts if tau is not None]
    if not finite:
        return "never"
    low, high = (f"{tau:.4f}".rstrip("0").ljust(4, "0") for tau in (min(finite), max(finite)))
    if len(finite) < len(cuts):
        high = "never"
    return low if low == high else f"{low}-{high}"


def _flatten(taus: Any) -> list[float | None]:
    return [tau for item in taus for tau in _flatten(item)] if isinstance(taus, list) else [taus]


def tabulate_folds(sample: Sample, fit: CrossFit, reading: Reading) -> pl.DataFrame:
    """Return the cut of each fold and domain as text, with the debates with a candidate on both sides of it."""
    picks, rows = fit.picks, sample.rows
    fold_of, domain_of = fit.fold[picks.row], picks.domain
    truth = sample.debates.minority_truth[rows.debate[picks.row]]
    contested = contested_domains(sample.debates)
    cells = []
    for fold in range(len(reading.thresholds)):
        for domain in sample.debates.domains:
            tau, stand_in = reading.tau_of(fold, domain)
            met = domain in contested
            inside = domain_of == domain
            test = inside & (fold_of == fold)
            cells.append(
                {
                    "fold": fold,
                    "domain": domain,
                    "tau": format_taus(tau) if met else NO_CUT,
                    "stand_in": stand_in and met,
                    "n_train": int(inside.sum() - test.sum()),
                    "n_test": int(test.sum()),
                    "minority_truths_test": int(truth[test].sum()),
                }
            )
    return pl.DataFrame(
        cells,
        schema={
            "fold": pl.Int64,
            "domain": pl.String,
            "tau": pl.String,
            "stand_in": pl.Boolean,
            "n_train": pl.Int64,
            "n_test": pl.Int64,
            "minority_truths_test": pl.Int64,
        },
    )


def _members(debates: DebateArrays, domain: str) -> BoolArray:
    return np.equal(debates.domain, debates.domains.index(domain))


def _precision_interval(
    debates: DebateArrays, outcome: IntArray, where: BoolArray, counted: tuple[int, ...], confidence: float
) -> list[float] | None:
    """Return Wilson's interval of flip precision, with as many units as there are questions with a counted flip."""
    flipped = where & (outcome != KEPT) & np.isin(outcome, counted)
    if not flipped.any():
        return None
    unit = question_units(debates.domain[flipped], debates.question[flipped])
    return list(wilson(float((outcome[flipped] == CORRECT).mean()), int(unit.max()) + 1, confidence))
