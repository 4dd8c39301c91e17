"""What a reader of results must know about a corpus and its fingerprints."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from sentinel.fingerprint._feature import FEATURE_GROUPS
from sentinel.fingerprint._fingerprints import Fingerprints
from sentinel.records import Corpus, Status

_NAMED = 5


def note_corpus(corpus: Corpus, *, lexical: bool) -> tuple[str, ...]:
    """Return what was left out, what lacks a gold answer, which panels are mixed, and who audited and ruled."""
    notes = [*_note_problems(corpus), *_note_gold(corpus), *_note_failures(corpus), *_note_panels(corpus)]
    if not corpus.simulated:
        audits = () if lexical else corpus.audits.values()
        notes += _note_makers("audits", (a.auditor for a in audits if a.status is not Status.FAILED))
        notes += _note_makers("rulings", (r.judge for r in corpus.rulings.values() if r.status is not Status.FAILED))
    return tuple(notes)


def note_missing(fingerprints: Fingerprints, features: Iterable[str]) -> tuple[str, ...]:
    """Return one note for each group among `features` of which some candidate has no value, or not every value."""
    used, candidates = set(features), fingerprints.candidates
    notes = []
    total = len(candidates)
    for group, members in FEATURE_GROUPS.items():
        names = [name for name in members if name in used]
        if not names:
            continue
        unknown = candidates.select(pl.sum_horizontal(pl.col(names).cast(pl.Float64).fill_nan(None).is_null()))
        missing = unknown.to_series()
        whole = int((missing == len(names)).sum())
        partly = int((missing > 0).sum()) - whole
        if whole:
            notes.append(f"{group} features missing for {whole} of {total} candidates")
        if partly:
            notes.append(f"{group} features partly missing for {partly} of {total} candidates")
    return tuple(notes)


def _note_problems(corpus: Corpus) -> list[str]:
    if not corpus.problems:
        return []
    first = corpus.problems[0]
    where = f"{Path(first.file).name}:{first.line}" if first.line else Path(first.file).name
    lines = f"{len(corpus.problems)} lines or files, the first {where}: {first.reason}"
    return [f"left out of the log: {lines}; see task=inspect"]


def _note_gold(corpus: Corpus) -> list[str]:
    missing = sum(debate.gold is None for debate in corpus)
    return [f"gold answer missing for {missing} of {len(corpus)} debates"] if missing else []


def _note_failures(corpus: Corpus) -> list[str]:
    failed = sum(any(turn.status is Status.FAILED for turns in debate.rounds for turn in turns) for debate in corpus)
    return [f"a turn failed or is missing in {failed} of {len(corpus)} debates"] if failed else []


def _note_panels(corpus: Corpus) -> list[str]:
    """Return one note for each domain that holds debates of different panels, where panels are recorded."""
    panels: dict[str, set[frozenset[tuple[str, str | None, str | None]]]] = {}
    for debate in corpus:
        if any(agent.model or agent.role for agent in debate.agents):
            panel = frozenset((agent.name, agent.model, agent.role) for agent in debate.agents)
            panels.setdefault(debate.domain, set()).add(panel)
    mixed = [f"{domain} ({len(found)} panels)" for domain, found in sorted(panels.items()) if len(found) > 1]
    if not mixed:
        return []
    rest = f" and {len(mixed) - _NAMED} more" if len(mixed) > _NAMED else ""
    return [
        f"debates of different panels (agents, their models and roles) in one domain, where they share cuts and "
        f"figures: {', '.join(mixed[:_NAMED])}{rest}; give them a source of their own to tell them apart"
    ]


def _note_makers(what: str, makers: Iterable[str]) -> list[str]:
    """Return whose audits or rulings are used: of several about the same thing, a log's last success."""
    counts = Counter(makers)
    if not counts:
        return []
    shown = [f"{maker} ({count})" for maker, count in counts.most_common(_NAMED)]
    rest = f" and {len(counts) - _NAMED} more" if len(counts) > _NAMED else ""
    return [f"{what} used are those of {', '.join(shown)}{rest}"]
