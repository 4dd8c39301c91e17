"""Where one job runs, and small things that tasks share."""

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sentinel.errors import ConfigError


@dataclass(frozen=True)
class Run:
    """Where Hydra put this job, and how it was asked for. `sweep_dir` is None in a plain run.

    `flags` are the arguments beside the overrides that the same configuration needs, such as `--config-dir`.
    """

    folder: Path
    sweep_dir: Path | None
    overrides: tuple[str, ...]
    flags: tuple[str, ...] = ()


def need(value: str | None, name: str, task: str, what: str) -> str:
    if value is None:
        raise ConfigError(f"{name}=null: {task} needs {what}")
    return value


def to_plain(settings: object) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(settings), default=str))  # type: ignore[call-overload]


def short_hash(*parts: object) -> str:
    plain = [to_plain(part) if dataclasses.is_dataclass(part) else str(part) for part in parts]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:10]
