"""Files: whole or not at all, the same bytes for the same content, and back again."""

import json
import math
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from sentinel.errors import ReportError
from sentinel.report._files import read_csv, read_json, write_atomic, write_csv, write_json, write_parquet


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def fail(target: Path) -> None:
        target.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, fail)
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "old"


def test_json_is_sorted_and_has_no_nan(tmp_path: Path) -> None:
    path = write_json(tmp_path / "m.json", {"b": [1, math.nan], "a": {"y": math.inf, "x": "é"}})
    assert path.read_bytes().decode() == (
        '{\n  "a": {\n    "x": "é",\n    "y": null\n  },\n  "b": [\n    1,\n    null\n  ]\n}\n'
    )
    assert json.loads(path.read_text(encoding="utf-8"))["b"] == [1, None]


def test_unreadable_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text("{")
    with pytest.raises(ReportError, match=r"m\.json: not readable as JSON"):
        read_json(tmp_path / "m.json")
    (tmp_path / "l.json").write_text("[1]")
    with pytest.raises(ReportError, match="expected a JSON object, found list"):
        read_json(tmp_path / "l.json")


def test_tables_come_back_from_csv_as_they_were(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "domain": ["007", "a,b"],
            "reading": ["paper", "paper"],
            "tau": ["0.81", "never"],
            "n": [3, 4],
            "auc": [0.1 + 0.2, None],
            "ng_exact_low": pl.Series([None, None], dtype=pl.Float64),
        }
    )
    assert_frame_equal(read_csv(write_csv(tmp_path / "t.csv", table)), table)
    cuts = pl.DataFrame({"reading": ["paper"], "tau": ["0.81"]})
    assert read_csv(write_csv(tmp_path / "c.csv", cuts))["tau"].to_list() == ["0.81"]
    sweep = pl.DataFrame({"tau": [0.05, 0.06], "cf": [1, 2]})
    assert read_csv(write_csv(tmp_path / "s.csv", sweep)).schema["tau"] == pl.Float64


def test_an_empty_table_keeps_its_columns(tmp_path: Path) -> None:
    table = pl.DataFrame(schema={"feature": pl.String, "splits": pl.Int64})
    back = read_csv(write_csv(tmp_path / "t.csv", table))
    assert back.columns == ["feature", "splits"]
    assert back.height == 0


def test_parquet_bytes_depend_on_the_content_alone(tmp_path: Path) -> None:
    table = pl.DataFrame({"id": ["a", "b"], "x": [1.5, None]})
    first = write_parquet(tmp_path / "1.parquet", table).read_bytes()
    assert write_parquet(tmp_path / "2.parquet", table.clone()).read_bytes() == first
