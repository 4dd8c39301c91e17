"""Warnings about a debate that lies outside what a sentinel was trained on."""

import numpy as np

from sentinel.decision._training import FloatArray, Training, group_columns
from sentinel.records import Debate
from sentinel.settings import FeatureGroup

# A group missing as rarely as this in the training is one that the classifier has not learned to do without.
RARELY_ABSENT = 0.05
_NO_AUDIT = "; give decide the recorded audits (corpus.audits), or record them with task=audit"


def list_warnings(
    training: Training, features: tuple[str, ...], debate: Debate, row: FloatArray, stand_in: bool
) -> tuple[str, ...]:
    """Return what is unlike the training in a debate and its candidate's features (p,)."""
    warnings = []
    cut = "; the cut for all domains stands in" if stand_in else ""
    if debate.domain not in training.domains:
        warnings.append(f"domain {debate.domain}: not in the training data{cut}")
    elif stand_in:
        warnings.append(f"domain {debate.domain}: no divergent debate in the training data{cut}")
    for what, count, seen in (
        ("agents", len(debate.agents), training.agents),
        ("debate rounds", len(debate.rounds) - 1, training.rounds),
    ):
        if count not in seen:
            warnings.append(f"{count} {what}: trained on {', '.join(map(str, seen))}")
    for group, columns in group_columns(features).items():
        audit = group == FeatureGroup.audit
        # An audit is missing because nobody made or gave it, whatever the debate is like: any in the training will do.
        if np.isnan(row[columns]).all() and training.absent[group] < (1.0 if audit else RARELY_ABSENT):
            warnings.append(f"feature group {group}: missing, the training data had it{_NO_AUDIT if audit else ''}")
    outside = []
    for name, value in zip(features, row, strict=True):
        ends = training.ranges[name]
        if not np.isnan(value) and (ends is None or not ends[0] <= value <= ends[1]):
            outside.append(
                f"{name}={value:g} ({'none' if ends is None else f'{ends[0]:g} to {ends[1]:g}'} in training)"
            )
    if outside:
        warnings.append(f"outside the training range: {', '.join(outside)}")
    return tuple(warnings)
