"""The other tasks right of the log: inspect, import, train, decide, report."""

import dataclasses
import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sentinel.errors import ConfigError, ImporterError
from sentinel.pipeline._corpus import compute_fingerprints, load_corpus, refuse_llm_audit
from sentinel.pipeline._job import Run, need, short_hash
from sentinel.pipeline._place import check_place, unwritable
from sentinel.pipeline._trained import load_sentinel
from sentinel.records import Problem
from sentinel.settings import CorpusKind, Settings
from sentinel.vote import VoteState

_SHOWN = 3


def run_inspect(settings: Settings, job: Run) -> None:
    """Print whether a log is sound, or one debate from its line to its decision."""
    from sentinel.log_store import describe_log, trace_debate

    sentinel = None if settings.model is None else load_sentinel(settings, job)
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
    if sentinel is not None:
        debate = next(debate for debate in corpus if debate.id == settings.inspect.id)
        print(json.dumps(sentinel.decide(debate, corpus.audits).to_dict(), indent=2))


def run_import(settings: Settings) -> None:
    """Turn a foreign log into ours."""
    from sentinel.log_store.importer import import_log

    source = need(settings.source, "source", "task=import", "the foreign log, e.g. source=gsm_3_2.json")
    out = check_place(Path(settings.out or f"logs/{Path(source).stem}-{short_hash(source, settings.importer)}.jsonl"))
    report = import_log(settings.importer, source, out)
    _print_problems(report.skipped)
    for note in report.notes:
        print(f"note: {note}", file=sys.stderr)
    written, skipped = report.debates, len(report.skipped)
    print(f"{written} debate{'s' * (written != 1)} imported to {out}, {skipped} record{'s' * (skipped != 1)} skipped")
    if report.skipped and not (out.is_file() and out.stat().st_size):
        out.unlink(missing_ok=True)
        raise ImporterError(f"{source}: no record could be imported of {skipped}")


def run_train(settings: Settings) -> None:
    """Fit a sentinel on the corpus and save it as a folder."""
    from sentinel.decision import check_replaceable

    # The default is a folder in models/ that is named by what determines the content.
    check_replaceable(check_place(Path(settings.out or "models/sentinel-new"), folder=True))
    fingerprints = compute_fingerprints(settings)
    sentinel = make_sentinel(settings).fit(fingerprints)
    determining = dataclasses.replace(settings, out=None, model=None, source=None)
    out = Path(settings.out or f"models/sentinel-{short_hash(fingerprints.data_hash, determining)}")
    try:
        replaced = sentinel.save(out)
    except OSError as error:
        raise unwritable(out, error) from error
    print((out / "MODEL_CARD.md").read_text(encoding="utf-8"))
    print(f"saved to {out}" + (f", in place of {replaced}" if replaced else ""))


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


def run_decide(settings: Settings, job: Run) -> None:
    """Apply a saved sentinel to debates; decisions go to `out` or standard output as JSON lines, in reading order."""
    out = None if settings.out is None else _check_decisions_file(settings)
    if out is None and getattr(sys.stdout, "name", None) == os.devnull:
        raise ConfigError("out=null: standard output is closed, so decisions would be lost; name a file, out=FILE")
    sentinel = load_sentinel(settings, job)
    refuse_llm_audit(settings)
    corpus = load_corpus(settings)
    if corpus.simulated:
        _print_simulated(settings)
    for note in corpus.notes if settings.corpus.origin is not CorpusKind.simulated else ():
        print(f"note: {note}", file=sys.stderr)
    decisions = sentinel.decide_many(corpus)
    text = "".join(json.dumps(decision.to_dict(), ensure_ascii=False) + "\n" for decision in decisions)
    if out is None:
        sys.stdout.write(text)
    else:
        partial = out.with_name(out.name + ".partial")
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(text, encoding="utf-8")
            if out.exists():
                shutil.copymode(out, partial)
            partial.replace(out)
        except OSError as error:
            raise unwritable(out, error) from error
    flipped = sum(decision.flipped for decision in decisions)
    abstained = sum(decision.abstained for decision in decisions)
    warned = sum(bool(decision.warnings) for decision in decisions)
    states = Counter(decision.state for decision in decisions)
    print(
        f"{len(decisions)} debate{'s' * (len(decisions) != 1)} decided: {flipped} flipped, {abstained} abstained, "
        f"{warned} with warnings; "
        f"{states[VoteState.TIED]} tied and {states[VoteState.UNANSWERED]} unanswered, which keep the vote",
        file=sys.stderr,
    )
    _print_problems(corpus.problems)


def _print_simulated(settings: Settings) -> None:
    """Print to standard error that the debates are made up, and where they come from where nobody named any."""
    made_up = "debates made up by this package"
    if settings.corpus.origin is CorpusKind.simulated:
        made_up = f"corpus.path=null names no log, so these are {made_up}"
    print(f"SIMULATED DATA: {made_up}; decisions on them say nothing about real models.", file=sys.stderr)


def _check_decisions_file(settings: Settings) -> Path:
    """Return `out`, what it links to if it is a link; raises ConfigError where that holds anything but decisions."""
    out = check_place(Path(str(settings.out))).resolve()
    if out.exists() and not out.is_file():
        raise ConfigError(f"out={settings.out}: is no plain file; name another, or leave it out for standard output")
    if out.is_file() and out.stat().st_size:
        with out.open(encoding="utf-8", errors="replace") as file:
            foreign = any(line.strip() and not ('"flipped"' in line and '"voted"' in line) for line in file)
        if foreign:
            raise ConfigError(
                f"out={out}: holds something else than decisions and would be overwritten; choose another"
            )
    return out


def run_report(settings: Settings) -> None:
    """Rebuild the tables and figures of a finished run or sweep."""
    from sentinel.report import rebuild

    source = need(settings.source, "source", "task=report", "the folder of a finished run or sweep")
    for path in rebuild(Path(source), dpi=settings.report.dpi):
        print(path)


def _print_problems(problems: Iterable[Problem]) -> None:
    """Print what could not be used, each reason at most three times; line 0 stands for a whole file."""
    seen: Counter[str] = Counter()
    for problem in problems:
        seen[problem.reason] += 1
        if seen[problem.reason] <= _SHOWN:
            where = f"{problem.file}:{problem.line}" if problem.line else problem.file
            print(f"skipped: {where}: {problem.reason}", file=sys.stderr)
    for reason, count in seen.items():
        if count > _SHOWN:
            print(f"skipped: {count - _SHOWN} more: {reason}", file=sys.stderr)
