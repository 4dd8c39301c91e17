"""Replies that were paid for: an SQLite file that survives kill -9 and serves several processes at once.

In: the SHA-256 of a request. Out: its reply as it came, as JSON. It holds no request, no key and no failure.
"""

import dataclasses
import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sentinel.errors import ConfigError
from sentinel.llm._request import Completion

log = logging.getLogger(__name__)

KEY_VERSION = 1
_BUSY_SECONDS = 30.0
_FIELDS = ("text", "usage", "cost", "latency", "attempts", "finish_reason")


def request_key(request: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of the request's canonical JSON."""
    canonical = json.dumps(
        {"version": KEY_VERSION, **request}, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


class CallCache:
    """Replies by request key; memory does not grow with their number."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._warned = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # No transactions of its own: each reply is on disk before it is used.
            self._database = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._open()
        except (sqlite3.Error, OSError) as error:
            raise ConfigError(
                f"llm.cache={path}: cannot be used ({error}); name another file, or null for none"
            ) from None

    def get(self, key: str) -> Completion | None:
        """Return the reply kept under the key, marked as cached."""
        row = self._database.execute("SELECT reply FROM calls WHERE key = ?", (key,)).fetchone()
        return None if row is None else Completion(**json.loads(row[0]), cached=True)

    def put(self, key: str, completion: Completion) -> None:
        """Keep the reply; of two processes with the same request the first one's stays."""
        reply = {name: value for name, value in dataclasses.asdict(completion).items() if name in _FIELDS}
        kept = json.dumps(reply, separators=(",", ":"))
        try:
            self._database.execute("INSERT OR IGNORE INTO calls (key, reply) VALUES (?, ?)", (key, kept))
        except sqlite3.Error as error:
            # A reply that cannot be kept, on a full disk say, is still a reply.
            if not self._warned:
                self._warned = True
                log.error("llm.cache=%s: replies are not kept any more (%s)", self._path, error)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _open(self) -> None:
        give_up = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                # A change of the journal's mode does not wait for other processes by itself.
                self._database.execute("PRAGMA journal_mode = WAL")
                self._database.execute("PRAGMA synchronous = NORMAL")
                self._database.execute(
                    "CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID"
                )
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > give_up:
                    raise
                time.sleep(0.01)
