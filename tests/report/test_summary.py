"""What a run prints: an honest first sentence, the paper beside it where it belongs, at most 110 columns."""

import polars as pl
import pytest

from sentinel.report import format_summary
from sentinel.report._format import display_width
from sentinel.report._summary import headline


def with_gain(metrics: dict, value: float, low: float | None, high: float | None, flips: int = 9) -> dict:
    reading = metrics["overall"]["cross_fitted"]
    reading |= {"ng_exact": value, "ng_exact_interval": [low, high] if low is not None else None, "flips": flips}
    return metrics


@pytest.mark.parametrize(
    ("numbers", "meaning"),
    [
        ((0.0046, -0.0017, 0.0108), "95 % interval -0.17 to +1.08: not distinguishable from zero."),
        ((0.0046, 0.0, 0.0108), "95 % interval 0.00 to +1.08: not distinguishable from zero."),
        ((0.0046, 0.0010, 0.0108), "95 % interval +0.10 to +1.08: a gain."),
        ((-0.0046, -0.01, -0.001), "95 % interval -1.00 to -0.10: a loss."),
        ((0.0046, None, None), "(exact accounting), no interval."),
        ((0.0, 0.0, 0.0, 0), "no debate was flipped."),
    ],
)
def test_the_headline_claims_what_its_interval_allows(make_metrics, numbers: tuple, meaning: str) -> None:
    text = headline(with_gain(make_metrics(), *numbers), {})
    assert text.startswith("Simulated: cross-fitted net gain ")
    assert "of 1,754 debates" in text
    assert text.endswith(meaning)


def test_real_debates_are_not_called_simulated(evaluation, make_metrics) -> None:
    metrics = make_metrics()
    metrics["simulated"] = False
    text = format_summary(metrics, evaluation.tables)
    assert "simulated" not in text.lower().replace("simulated (paper's table 2)", "").replace("simulated/", "")
    assert "paper: CF" not in text


def test_results_stand_beside_the_published_ones(evaluation) -> None:
    lines = format_summary(evaluation.metrics, evaluation.tables, ["baselines"]).splitlines()
    assert lines[0].startswith("SIMULATED DATA")
    # NG of 5 correct, 1 harmful, 1 neutral of 96: paper 3/96, exact 4/96; published 5 and 0, AUC .823, NG +5.21.
    arc = next(line for line in lines if line.startswith("arc_challenge") and ".823" in line)
    assert arc.split() == "arc_challenge 5 2 1 0.81 .750 71.4 35.7 +3.12 +4.17 5 0 .823 +5.21".split()
    held_out = next(line for line in lines if line.startswith("overall") and " to " in line)
    assert (
        held_out.split() == "overall 1754 686 175 27 23 16 0.71-0.85 .970 54.0 15.4 +0.23 +0.63 -0.37 to +1.63".split()
    )
    judge = next(line for line in lines if line.startswith("LLM judge"))
    assert judge.split()[-1] == "-1.37"
    assert lines[-1].startswith("Note: 3 debates")


def test_other_configurations_show_the_published_overall_row_only(evaluation, make_metrics) -> None:
    text = format_summary(make_metrics(classifier="xgboost"), evaluation.tables, ["baselines"])
    assert "+1.60" in text
    assert "+5.21" not in text
    assert text.count("-19.16") == 1


@pytest.mark.parametrize(
    "show",
    [["baselines"], ["corpus", "tests"], ["threshold_sweep"], ["importance", "folds"], ["results", "calibration"]],
)
def test_lines_fit_the_terminal_whatever_the_names(evaluation, show: list[str]) -> None:
    hostile = "数" * 40 + "\n\x1b[31m|" + "y" * 90
    tables = {name: table.clone() for name, table in evaluation.tables.items()}
    for name in ("results", "corpus", "folds"):
        tables[name] = tables[name].with_columns(
            domain=pl.when(pl.col("domain") != "overall").then(pl.lit(hostile)).otherwise(pl.col("domain"))
        )
    tables["results"] = tables["results"].with_columns(n=1_000_000, tau=pl.lit("0.71-never"))
    metrics = {**evaluation.metrics, "notes": [hostile * 3]}
    text = format_summary(metrics, tables, show)
    assert max(display_width(line) for line in text.splitlines()) <= 110
    assert "\x1b" not in text


def test_an_unknown_table_is_named_with_those_there_are(evaluation) -> None:
    text = format_summary(evaluation.metrics, evaluation.tables, ["basleines"])
    assert "basleines: no such table in this run; have: baselines, calibration" in text


def test_the_sweep_sentence_gives_best_cut_and_range(evaluation) -> None:
    table = pl.DataFrame(
        {
            "tau": [0.2, 0.4, 0.6, 0.8],
            "cf": [9, 8, 6, 2],
            "wf": [20, 8, 2, 0],
            "harmful": [10, 4, 2, 0],
            "neutral": [10, 4, 0, 0],
            "ng_paper": [-0.11, 0.0, 0.04, 0.02],
            "ng_exact": [-0.01, 0.04, 0.04, 0.02],
            "flip_precision_paper": [9 / 29, 0.5, 0.75, 1.0],
            "preservation_exact": [0.9, 0.95, 0.98, 1.0],
        }
    )
    text = " ".join(
        format_summary(evaluation.metrics, {**evaluation.tables, "threshold_sweep": table}, ["threshold_sweep"]).split()
    )
    assert "paper accounting: best +4.00 % at 0.60, 2 of 4 cuts gain, from 0.60 to 0.80" in text
    # Among equal gains the largest cut.
    assert "exact accounting: best +4.00 % at 0.60, 3 of 4 cuts gain, from 0.40 to 0.80" in text
    assert "the paper: best +1.08 % at 0.81, gains from 0.61 to 0.95" in text


def test_transfer_has_its_own_headline_and_table(evaluation, make_metrics) -> None:
    metrics = make_metrics()
    metrics["overall"] = {"transfer": metrics["overall"]["cross_fitted"]}
    results = evaluation.tables["results"].filter(reading="cross_fitted").with_columns(reading=pl.lit("transfer"))
    tables = {"corpus": evaluation.tables["corpus"], "transfer": results}
    text = format_summary(metrics, tables, ["baselines"])
    assert "Simulated: left-one-domain-out net gain +0.63 %" in text
    assert "Transfer: each domain is decided by a rule that was trained on the others" in text
    assert "baselines: no such table in this run; have: corpus, transfer" in text
    assert "transfer\n" not in format_summary(metrics, tables, ["transfer"])


def test_a_learning_curve_is_headed_by_its_last_point(make_metrics) -> None:
    metrics = {**make_metrics(), "overall": {}}
    curve = pl.DataFrame(
        {"share": [0.5, 1.0], "ng_exact": [0.0, 0.01], "ng_exact_low": [-0.01, 0.002], "ng_exact_high": [0.01, 0.02]}
    )
    text = headline(metrics, {"learning_curve": curve})
    assert "learning curve, 100 % of the training questions: cross-fitted net gain +1.00 %" in text
    assert text.endswith("a gain.")


def test_nothing_measured_is_said(make_metrics) -> None:
    metrics = {**make_metrics(), "overall": {}}
    assert headline(metrics, {}) == "No net gain was measured on 1,754 debates; the notes say why."
