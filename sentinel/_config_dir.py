"""A user's own options, the files under `--config-dir`: which there are, and what is wrong with one before it is read.

Hydra would answer a broken file with a traceback, an empty one with silence, and copy a key into the run's folder.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from sentinel._secret import find_secret
from sentinel.paths import conf_dir


def config_folders(arguments: list[str]) -> list[Path]:
    """Return the folders that options come from: ours, and those that `--config-dir` names."""
    return [conf_dir(), *map(Path, _values_of(arguments, "--config-dir", "-cd"))]


def list_groups(folders: list[Path]) -> dict[str, set[str]]:
    """Return the options of each group."""
    groups: dict[str, set[str]] = {}
    for folder in folders:
        for file in folder.glob("*/*.yaml"):
            groups.setdefault(file.parent.name, set()).add(file.stem)
    return groups


def find_file_fault(arguments: list[str], overridden: Iterable[str]) -> str | None:
    """Return what is wrong with a `--config-dir` or the first of its files; `overridden` are the overrides' keys."""
    for folder in config_folders(arguments)[1:]:
        if not folder.is_dir():
            return f"--config-dir={folder}: no such folder; it holds options of your own as {folder}/GROUP/NAME.yaml"
        for file in _option_files(folder, arguments, overridden):
            inside = file.relative_to(folder)
            if (conf_dir() / inside).is_file():
                return f"{file}: a built-in option has this name and would be used in its place; rename yours"
            if fault := _describe_fault(file, inside.parts[0]):
                return fault
    return None


def _values_of(arguments: list[str], *names: str) -> Iterator[str]:
    for argument, following in zip(arguments, [*arguments, ""][1:], strict=True):
        name, equals, value = argument.partition("=")
        if name in names and (equals or following):
            yield value if equals else following


def _option_files(folder: Path, arguments: list[str], overridden: Iterable[str]) -> Iterator[Path]:
    """Yield the files that Hydra may read; others, say of a project around them, are none of our business."""
    for name in _values_of(arguments, "--config-name", "-cn"):
        yield from folder.glob(f"{name.removesuffix('.yaml')}.yaml")
    groups = {group.split("@")[0].split("/")[0] for group in overridden} | {*list_groups([conf_dir()]), "hydra"}
    for group in sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name in groups):
        yield from sorted((folder / group).rglob("*.yaml"))


def _describe_fault(file: Path, group: str) -> str | None:
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
        # Its loader refuses a key that stands twice, too.
        OmegaConf.load(file)
    except UnicodeDecodeError as error:
        return f"{file}: not a YAML file: byte {error.start + 1} is not UTF-8; save it as UTF-8"
    except yaml.YAMLError as error:
        # Not its whole text, which quotes the file.
        mark = getattr(error, "problem_mark", None)
        place = f"{file}:{mark.line + 1}" if mark else str(file)
        return f"{place}: not a YAML file: {getattr(error, 'problem', None) or type(error).__name__}"
    except OSError as error:
        # OmegaConf's own for a single number at the top has no strerror.
        return f"{file}: {error.strerror or _NO_KEYS}"
    except OmegaConfBaseException as error:
        return f"{file}: not readable as a configuration: {type(error).__name__}"
    if content is None:
        return f"{file}: empty; write its keys as `key: value` lines, or delete it"
    if not isinstance(content, dict):
        return f"{file}: {_NO_KEYS}"
    secret = find_secret(content, "" if group in ("experiment", file.name) else group)
    return f"{file}: {secret}" if secret else None


_NO_KEYS = "expected `key: value` lines at the top level, not a list or a single value"
