"""Whether there is a place for what a task makes; asked before anything is computed."""

import os
from pathlib import Path

from sentinel.errors import ConfigError


def check_place(out: Path, *, folder: bool = False) -> Path:
    """Return `out`; raises ConfigError where no file (or folder) of that name can be made or written."""
    try:
        if not folder and out.is_dir():
            raise ConfigError(f"out={out}: is a folder; name a file, which may lie in it")
        held = out.absolute()
        while not held.exists():
            held = held.parent
    except OSError as error:
        raise unwritable(out, error) from error
    if held != out.absolute() and not held.is_dir():
        raise ConfigError(f"out={out}: {held} is a file, so nothing can lie in it; choose another place")
    if not os.access(held, os.W_OK):
        raise ConfigError(f"out={out}: there is no right to write to {held}; choose another place")
    return out


def unwritable(out: Path, error: OSError) -> ConfigError:
    """Return what to raise where `out` could not be written after all."""
    return ConfigError(f"out={out}: cannot be written ({error.strerror}); choose another place")
