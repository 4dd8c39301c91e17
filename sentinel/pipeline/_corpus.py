"""From settings to debates and their fingerprints; the jobs of a sweep share one computation."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sentinel.errors import ConfigError
from sentinel.pipeline._job import short_hash
from sentinel.pipeline._live import debate_key, debate_log, load_live_corpus
from sentinel.records import Corpus
from sentinel.settings import AuditKind, CorpusKind, FeatureGroup, Settings

if TYPE_CHECKING:
    from sentinel.fingerprint import Fingerprints


def load_corpus(settings: Settings) -> Corpus:
    """Return the debates to work on; live ones are held first. A path names files, whatever `corpus.kind` says."""
    if settings.corpus.origin is CorpusKind.simulated:
        from sentinel.log_store import split_corpus
        from sentinel.simulation import simulate_corpus

        return split_corpus(simulate_corpus(settings.corpus), settings.corpus)
    if settings.corpus.origin is CorpusKind.live:
        return load_live_corpus(settings)
    from sentinel.log_store import load_corpus as read

    if not settings.corpus.paths:
        raise ConfigError("corpus.path=null: corpus=file needs the log to read, e.g. 'corpus.path=logs/*.jsonl'")
    return read(settings.corpus)


def load_fingerprints(settings: Settings, sweep_dir: Path | None = None) -> "Fingerprints":
    """Return the corpus's fingerprints; the jobs of a sweep, also in several processes, compute them once."""
    if sweep_dir is None:
        return compute_fingerprints(settings)
    from sentinel.fingerprint import Fingerprints

    file = sweep_dir / ".fingerprints" / _fingerprint_key(settings)
    with _locked(file.with_suffix(".lock")):
        if not file.is_file():
            compute_fingerprints(settings).save(file)
        return Fingerprints.load(file)


def compute_fingerprints(settings: Settings) -> "Fingerprints":
    """Read or simulate the corpus and fingerprint it."""
    from sentinel.fingerprint import fingerprint_corpus

    refuse_llm_audit(settings)
    return fingerprint_corpus(
        load_corpus(settings),
        settings.fingerprint,
        settings.decision,
        equations=FeatureGroup.equations in (*settings.feature_groups.groups, *settings.feature_groups.extra),
        lexical=settings.audit.kind is AuditKind.lexical,
        seed=settings.seed,
    )


def refuse_llm_audit(settings: Settings) -> None:
    """Raise ConfigError where a model would have to audit a log."""
    if settings.audit.kind is AuditKind.llm and settings.corpus.origin is not CorpusKind.live:
        raise ConfigError(
            f"audit=llm: task={settings.task} never calls a model about a log; run task=audit audit=llm first, then "
            "this on the log and its audits with audit=recorded"
        )


def _fingerprint_key(settings: Settings) -> str:
    """Return a name for all that determines the fingerprints, within one sweep."""
    from sentinel.log_store import list_files

    files = [
        (str(path), path.stat().st_size, path.stat().st_mtime_ns)
        for path in (list_files(settings.corpus) if settings.corpus.paths else [])
    ]
    extra = FeatureGroup.equations in (*settings.feature_groups.groups, *settings.feature_groups.extra)
    # A log that `out` names may hold the debates of several panels and protocols.
    live = [str(debate_log(settings)), debate_key(settings)] if settings.corpus.origin is CorpusKind.live else None
    # The seed enters through the seeded tie-break alone.
    seed = settings.seed if settings.decision.tie_break.value == "seeded" else None
    return short_hash(
        settings.corpus, settings.fingerprint, settings.decision, settings.audit, extra, seed, files, live
    )


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an advisory lock, released by the system if the process dies; without fcntl work may be done twice."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
