"""The rows of one log file as JSON objects with their line numbers; a row that cannot be read says why.

Takes `.jsonl`, `.jsonl.gz`, `.parquet` (one row a debate), and `-` for JSON lines on standard input.
"""

import gzip
import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol

from sentinel.errors import LogError
from sentinel.foreign import read_object

STANDARD_INPUT = "-"
SUFFIXES = (".jsonl", ".jsonl.gz", ".parquet")
WHOLE_FILE = 0

_CHUNK = 1 << 17
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP = b"\x1f\x8b"
_NAMES = {list: "an array", str: "a string", bool: "true or false", type(None): "null"}

Row = tuple[int, dict[str, Any] | LogError]


class Digest(Protocol):
    """A running hash of a file's content."""

    def update(self, data: bytes, /) -> None:
        """Take in the next bytes."""


def read_rows(file: Path, digest: Digest) -> Iterator[Row]:
    """Yield (line number, object) or (line number, why not); what concerns the whole file has the line number 0.

    `digest` takes in the unpacked content, so that packing a log does not change what it is.
    """
    empty = True
    for row in _read_table(file, digest) if file.suffix == ".parquet" else _read_json_lines(file, digest):
        empty = False
        yield row
    if empty:
        yield WHOLE_FILE, LogError("the file is empty")


def _read_json_lines(file: Path, digest: Digest) -> Iterator[Row]:
    for number, line in _split_lines(file, digest):
        if isinstance(line, LogError):
            yield number, line
        elif line.strip():
            try:
                yield number, parse_line(line)
            except LogError as error:
                yield number, error


def parse_line(line: bytes) -> dict[str, Any]:
    """Return the JSON object of one line; NaN reads as null. Raises LogError with the reason."""
    try:
        # A mark stands at the start of every line that was a file of its own before files were joined.
        value = _DECODER.decode(line.removeprefix(_BOM).decode())
        if b"\\ud" in line or b"\\uD" in line:
            value = _replace_lone_surrogates(value)
    except UnicodeDecodeError as error:
        raise LogError(f"not UTF-8: byte 0x{line[error.start]:02x} at position {error.start + 1}") from None
    except json.JSONDecodeError as error:
        nul = "; the line holds NUL bytes, as a crash or UTF-16 text leaves them" if b"\0" in line else ""
        raise LogError(f"not JSON: {error.msg} at column {error.colno}{nul}") from None
    except RecursionError:
        raise LogError("not readable: nested too deeply") from None
    except ValueError as error:
        # What Python adds on longer integers is no advice for a log.
        raise LogError(f"not readable: {str(error).partition(';')[0]}") from None
    if not isinstance(value, dict):
        raise LogError(f"expected a JSON object, found {_NAMES.get(type(value), 'a number')}")
    return value


def _read_constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(f"{name} is no number a log can hold")


_DECODER = json.JSONDecoder(parse_constant=_read_constant, object_pairs_hook=read_object)


def _replace_lone_surrogates(value: Any) -> Any:
    """Return the value with halves of cut surrogate pairs as U+FFFD: no file or table downstream can hold them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return value


def _split_lines(file: Path, digest: Digest) -> Iterator[tuple[int, bytes | LogError]]:
    """Yield the numbered lines of a file, whole ones only where a packed file is cut short."""
    number = 0
    pending: list[bytes] = []
    for chunk in _read_chunks(file):
        if isinstance(chunk, LogError):
            # A cut-off last line is part of the damage reported; a complete one only lacks its newline.
            if pending and pending[-1].endswith(b"}"):
                number += 1
                yield number, b"".join(pending)
            lost = f"what follows line {number} is lost" if number else "no line of it can be read"
            yield number, LogError(f"{chunk}; {lost}")
            return
        digest.update(chunk)
        if not number and not pending and chunk.startswith((*_UTF16, _GZIP)):
            kind = "compressed; name it .jsonl.gz" if chunk.startswith(_GZIP) else "UTF-16; save it as UTF-8"
            yield WHOLE_FILE, LogError(f"the file is {kind}")
            return
        head, *rest = chunk.split(b"\n")
        pending.append(head)
        for line in rest:
            number += 1
            yield number, b"".join(pending)
            pending = [line]
    if pending and any(pending):
        yield number + 1, b"".join(pending)


def _read_chunks(file: Path) -> Iterator[bytes | LogError]:
    try:
        with _open(file) as stream:
            while chunk := stream.read1(_CHUNK):
                yield chunk
    except EOFError:
        yield LogError("the compressed data end before their end mark")
    except (zlib.error, gzip.BadGzipFile) as error:
        if _is_packed(file):
            yield LogError(f"the compressed data are damaged ({error})")
        else:
            yield LogError("the file is not compressed, as .gz says; take that off its name")
    except OSError as error:
        yield LogError(f"cannot be read: {error.strerror or error}")


def _is_packed(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(2) == _GZIP


def _open(file: Path) -> AbstractContextManager[Any]:
    if str(file) == STANDARD_INPUT:
        # Closed by the caller (<&-), there is none.
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return nullcontext(sys.stdin.buffer)
    return gzip.open(file) if file.suffix == ".gz" else file.open("rb")


def _read_table(file: Path, digest: Digest) -> Iterator[Row]:
    import polars as pl

    try:
        content = file.read_bytes()
        digest.update(content)
        table = pl.read_parquet(content)
    except (pl.exceptions.PolarsError, OSError) as error:
        yield WHOLE_FILE, LogError(f"not readable as Parquet: {str(error).splitlines()[0]}")
        return
    for number, row in enumerate(table.iter_rows(named=True), start=1):
        try:
            yield number, {name: _unpack(name, value) for name, value in row.items()}
        except LogError as error:
            yield number, error


def _unpack(name: str, value: Any) -> Any:
    """Return a nested field, which a table may hold as a JSON string."""
    if name not in ("choices", "agents", "rounds", "meta", "answers", "ballots") or not isinstance(value, str):
        return value
    return parse_line(b'{"value":' + value.encode() + b"}")["value"] if value.strip() else None
