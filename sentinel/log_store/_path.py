"""Which files `corpus.path` and `corpus.exclude` name."""

import glob
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from sentinel.errors import LogError
from sentinel.foreign import near_names
from sentinel.log_store._field import count_of
from sentinel.log_store._row import STANDARD_INPUT, SUFFIXES
from sentinel.settings import CorpusSettings


@dataclass(frozen=True, slots=True)
class LogFiles:
    """The files to read, sorted, and what a user should know about the choice."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def list_files(settings: CorpusSettings) -> tuple[Path, ...]:
    """Return the files on disk that `load_corpus` would read for these settings; standard input is none."""
    files = find_logs(settings.paths, settings.exclude).files
    return tuple(file for file in files if str(file) != STANDARD_INPUT)


def find_logs(paths: Sequence[str], exclude: Sequence[str] = ()) -> LogFiles:
    """Return the log files that the paths and globs name, without those whose name or path an `exclude` glob matches.

    Raises LogError for a path or glob that names nothing, for a file that is no log, and when all are excluded.
    """
    found: dict[Path, Path] = {}
    strangers: set[Path] = set()
    for path in paths:
        matched = _expand(path)
        logs = [file for file in matched if str(file) == STANDARD_INPUT or _is_log(file)]
        if not logs:
            raise LogError(f"corpus.path={path}: {_explain(matched)}")
        found.update((file.absolute(), file) for file in logs)
        strangers.update(file for file in matched if file not in logs)
    notes = [f"not a log, left out: {list_few(strangers)}"] if strangers else []
    kept = dict.fromkeys(sorted(found.values()))
    for pattern in exclude:
        matched = [file for file in found.values() if _matches(file, pattern)]
        if not matched:
            notes.append(f"corpus.exclude={pattern} matches none of the files ({len(found)})")
        for file in matched:
            kept.pop(file, None)
    if not kept:
        left_out = f"leaves out {'all ' if len(found) > 1 else 'the '}{count_of(len(found), 'file')}"
        raise LogError(f"corpus.exclude={list_few(exclude)}: {left_out} of corpus.path={list_few(paths)}")
    return LogFiles(tuple(kept), tuple(notes))


def _expand(path: str) -> list[Path]:
    """Return the files one path or glob names."""
    if path == STANDARD_INPUT:
        return [Path(path)]
    literal = Path(path).expanduser()
    if literal.is_dir():
        raise LogError(f"corpus.path={path}: is a folder; name its files, e.g. {literal / '*.jsonl'}")
    if literal.exists() or literal.is_symlink():
        return [literal]
    matched = [Path(name) for name in glob.glob(str(literal), recursive=True)]
    # A folder that a glob happens to match is no loss; one that is called like a log is told.
    matched = [file for file in matched if not file.is_dir() or file.name.endswith(SUFFIXES)]
    if not matched:
        missing = "the glob matches no file" if glob.has_magic(path) else "there is no such file"
        raise LogError(f"corpus.path={path}: {missing}{_neighbours(literal)}")
    return matched


def _is_log(file: Path) -> bool:
    return file.name.endswith(SUFFIXES) and file.is_file()


def _explain(files: Sequence[Path]) -> str:
    """Return why none of some paths is a log."""
    first = next((file for file in files if file.name.endswith(SUFFIXES)), None)
    if first is None:
        return f"{list_few(files)} is no log; expected names in {', '.join(SUFFIXES)}"
    if first.is_dir():
        return f"{first} is a folder; name its files, e.g. {first / '*.jsonl'}"
    if not first.exists():
        return f"{first} is a link to a file that is not there"
    return f"{first} is a pipe or a device, which cannot be read twice; send it to standard input, with corpus.path=-"


def _neighbours(path: Path) -> str:
    """Return what lies near a path that names nothing: the names most like its first part that is not there."""
    folder = path
    while folder != folder.parent and not folder.is_dir():
        path, folder = folder, folder.parent
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_dir() or entry.name.endswith(SUFFIXES))
    return near_names(path.name, names, cutoff=0.4) or (f"; {folder} has: {list_few(names)}" if names else "")


def _matches(file: Path, pattern: str) -> bool:
    pattern = str(Path(pattern).expanduser())
    return any(fnmatchcase(name, pattern) for name in (file.name, str(file), str(file.absolute())))


def list_few(names: Iterable[Path | str]) -> str:
    """Return names sorted and with commas between, the first five of many."""
    shown = sorted(str(name) for name in names)
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
