"""A trained sentinel, and the refusal of settings that it was not trained with: it decides as it was trained."""

import dataclasses
from dataclasses import fields
from typing import TYPE_CHECKING

from sentinel.errors import ConfigError
from sentinel.pipeline._job import Run, need
from sentinel.pipeline._unused import is_given, show
from sentinel.settings import AuditKind, Settings

if TYPE_CHECKING:
    from sentinel.decision import Sentinel

_GROUPS = ("feature_groups", "classifier", "threshold", "fingerprint", "decision")
# A name changes nothing, and to abstain or not is a choice of whoever decides.
_FREE = ("feature_groups.name", "decision.strict")


def load_sentinel(settings: Settings, job: Run) -> "Sentinel":
    """Return the sentinel that `model` names.

    Raises ConfigError for a setting that was asked for, on the command line or by a file, and is not the trained one.
    """
    from sentinel.decision import Sentinel

    folder = need(settings.model, "model", "task=decide", "the folder of a trained sentinel, e.g. model=models/NAME")
    sentinel = Sentinel.load(folder)
    default = Settings()

    def compare(name: str, value: object, trained: object, usual: object) -> None:
        if value != trained and (value != usual or is_given(job.overrides, name)):
            said = name.removesuffix(".kind")
            group = name.partition(".")[0]
            kind = getattr(getattr(sentinel, group, None), "kind", None)
            # A value may belong to another kind than the trained one, which then says more than the value.
            within = "" if kind is None or said == group else f"{group}={show(kind)}, "
            raise ConfigError(
                f"{said}={show(value)}: {folder} was trained with {within}{said}={show(trained)} and decides with it; "
                f"train another with {said}={show(value)}, or leave it out here"
            )

    for group in _GROUPS:
        ours, theirs, usual = (getattr(source, group) for source in (settings, sentinel, default))
        for field in fields(ours):
            if f"{group}.{field.name}" not in _FREE:
                values = (getattr(source, field.name) for source in (ours, theirs, usual))
                compare(f"{group}.{field.name}", *values)
    # Whose recorded audits they are makes no difference to how they are read.
    if AuditKind.lexical in (settings.audit.kind, sentinel.audit.kind):
        compare("audit.kind", settings.audit.kind, sentinel.audit.kind, default.audit.kind)
    compare("seed", settings.seed, sentinel.random_state, default.seed)
    sentinel.decision = dataclasses.replace(sentinel.decision, strict=settings.decision.strict)
    return sentinel
