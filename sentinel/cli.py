"""The command line: Hydra's config in, typed settings out, and what a user sees when something is wrong.

The only module with `hydra.main`. Errors of sentinel's own are printed in one line; a failing job of a sweep is
recorded in its folder so that the rest goes on (Hydra would skip the summary otherwise).
"""

import json
import logging
import sys
import traceback
from pathlib import Path

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.types import RunMode
from omegaconf import DictConfig

from sentinel._help import format_help
from sentinel._hint import find_broken_yaml, order_arguments, print_hints
from sentinel.errors import ConfigError, SentinelError
from sentinel.paths import conf_dir
from sentinel.settings import from_config, register

log = logging.getLogger(__name__)

_failed_jobs: list[str] = []


def main() -> None:
    """Run `python -m sentinel`; exit with status 1 when the run, or any job of a sweep, failed."""
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(format_help(sys.argv[1:]))
        return
    register()
    sys.argv[1:] = order_arguments(sys.argv[1:])
    if broken := find_broken_yaml(sys.argv[1:]):
        sys.exit(f"error: {broken}")
    try:
        _app()
    except SystemExit as exit_:
        if exit_.code not in (None, 0, 2):
            print_hints(sys.argv[1:])
        raise
    except KeyboardInterrupt:
        print("interrupted; the same command goes on with what is missing", file=sys.stderr)
        sys.exit(130)
    if _failed_jobs:
        sys.exit(1)


@hydra.main(version_base="1.3", config_path=str(conf_dir()), config_name="config")
def _app(config: DictConfig) -> float | None:
    from sentinel.pipeline import Run, run

    hydra_config = HydraConfig.get()
    folder = Path(hydra_config.runtime.output_dir)
    in_sweep = hydra_config.mode is RunMode.MULTIRUN
    # An optimiser needs the exception to count the trial as failed; the built-in sweeper would stop the whole sweep.
    records_failures = in_sweep and "basic" in str(hydra_config.runtime.choices.get("hydra/sweeper"))
    sweep_dir = folder.parent if in_sweep else None
    try:
        return run(from_config(config), Run(folder, sweep_dir, tuple(hydra_config.overrides.task)))
    except Exception as error:
        if records_failures:
            _record_failure(folder, error)
            return None
        if isinstance(error, SentinelError):
            print(f"error: {error}", file=sys.stderr)
            if isinstance(error, ConfigError):
                print_hints(sys.argv[1:])
            sys.exit(2)
        raise


def _record_failure(folder: Path, error: Exception) -> None:
    """Write error.json for the sweep's summary, and say at once which job failed and why."""
    expected = isinstance(error, SentinelError)
    record = {"type": type(error).__name__, "message": str(error)}
    if not expected:
        record["traceback"] = "".join(traceback.format_exception(error))
    (folder / "error.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    log.error("job %s failed: %s", folder.name, error, exc_info=not expected)
    # The summary shows a missing package as a row of its own, so it does not fail the sweep.
    if "not installed" not in record["message"]:
        _failed_jobs.append(folder.name)
