"""The model card: in words, what a sentinel is, what it was trained on, and what it must not be used for."""

from collections.abc import Iterable

from sentinel.decision._training import Record, Training
from sentinel.settings import Accounting, ClassifierSettings, ThresholdKind, ThresholdScope, ThresholdSettings
from sentinel.threshold import Thresholds

_INTENDED = """\
Applied to a finished debate, the sentinel keeps the majority's answer or replaces it by a minority's. It reads numbers
taken from the debate log and calls no language model.

Do not use it

- on debates unlike those above: other questions, models, roles or prompts, another number of agents or rounds.
  Decisions warn of a domain, a number of agents or rounds, a missing feature group and feature values that the training
  did not have; with `decision.strict=true` the vote is kept instead. Other models, roles or prompts go unnoticed;
- as a check of whether an answer is true: it only compares two camps of one debate, and both can be wrong;
- where a wrong answer does harm and nobody looks at it: a right majority can be overturned, and a wrong one be kept;
- with features computed otherwise than in the training (another auditor, other fingerprint settings).
"""
_SIMULATED = """\
> **SIMULATED.** This sentinel was trained on debates that no model ever held. It shows how the software works and says
> nothing about real debates. Do not use its decisions.

"""


def write_card(
    training: Training,
    thresholds: Thresholds,
    classifier: ClassifierSettings,
    threshold: ThresholdSettings,
    features: tuple[str, ...],
) -> str:
    """Return the card as Markdown; names that come from logs are escaped."""
    parts = [
        "# Model card: a sentinel\n",
        _SIMULATED if training.simulated else "",
        "## Training data\n",
        f"Corpus: {_escape(training.corpus)}  ",
        f"SHA-256 of its content: {f'`{training.data_hash}`' if training.data_hash else 'not known'}  ",
        f"Agents per debate: {_join(training.agents)}; debate rounds: {_join(training.rounds)}\n",
        _table(
            ("domain", "debates", "divergent", "minority right"),
            ((name, c.debates, c.divergent, c.minority_truths) for name, c in training.domains.items()),
        ),
        *(f"- {_escape(note)}" for note in training.notes),
        "\n## Rule\n",
        f"Classifier: {classifier.kind} on {len(features)} features. {_how_chosen(threshold)}\n",
        _table(("domain", "flips when P exceeds"), _list_cuts(training, thresholds)),
        "" if _ever_flips(thresholds) else "This sentinel never flips: it keeps every vote.\n",
        "## Stated risk\n",
        _state_risk(training.record, threshold),
        "\n## Calibration\n",
        _state_calibration(training.record),
        "## Use\n",
        _INTENDED,
    ]
    return "\n".join(part for part in parts if part)


def _how_chosen(threshold: ThresholdSettings) -> str:
    scope = "over all domains"
    if threshold.per is ThresholdScope.domain:
        scope = "in each domain by itself, and over all domains for any other"
    match threshold.kind:
        case ThresholdKind.fixed:
            return f"The cut {threshold.tau:g} was given, not chosen; it holds in all domains."
        case ThresholdKind.risk_controlled:
            return (
                f"The cut is the smallest that Learn-then-Test accepts, {scope}, for a risk of at most "
                f"{threshold.alpha:g} with confidence {1 - threshold.delta:g}; never where it accepts none."
            )
        case ThresholdKind.search:
            paper = threshold.accounting is Accounting.paper
            return (
                f"The cut has the largest net gain, {scope} ({threshold.accounting} accounting, a wrong flip costs "
                f"{threshold.wrong_flip_cost:g}), among those that preserve at least {100 * threshold.preservation:g}% "
                f"of the contested majorities {'whose minority is wrong' if paper else 'that are right'}; never where "
                "none gains."
            )


def _list_cuts(training: Training, thresholds: Thresholds) -> Iterable[tuple[object, ...]]:
    for domain in training.domains:
        tau, stand_in = thresholds.lookup(domain)
        yield domain, _cut(tau) + (" (the one for all)" if stand_in else "")
    yield "any other", _cut(thresholds.overall)


def _ever_flips(thresholds: Thresholds) -> bool:
    return any(tau is not None for tau in (thresholds.overall, *thresholds.by_domain.values()))


def _cut(tau: float | None) -> str:
    return "never" if tau is None else f"{tau:g}"


def _state_risk(record: Record, threshold: ThresholdSettings) -> str:
    flips = record.correct + record.harmful + record.neutral
    per_domain = threshold.per is ThresholdScope.domain
    lines = [
        f"On its own training data ({record.debates} debates, {record.contested} of them with a candidate) the rule "
        + (_state_flips(record, flips) if flips else "flips nothing, by out-of-fold probabilities.")
    ]
    if threshold.kind is ThresholdKind.fixed:
        lines.append(
            "\nThe cut was given: the counts flatter the rule only if it was taken from results on the same debates. "
            "`task=evaluate` on the same data adds intervals."
        )
    elif flips:
        lines.append(
            "\nThe cuts were chosen on the same probabilities, so these counts flatter the rule. `task=evaluate` on "
            "the same data gives the cross-fitted figures, which are those to quote."
        )
    else:
        lines.append("\n`task=evaluate` on the same data gives the cross-fitted figures, which are those to quote.")
    if threshold.kind is ThresholdKind.risk_controlled:
        lines.append(
            f"\nThe promise: with confidence {1 - threshold.delta:g}, at most {100 * threshold.alpha:g}% of the "
            "questions whose right majority is contested are harmed, on questions drawn as those of the training were; "
            "where answers given up on the way count as candidates, it holds for unanimous debates and for others. "
            + ("It holds for each domain by itself, not for all at once. " if per_domain else "")
            + "It was made for classifiers that saw part of the training data; the one stored here saw all of it."
        )
    return "\n".join(lines)


def _state_flips(record: Record, flips: int) -> str:
    return (
        f"made {flips} flips, by out-of-fold probabilities: {record.correct} correct, {record.harmful} harmful, "
        f"{record.neutral} neutral (both sides wrong). It overturned {record.harmful} of {record.right_majorities} "
        f"contested right majorities{_percent(record.harmful, record.right_majorities)}. Accuracy changed by "
        f"{100 * (record.correct - record.harmful) / record.debates:+.2f} points."
    )


def _state_calibration(record: Record) -> str:
    rows = (
        (f"{b.low:.1f} to {b.low + 0.1:.1f}", b.count, f"{b.probability:.2f}", f"{b.right:.2f}")
        for b in record.reliability
    )
    return (
        f"Brier score {record.brier:.3f} per candidate, by out-of-fold probabilities; always predicting the share "
        f"right gives {record.brier_of_rate:.3f}.\n\n"
        + _table(("probability", "candidates", "mean probability", "share right"), rows)
    )


def _percent(part: int, whole: int) -> str:
    return f" ({part / whole:.1%})" if whole else ""


def _join(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join("| " + " | ".join(_escape(cell) for cell in line) + " |\n" for line in lines)


def _escape(text: object) -> str:
    """Return text that stays text in Markdown: one line, no markup of its own."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in str(text)).split())
    for sign in "\\|<>`*[]":
        plain = plain.replace(sign, "\\" + sign)
    return plain
