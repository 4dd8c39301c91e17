"""Reading the command line beside Hydra: an order its parser takes, and what to say after it has refused.

Hints are looked for only after a failure, so that a good command line costs nothing.
"""

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import HydraException
from omegaconf import OmegaConf

from sentinel.paths import conf_dir
from sentinel.settings import Settings

_OPTIONS_WITH_VALUE = (
    "--config-dir",
    "-cd",
    "--config-path",
    "-cp",
    "--config-name",
    "-cn",
    "--package",
    "-p",
    "--cfg",
    "-c",
    "--experimental-rerun",
)


def print_hints(arguments: list[str]) -> None:
    """Print one hint to standard error for each override that cannot be meant as it stands."""
    for hint in find_hints(arguments):
        print(f"hint: {hint}", file=sys.stderr)


def find_hints(arguments: list[str]) -> list[str]:
    """Return the hints for the overrides among `arguments` (the command line without the program's name)."""
    groups = list_groups(config_folders(arguments))
    keys = set(_flatten(OmegaConf.to_container(OmegaConf.structured(Settings), enum_to_str=True)))
    hints = []
    for text in _overrides(arguments):
        try:
            override = OverridesParser.create().parse_override(text)
        except HydraException:
            hints.append(
                f"{text}: put the value in quotes, inside and out: 'key=\"value with = , ( ) or blanks\"'"
                if "=" in text
                else f"{text}: an override has the form key=value"
            )
            continue
        hints.extend(_hint_for(override, groups, keys))
    return hints


def order_arguments(arguments: list[str]) -> list[str]:
    """Return the flags, then the overrides: the parser takes no override after a flag that follows another override."""
    overrides = list(_overrides(arguments))
    remaining = list(overrides)
    flags = []
    for argument in arguments:
        if remaining and argument == remaining[0]:
            remaining.pop(0)
        else:
            flags.append(argument)
    return flags + overrides


def _hint_for(override: Override, groups: dict[str, set[str]], keys: set[str]) -> Iterator[str]:
    key = override.key_or_group.split("@")[0]
    if key in groups:
        value = override.value()
        choices = value.list if isinstance(value, ChoiceSweep) else [value]
        for chosen in choices:
            if not isinstance(chosen, str) or chosen in groups[key] or override.is_delete():
                continue
            near = difflib.get_close_matches(chosen, groups[key], n=3, cutoff=0.4)
            where = [f"{group}={chosen}" for group, options in groups.items() if chosen in options]
            if near or where:
                yield f"{key}={chosen}: did you mean {' or '.join([f'{key}={name}' for name in near] + where)}?"
            else:
                yield f"{key}={chosen}: no such option; have: {', '.join(sorted(groups[key]))}"
        return
    if key in keys or key.startswith("hydra") or any(key.startswith(f"{known}.") for known in _OPEN_KEYS):
        return
    near = difflib.get_close_matches(key, sorted({*groups, *keys} - {key.rpartition(".")[0]}), n=3, cutoff=0.6)
    # A bare leaf name is a likely slip too: rounds=3 for debate.rounds=3.
    near += [known for known in sorted(keys) if known.endswith(f".{key}") and known not in near][:3]
    if near:
        yield f"{key}: did you mean {' or '.join(near)}?"
    else:
        yield f"{key}: no such key or group; groups: {', '.join(sorted(groups))}"


_OPEN_KEYS = ("classifier.params", "dataset.fields", "agents")


def _overrides(arguments: list[str]) -> Iterator[str]:
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in _OPTIONS_WITH_VALUE:
            skip = True
        elif not argument.startswith("-"):
            yield argument


def config_folders(arguments: list[str]) -> list[Path]:
    """Return the folders that options come from: ours, and those that `--config-dir` names."""
    folders = [conf_dir()]
    for i, argument in enumerate(arguments):
        if argument in ("--config-dir", "-cd") and i + 1 < len(arguments):
            folders.append(Path(arguments[i + 1]))
        elif argument.startswith("--config-dir="):
            folders.append(Path(argument.partition("=")[2]))
    return folders


def find_broken_yaml(arguments: list[str]) -> str | None:
    """Return what is wrong with the first file of a `--config-dir` that is not YAML; Hydra would print a traceback."""
    for folder in config_folders(arguments)[1:]:
        for file in sorted(folder.rglob("*.yaml")):
            try:
                yaml.safe_load(file.read_text(encoding="utf-8"))
            except (yaml.YAMLError, UnicodeDecodeError) as error:
                return f"{file}: not a YAML file: {' '.join(str(error).split())}"
    return None


def list_groups(folders: list[Path]) -> dict[str, set[str]]:
    """Return the options of each group."""
    groups: dict[str, set[str]] = {}
    for folder in folders:
        for file in folder.glob("*/*.yaml"):
            groups.setdefault(file.parent.name, set()).add(file.stem)
    return groups


def _flatten(node: object, prefix: str = "") -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            name = f"{prefix}{key}"
            yield name
            yield from _flatten(value, f"{name}.")
