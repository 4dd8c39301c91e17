"""The fingerprint of a corpus: a table of debates and a table of candidates, and how they are kept on disk.

One file holds both tables (Parquet) and what they come from (JSON); it appears whole or not at all.
"""

import io
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import polars as pl

from sentinel.errors import FingerprintError

FORMAT = 1


@dataclass(frozen=True)
class Fingerprints:
    """What a classifier and an evaluation see of a corpus.

    `debates` has a row for each debate, by id, `candidates` a row for each minority candidate with its
    features as float columns (NaN = missing). `notes` is what a reader of results must know.
    """

    debates: pl.DataFrame
    candidates: pl.DataFrame
    name: str
    simulated: bool
    data_hash: str
    notes: tuple[str, ...]

    @property
    def gold_advice(self) -> str:
        """What to add where no debate has a gold answer: the note on a field that may be a misspelt one, if any."""
        return "".join(f"; {note}" for note in self.notes if note.endswith("did you mean gold?"))

    def save(self, path: Path) -> None:
        """Write everything to one file, under a temporary name first; an older file of that name is replaced."""
        about = {
            "format": FORMAT,
            "name": self.name,
            "simulated": self.simulated,
            "data_hash": self.data_hash,
            "notes": self.notes,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file, zipfile.ZipFile(file, "w") as archive:
                for name, table in (("debates.parquet", self.debates), ("candidates.parquet", self.candidates)):
                    buffer = io.BytesIO()
                    table.write_parquet(buffer)
                    archive.writestr(zipfile.ZipInfo(name), buffer.getvalue())
                archive.writestr(zipfile.ZipInfo("about.json"), json.dumps(about, ensure_ascii=False))
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote.

        Raises FingerprintError for a file that is no fingerprint of this version.
        """
        try:
            with zipfile.ZipFile(path) as archive:
                about = json.loads(archive.read("about.json"))
                debates, candidates = (
                    pl.read_parquet(io.BytesIO(archive.read(name)))
                    for name in ("debates.parquet", "candidates.parquet")
                )
        except (OSError, KeyError, ValueError, zipfile.BadZipFile, pl.exceptions.PolarsError) as error:
            raise FingerprintError(f"{path}: not a saved fingerprint ({error}); delete it and run again") from error
        if about.get("format") != FORMAT:
            raise FingerprintError(
                f"{path}: fingerprint format {about.get('format')}, expected {FORMAT}; delete it and run again"
            )
        return cls(
            debates=debates,
            candidates=candidates,
            name=about["name"],
            simulated=about["simulated"],
            data_hash=about["data_hash"],
            notes=tuple(about["notes"]),
        )
