"""A sentinel as a folder of text files, written whole or not at all, and checked before it is believed."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sentinel.classifier import Classifier, load_classifier, save_classifier
from sentinel.errors import ClassifierError, DecisionError

MAIN_FILE = "sentinel.json"
CARD_FILE = "MODEL_CARD.md"
FORMAT = "minority-sentinel"
# Raised whenever a file's meaning changes, the formula of a feature included.
FORMAT_VERSION = 1
_OURS = frozenset({MAIN_FILE, CARD_FILE, "classifier.json", "model.txt", "model.json", "model.skops"})


def write_folder(folder: Path, classifier: Classifier, content: Mapping[str, Any], card: str) -> None:
    """Write all files beside `folder` and move them into place; an older sentinel there is replaced.

    Raises DecisionError where `folder` holds anything but a sentinel.
    """
    folder = folder.absolute()
    _check_replaceable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        fresh = work / "new"
        fresh.mkdir()
        save_classifier(classifier, fresh)
        files = {path.name: _digest(path.read_bytes()) for path in sorted(fresh.iterdir())}
        main = {"format": FORMAT, "format_version": FORMAT_VERSION, **content, "files": files}
        main["checksum"] = _checksum(main)
        (fresh / MAIN_FILE).write_text(json.dumps(main, indent=2, allow_nan=False) + "\n", encoding="utf-8")
        (fresh / CARD_FILE).write_text(card, encoding="utf-8")
        if folder.exists():
            os.replace(folder, work / "old")
        os.replace(fresh, folder)
    finally:
        shutil.rmtree(work)


def read_folder(folder: Path) -> tuple[Classifier, dict[str, Any]]:
    """Return the classifier and the content of the main file; runs no code of the folder's.

    Raises DecisionError, naming the file and the way out, where one is missing, changed, unreadable or of another
    version.
    """
    main = _read_main(folder)
    for name, digest in main["files"].items():
        if name not in _OURS:
            raise DecisionError(f"{folder / MAIN_FILE}: names a file {name} that no sentinel has; train again")
        path = folder / name
        if not path.is_file():
            raise DecisionError(f"{path}: missing; copy the whole folder, or train again")
        if _digest(path.read_bytes()) != digest:
            raise DecisionError(f"{path}: changed since it was saved; copy it anew, or train again")
    try:
        return load_classifier(folder), main
    except ClassifierError as error:
        raise DecisionError(f"{folder}: {error}") from error


def _read_main(folder: Path) -> dict[str, Any]:
    path = folder / MAIN_FILE
    if not path.is_file():
        raise DecisionError(
            f"{path}: missing; model= must name the folder of a trained sentinel (task=train makes one)"
        )
    try:
        main = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DecisionError(f"{path}: not readable as JSON ({error}); copy it anew, or train again") from error
    if not isinstance(main, dict) or main.get("format") != FORMAT:
        raise DecisionError(f"{path}: not a sentinel's; model= must name the folder of a trained sentinel")
    if main.get("format_version") != FORMAT_VERSION:
        raise DecisionError(
            f"{path}: format version {main.get('format_version')}, this sentinel reads {FORMAT_VERSION}; "
            "train again, or install the version that made it"
        )
    if main.pop("checksum", None) != _checksum(main) or not isinstance(main.get("files"), dict):
        raise DecisionError(f"{path}: changed since it was saved; copy it anew, or train again")
    return main


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise DecisionError(f"{folder}: is a file; choose another folder")
    names = {path.name for path in folder.iterdir()}
    if names and not (MAIN_FILE in names and names <= _OURS):
        raise DecisionError(f"{folder}: holds files that are not a sentinel's; choose another folder or empty it")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _checksum(main: Mapping[str, Any]) -> str:
    """Return the digest of the canonical JSON of everything but the checksum itself."""
    return _digest(json.dumps(main, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())
