"""Which jobs a sweep was to run, from what Hydra wrote before the first of them."""

from itertools import product
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from yaml import YAMLError

_SWEEPER = "hydra._internal.core_plugins.basic_sweeper.BasicSweeper"


def read_planned(folder: Path) -> list[list[str]] | str:
    """Return the overrides of every job in order (job 0 first), or why they cannot be known."""
    file = folder / "multirun.yaml"
    if not file.is_file():
        return "no multirun.yaml"
    try:
        config = OmegaConf.load(file)
    except (OSError, UnicodeError, YAMLError):
        return "a torn multirun.yaml"
    sweeper = OmegaConf.select(config, "hydra.sweeper._target_")
    subdir = OmegaConf.to_container(config, resolve=False)["hydra"]["sweep"]["subdir"]  # type: ignore[call-overload,index]
    if sweeper != _SWEEPER or subdir != "${hydra.job.num}":
        return f"jobs of {sweeper} in subfolders {subdir}"
    params = OmegaConf.select(config, "hydra.sweeper.params") or {}
    task = OmegaConf.select(config, "hydra.overrides.task") or []
    return _expand([*(f"{name}={value}" for name, value in params.items()), *(str(line) for line in task)])


def read_replaced(folder: Path) -> list[str]:
    """Return the values of an experiment that the command line replaced, as key=value; none where that is unknown."""
    if isinstance(read_planned(folder), str):
        return []
    config = OmegaConf.load(folder / "multirun.yaml")
    params = OmegaConf.select(config, "hydra.sweeper.params") or {}
    given = {str(line).partition("=")[0] for line in OmegaConf.select(config, "hydra.overrides.task") or []}
    return [f"{name}={value}" for name, value in params.items() if name in given]


def _expand(lines: list[str]) -> list[list[str]] | str:
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    try:
        parsed = OverridesParser.create().parse_overrides(lines)
        # As Hydra has it: what the command line says of a key takes the place of what an experiment says.
        choices = {override.get_key_element(): _choices(override) for override in parsed}
    except HydraException as error:
        return f"overrides that do not parse: {error}"
    return [list(chosen) for chosen in product(*choices.values())]


def _choices(override: Any) -> list[str]:
    name = override.get_key_element()
    if override.is_sweep_override():
        return [f"{name}={value}" for value in override.sweep_string_iterator()]
    return [f"{name}={override.get_value_element_as_str()}"]
