"""Turns foreign debate logs into ours: four known layouts, and any other by a mapping file.

In: JSON or JSON lines and `ImporterSettings`. Out: debates appended to a log, and a report of what was left out.
A record that is not understood for certain is refused with the reason; nothing is guessed.
"""

from sentinel.log_store.importer._import import ImportReport, import_log

__all__ = ["ImportReport", "import_log"]
