"""Log files in, a `Corpus` out, with every line that was left out explained."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from sentinel.errors import ConfigError, LogError
from sentinel.log_store._field import count_of
from sentinel.log_store._gathering import FileSummary, Gathering, show_problem
from sentinel.log_store._path import find_logs, list_few
from sentinel.log_store._row import STANDARD_INPUT, SUFFIXES
from sentinel.records import Corpus, Debate
from sentinel.settings import CorpusKind, CorpusSettings, Split

_SPLIT_SALT = "sentinel.split"
_HASH_RANGE = 2**64

AnyCorpus = TypeVar("AnyCorpus", bound=Corpus)


@dataclass(frozen=True)
class LogCorpus(Corpus):
    """A corpus read from files.

    `superseded` counts the records not used because another one of the same key is: the last success, else the last.
    `unknown` counts the records with a field that the format does not know.
    """

    files: tuple[FileSummary, ...] = ()
    superseded: int = 0
    unknown: Mapping[str, int] = field(default_factory=dict)


def load_debates(
    path: str | Path | Sequence[str | Path],
    *,
    exclude: str | Sequence[str] = (),
    split: str = "all",
    strict: bool = False,
    reparse: bool = False,
) -> LogCorpus:
    """Return the corpus of one path or glob, or of several; see `load_corpus`."""
    paths = [path] if isinstance(path, str | Path) else path
    if not isinstance(paths, Sequence) or not all(isinstance(item, str | Path) for item in paths):
        raise ConfigError(f"path={path!r}: expected a path or glob, or a list of them")
    if split not in Split.__members__:
        raise ConfigError(f"split={split!r}: expected one of {', '.join(Split)}")
    settings = CorpusSettings(
        kind=CorpusKind.file,
        path=[str(item) for item in paths],
        exclude=[exclude] if isinstance(exclude, str) else list(exclude),
        split=Split(split),
        strict=strict,
        reparse=reparse,
    )
    return load_corpus(settings)


def load_corpus(settings: CorpusSettings) -> LogCorpus:
    """Return the corpus of the files that `settings.path` names, in the sorted order of their paths.

    A line that cannot be used becomes a problem of the corpus, under `strict` a LogError. Raises LogError where there
    is no file or no debate, ConfigError without a path.
    """
    if not settings.paths:
        raise ConfigError("corpus.path=null: name the logs to read, e.g. 'corpus.path=logs/*.jsonl'")
    chosen = find_logs(settings.paths, settings.exclude)
    gathering = Gathering(strict=settings.strict, reparse=settings.reparse)
    for file in chosen.files:
        gathering.read(file)
    gathering.settle()
    everything = tuple(gathering.debates.records.values())
    if not everything:
        raise LogError(_explain_no_debate(settings, gathering))
    corpus = LogCorpus(
        name=_name_corpus(chosen.files),
        debates=everything,
        audits={(audit.id, audit.candidate): audit for audit in gathering.audits.records.values()},
        rulings={ruling.id: ruling for ruling in gathering.rulings.records.values()},
        samples={samples.id: samples for samples in gathering.samples.records.values()},
        ballots={ballots.id: ballots for ballots in gathering.ballots.records.values()},
        problems=tuple(gathering.problems),
        notes=(*chosen.notes, *gathering.notes),
        data_hash=_hash_content([file.content_hash for file in gathering.files], settings.reparse),
        files=tuple(gathering.files),
        superseded=gathering.superseded,
        unknown=dict(gathering.unknown.counts),
        simulated=any(map(_is_made_up, everything)),
    )
    return split_corpus(corpus, settings)


def split_corpus(corpus: AnyCorpus, settings: CorpusSettings) -> AnyCorpus:
    """Return the part of a corpus in the chosen split; a question's debates always fall on the same side.

    Raises LogError where no debate is left.
    """
    if settings.split is Split.all:
        return corpus
    test = settings.split is Split.test
    kept = tuple(debate for debate in corpus if _is_test(debate.question_key, settings.test_share) is test)
    if not kept:
        raise LogError(
            f"corpus.split={settings.split.value}, corpus.test_share={settings.test_share:g}: leaves none of "
            f"{len(corpus)} debates; choose another share or corpus.split=all"
        )
    note = f"corpus.split={settings.split.value}: {len(kept)} of {len(corpus)} debates"
    return keep_debates(corpus, kept, note, settings.split.value, settings.test_share)


def keep_debates(corpus: AnyCorpus, kept: Sequence[Debate], note: str, *reason: object) -> AnyCorpus:
    """Return a corpus of some of its debates and of what belongs to them; `reason` tells its hash from the whole's."""
    ids = {debate.id for debate in kept}
    return replace(
        corpus,
        debates=tuple(kept),
        simulated=any(map(_is_made_up, kept)),
        audits={key: audit for key, audit in corpus.audits.items() if audit.id in ids},
        rulings={key: ruling for key, ruling in corpus.rulings.items() if key in ids},
        samples={key: samples for key, samples in corpus.samples.items() if key in ids},
        ballots={key: ballots for key, ballots in corpus.ballots.items() if key in ids},
        notes=(*corpus.notes, note),
        data_hash=_hash_content(corpus.data_hash, *reason),
    )


def _is_made_up(debate: Debate) -> bool:
    """Return whether this package made the debate up: the simulation, or a panel with a scripted agent."""
    return debate.source == "simulated" or any((agent.model or "").startswith("mock/") for agent in debate.agents)


def _is_test(question_key: str, test_share: float) -> bool:
    """Return whether a question is in the test split: its salted hash, as a share of the range, is below the share."""
    digest = hashlib.sha256(f"{_SPLIT_SALT}\0{question_key}".encode(errors="replace")).digest()
    return int.from_bytes(digest[:8], "big") < test_share * _HASH_RANGE


def _hash_content(*parts: object) -> str:
    """Return the SHA-256 of what determines a corpus: the files' contents in order, the re-reading, the split."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _name_corpus(files: Sequence[Path]) -> str:
    if len(files) > 1:
        folders = {file.parent.name for file in files}
        return (
            f"{folders.pop()} ({len(files)} files)"
            if len(folders) == 1 and "" not in folders
            else f"{len(files)} files"
        )
    name = "standard input" if str(files[0]) == STANDARD_INPUT else files[0].name
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        name = name.removesuffix(suffix)
    return name


def _explain_no_debate(settings: CorpusSettings, gathering: Gathering) -> str:
    totals: Counter[str] = Counter()
    for file in gathering.files:
        totals.update(file.records)
    counted = ", ".join(count_of(n, f"{kind} record") for kind, n in totals.items())
    reason = f"no debate in {count_of(len(gathering.files), 'file')}{f' (only {counted})' if counted else ''}"
    if problems := gathering.problems:
        which = "1 problem" if len(problems) == 1 else f"{len(problems)} problems, the first"
        reason += f"; {which}: {show_problem(problems[0])}"
    return f"corpus.path={list_few(settings.paths)}: {reason}"
