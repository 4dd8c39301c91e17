"""Figures show what their tables say: positions, marks, stamps; and odd tables do not break them."""

import numpy as np
import polars as pl
import pytest

from sentinel.report._figure_check import draw_learning_curve, draw_null, null_data
from sentinel.report._figure_feature import contribution_data, draw_contributions, draw_importance
from sentinel.report._figure_gain import draw_baselines, draw_domains, draw_transfer, forest_data
from sentinel.report._figure_sweep import draw_comparison, draw_seeds, seeds_data
from sentinel.report._figure_threshold import draw_calibration, draw_threshold_sweep, threshold_sweep_data
from sentinel.report._figures import Plan, save_figures
from sentinel.report._paper import PaperRow, load_paper
from sentinel.report._style import labels as figure_labels
from sentinel.report._style import save_figure


def labels(axes) -> list[str]:
    return [text.get_text() for text in axes.get_yticklabels()]


def line(axes, name: str):
    return next(line for line in axes.get_lines() if line.get_label() == name)


def test_simulated_data_are_stamped_into_the_title(evaluation) -> None:
    table = evaluation.tables["calibration"]
    assert draw_calibration(table, True).get_suptitle().endswith("(simulated data)")
    assert "simulated" not in draw_calibration(table, False).get_suptitle()


def test_importance_is_sorted_by_each_measure(evaluation) -> None:
    data = evaluation.tables["importance"]
    left, right = draw_importance(data, True).axes
    top = data.sort("splits", descending=True).head(10)
    assert labels(left) == top["feature"].to_list()
    assert [bar.get_width() for bar in left.patches] == top["splits"].to_list()
    assert labels(right)[0] == data.sort("mean_abs_contribution", descending=True)["feature"][0]


def test_importance_without_splits_has_one_panel(evaluation) -> None:
    table = evaluation.tables["importance"].with_columns(splits=pl.lit(None, pl.Int64))
    assert len(draw_importance(table, False).axes) == 1


def test_contributions_are_ordered_by_size_and_coloured_by_value() -> None:
    contributions = pl.DataFrame(
        {"id": ["p", "q", "r"], "candidate": ["A"] * 3, "small": [0.1] * 3, "large": [-2.0, 0, 2]}
    )
    predictions = pl.DataFrame(
        {"id": ["r", "q", "p"], "candidate": ["A"] * 3, "small": [1.0, None, 1.0], "large": [30.0, 15.0, 10.0]}
    )
    data = contribution_data(contributions, predictions)
    assert data["feature"].to_list() == ["large"] * 3 + ["small"] * 3
    assert data["value"].to_list()[:3] == [0.0, 0.25, 1.0]
    assert data["value"].to_list()[3:] == [0.5, None, 0.5]
    axes = draw_contributions(data, False).axes[0]
    assert labels(axes) == ["large", "small"]
    assert sum(len(dots.get_offsets()) for dots in axes.collections) == 6


def test_sweep_marks_sentinel_and_judge_where_they_are(evaluation) -> None:
    data = threshold_sweep_data(evaluation.tables, load_paper())
    left, right = draw_threshold_sweep(data, True).axes[:2]
    assert line(right, "sentinel, cross-fitted").get_xydata().tolist() == [[23, 27]]
    assert line(right, "LLM judge").get_xydata().tolist() == [[94, 70]]
    assert line(right, "the paper's sentinel").get_xydata().tolist() == [[9, 39]]
    assert len(right.collections[0].get_offsets()) == 91
    assert line(left, "chosen cuts: cross-fitted, exact").get_ydata()[0] == pytest.approx(100 * 11 / 1754)


def test_sweep_marks_where_it_leaves_the_axes() -> None:
    gains = {"ng_exact": [-0.30, -0.06, 0.01], "ng_paper": [-0.02, -0.01, 0.0], "flip_precision_paper": [0.1, 0.2, 0.5]}
    sweep = pl.DataFrame({"series": "sweep", "tau": [0.1, 0.2, 0.9], "cf": [9, 8, 2], "wf": [90, 40, 1], **gains})
    left, right = draw_threshold_sweep(sweep, False).axes[:2]
    arrows = [[mark for mark in axes.get_lines() if mark.get_marker() in ("v", ">", "^")] for axes in (left, right)]
    # The greatest gain is 1 %: the axis ends at -3 %. No point beside the sweep: flips end at 1.2 times 10.
    assert [mark.get_xydata().tolist() for mark in arrows[0]] == [[[0.2, -3.0]]]
    assert [(mark.get_marker(), mark.get_xydata().tolist()) for mark in arrows[1]] == [(">", [[12.0, 8.0]])]
    assert all(axes.get_xlabel().endswith("arrowheads: beyond the axis") for axes in (left, right))
    near = sweep.filter(pl.col("tau") == 0.9)
    assert "beyond" not in "".join(axes.get_xlabel() for axes in draw_threshold_sweep(near, False).axes)


def test_sweep_without_judge_or_flips_is_drawn(evaluation) -> None:
    tables = {name: evaluation.tables[name] for name in ("threshold_sweep", "results")}
    none = pl.DataFrame({"method": ["llm_judge"], "cf": [None], "wf": [None], "ng_paper": [None], "ng_exact": [None]})
    none = none.cast({"cf": pl.Int64, "wf": pl.Int64, "ng_paper": pl.Float64, "ng_exact": pl.Float64})
    tables["baselines"] = none.with_columns(flip_precision_paper=pl.lit(None, pl.Float64))
    tables["threshold_sweep"] = tables["threshold_sweep"].with_columns(flip_precision_paper=pl.lit(None, pl.Float64))
    assert draw_threshold_sweep(threshold_sweep_data(tables, None), False).axes


def test_empty_bins_are_left_out_of_the_reliability_curve(evaluation) -> None:
    table = evaluation.tables["calibration"]
    empty = [
        pl.when(pl.col("bin_low") > 0.85).then(None).otherwise(pl.col(name)).alias(name)
        for name in ("mean_probability", "observed_rate", "rate_low", "rate_high")
    ]
    table = table.with_columns(*empty, count=pl.when(pl.col("bin_low") > 0.85).then(0).otherwise(pl.col("count")))
    upper, lower = draw_calibration(table, False).axes
    assert len(upper.get_lines()[1].get_xdata()) == 9
    assert [bar.get_height() for bar in lower.patches][-1] == 0


def test_bounds_do_not_stretch_the_axis_of_baselines(evaluation) -> None:
    data = forest_data(evaluation.tables["baselines"], "method", {})
    axes = draw_baselines(data, False).axes[0]
    low, high = axes.get_xlim()
    assert -2 < low < 0 < high < 3
    arrows = [(mark.get_marker(), float(mark.get_xdata()[0])) for mark in axes.get_lines() if mark.get_marker() in "<>"]
    assert sorted(arrows) == [("<", pytest.approx(low)), (">", pytest.approx(high))]
    # Their values stand at the edge all the same.
    assert any(text.get_text().startswith("-9.98") for text in axes.texts)


def test_domains_show_each_series_and_the_leading_number(evaluation) -> None:
    data = forest_data(evaluation.tables["results"], "domain", {"simulated/gsm8k": PaperRow("", ng=0.0803)})
    axes = draw_domains(data, False).axes[0]
    assert labels(axes)[2] == "gsm8k"
    # 9 correct and 1 harmful flip of 137.
    assert axes.texts[2].get_text() == "+5.84  (+4.84 to +6.84)"
    assert data.filter(series="published")["ng"].to_list() == [0.0803]


def test_transfer_and_missing_gains_are_drawn(evaluation) -> None:
    table = (
        evaluation.tables["results"]
        .filter(reading="cross_fitted")
        .with_columns(reading=pl.lit("transfer"), ng_exact=None, ng_exact_low=None, ng_exact_high=None)
    )
    axes = draw_transfer(forest_data(table, "domain", {}), False).axes[0]
    assert {text.get_text() for text in axes.texts} == {"-", "never trained on"}


def test_learning_curve_has_both_accountings_and_auc() -> None:
    curve = pl.DataFrame(
        {
            "divergent_train": [50.0, 100.0],
            "auc": [None, 0.7],
            "ng_exact": [0.0, 0.01],
            "ng_exact_low": [-0.01, 0.0],
            "ng_exact_high": [0.01, 0.02],
            "ng_paper": [0.0, 0.005],
        }
    )
    left, right = draw_learning_curve(curve, False).axes
    assert line(left, "exact accounting").get_ydata().tolist() == [0.0, 1.0]
    assert np.isnan(right.get_lines()[0].get_ydata()[0])


def test_null_panels_follow_what_was_asked_for(evaluation) -> None:
    tests = pl.DataFrame(
        {"test": ["permutation, exact accounting"], "reading": ["paper"], "statistic": [0.02], "p_value": [1 / 21]}
    )
    tables = {"permutations": evaluation.tables["permutations"], "tests": tests}
    data = null_data(tables)
    assert data["reading"].unique().to_list() == ["paper"]
    assert data["observed"].unique().to_list() == [0.02]
    (axes,) = draw_null(data, False).axes
    assert sum(bar.get_height() for bar in axes.patches) == 20
    assert axes.get_title().endswith("observed (line): p <= 0.048 (the least possible with 20)")
    null = pl.DataFrame(
        {"seed": [0, 1, 2], "ng_paper_exact": [0.01, 0.02, -0.01], "ng_cross_fitted_exact": [0.0, 0.0, -0.01]}
    )
    data = null_data({**tables, "null_corpora": null})
    assert data.select("source", "reading").unique().height == 3
    assert data.filter(source="null_corpora")["observed"].null_count() == 6
    panels = [axes for axes in draw_null(data, False).axes if axes.get_visible()]
    assert "2 of 3 above 0" in panels[1].get_title()


def test_seeds_show_every_job_and_the_published_mean() -> None:
    summary = pl.DataFrame(
        {
            "job": ["0", "1", "2"],
            "cross_fitted_ng_exact": [0.01, 0.02, None],
            "paper_ng_paper": [0.02, 0.03, 0.04],
            "cross_fitted_auc": [0.7, 0.71, 0.72],
            "paper_flip_precision_paper": pl.Series([None] * 3, dtype=pl.Float64),
        }
    )
    data = seeds_data(summary, load_paper().seeds)
    figure = draw_seeds(data, True)
    assert figure.get_suptitle() == "Spread over 3 seeds, not a sampling interval (simulated data)"
    dots = [mark for mark in figure.axes[1].get_lines() if mark.get_marker() == "o"]
    assert sorted(dots[0].get_ydata()) == pytest.approx([2, 3, 4])
    assert [mark.get_ydata()[0] for mark in figure.axes[1].get_lines() if mark.get_marker() == "D"] == pytest.approx(
        [1.65]
    )
    assert figure.axes[3].texts[0].get_text() == "no value"


def comparison(rows: list[dict]) -> pl.DataFrame:
    columns = ("ng_exact", "low", "high", "ng_paper", "auc", "published_ng", "published_auc")
    schema = {"varied": pl.String, "configuration": pl.String, "status": pl.String, "flag": pl.String, "jobs": pl.Int64}
    defaults = {"varied": "classifier", "status": "done", "flag": None, "jobs": 1}
    filled = [{**defaults, **dict.fromkeys(columns), **row} for row in rows]
    return pl.DataFrame(filled, schema={**schema, **dict.fromkeys(columns, pl.Float64)})


def test_a_comparison_names_what_has_no_result() -> None:
    data = comparison(
        [
            {"configuration": "lightgbm", "ng_exact": 0.01, "low": 0.0, "high": 0.02, "published_ng": 0.0171},
            {"configuration": "xgboost", "status": "not installed", "jobs": 0},
        ]
    )
    figure = draw_comparison(data, False)
    left = figure.axes[0]
    assert figure.get_suptitle() == "Net gain and AUC by classifier"
    assert labels(left) == ["lightgbm", "xgboost"]
    assert [text.get_text() for text in left.texts] == ["not installed"]
    assert line(left, "published: paper reading, paper accounting").get_xdata()[0] == pytest.approx(1.71)
    assert line(left, "held-out cuts, exact accounting (interval)").get_xdata()[0] == pytest.approx(1.0)


def test_a_bar_over_seeds_is_called_a_range() -> None:
    data = comparison([{"configuration": "a", "jobs": 5, "ng_exact": 0.01, "low": 0.0, "high": 0.02}])
    assert line(draw_comparison(data, False).axes[0], "held-out cuts, exact accounting (range over seeds)")


def test_a_hundred_configurations_are_cut_with_a_word() -> None:
    data = comparison([{"configuration": str(i), "ng_exact": 0.0} for i in range(100)])
    figure = draw_comparison(data, False)
    assert figure.get_suptitle().endswith("; first 60 of 100")
    assert len(labels(figure.axes[0])) == 60


def test_labels_are_no_formulas_and_foreign_scripts_no_warnings(tmp_path) -> None:
    data = comparison([{"configuration": "$\\frac{$ 数学", "ng_exact": 0.01}])
    paths = save_figure(tmp_path / "x", data, lambda: draw_comparison(data, False), 50)
    assert all(path.stat().st_size > 0 for path in paths)


def test_names_that_the_font_lacks_are_told_once(tmp_path, capsys) -> None:
    data = comparison([{"configuration": name, "ng_exact": 0.01} for name in ("数学", "plain", "🙂")])
    plans = [Plan(name, data, draw_comparison, "") for name in ("first", "second")]
    save_figures(tmp_path, plans, False, 50)
    # DejaVu Sans has neither Han letters nor the face U+1F642.
    assert capsys.readouterr().err == (
        "note: the figures' font lacks characters of 数学, 🙂: boxes in first, second; "
        "the names are in first.csv, second.csv\n"
    )
    save_figures(tmp_path, [Plan("third", data[1:2], draw_comparison, "")], False, 50)
    assert capsys.readouterr().err == ""


def test_labels_stay_different_where_they_are_cut_or_not_in_the_font() -> None:
    names = ["数学", "物理", "$_x_$", *(f"{'long ' * 8}{part}{' tail' * 3}" for part in ("one", "two"))]
    drawn = list(figure_labels(names).values())
    assert drawn[:3] == ["□□", "□□ #2", "$_x_$"]
    assert drawn[3:] == ["...ong one tail tail tail", "...ong two tail tail tail"]


def test_a_configuration_that_is_no_finding_says_so_in_its_label() -> None:
    data = comparison([{"configuration": "audit_only", "flag": "no such features in this log", "ng_exact": 0.0}])
    assert labels(draw_comparison(data, False).axes[0]) == ["audit_only\nno such features in this log"]


def test_axes_of_shares_end_where_shares_do(evaluation) -> None:
    summary = pl.DataFrame(
        {
            "job": ["0", "1"],
            "cross_fitted_ng_exact": [0.01, 0.02],
            "paper_ng_paper": [0.01, 0.02],
            "cross_fitted_auc": [0.0, 1.0],
            "paper_flip_precision_paper": [0.0, 1.0],
        }
    )
    seeds = draw_seeds(seeds_data(summary, {}), False)
    assert [axes.get_ylim() for axes in seeds.axes[2:]] == [(0.0, 1.0), (0.0, 100.0)]
    compared = comparison([{"configuration": "a", "ng_exact": 1.0, "low": 1.0, "high": 1.0, "auc": 1.0}])
    left, right = draw_comparison(compared, False).axes
    assert (left.get_xlim()[1], right.get_xlim()[1]) == (100.0, 1.0)
    curve = pl.DataFrame(
        {"divergent_train": [10, 20], "auc": [0.5, 1.0], **dict.fromkeys(("ng_exact", "ng_paper"), [0.0, 1.0])}
    )
    curve = curve.with_columns(ng_exact_low="ng_exact", ng_exact_high="ng_exact")
    assert [axes.get_ylim()[1] for axes in draw_learning_curve(curve, False).axes] == [100.0, 1.0]
    assert draw_calibration(evaluation.tables["calibration"], False).axes[0].get_ylim() == (0.0, 1.0)
    sure = forest_data(evaluation.tables["results"].with_columns(ng_exact=pl.lit(1.0)), "domain", {})
    assert draw_domains(sure, False).axes[0].get_xlim()[1] == 100.0


def test_style_leaves_global_settings_alone(evaluation, tmp_path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    table = evaluation.tables["calibration"]
    save_figure(tmp_path / "c", table, lambda: draw_calibration(table, True), 50)
    assert dict(matplotlib.rcParams) == before


def test_no_maximum_is_marked_where_nothing_gains(evaluation) -> None:
    sweep = evaluation.tables["threshold_sweep"].with_columns(ng_exact=pl.lit(0.0), ng_paper=pl.lit(-0.01))
    data = threshold_sweep_data({**evaluation.tables, "threshold_sweep": sweep}, None)
    left = draw_threshold_sweep(data, False).axes[0]
    assert not [mark for mark in left.get_lines() if mark.get_marker() == "o"]
