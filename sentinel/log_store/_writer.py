"""The appender: whole lines only, one process at a time, and a log torn by a crash repaired before it grows."""

import json
import logging
import os
import stat
import sys
import time
from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import TracebackType
from typing import Self

from sentinel.errors import LogError
from sentinel.log_store._codec import (
    KINDS,
    Record,
    explain_foreign,
    is_success,
    key_of,
    kind_of,
    record_from_dict,
    record_to_dict,
)
from sentinel.log_store._row import parse_line

_SYNC_SECONDS = 2.0
_BLOCK = 1 << 16
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)

log = logging.getLogger(__name__)


class LogWriter:
    """Appends records to a plain `.jsonl` file, which it locks against other writers and creates where absent.

    A line is handed to the system whole before `append` returns, so a killed process loses nothing it was told is
    written; against loss of power it is synced every 2 s and on close. What a crash tore off at the end moves to
    `<file>.torn`. Raises LogError for another kind of file, a locked one, and when a line cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.suffix != ".jsonl":
            packed = self.path.name.endswith((".jsonl.gz", ".parquet"))
            way_out = "unpack it first, or choose another name" if packed else f"e.g. {self.path.with_suffix('.jsonl')}"
            raise LogError(f"{path}: a log to append to ends in .jsonl; {way_out}")
        if any(wildcard in str(path) for wildcard in "*?"):
            raise LogError(f"{path}: is a glob; name the one file to append to")
        self._keys: tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]] | None = None
        self._synced = time.monotonic()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.path, _FLAGS, 0o644)
        except OSError as error:
            raise LogError(f"{path}: cannot be opened for appending: {error.strerror}") from error
        try:
            self._lock()
            self._check()
            self._repair()
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, record: Record) -> None:
        """Write one record as one line."""
        if self._file < 0:
            raise LogError(f"{self.path}: already closed; open a new LogWriter to append")
        line = _to_line(record)
        size = os.fstat(self._file).st_size
        written = 0
        try:
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError as error:
            raise LogError(f"{self.path}: cannot be written: {error.strerror}; all lines before are safe") from error
        finally:
            # A line cut short, by a full disk or an interrupt, would swallow the next one.
            if written < len(line):
                os.ftruncate(self._file, size)
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            os.fsync(self._file)
            self._synced = time.monotonic()
        if self._keys is not None:
            _add(self._keys, record)

    def done(self, kind: str) -> AbstractSet[Hashable]:
        """Return the keys of a kind with a success in the file: (id, candidate) for audits, else the debate id."""
        return self._find_keys(kind)[0]

    def tried(self, kind: str) -> AbstractSet[Hashable]:
        """Return the keys of a kind with any record in the file, as `done` those with a success."""
        return self._find_keys(kind)[1]

    def close(self) -> None:
        """Sync and release the file; closing twice is harmless."""
        if self._file < 0:
            return
        file, self._file = self._file, -1
        try:
            os.fsync(file)
        except OSError as error:
            raise LogError(f"{self.path}: cannot be synced to disk: {error.strerror}") from error
        finally:
            os.close(file)

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LogError(f"{self.path}: another process is writing to it; wait or choose another file") from None
        except OSError as error:
            raise LogError(f"{self.path}: cannot be locked: {error.strerror}; choose another folder") from error

    def _check(self) -> None:
        """Raise LogError for a file that is no log; damaged lines among records are left to the reader."""
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            raise LogError(f"{self.path}: is no plain file; choose another name")
        damaged = None
        holds_records = False
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    data = parse_line(line)
                except LogError as error:
                    # A crash may have torn the first line of all, which leaves no record but the start of one.
                    torn = not line.endswith(b"\n") and line.startswith((b"{", b"\0"))
                    damaged = damaged or (None if torn else self._refuse(number, str(error)))
                    continue
                if (reason := explain_foreign(data)) is not None:
                    raise self._refuse(number, reason)
                holds_records = True
        if damaged is not None and not holds_records:
            raise damaged

    def _refuse(self, line: int, reason: str) -> LogError:
        return LogError(f"{self.path}:{line}: {reason}; the file is no log to append to, choose another name")

    def _repair(self) -> None:
        """Give a last line without newline its newline if it is a whole record, else move it to the side file."""
        tail = self._read_tail()
        if not tail:
            return
        try:
            parse_line(tail)
        except LogError:
            with self.path.with_name(f"{self.path.name}.torn").open("ab") as side:
                side.write(tail + b"\n")
                side.flush()
                # Only once the side file is on disk may the bytes leave the log.
                os.fsync(side.fileno())
            os.ftruncate(self._file, os.fstat(self._file).st_size - len(tail))
            log.warning("%s: %d bytes of a torn last line moved to %s.torn", self.path, len(tail), self.path.name)
        else:
            os.write(self._file, b"\n")

    def _read_tail(self) -> bytes:
        """Return the bytes after the last newline."""
        start = os.fstat(self._file).st_size
        tail = b""
        while start > 0 and b"\n" not in tail:
            length = min(_BLOCK, start)
            start -= length
            os.lseek(self._file, start, os.SEEK_SET)
            tail = os.read(self._file, length) + tail
        return tail.rpartition(b"\n")[2]

    def _find_keys(self, kind: str) -> tuple[AbstractSet[Hashable], AbstractSet[Hashable]]:
        if kind not in KINDS:
            raise LogError(f"kind={kind!r}: no such record; have: {', '.join(KINDS)}")
        if self._keys is None:
            self._keys = self._scan()
        done, tried = self._keys
        return done[kind], tried[kind]

    def _scan(self) -> tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]]:
        keys: tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]] = (
            {kind: set() for kind in KINDS},
            {kind: set() for kind in KINDS},
        )
        with self.path.open("rb") as lines:
            for line in lines:
                try:
                    record = record_from_dict(parse_line(line))
                except LogError:
                    # Left to the reader, which reports it with its place.
                    continue
                _add(keys, record)
        return keys


def _add(keys: tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]], record: Record) -> None:
    done, tried = keys
    tried[kind_of(record)].add(key_of(record))
    if is_success(record):
        done[kind_of(record)].add(key_of(record))


def _to_line(record: Record) -> bytes:
    try:
        data = record_to_dict(record)
        try:
            return json.dumps(data, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        except UnicodeEncodeError:
            # Half of a cut surrogate pair has no UTF-8 form, but an escape holds it.
            return json.dumps(data, allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise LogError(f"{kind_of(record)} {record.id!r} has no JSON form: {error}") from error
