"""A sentinel as a folder, written whole or not at all, and checked before it is believed.

Its files are text, except that scikit-learn's models are zip archives as skops writes them; nothing in it is code.
"""

import hashlib
import json
import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypeGuard

from sentinel.classifier import Classifier, load_classifier, save_classifier
from sentinel.errors import ClassifierError, DecisionError

log = logging.getLogger(__name__)

MAIN_FILE = "sentinel.json"
CARD_FILE = "MODEL_CARD.md"
FORMAT = "minority-sentinel"
# Raised whenever a file's meaning changes, the formula of a feature included.
FORMAT_VERSION = 1
_OURS = frozenset({MAIN_FILE, CARD_FILE, "classifier.json", "model.txt", "model.json", "model.skops"})


def write_folder(folder: Path, classifier: Classifier, content: Mapping[str, Any], card: str) -> str | None:
    """Write all files beside `folder` and move them into place; return in words what was replaced, None for nothing.

    Raises DecisionError where `folder` holds anything but a sentinel, or cannot be made.
    """
    folder = folder.resolve()
    aside = _name_aside(folder)
    if aside.exists() and not folder.exists():
        os.replace(aside, folder)
    earlier = _find_earlier(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise DecisionError(f"{folder}: cannot be made ({error.strerror}); choose another folder") from error
    try:
        fresh = work / "new"
        fresh.mkdir()
        save_classifier(classifier, fresh)
        files = {path.name: _digest(path.read_bytes()) for path in sorted(fresh.iterdir())}
        main = {"format": FORMAT, "format_version": FORMAT_VERSION, **content, "files": files}
        main["checksum"] = _checksum(main)
        (fresh / MAIN_FILE).write_text(json.dumps(main, indent=2, allow_nan=False) + "\n", encoding="utf-8")
        (fresh / CARD_FILE).write_text(card, encoding="utf-8")
        _swap(fresh, folder, aside)
    finally:
        shutil.rmtree(work)
    if earlier is None:
        return None
    checksum, saved = earlier
    which = "the same sentinel" if checksum == main["checksum"] else "another sentinel"
    return f"{which}, saved {saved} (checksum {checksum[:12]})"


def read_folder(folder: Path) -> tuple[Classifier, dict[str, Any]]:
    """Return the classifier and the content of the main file; runs no code of the folder's.

    Raises DecisionError, naming the file and the way out, where one is missing, changed, unreadable or of another
    version. A missing model card is only logged: nothing is read from it.
    """
    if not folder.exists() and (aside := _name_aside(folder.resolve())).is_dir():
        folder = aside
    try:
        main = _read_main(folder)
        for name, digest in main["files"].items():
            if name not in _OURS:
                raise DecisionError(f"{folder / MAIN_FILE}: names a file {name} that no sentinel has; train again")
            path = folder / name
            if not path.is_file():
                raise DecisionError(f"{path}: missing; copy the whole folder, or train again")
            if _digest(path.read_bytes()) != digest:
                raise DecisionError(f"{path}: changed since it was saved; copy it anew, or train again")
        classifier = load_classifier(folder)
    except ClassifierError as error:
        raise DecisionError(f"{folder}: {error}") from error
    except OSError as error:
        raise DecisionError(f"{error.filename or folder}: cannot be read ({error.strerror})") from error
    if not (folder / CARD_FILE).is_file():
        log.warning("%s: missing; saving the loaded sentinel writes it again", folder / CARD_FILE)
    return classifier, main


def _read_main(folder: Path) -> dict[str, Any]:
    path = folder / MAIN_FILE
    if not folder.is_dir():
        what = "a file" if folder.exists() else "no such folder"
        raise DecisionError(f"{folder}: {what}; name the folder of a trained sentinel (task=train makes one)")
    if not path.is_file():
        raise DecisionError(
            f"{path}: missing; copy the whole folder, or name that of a trained sentinel (task=train makes one)"
        )
    try:
        main: object = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DecisionError(f"{path}: not readable as JSON ({error}); copy it anew, or train again") from error
    if not _is_ours(main):
        raise DecisionError(f"{path}: not a sentinel's; name the folder of a trained sentinel")
    if main.get("format_version") != FORMAT_VERSION:
        raise DecisionError(
            f"{path}: format version {main.get('format_version')}, this sentinel reads {FORMAT_VERSION}; "
            "train again, or install the version that made it"
        )
    try:
        whole = main.pop("checksum", None) == _checksum(main) and isinstance(main.get("files"), dict)
    except ValueError:
        whole = False
    if not whole:
        raise DecisionError(f"{path}: changed since it was saved; copy it anew, or train again")
    return main


def _is_ours(main: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(main, dict) and main.get("format") == FORMAT


def _name_aside(folder: Path) -> Path:
    """Return where an older sentinel waits while its successor takes its place."""
    return folder.with_name(f".{folder.name}.replaced")


def _swap(fresh: Path, folder: Path, aside: Path) -> None:
    """Put `fresh` in the place of `folder`. Killed half-way, it leaves the older one where loading and saving look."""
    shutil.rmtree(aside, ignore_errors=True)
    try:
        if folder.exists():
            os.replace(folder, aside)
        os.replace(fresh, folder)
    except BaseException:
        if aside.exists() and not folder.exists():
            os.replace(aside, folder)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def check_replaceable(folder: Path) -> None:
    """Raise DecisionError where `folder` holds anything but a sentinel, so that nobody trains for nothing."""
    _find_earlier(folder.resolve())


def _find_earlier(folder: Path) -> tuple[str, str] | None:
    """Return the checksum of the sentinel in `folder` and when it was saved, None where there is none.

    Raises DecisionError for anything else there.
    """
    if not folder.exists():
        return None
    if not folder.is_dir():
        raise DecisionError(f"{folder}: is a file; choose another folder")
    names = {path.name for path in folder.iterdir()}
    if not names:
        return None
    path = folder / MAIN_FILE
    try:
        main = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError):
        main = None
    if not names <= _OURS or not _is_ours(main):
        raise DecisionError(f"{folder}: holds files that are not a sentinel's; choose another folder or empty it")
    saved = datetime.fromtimestamp(path.stat().st_mtime)
    return str(main.get("checksum")), f"{saved:%Y-%m-%d %H:%M}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _checksum(main: Mapping[str, Any]) -> str:
    """Return the digest of the canonical JSON of everything but the checksum itself."""
    return _digest(json.dumps(main, sort_keys=True, separators=(",", ":"), allow_nan=False).encode())
