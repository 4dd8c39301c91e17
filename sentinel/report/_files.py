"""Files of a run, written under a temporary name and renamed: the same content gives the same bytes."""

import json
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from sentinel.errors import ReportError

# What the inference of types would get wrong in a CSV file: names that may look like numbers, and cuts kept as text.
_TEXT = ("id", "candidate", "domain", "method", "reading", "note", "test", "feature", "group", "direction", "series")


def write_atomic(path: Path, write: Callable[[Path], object]) -> Path:
    """Call `write` with a temporary name beside `path`, then rename; return `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def write_text(path: Path, text: str) -> Path:
    """Write UTF-8 text with Unix line ends."""
    return write_atomic(path, lambda target: target.write_bytes(text.encode("utf-8")))


def write_json(path: Path, value: Mapping[str, Any]) -> Path:
    """Write sorted, indented JSON; a number that is not finite becomes null."""
    text = json.dumps(_finite(value), sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
    return write_text(path, text + "\n")


def write_csv(path: Path, frame: pl.DataFrame) -> Path:
    """Write a table as CSV; a missing value is an empty field."""
    return write_text(path, frame.with_columns(pl.col(pl.Float64, pl.Float32).fill_nan(None)).write_csv())


def write_parquet(path: Path, frame: pl.DataFrame) -> Path:
    """Write a table as Parquet with fixed settings."""
    return write_atomic(path, lambda target: frame.write_parquet(target, compression="zstd", compression_level=3))


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON object; ReportError when the file does not hold one."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: not readable as JSON ({error}); run the job again") from error
    if not isinstance(value, dict):
        raise ReportError(f"{path}: expected a JSON object, found {type(value).__name__}")
    return value


def read_csv(path: Path) -> pl.DataFrame:
    """Return a table that `write_csv` wrote; a column without any value comes back as numbers."""
    header = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
    text = {name: pl.String for name in _TEXT if name in header}
    if {"reading", "tau"} <= set(header):
        text["tau"] = pl.String
    frame = pl.read_csv(path, infer_schema_length=None, schema_overrides=text)
    empty = [name for name in frame.columns if name not in text and frame[name].null_count() == frame.height]
    return frame.with_columns(pl.col(empty).cast(pl.Float64)) if empty else frame


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
