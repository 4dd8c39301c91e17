"""The command line: Hydra's config in, typed settings out, and what a user sees when something is wrong.

The only module with `hydra.main`. Errors that a user can mend are printed in one line; a failing job of a sweep is
recorded in its folder so that the rest goes on (Hydra would skip the summary otherwise).
"""

import codecs
import dataclasses
import json
import logging
import os
import shutil
import sys
import traceback
from pathlib import Path
from typing import Any

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from sentinel._config_dir import find_file_fault
from sentinel._help import format_help
from sentinel._hint import find_secret_argument, order_arguments, overridden_keys, print_hints
from sentinel._secret import find_secret, redact
from sentinel.errors import BudgetReached, ConfigError, SentinelError
from sentinel.paths import conf_dir
from sentinel.settings import Settings, from_config, register

log = logging.getLogger(__name__)

PIPE_CLOSED = 141  # what a shell reports of a program that SIGPIPE ended
UNFINISHED = 3  # a bound on cost, calls, tokens or time was reached; the same command goes on
_CONFIG_NAME = "config"
_OF_SWEEPS = ("hydra.mode", "hydra.sweep", "hydra/sweep", "hydra.launcher", "hydra/launcher")
_MANUAL = "\nSee https://hydra.cc/"  # of an old version; our hint says more
_SHOWS_TRACEBACKS = os.environ.get("HYDRA_FULL_ERROR") == "1"

_failed_jobs: list[str] = []


def main() -> None:
    """Run `python -m sentinel`; exit with status 1 when the run, or any job of a sweep, failed."""
    codecs.register_error("json_escape", _escape)
    # Closed by the caller (>&-), there is none.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")
    sys.stdout.reconfigure(errors="json_escape")  # type: ignore[union-attr]
    # A log line that cannot be written, say on a full disk, is no reason for a page of its own.
    logging.raiseExceptions = False
    try:
        try:
            _start()
        finally:
            sys.stdout.flush()
    except OSError as error:
        # The interpreter flushes once more at its end.
        _silence_output()
        if isinstance(error, BrokenPipeError):
            sys.exit(PIPE_CLOSED)
        sys.exit(f"error: standard output: {error.strerror}")


def _silence_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _escape(error: UnicodeError) -> tuple[str, int]:
    """Write what standard output cannot encode as JSON does, so that lines of JSON stay JSON."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _start() -> None:
    if {"--help", "-h"} & set(sys.argv[1:]):
        print(format_help(sys.argv[1:]))
        return
    register()
    sys.argv[1:] = arguments = order_arguments(sys.argv[1:])
    fault = find_secret_argument(arguments) or find_file_fault(arguments, overridden_keys(arguments))
    if fault:
        sys.exit(f"error: {fault}")
    # Hydra then hands on its errors, instead of printing a traceback where a folder cannot be made.
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        _app()
    except BrokenPipeError:
        raise
    except Exception as error:
        sys.exit(_report(error))
    except KeyboardInterrupt:
        print("interrupted; the same command goes on with what is missing", file=sys.stderr)
        sys.exit(130)
    if _failed_jobs:
        sys.exit(1)


@hydra.main(version_base="1.3", config_path=str(conf_dir()), config_name=_CONFIG_NAME)
def _app(config: DictConfig) -> float | None:
    from sentinel.pipeline import Run, run

    hydra_config = HydraConfig.get()
    folder = Path(hydra_config.runtime.output_dir)
    in_sweep = hydra_config.mode is RunMode.MULTIRUN
    # An optimiser needs the exception to count the trial as failed; the built-in sweeper would stop the whole sweep.
    records_failures = in_sweep and "basic" in str(hydra_config.runtime.choices.get("hydra/sweeper"))
    sweep_dir = folder.parent if in_sweep else None
    try:
        settings = from_config(config)
        _refuse_secrets(settings, hydra_config, folder)
        overrides = tuple(hydra_config.overrides.task)
        return run(settings, Run(folder, sweep_dir, overrides, restart_flags(hydra_config)))
    except BrokenPipeError:
        # Whoever reads the output has seen enough. What a job of a sweep prints stands in its folder by then, and the
        # other jobs go on; to a single run, Hydra would say that it failed.
        if not in_sweep:
            sys.exit(PIPE_CLOSED)
        _silence_output()
        return None
    except Exception as error:
        if records_failures:
            _record_failure(folder, error)
            return None
        if in_sweep or not isinstance(error, SentinelError | OSError):
            raise
        sys.exit(_report(error, folder))


def _refuse_secrets(settings: Settings, hydra_config: Any, folder: Path) -> None:
    """Raise ConfigError if a key came by a way that the look at the command line and its files does not know."""
    variables = OmegaConf.to_container(hydra_config.job.env_set)
    fault = find_secret(dataclasses.asdict(settings)) or find_secret(variables, "hydra.job.env_set")
    if fault:
        if hydra_config.output_subdir is not None:
            shutil.rmtree(folder / hydra_config.output_subdir, ignore_errors=True)
        raise ConfigError(fault)


def restart_flags(hydra_config: Any) -> tuple[str, ...]:
    """Return what the command line of a job needs beside its overrides to be run again, by itself.

    From Hydra's record and not from sys.argv, which a job in a process of its own does not have.
    """
    sources = {source.provider: source.path for source in hydra_config.runtime.config_sources}
    flags = []
    if sources.get("main") not in (None, str(conf_dir())):
        flags += ["--config-path", sources["main"]]
    if hydra_config.job.config_name != _CONFIG_NAME:
        flags += ["--config-name", hydra_config.job.config_name]
    if own := sources.get("command-line"):
        here = Path(hydra_config.runtime.cwd)
        flags += ["--config-dir", os.path.relpath(own, here) if Path(own).is_relative_to(here) else own]
    # A sweep of this one job, as the defaults in a sweep are others than in a plain run.
    flags += ["--multirun"] if hydra_config.mode is RunMode.MULTIRUN else []
    return (*flags, *(text for text in hydra_config.overrides.hydra if not text.lstrip("+~").startswith(_OF_SWEEPS)))


def _report(error: Exception, folder: Path | None = None) -> int:
    """Print an error to standard error as its kind allows, and return the exit status."""
    if _SHOWS_TRACEBACKS:
        traceback.print_exception(error)
    # As logging wraps it, where the run's log cannot be opened.
    wrapped = isinstance(error, ValueError) and isinstance(error.__cause__, OSError)
    match error.__cause__ if wrapped else error:
        case SentinelError():
            print(f"error: {error}", file=sys.stderr)
            if isinstance(error, ConfigError):
                print_hints(sys.argv[1:])
            return UNFINISHED if isinstance(error, BudgetReached) else 2
        # Before OSError, as an option that does not exist is one to Hydra.
        case HydraException() | OmegaConfBaseException():
            message = f"{error}\n{error.__cause__}" if error.__cause__ else str(error)
            print(f"error: {redact(message.partition(_MANUAL)[0])}", file=sys.stderr)
            print_hints(sys.argv[1:], message)
        case OSError() as cause:
            print(f"error: {_describe(cause, folder)}", file=sys.stderr)
            return 2
        case _ if not _SHOWS_TRACEBACKS:
            traceback.print_exception(error)
    return 1


def _describe(error: OSError, folder: Path | None) -> str:
    if folder is None:
        # Hydra makes folders before a job begins.
        way_out = (
            "a run writes there; name another folder by hydra.run.dir=FOLDER (a sweep's by hydra.sweep.dir=FOLDER)"
        )
        return f"{error.filename}: {error.strerror}; {way_out}"
    if error.filename is None:
        return f"{error.strerror or error}: while writing to standard output, or results to {folder}"
    return f"{error.filename}: {error.strerror}"


def _record_failure(folder: Path, error: Exception) -> None:
    """Write error.json for the sweep's summary, and say at once which job failed and why."""
    record = {"type": type(error).__name__, "message": redact(str(error))}
    if not isinstance(error, SentinelError):
        record["traceback"] = redact("".join(traceback.format_exception(error)))
    text = record["message"] if isinstance(error, OSError) else record.get("traceback", record["message"])
    (folder / "error.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    log.error("job %s failed: %s", folder.name, text)
    # The summary shows a missing package as a row of its own, so it does not fail the sweep.
    if "not installed" not in record["message"]:
        _failed_jobs.append(folder.name)
