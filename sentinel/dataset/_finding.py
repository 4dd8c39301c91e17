"""Finds a dataset's files from `dataset.path`; what is missing is said with where to get it and what lies near."""

from collections.abc import Sequence
from pathlib import Path

from sentinel.dataset._draft import File, Loader
from sentinel.dataset._reading import HUB, SUFFIXES
from sentinel.errors import DatasetError
from sentinel.foreign import list_names, near_names
from sentinel.settings import DatasetSettings


def find_files(settings: DatasetSettings, loader: Loader) -> Sequence[File]:
    """Return the files to read, () for a dataset that needs none; a hub address is passed on as it is."""
    if loader.origin is None:
        return ()
    if settings.path is None:
        advice = "set 'dataset.path=...' to the file or its folder, or to hf://..."
        raise DatasetError(f"dataset.path: it needs a file; {advice}; {_get(loader)}")
    if settings.path.startswith(HUB):
        return (settings.path,)
    path = Path(settings.path).expanduser()
    if path.is_dir():
        return _search_folder(path, loader)
    if not path.exists():
        raise DatasetError(f"dataset.path={settings.path}: no such file or folder{_look_near(path)}; {_get(loader)}")
    if not path.is_file():
        raise DatasetError(f"dataset.path={settings.path}: a pipe or a device; save it as a file first")
    return (path,)


def _search_folder(folder: Path, loader: Loader) -> Sequence[File]:
    for pattern in loader.files:
        if found := sorted(folder.glob(pattern)):
            return found
    inside = list_names(_list_data(folder))
    wanted = f"expected {' or '.join(loader.files)}" if loader.files else "name one of its files"
    raise DatasetError(f"dataset.path={folder}: a folder; {wanted}; it holds: {inside}; {_get(loader)}")


def _look_near(path: Path) -> str:
    parent = path.parent
    if not parent.is_dir():
        return f" (nor is there {parent})"
    names = _list_data(parent)
    return near_names(path.name, names) or f"; {parent} holds: {list_names(names)}"


def _list_data(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir() if item.is_dir() or item.suffix.lower() in SUFFIXES)


def _get(loader: Loader) -> str:
    return f"where from: {loader.origin}"
