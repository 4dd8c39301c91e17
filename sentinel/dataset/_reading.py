"""Reads records from JSON, JSON Lines, CSV and Parquet files, local or of the hub (hf://).

The content tells JSON Lines from JSON, since owners name both `.json`. Text stays as it is: no value becomes null
because it reads "None", and line breaks inside fields are kept.
"""

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentinel.dataset._draft import File
from sentinel.dataset._row import Row, parse_json
from sentinel.errors import DatasetError
from sentinel.foreign import list_names, show

if TYPE_CHECKING:
    import polars as pl

HUB = "hf://"
SUFFIXES = (".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".parquet")
# Where an object that wraps all records keeps them: SQuAD and the BIG-bench tasks do.
_FIELD_LIMIT = 2**31 - 1
_CONTAINERS = ("data", "examples")


def read_rows(files: Sequence[File]) -> Iterator[Row]:
    """Yield the records of files in their order."""
    for file in files:
        suffix = Path(file).suffix.lower()
        if isinstance(file, str):
            yield from _read_frame_rows(_open_hub(file, suffix), file.rpartition("/")[2])
        elif suffix == ".parquet":
            yield from _read_frame_rows(_open_parquet(file), file.name)
        elif suffix in (".csv", ".tsv"):
            yield from _read_csv_rows(file)
        elif suffix in SUFFIXES:
            yield from _read_json_rows(file)
        else:
            raise DatasetError(
                f"{file}: cannot tell the format by {suffix or 'no suffix'}; have: {', '.join(SUFFIXES)}"
            )


def read_cells(file: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the records of a CSV file with their places, the first one included, as lists of texts."""
    # A passage of a page or two is longer than the module's own bound.
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        # newline="": line breaks inside quoted fields belong to the field. utf-8-sig: spreadsheets write a mark first.
        with file.open(newline="", encoding="utf-8-sig") as stream:
            reader = csv.reader(stream, delimiter="\t" if file.suffix.lower() == ".tsv" else ",", strict=True)
            line = 1
            for cells in reader:
                if cells:
                    yield f"{file.name}:{line}", cells
                line = reader.line_num + 1
    except csv.Error as error:
        raise DatasetError(f"{file.name}:{line}: not CSV ({error})") from None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(file, error) from None


def _read_csv_rows(file: Path) -> Iterator[Row]:
    header: list[str] | None = None
    for place, cells in read_cells(file):
        if header is None:
            header = [name.strip() for name in cells]
            if len(set(header)) < len(header):
                raise DatasetError(f"{place}: the header names a column twice: {list_names(header)}")
        elif len(cells) != len(header):
            raise DatasetError(f"{place}: {len(cells)} fields; the header has {len(header)}: {list_names(header)}")
        else:
            yield Row(dict(zip(header, cells, strict=True)), place)


def _read_json_rows(file: Path) -> Iterator[Row]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(file, error) from None
    whole: Any = None
    if file.suffix.lower() == ".json":
        try:
            whole = parse_json(text)
        except json.JSONDecodeError as error:
            # HaluEval's .json files are JSON Lines: then the first line is a record by itself.
            if not _is_object(text.partition("\n")[0]):
                raise DatasetError(f"{file.name}:{error.lineno}: not JSON ({error.msg})") from None
    if whole is None:
        yield from _read_lines(text, file.name)
        return
    if isinstance(whole, dict):
        # A wrapper of records, else a single one.
        whole = next((whole[key] for key in _CONTAINERS if isinstance(whole.get(key), list)), [whole])
    if not isinstance(whole, list):
        raise DatasetError(f"{file.name}: {show(whole)}: expected a list of records")
    for i, item in enumerate(whole):
        yield _as_row(item, f"{file.name}[{i}]")


def _read_lines(text: str, name: str) -> Iterator[Row]:
    # Not splitlines: it also breaks at characters that JSON allows inside a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = parse_json(line)
        except json.JSONDecodeError as error:
            raise DatasetError(f"{name}:{number}: not JSON ({error.msg})") from None
        yield _as_row(item, f"{name}:{number}")


def _as_row(item: object, place: str) -> Row:
    if not isinstance(item, dict):
        raise DatasetError(f"{place}: {show(item)}: expected an object with named fields")
    return Row(item, place)


def _is_object(line: str) -> bool:
    try:
        return isinstance(parse_json(line), dict)
    except json.JSONDecodeError:
        return False


def _read_frame_rows(frame: "pl.DataFrame", name: str) -> Iterator[Row]:
    for i, data in enumerate(frame.iter_rows(named=True)):
        yield Row(data, f"{name} row {i}")


def _open_parquet(file: Path) -> "pl.DataFrame":
    import polars as pl

    try:
        return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise _unreadable(file, error) from None


def _open_hub(address: str, suffix: str) -> "pl.DataFrame":
    """Fetch a file of the hub; a directory or a glob of Parquet files will do as well."""
    import polars as pl

    try:
        match suffix:
            case ".parquet" | "":
                return pl.read_parquet(address)
            case ".jsonl" | ".ndjson":
                return pl.read_ndjson(address, infer_schema_length=None)
            case ".csv":
                # As texts; an empty field stays an empty text, as in a local file.
                return pl.read_csv(address, infer_schema=False).fill_null("")
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DatasetError(
            f"dataset.path={address}: the hub did not give it ({reason}); without network set dataset.path to a local "
            "copy of the file; a gated file needs the variable HF_TOKEN"
        ) from None
    raise DatasetError(f"dataset.path={address}: from the hub only .parquet, .jsonl and .csv are read")


def _unreadable(file: Path, error: Exception) -> DatasetError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error).splitlines()[0]
    return DatasetError(f"{file}: cannot be read ({reason})")
