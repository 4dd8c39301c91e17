"""The Hydra callback that summarises a sweep when its last job has ended."""

import sys
import traceback
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from sentinel.settings import ReportSettings


class Aggregate(Callback):
    """Write the summary of a multirun of evaluations into its sweep folder, and print it."""

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        """Summarise the jobs' files; a failure is printed, since Hydra turns it into a warning."""
        try:
            from sentinel.report._aggregate import sweep_text, write_summary

            folder = Path(config.hydra.sweep.dir)
            summary, _ = write_summary(folder, ReportSettings.dpi)
            if summary is not None:
                print(f"\n{sweep_text(summary)}\nwritten to {folder}")
        except BrokenPipeError:
            # Whoever reads the output has seen enough; 141 is what a shell reports of that.
            raise SystemExit(141) from None
        except OSError as error:
            print(f"error: no summary: {error}", file=sys.stderr)
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            raise
