"""The model card: in words, what a sentinel is, what it was trained on, and what it must not be used for."""

from collections.abc import Iterable

from sentinel.decision._training import Record, Training
from sentinel.settings import ClassifierSettings, ThresholdKind, ThresholdScope, ThresholdSettings
from sentinel.threshold import Thresholds

_INTENDED = """\
Applied to a finished debate, the sentinel keeps the majority's answer or replaces it by a minority's. It reads numbers
taken from the debate log and calls no language model.

Do not use it

- on debates unlike those above: another set of questions, other agents or prompts, another number of agents or rounds.
  Decisions then carry warnings; with `decision.strict=true` the vote is kept instead;
- as a check of whether an answer is true: it only compares two camps of one debate, and both can be wrong;
- where a wrong answer does harm and nobody looks at it: overturning right majorities is rare at best, never excluded;
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
        f"SHA-256 of its content: `{training.data_hash}`  ",
        f"Agents per debate: {_join(training.agents)}; debate rounds: {_join(training.rounds)}\n",
        _table(
            ("domain", "debates", "divergent", "minority right"),
            ((name, c.debates, c.divergent, c.minority_truths) for name, c in training.domains.items()),
        ),
        *(f"- {_escape(note)}" for note in training.notes),
        "\n## Rule\n",
        f"Classifier: {classifier.kind} on {len(features)} features. {_how_chosen(threshold)}\n",
        _table(("domain", "flips when P exceeds"), _list_cuts(training, thresholds)),
        "## Stated risk\n",
        _state_risk(training.record, threshold),
        "\n## Calibration\n",
        _state_calibration(training.record),
        "## Use\n",
        _INTENDED,
    ]
    return "\n".join(part for part in parts if part)


def _how_chosen(threshold: ThresholdSettings) -> str:
    match threshold.kind:
        case ThresholdKind.fixed:
            return f"The cut {threshold.tau:g} was fixed beforehand."
        case ThresholdKind.risk_controlled:
            scope = " in each domain by itself" if threshold.per is ThresholdScope.domain else ""
            return (
                f"The cut is the smallest that Learn-then-Test accepts{scope} for a risk of at most "
                f"{threshold.alpha:g} with confidence {1 - threshold.delta:g}."
            )
        case _:
            return (
                f"The cut has the largest net gain ({threshold.accounting} accounting, a wrong flip costs "
                f"{threshold.wrong_flip_cost:g}) among those that preserve at least {threshold.preservation:.0%} "
                "of the majorities to be preserved."
            )


def _list_cuts(training: Training, thresholds: Thresholds) -> Iterable[tuple[object, ...]]:
    for domain in training.domains:
        tau, stand_in = thresholds.lookup(domain)
        yield domain, _cut(tau) + (" (the one for all)" if stand_in else "")
    yield "any other", _cut(thresholds.overall)


def _cut(tau: float | None) -> str:
    return "never" if tau is None else f"{tau:g}"


def _state_risk(record: Record, threshold: ThresholdSettings) -> str:
    flips = record.correct + record.harmful + record.neutral
    lines = [
        f"On its own training data ({record.debates} debates, {record.contested} of them with a candidate) the rule "
        f"made {flips} flips: {record.correct} correct, {record.harmful} harmful, {record.neutral} neutral (both sides "
        f"wrong). It overturned {record.harmful} of {record.right_majorities} contested right majorities"
        f"{_percent(record.harmful, record.right_majorities)}. Accuracy changed by "
        f"{100 * (record.correct - record.harmful) / record.debates:+.2f} points.\n",
        "These are counts by out-of-fold probabilities, but the cuts were chosen on the same probabilities, so they "
        "flatter the rule. `task=evaluate` on the same data gives the cross-fitted figures, which are those to quote.",
    ]
    if threshold.kind is ThresholdKind.risk_controlled:
        lines.append(
            f"\nThe promise: with confidence {1 - threshold.delta:g}, at most {threshold.alpha:.0%} of the questions "
            "whose right majority is contested are harmed, on questions drawn as the training questions were; where "
            "answers given up on the way count as candidates, it holds for unanimous debates and for others. It was "
            "made for classifiers that saw part of the training data; the one stored here saw all of it."
        )
    return "\n".join(lines)


def _state_calibration(record: Record) -> str:
    rows = (
        (f"{b.low:.1f} to {b.low + 0.1:.1f}", b.count, f"{b.probability:.2f}", f"{b.right:.2f}")
        for b in record.reliability
    )
    return (
        f"Brier score {record.brier:.3f} per candidate; always predicting the share right gives "
        f"{record.brier_of_rate:.3f}.\n\n"
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
    plain = " ".join(str(text).split())
    for sign in "\\|<>`*[]":
        plain = plain.replace(sign, "\\" + sign)
    return plain
