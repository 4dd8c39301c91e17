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

# What of a run's metrics is read without asking whether it is there.
_METRICS = {"corpus": ("name", "data_hash", "debates"), "setup": ("seed", "classifier", "evaluation", "confidence")}


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


def read_metrics(path: Path) -> dict[str, Any]:
    """Return what a run measured; ReportError where a part of it is missing."""
    metrics = read_json(path)
    missing = [name for name, parts in _METRICS.items() if not set(parts) <= set(metrics.get(name) or ())]
    missing += [name for name in ("simulated", "overall", "notes") if name not in metrics]
    if missing:
        raise ReportError(f"{path}: incomplete, {', '.join(missing)} missing or cut short; run the job again")
    return metrics


def read_parquet(path: Path) -> pl.DataFrame:
    """Return a table that `write_parquet` wrote; ReportError when the file is missing or torn."""
    try:
        return pl.read_parquet(path)
    except FileNotFoundError as error:
        raise ReportError(f"{path}: missing; run the job again") from error
    except (OSError, pl.exceptions.PolarsError) as error:
        raise ReportError(f"{path}: not readable as Parquet ({_first_line(error)}); run the job again") from error


def read_csv(path: Path) -> pl.DataFrame:
    """Return a table that `write_csv` wrote; a column without any value comes back as numbers.

    Raises ReportError when the file is missing or torn.
    """
    try:
        content = path.read_text(encoding="utf-8")
        if not content.endswith("\n"):
            raise ReportError(f"{path}: torn, its last line has no end; run the job again")
        header = content.partition("\n")[0].split(",")
        text = {name: pl.String for name in _TEXT if name in header}
        if {"reading", "tau"} <= set(header):
            text["tau"] = pl.String
        frame = pl.read_csv(path, infer_schema_length=None, schema_overrides=text)
    except FileNotFoundError as error:
        raise ReportError(f"{path}: missing; run the job again") from error
    except (OSError, UnicodeError, pl.exceptions.PolarsError) as error:
        raise ReportError(f"{path}: not readable as CSV ({_first_line(error)}); run the job again") from error
    empty = [name for name in frame.columns if name not in text and frame[name].null_count() == frame.height]
    return frame.with_columns(pl.col(empty).cast(pl.Float64)) if empty else frame


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
