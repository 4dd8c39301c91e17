"""Reading the command line beside Hydra: an order its parser takes, and what to say after it has refused.

Hints are looked for only after a failure, so that a good command line costs nothing.
"""

import dataclasses
import difflib
import re
import sys
from collections.abc import Iterator

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import HydraException
from omegaconf import OmegaConf

import sentinel.settings
from sentinel._config_dir import config_folders, list_groups
from sentinel._secret import find_secret, redact
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
_IN_FILE = re.compile(r"In '(?P<name>[^']+)': ")
_UNKNOWN_KEY = re.compile(r"Key '(?P<key>[^']+)' not in '(?P<type>\w+)'")
_FULL_KEY = re.compile(r"full_key: (?P<key>\S+)")
_UNKNOWN_OPTION = re.compile(r"Could not find '(?P<group>[^']+)/(?P<option>[^'/]+)'")
_UNKNOWN_GROUP = re.compile(r"Could not override '(?P<group>[^']+)'")
_NEW_AGENT = re.compile(r"not a subclass of AgentSettings.*full_key: (?:agents\.)?(?P<name>\w+)", re.DOTALL)
_NOT_A_LIST = re.compile(r"override \+*(?P<key>[^=\s]+)=(?P<value>.*)\n.* is not a ListConfig")
_PACKAGE = re.compile(r"^#\s*@package\s+(?P<package>\S+)", re.MULTILINE)


def print_hints(arguments: list[str], message: str = "") -> None:
    """Print a hint to standard error for each slip on the command line, or in the file that `message` is about."""
    hints = [*find_hints(arguments), *find_file_hints(arguments, message)]
    # A command line has its own words for an unknown key, but for those of agents, which anybody may name.
    if not hints and (unknown := _UNKNOWN_KEY.search(message)):
        full_key = _FULL_KEY.search(message)
        hints = [_describe_unknown(unknown, full_key["key"].rpartition(unknown["key"])[0] if full_key else "")]
    if new := _NEW_AGENT.search(message):
        hints.append(
            f"agents.{new['name']}: a new agent needs a role and a model: "
            f"+roles@agents.{new['name']}.role=skeptic +agents.{new['name']}.model=openai/gpt-4o-mini"
        )
    if single := _NOT_A_LIST.search(message):
        hints.append(f"{single['key']} takes a list: '{single['key']}=[{redact(single['value'])}]'")
    for hint in hints:
        print(f"hint: {hint}", file=sys.stderr)


def find_file_hints(arguments: list[str], message: str) -> Iterator[str]:
    """Yield what is wrong in the file of a `--config-dir` that Hydra's `message` is about."""
    if not (where := _IN_FILE.search(message)):
        return
    for folder in config_folders(arguments)[1:]:
        file = folder / f"{where['name']}.yaml"
        if not file.is_file():
            continue
        package = _PACKAGE.search(file.read_text(encoding="utf-8"))
        if unknown := _UNKNOWN_KEY.search(message):
            if unknown["key"] == "experiment" and package is None:
                yield f"{file}: an experiment begins with the line `# @package _global_`"
            else:
                misplaced = package is not None and package["package"] != "_global_"
                placed = f" (its keys are placed by the line `{package[0]}`)" if package and misplaced else ""
                yield f"{file}: {_describe_unknown(unknown)}{placed}"
        elif missing := _UNKNOWN_OPTION.search(message):
            options = list_groups(config_folders(arguments)).get(missing["group"].lstrip("/"), set())
            near = difflib.get_close_matches(missing["option"], options, n=3, cutoff=0.4)
            yield f"{file}: no {missing['group']}/{missing['option']}; have: {', '.join(near or sorted(options))}"
        elif group := _UNKNOWN_GROUP.search(message):
            groups = list_groups(config_folders(arguments))
            near = difflib.get_close_matches(group["group"], groups, n=3, cutoff=0.6)
            yield f"{file}: no group {group['group']} to override; have: {', '.join(near or sorted(groups))}"
        elif full_key := _FULL_KEY.search(message):
            yield f"{file}: {full_key['key']}: a value that this key cannot take"


def _describe_unknown(unknown: re.Match[str], parent: str = "") -> str:
    known = getattr(sentinel.settings, unknown["type"], None)
    names = [field.name for field in dataclasses.fields(known)] if dataclasses.is_dataclass(known) else []
    if near := difflib.get_close_matches(unknown["key"], names, n=3, cutoff=0.6):
        return f"{parent}{unknown['key']}: did you mean {' or '.join(f'{parent}{name}' for name in near)}?"
    return f"{parent}{unknown['key']}: no such key; have: {', '.join(names)}"


def find_secret_argument(arguments: list[str]) -> str | None:
    """Return what is wrong with the first override that holds a key or password, without showing it."""
    for text in _overrides(arguments):
        key, _, raw = text.partition("=")
        value: object = raw
        try:
            value = OverridesParser.create().parse_override(text).value()
        except HydraException:
            pass
        if fault := find_secret(value, key.lstrip("+~")) or find_secret(text):
            return fault.lstrip(": ")
    return None


def overridden_keys(arguments: list[str]) -> list[str]:
    """Return the keys and groups that the command line overrides."""
    return [text.partition("=")[0].lstrip("+~") for text in _overrides(arguments)]


def find_hints(arguments: list[str]) -> list[str]:
    """Return the hints for the overrides among `arguments` (the command line without the program's name)."""
    groups = list_groups(config_folders(arguments))
    keys = set(_flatten(OmegaConf.to_container(OmegaConf.structured(Settings), enum_to_str=True)))
    hints = []
    for text in map(redact, _overrides(arguments)):
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


def _flatten(node: object, prefix: str = "") -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            name = f"{prefix}{key}"
            yield name
            yield from _flatten(value, f"{name}.")
