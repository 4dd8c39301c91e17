"""What a run prints: an honest first sentence, the paper beside it where it belongs, at most 110 columns."""

import polars as pl
import pytest

from sentinel.report import _grid, format_summary
from sentinel.report._format import display_width, permuted
from sentinel.report._grid import Grid, curve_legend, plain_grid, result_grid
from sentinel.report._summary import describe_flips, describe_run, fit_grid, headline


def with_gain(
    metrics: dict, value: float, low: float | None, high: float | None, flips: int = 9, p: float | None = 0.01
) -> dict:
    reading = metrics["overall"]["cross_fitted"]
    reading |= {"ng_exact": value, "ng_exact_interval": [low, high] if low is not None else None, "flips": flips}
    reading |= {"p_exact": p}
    return metrics


@pytest.mark.parametrize(
    ("numbers", "meaning"),
    [
        (
            (0.0046, -0.0017, 0.0108),
            "95 % interval -0.17 to +1.08, exact test p = 0.010: not distinguishable from zero.",
        ),
        ((0.0046, 0.0, 0.0108), "95 % interval 0.00 to +1.08, exact test p = 0.010: not distinguishable from zero."),
        ((0.0046, 0.0010, 0.0108), "+0.10 to +1.08, exact test p = 0.010: a gain."),
        ((0.0046, 0.0010, 0.0108, 4, 0.125), "+0.10 to +1.08, exact test p = 0.125: not distinguishable from zero."),
        ((0.0046, 0.0010, 0.0108, 4, 0.05), "exact test p = 0.050: not distinguishable from zero."),
        ((0.0046, 0.0010, 0.0108, 9, None), "+0.10 to +1.08: above zero by the interval alone, without an exact test."),
        ((-0.0046, -0.01, -0.001), "-1.00 to -0.10, exact test p = 0.010: a loss."),
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


@pytest.mark.parametrize(
    ("name", "protocol", "why"),
    [
        ("baselines", "cross_validated", "not made, since evaluation.baselines is false; evaluation.baselines=true"),
        ("permutations", "cross_validated", "not made, since evaluation.permutations is 0; evaluation.permutations=20"),
        ("null_corpora", "cross_validated", "not made, since evaluation.null_corpora is 0; evaluation.null_corpora=20"),
        ("transfer", "cross_validated", "not made by evaluation=cross_validated; evaluation=transfer makes it"),
        ("baselines", "transfer", "not made by evaluation=transfer; evaluation=cross_validated makes it"),
    ],
)
def test_a_table_that_was_not_made_says_what_makes_it(evaluation, make_metrics, name, protocol, why) -> None:
    tables = {"corpus": evaluation.tables["corpus"], "results": evaluation.tables["results"]}
    text = " ".join(format_summary(make_metrics(evaluation=protocol), tables, [name]).split())
    assert f"{name}: {why}" in text
    assert "no such table" not in text


def test_null_corpora_are_of_the_simulated_corpus_only(evaluation, make_metrics) -> None:
    metrics = {**make_metrics(), "simulated": False}
    text = " ".join(format_summary(metrics, {"corpus": evaluation.tables["corpus"]}, ["null_corpora"]).split())
    assert "null_corpora: not made, since null corpora are drawn for the simulated corpus only" in text


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
    assert "Simulated: leave-one-domain-out net gain +0.63 %" in text
    assert "Transfer: each domain is decided by a rule that was trained on the others" in text
    assert "baselines: no such table in this run" not in text
    assert "transfer\n" not in format_summary(metrics, tables, ["transfer"])


def test_a_learning_curve_is_headed_by_its_last_point(make_metrics) -> None:
    metrics = {**make_metrics(), "overall": {}}
    curve = pl.DataFrame(
        {"share": [0.5, 1.0], "ng_exact": [0.0, 0.01], "ng_exact_low": [-0.01, 0.002], "ng_exact_high": [0.01, 0.02]}
    )
    text = headline(metrics, {"learning_curve": curve.with_columns(p_exact=0.02)})
    assert "learning curve, 100 % of the training questions: cross-fitted net gain +1.00 %" in text
    assert text.endswith("a gain.")


def test_a_learning_curve_without_a_flip_says_so_as_a_run_does(make_metrics) -> None:
    metrics = {**make_metrics(), "overall": {}, "simulated": False}
    zero = dict.fromkeys(("ng_exact", "ng_exact_low", "ng_exact_high"), [0.0])
    text = headline(metrics, {"learning_curve": pl.DataFrame({"share": [1.0], **zero, "flips": [0]})})
    assert text.endswith("net gain 0.00 % of 1,754 debates (exact accounting): no debate was flipped.")


def test_one_is_singular(make_metrics) -> None:
    metrics = make_metrics()
    metrics["corpus"] |= {"name": "log", "debates": 1, "questions": 1, "divergent": 1, "minority_truths": 1}
    assert describe_run(metrics).startswith("log: 1 debate, 1 question, 1 divergent, 1 minority truth, ")
    assert " % of 1 debate (exact accounting)" in headline(metrics, {})


def test_a_column_has_one_number_of_decimals() -> None:
    tests = pl.DataFrame(
        {
            "test": ["mcnemar", "mcnemar: llm_judge", "permutation, exact accounting"],
            "reading": ["cross_fitted", "none", "paper"],
            "statistic": [8.0, -221.0, 0.0165],
            "p_value": [0.5, 0.25, 0.5],
        }
    )
    assert [row[2] for row in _grid.tests_grid(tests, 1).rows] == ["8", "-221", "+1.65 %"]
    curve = pl.DataFrame(
        {"divergent_train": [4.0, 13.0, 842.25], "auc_gap": [0.5, 0.25, 0.125], "questions": [1.0] * 3}
    )
    assert plain_grid(curve).rows[0] == ["4.0", "0.5000", "1.0"]
    assert plain_grid(curve).rows[2] == ["842.2", "0.1250", "1.0"]
    assert curve_legend(0.95).endswith("questions and divergent_train: means over folds.")


def test_nothing_measured_is_said(make_metrics) -> None:
    metrics = {**make_metrics(), "overall": {}}
    assert headline(metrics, {}) == "No net gain was measured on 1,754 debates; the notes say why."


def test_the_exact_test_is_found_among_the_tests_too(make_metrics) -> None:
    metrics = with_gain(make_metrics(), 0.0046, 0.001, 0.0108, p=None)
    metrics["tests"] = {"mcnemar": {"cross_fitted": {"p_value": 0.25}}}
    assert headline(metrics, {}).endswith("exact test p = 0.250: not distinguishable from zero.")


def test_overturned_majorities_and_given_up_answers_are_told(make_metrics) -> None:
    metrics = make_metrics()
    # 686 divergent, less 175 minority truths and 161 with both wrong: 350 right majorities, 16 of them overturned.
    assert describe_flips(metrics) == [
        "right majorities overturned: 16 of 350 contested (4.6 %) under the cross-fitted reading"
    ]
    metrics["corpus"] |= {"given_up_candidates": 30, "oracle_accuracy_any_round": 0.9}
    metrics["overall"]["cross_fitted"] |= {
        "right_majorities": 400,
        "given_up": {"flips": 6, "cf": 3, "harmful": 2, "neutral": 1},
    }
    first, second = describe_flips(metrics)
    assert first == "right majorities overturned: 16 of 400 contested (4.0 %) under the cross-fitted reading"
    assert second.startswith(
        "of the 50 flips under the cross-fitted reading, 3 correct / 2 harmful were of answers given up"
    )
    assert "with perfect flips 84.3 % (90.0 % counting answers given up on the way)" in describe_run(metrics)


def test_a_fixed_cut_has_one_block(evaluation, make_metrics) -> None:
    metrics = make_metrics(threshold={"kind": "fixed", "per": "all", "accounting": "paper"})
    text = format_summary(metrics, evaluation.tables)
    assert text.count("\noverall ") == 1
    assert "Cut fixed beforehand" in text
    assert "Simulated: cut fixed beforehand: net gain +0.63 %" in text
    assert "Cross-fitted" not in text


def test_a_rule_without_flips_has_no_interval(evaluation) -> None:
    text = format_summary(evaluation.metrics, evaluation.tables, ["baselines"])
    assert next(line for line in text.splitlines() if line.startswith("majority voting")).split()[-3:-1] == [
        "no",
        "flip",
    ]
    bare = evaluation.tables["results"].with_columns(tau=pl.lit(None, pl.String))
    grid = result_grid(bare, {})
    assert {row[grid.header.index("tau")] for row in grid.rows} == {"-"}


def test_a_permutation_p_at_its_floor_says_so(evaluation) -> None:
    text = format_summary(evaluation.metrics, evaluation.tables, ["tests"])
    assert "<= 0.048 (the least possible with 20)" in text
    assert permuted(2 / 21, 20) == "0.095"


def test_columns_move_together_before_a_name_is_cut() -> None:
    grid = Grid(["name", *"abcdefgh"], [["n" * 24, *["x" * 9] * 8]], 1)
    # 24 and eight times 9 are 96; with two blanks between 112, with one 104.
    assert fit_grid(grid)[1].startswith("n" * 24 + " x")
