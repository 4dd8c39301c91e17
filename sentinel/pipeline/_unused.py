"""Which settings a task, or the kind of something, leaves unread; one that was asked for is never dropped in silence.

Given on the command line, it is refused. Set by a YAML file, which several tasks may share, or in a job of a sweep,
whose other jobs may use it, it is noted on standard error.
"""

import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import reduce
from typing import Any, NamedTuple

from sentinel.errors import ConfigError
from sentinel.pipeline._job import Run
from sentinel.settings import AuditKind, CorpusKind, DatasetKind, EvaluationKind, Settings, Split, ThresholdKind

_RULE = ("evaluate", "train", "decide")
_CALLS = ("debate", "samples", "audit", "judge")
_MAKERS = ("import", "debate", "samples", "audit", "judge", "train", "decide")
_TASKS: dict[str, tuple[str, ...]] = {
    "seed": (*_RULE, "inspect", "audit", "judge"),
    "out": _MAKERS,
    "model": ("decide", "inspect"),
    "source": ("import", "report"),
    "corpus": (*_RULE, *_CALLS, "inspect"),
    "dataset": ("debate", "samples"),
    "agents": ("debate", "samples"),
    "llm": _CALLS,
    "debate": _CALLS,
    "judge": ("judge",),
    "importer": ("import",),
    "audit": (*_RULE, "audit"),
    "fingerprint": (*_RULE, "audit", "inspect"),
    "feature_groups": _RULE,
    "classifier": _RULE,
    "threshold": _RULE,
    "decision": (*_RULE, "audit", "inspect"),
    "evaluation": ("evaluate", "train"),
    "report": ("evaluate", "report"),
    "inspect": ("inspect",),
}
# Also read where a task right of the log holds its own debates.
_LIVE = ("out", "dataset", "agents", "llm", "debate")
_ALSO = {"seed": " (debates have corpus.seed, questions dataset.seed)"}


class _Use(NamedTuple):
    """Whether settings are read under `state`, and what does read them."""

    names: tuple[str, ...]
    used: bool
    state: str
    by: str


def check_used(settings: Settings, job: Run) -> None:
    """Raise ConfigError for a setting that the command line gives and nothing reads; note the others."""
    _check_corpus(settings, job.overrides)
    default = Settings()
    told: set[str] = set()
    for use in _uses(settings):
        for name in () if use.used else use.names:
            value = _read(settings, name)
            # A panel has no default in the schema; asking for one is what counts. So does a default that is spelt out,
            # such as threshold.tau=0.5, unless it asks for nothing.
            named = any(_key(text) == name for text in job.overrides)
            changed = name == "agents" or value != _read(default, name) or (named and value not in (None, False, []))
            if not changed or told & {name, name.partition(".")[0]}:
                continue
            given = next((text for text in job.overrides if _is_at_or_below(_key(text), name)), None)
            if given is None and name == "agents":
                continue
            told.add(name)
            shown = given or (name if "." not in name else f"{name}={show(value)}")
            fault = f"{shown}: no effect under {use.state}; used by {use.by}"
            if given is not None and job.sweep_dir is None:
                raise ConfigError(f"{fault}: leave it out, or choose that")
            print(f"note: {fault}", file=sys.stderr)


def is_given(overrides: Sequence[str], name: str) -> bool:
    """Return whether the command line names a setting, something in it, or the group that it belongs to."""
    return any(_is_at_or_below(_key(text), name) or _is_at_or_below(name, _key(text)) for text in overrides)


def show(value: object) -> str:
    """Return a value as the command line would spell it."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(show, value))}]"
        case dict():
            return f"{{{', '.join(f'{key}: {show(item)}' for key, item in value.items())}}}"
    return str(value.value if isinstance(value, Enum) else value)


def _check_corpus(settings: Settings, overrides: Sequence[str]) -> None:
    given = next((text for text in overrides if _key(text) in ("corpus", "corpus.kind")), None)
    corpus = settings.corpus
    if given is not None and corpus.paths and corpus.kind is not CorpusKind.file:
        raise ConfigError(
            f"{given}: corpus.path={show(corpus.path)} names files, which are read instead; leave one of the two out"
        )


def _uses(settings: Settings) -> Iterator[_Use]:
    """Yield what is read and what is not: whole groups by task, then single settings by the kind of something."""
    task = settings.task.value
    makes_debates = task in ("debate", "samples")
    reads_log = task in _TASKS["corpus"] and not makes_debates
    origin = CorpusKind.live if makes_debates else settings.corpus.origin
    live = reads_log and origin is CorpusKind.live
    for name, tasks in _TASKS.items():
        by = ", ".join(f"task={other}" for other in tasks) + _ALSO.get(name, ", corpus=live" if name in _LIVE else "")
        # An evaluation refuses `out` by itself, with the way to say where its report goes.
        used = task in tasks or (live and name in _LIVE) or (name == "out" and task == "evaluate")
        yield _Use((name,), used, f"task={task}", by)
    yield from _corpus_uses(settings, origin, reads_log)
    yield from _task_uses(settings, task)
    threshold, evaluation, audit = settings.threshold.kind, settings.evaluation.kind, settings.audit.kind
    # A trained sentinel keeps its own: see `_trained`.
    if task in ("evaluate", "train"):
        for kind, names in (
            (ThresholdKind.fixed, ("tau",)),
            (ThresholdKind.search, ("accounting", "preservation", "wrong_flip_cost")),
            (ThresholdKind.risk_controlled, ("alpha", "delta")),
        ):
            yield _Use(_within("threshold", *names), threshold is kind, f"threshold={threshold}", f"threshold={kind}")
    if task == "evaluate":
        chosen = settings.evaluation
        # What asks for nothing gets nothing under any protocol.
        wanted = [name for name in ("permutations", "null_corpora", "baselines") if getattr(chosen, name)]
        crossed = evaluation is EvaluationKind.cross_validated
        yield _Use(_within("evaluation", *wanted), crossed, f"evaluation={evaluation}", "evaluation=cross_validated")
        curve = evaluation is EvaluationKind.learning_curve
        yield _Use(("evaluation.train_shares",), curve, f"evaluation={evaluation}", "evaluation=learning_curve")
    model = _within("audit", "model", "temperature", "base_url", "api_key_env", "params")
    yield _Use(model, audit is AuditKind.llm, f"audit={audit}", "audit=llm")
    dataset = settings.dataset.kind
    yield _Use(("dataset.fields",), dataset is DatasetKind.table, f"dataset={settings.dataset.name}", "dataset=table")
    demo = dataset is DatasetKind.arithmetic_demo
    yield _Use(("dataset.path",), not demo, f"dataset={settings.dataset.name}", "every other dataset")


def _corpus_uses(settings: Settings, origin: CorpusKind, reads_log: bool) -> Iterator[_Use]:
    corpus = settings.corpus
    state = f"corpus.path={show(corpus.path)}" if corpus.paths else f"corpus={corpus.kind}"
    if not reads_log:
        state = f"task={settings.task}"
    simulated = ("effect", "agents", "rounds", "scale", "both_wrong_share", "tied_share", "unparsed_share")
    yield _Use(_within("corpus", *simulated), origin is CorpusKind.simulated, state, "corpus=simulated")
    made = origin is not CorpusKind.file
    yield _Use(("corpus.seed",), made, state, "corpus=simulated, corpus=live")
    yield _Use(("corpus.path",), reads_log, state, "tasks that read debates, such as task=evaluate")
    read = reads_log and origin is not CorpusKind.simulated
    yield _Use(_within("corpus", "exclude", "strict", "reparse"), read, state, "corpus=file")
    yield _Use(("corpus.split",), reads_log, state, "tasks that read debates, such as task=evaluate")
    parted = reads_log and corpus.split is not Split.all
    yield _Use(("corpus.test_share",), parted, "corpus.split=all", "corpus.split=train, corpus.split=test")


def _task_uses(settings: Settings, task: str) -> Iterator[_Use]:
    """Yield what of a group a task reads, where that is not all of it."""
    state = f"task={task}"
    sampled = _within("debate", "samples", "sampler")
    yield _Use(sampled, task == "samples", state, "task=samples")
    if task == "audit" and settings.audit.kind is AuditKind.lexical:
        yield _Use(("llm", "debate"), False, "audit=lexical", "audit=llm")
    if task == "audit" and settings.audit.kind is AuditKind.llm:
        yield _Use(("decision",), False, "task=audit audit=llm", "audit=lexical")
    if task in ("audit", "judge"):
        others = [name for name in vars(settings.debate) if name != "redact"]
        yield _Use(_within("debate", *others), False, state, "task=debate, task=samples, corpus=live")
    features = _within("fingerprint", *(name for name in vars(settings.fingerprint) if name != "candidates"))
    yield _Use(features, task in _RULE, state, "task=evaluate, task=train")
    if task == "inspect":
        traced = settings.inspect.id is not None
        yield _Use(("seed", "model", "fingerprint", "decision"), traced, f"{state} without inspect.id", "inspect.id=ID")
    strict = task in ("train", "decide") or (task == "inspect" and settings.model is not None)
    yield _Use(("decision.strict",), strict, state, "task=decide")
    others = [name for name in vars(settings.evaluation) if name != "folds"]
    yield _Use(_within("evaluation", *others), task == "evaluate", state, "task=evaluate")
    yield _Use(_within("report", "figures", "show"), task == "evaluate", state, "task=evaluate")


def _within(group: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{group}.{name}" for name in names)


def _read(settings: Settings, name: str) -> Any:
    return reduce(getattr, name.split("."), settings)


def _key(override: str) -> str:
    """Return the place that an override writes to: `agents.auditor.role` for `roles@agents.auditor.role=skeptic`."""
    key = override.partition("=")[0].lstrip("+~")
    return key.partition("@")[2] or key


def _is_at_or_below(key: str, name: str) -> bool:
    return key == name or key.startswith(f"{name}.")
