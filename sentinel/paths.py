"""Where conf/ lies: beside the package in a checkout, inside it in an installed wheel."""

from pathlib import Path


def conf_dir() -> Path:
    """Return the absolute path of the configuration directory."""
    package = Path(__file__).resolve().parent
    if (package.parent / "pyproject.toml").is_file():
        return package.parent / "conf"
    return package / "conf"
