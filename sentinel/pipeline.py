"""What each task does, from its settings to its files; the only module that knows the order of the rooms.

corpus -> fingerprint -> classifier -> threshold -> decision -> evaluation -> report
"""

import contextlib
import dataclasses
import hashlib
import json
import platform
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentinel.errors import ConfigError
from sentinel.records import Corpus, Problem
from sentinel.settings import AuditKind, CorpusKind, FeatureGroup, FigureMode, Settings

if TYPE_CHECKING:
    from sentinel.evaluation import Evaluation
    from sentinel.fingerprint import Fingerprints

PACKAGES = ("hydra-core", "omegaconf", "lightgbm", "scikit-learn", "numpy", "polars", "scipy", "seaborn", "matplotlib")
DEFAULT_PERMUTATIONS = 20


@dataclass(frozen=True)
class Run:
    """Where Hydra put this job, and how it was asked for. `sweep_dir` is None in a plain run."""

    folder: Path
    sweep_dir: Path | None
    overrides: tuple[str, ...]


def run(settings: Settings, job: Run) -> float | None:
    """Run the task that the settings name; return the headline net gain (a share) of an evaluation, else None."""
    match settings.task.value:
        case "evaluate":
            return run_evaluate(settings, job)
        case "inspect":
            run_inspect(settings)
        case "import":
            run_import(settings)
        case "audit":
            run_audit(settings)
        case "train":
            run_train(settings)
        case "decide":
            run_decide(settings)
        case "report":
            run_report(settings)
    return None


def run_evaluate(settings: Settings, job: Run) -> float | None:
    """Fingerprint a corpus, test the rule on it, write the report and print its summary."""
    from sentinel.evaluation import evaluate
    from sentinel.fingerprint import select_features
    from sentinel.report import format_summary, headline, write_run

    in_sweep = job.sweep_dir is not None
    protocol = settings.evaluation
    if protocol.permutations is None:
        protocol = dataclasses.replace(protocol, permutations=0 if in_sweep else DEFAULT_PERMUTATIONS)
    fingerprints = load_fingerprints(settings, job.sweep_dir)
    features = select_features(settings.feature_groups)
    evaluation = evaluate(fingerprints, features, settings.classifier, settings.threshold, protocol, settings.seed)
    evaluation.metrics["setup"]["feature_group"] = settings.feature_groups.name
    if protocol.null_corpora:
        evaluation = check_null_corpora(settings, evaluation)
    figures = settings.report.figures is FigureMode.always or (
        settings.report.figures is FigureMode.auto and not in_sweep
    )
    write_run(
        evaluation,
        job.folder,
        figures=figures,
        dpi=settings.report.dpi,
        manifest=make_manifest(settings, job, fingerprints),
    )
    if in_sweep:
        print(f"{job.folder.name} {' '.join(job.overrides)}: {headline(evaluation.metrics, evaluation.tables)}")
    else:
        print(format_summary(evaluation.metrics, evaluation.tables, settings.report.show))
        print(f"written to {job.folder}")
    overall = evaluation.metrics["overall"].get("cross_fitted") or {}
    return overall.get("ng_exact")


def load_corpus(settings: Settings) -> Corpus:
    """Return the debates to work on. A path names files, whatever `corpus.kind` says."""
    if settings.corpus.kind is CorpusKind.simulated and not settings.corpus.paths:
        from sentinel.simulation import simulate_corpus

        return simulate_corpus(settings.corpus)
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

    return fingerprint_corpus(
        load_corpus(settings),
        settings.fingerprint,
        settings.decision,
        equations=FeatureGroup.equations in (*settings.feature_groups.groups, *settings.feature_groups.extra),
        lexical=settings.audit.kind is AuditKind.lexical,
        seed=settings.seed,
    )


def check_null_corpora(settings: Settings, evaluation: "Evaluation") -> "Evaluation":
    """Add what both readings show on simulated corpora without an effect, `corpus.seed` and `seed` both varied."""
    from sentinel.evaluation import evaluate, summarise_null_corpora
    from sentinel.fingerprint import select_features

    if settings.corpus.paths or settings.corpus.kind is not CorpusKind.simulated:
        evaluation.metrics["notes"].append(
            "null corpora: only simulated ones are drawn; here the permutations are the null"
        )
        return evaluation
    quick = dataclasses.replace(settings.evaluation, permutations=0, baselines=False, null_corpora=0)
    features = select_features(settings.feature_groups)

    def evaluate_null(seed: int) -> dict[str, Any]:
        corpus = dataclasses.replace(settings.corpus, effect=0.0, seed=seed)
        null = compute_fingerprints(dataclasses.replace(settings, corpus=corpus, seed=seed))
        return evaluate(null, features, settings.classifier, settings.threshold, quick, seed).metrics

    from joblib import Parallel, delayed

    workers = settings.evaluation.workers
    seeds = range(settings.evaluation.null_corpora)
    return summarise_null_corpora(evaluation, Parallel(n_jobs=workers)(delayed(evaluate_null)(seed) for seed in seeds))


def run_inspect(settings: Settings) -> None:
    """Print whether a log is sound, or one debate from its line to its decision."""
    from sentinel.log_store import describe_log, trace_debate

    corpus = load_corpus(settings)
    if settings.inspect.id is None:
        print(describe_log(corpus).to_text())
        return
    print(
        trace_debate(
            corpus,
            settings.inspect.id,
            tie_break=settings.decision.tie_break,
            fallback=settings.decision.fallback,
            candidates=settings.fingerprint.candidates,
            seed=settings.seed,
        )
    )
    if settings.model is not None:
        from sentinel.decision import Sentinel

        debate = next(debate for debate in corpus if debate.id == settings.inspect.id)
        print(json.dumps(Sentinel.load(settings.model).decide(debate, corpus.audits).to_dict(), indent=2))


def run_import(settings: Settings) -> None:
    """Turn a foreign log into ours."""
    from sentinel.log_store.importer import import_log

    source = _need(settings.source, "source", "task=import", "the foreign log, e.g. source=gsm_3_2.json")
    out = Path(settings.out or f"logs/{Path(source).stem}-{_short_hash(source, settings.importer)}.jsonl")
    report = import_log(settings.importer, source, out)
    _print_problems(report.skipped)
    for note in report.notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"{report.debates} debates imported to {out}, {len(report.skipped)} records skipped")


def run_audit(settings: Settings) -> None:
    """Append the text auditor's audits of all candidates to a log."""
    from sentinel.audit import lexical_audit
    from sentinel.log_store import LogWriter
    from sentinel.vote import answer_grid, list_candidates, take_vote

    corpus = load_corpus(settings)
    out = _need(
        settings.out, "out", "task=audit", "the log to append to, the debates' own or another, e.g. out=audits.jsonl"
    )
    written = 0
    with LogWriter(out) as writer:
        done = writer.done("audit")
        for debate in corpus:
            vote = take_vote(debate, settings.decision.tie_break, settings.decision.fallback, settings.seed)
            for candidate in list_candidates(answer_grid(debate), vote, settings.fingerprint.candidates):
                if (debate.id, candidate.answer) not in done:
                    writer.append(lexical_audit(debate, candidate))
                    written += 1
    print(f"{written} audits appended to {out}")


def run_train(settings: Settings) -> None:
    """Fit a sentinel on the corpus and save it as a folder of text files."""

    fingerprints = compute_fingerprints(settings)
    sentinel = make_sentinel(settings).fit(fingerprints)
    determining = dataclasses.replace(settings, out=None, model=None, source=None)
    out = Path(settings.out or f"models/sentinel-{_short_hash(fingerprints.data_hash, determining)}")
    sentinel.save(out)
    print((out / "MODEL_CARD.md").read_text(encoding="utf-8"))
    print(f"saved to {out}")


def make_sentinel(settings: Settings) -> Any:
    """Return an unfitted sentinel with the settings' choices."""
    from sentinel.decision import Sentinel

    return Sentinel(
        classifier=settings.classifier,
        threshold=settings.threshold,
        feature_groups=settings.feature_groups,
        fingerprint=settings.fingerprint,
        decision=settings.decision,
        audit=settings.audit,
        folds=settings.evaluation.folds,
        random_state=settings.seed,
    )


def run_decide(settings: Settings) -> None:
    """Apply a saved sentinel to debates; decisions go to `out` or standard output as JSON lines, in reading order."""
    from sentinel.decision import Sentinel

    folder = _need(settings.model, "model", "task=decide", "the folder of a trained sentinel, e.g. model=models/NAME")
    sentinel = Sentinel.load(folder)
    sentinel.decision = dataclasses.replace(sentinel.decision, strict=settings.decision.strict)
    corpus = load_corpus(settings)
    decisions = sentinel.decide_many(corpus)
    text = "".join(json.dumps(decision.to_dict(), ensure_ascii=False) + "\n" for decision in decisions)
    if settings.out is None:
        sys.stdout.write(text)
    else:
        out = Path(settings.out)
        out.parent.mkdir(parents=True, exist_ok=True)
        partial = out.with_name(out.name + ".partial")
        partial.write_text(text, encoding="utf-8")
        partial.replace(out)
    flipped = sum(decision.flipped for decision in decisions)
    abstained = sum(decision.abstained for decision in decisions)
    warned = sum(bool(decision.warnings) for decision in decisions)
    print(
        f"{len(decisions)} debates decided: {flipped} flipped, {abstained} abstained, {warned} with warnings",
        file=sys.stderr,
    )
    _print_problems(corpus.problems)


def _print_problems(problems: Iterable[Problem]) -> None:
    """Print what could not be used; line 0 stands for a whole file."""
    for problem in problems:
        where = f"{problem.file}:{problem.line}" if problem.line else problem.file
        print(f"skipped: {where}: {problem.reason}", file=sys.stderr)


def run_report(settings: Settings) -> None:
    """Rebuild the tables and figures of a finished run or sweep."""
    from sentinel.report import rebuild

    source = _need(settings.source, "source", "task=report", "the folder of a finished run or sweep")
    for path in rebuild(Path(source), dpi=settings.report.dpi):
        print(path)


def make_manifest(settings: Settings, job: Run, fingerprints: "Fingerprints") -> dict[str, Any]:
    """Return what is needed to run this again: command, seed, data hash and versions."""
    return {
        "command": shlex.join(["python", "-m", "sentinel", *job.overrides]),
        "overrides": list(job.overrides),
        "settings": _plain(settings),
        "seed": settings.seed,
        "corpus": fingerprints.name,
        "simulated": fingerprints.simulated,
        "data_hash": fingerprints.data_hash,
        "versions": {
            "sentinel": metadata.version("minority-sentinel"),
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in PACKAGES},
        },
        "platform": platform.platform(),
    }


def _plain(settings: object) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(settings), default=str))  # type: ignore[call-overload]


def _short_hash(*parts: object) -> str:
    plain = [_plain(part) if dataclasses.is_dataclass(part) else str(part) for part in parts]
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:10]


def _fingerprint_key(settings: Settings) -> str:
    """Return a name for all that determines the fingerprints, within one sweep."""
    from sentinel.log_store import list_files

    files = [
        (str(path), path.stat().st_size, path.stat().st_mtime_ns)
        for path in (list_files(settings.corpus) if settings.corpus.paths else [])
    ]
    extra = FeatureGroup.equations in (*settings.feature_groups.groups, *settings.feature_groups.extra)
    # The seed enters through the seeded tie-break alone.
    seed = settings.seed if settings.decision.tie_break.value == "seeded" else None
    return _short_hash(settings.corpus, settings.fingerprint, settings.decision, settings.audit, extra, seed, files)


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


def _need(value: str | None, name: str, task: str, what: str) -> str:
    if value is None:
        raise ConfigError(f"{name}=null: {task} needs {what}")
    return value
