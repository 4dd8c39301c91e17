"""The tasks left of the log: debate, samples, audit, judge; each appends records and can be run again to go on."""

import contextlib
import dataclasses
import sys
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sentinel.errors import AuditError, BudgetReached, ConfigError, ProviderError
from sentinel.pipeline._job import need, short_hash
from sentinel.pipeline._place import check_place
from sentinel.records import Corpus, Debate, Question, Status
from sentinel.settings import AuditKind, Settings

if TYPE_CHECKING:
    from sentinel.llm import RunReport


def run_debate(settings: Settings) -> None:
    """Hold the debates of a dataset that the log does not hold yet."""
    out = debate_log(settings)
    _finish("debates", hold_debates(settings, out), out)


def hold_debates(settings: Settings, out: Path) -> "RunReport":
    """Append to `out` the debates that it lacks."""
    from sentinel.dataset import load_questions
    from sentinel.debate import run_debates
    from sentinel.log_store import LogWriter

    questions = load_questions(settings.dataset)
    with _remove_if_left_empty(out), LogWriter(out) as writer:
        done = writer.done("debate")
        return run_debates(
            questions,
            settings.agents,
            settings.debate,
            settings.llm,
            settings.corpus.seed,
            done=done - _find_failing(settings, questions, out) if done else done,
            sink=writer.append,
        )


@contextlib.contextmanager
def _remove_if_left_empty(out: Path) -> Iterator[None]:
    """Remove the log afterwards if it was made in here and nothing came."""
    new = not out.exists()
    try:
        yield
    finally:
        if new and out.is_file() and out.stat().st_size == 0:
            out.unlink()


def _check_redaction(settings: Settings, questions: Iterable[Question], held: Iterable[Debate], out: Path) -> None:
    """Raise ConfigError if a log holds debates of this run with texts that are unwanted, or without wanted ones."""
    from sentinel.debate import list_debate_ids

    own = set(list_debate_ids(questions, settings.agents, settings.debate, settings.corpus.seed))
    asked = settings.debate.redact
    others = sum(debate.id in own and debate.meta.get("redacted", asked) != asked for debate in held)
    if others:
        raise ConfigError(
            f"debate.redact={str(asked).lower()}: {out} holds {others} of these debates "
            f"{'with' if asked else 'without'} the texts, and a log is never rewritten; choose another out "
            "(the call cache has the replies)"
        )


def _find_failing(settings: Settings, questions: Iterable[Question], out: Path) -> set[Hashable]:
    """Return the debates of a log in which a call failed: they are held again, and what did not fail is cached."""
    from sentinel.log_store import load_debates

    held = load_debates(out)
    _check_redaction(settings, questions, held, out)
    return {
        debate.id for debate in held if any(turn.status is Status.FAILED for turns in debate.rounds for turn in turns)
    }


def run_samples(settings: Settings) -> None:
    """Append to the debates' log independent samples of one agent, for the self-consistency baseline."""
    from sentinel.dataset import load_questions
    from sentinel.debate import collect_samples
    from sentinel.log_store import LogWriter

    out = debate_log(settings)
    questions = load_questions(settings.dataset)
    with _remove_if_left_empty(out), LogWriter(out) as writer:
        report = collect_samples(
            questions,
            settings.agents,
            settings.debate,
            settings.llm,
            settings.corpus.seed,
            done=writer.done("samples"),
            sink=writer.append,
        )
    _finish("sets of samples", report, out, again=False)


def load_live_corpus(settings: Settings) -> Corpus:
    """Hold the debates, have a model audit them if `audit=llm`, and read the log back."""
    from sentinel.log_store import load_corpus

    if settings.audit.kind is AuditKind.llm and settings.debate.redact:
        raise ConfigError("audit=llm debate.redact=true: an auditor needs the texts that redaction leaves out")
    out = debate_log(settings)
    then = ", nothing is evaluated yet"
    _finish("debates", hold_debates(settings, out), out, then=then)
    source = dataclasses.replace(settings.corpus, path=str(out))
    if settings.audit.kind is AuditKind.llm:
        audited = _keep_own(settings, load_corpus(source))
        _finish("audits", append_llm_audits(settings, audited, out), out, then=then)
    return _keep_own(settings, load_corpus(source))


def _keep_own(settings: Settings, corpus: Corpus) -> Corpus:
    """Return the corpus without what else its log holds: debates of other questions, panels or protocols."""
    from sentinel.dataset import load_questions
    from sentinel.debate import list_debate_ids
    from sentinel.log_store import keep_debates

    questions = load_questions(settings.dataset)
    own = set(list_debate_ids(questions, settings.agents, settings.debate, settings.corpus.seed))
    kept = [debate for debate in corpus if debate.id in own]
    others = len(corpus) - len(kept)
    if not others:
        return corpus
    note = f"the log holds {others} debates of other questions, panels or protocols, which are left out"
    return keep_debates(corpus, kept, note, *sorted(debate.id for debate in kept))


def run_audit(settings: Settings) -> None:
    """Append audits of all candidates to a log, by text rules or by a model."""
    corpus = _read_log(settings, "task=audit")
    if settings.audit.kind is AuditKind.llm:
        key = short_hash(corpus.data_hash, settings.audit, settings.seed, settings.fingerprint.candidates)
        out = check_place(Path(settings.out or f"logs/audits-{key}.jsonl"))
        _finish("audits", append_llm_audits(settings, corpus, out), out)
        return
    if settings.audit.kind is not AuditKind.lexical:
        raise ConfigError("audit=recorded: task=audit makes audits; choose audit=lexical or audit=llm")
    out = check_place(
        Path(need(settings.out, "out", "task=audit", "the log to append to, the debates' own or another"))
    )
    print(f"{append_lexical_audits(settings, corpus, out)} audits appended to {out}")


def append_llm_audits(settings: Settings, debates: Iterable[Debate], out: Path) -> "RunReport":
    """Append a model's audits that `out` lacks."""
    from sentinel.audit import run_audits
    from sentinel.log_store import LogWriter

    with _remove_if_left_empty(out), LogWriter(out) as writer:
        return run_audits(
            debates,
            settings.audit,
            settings.llm,
            settings.seed,
            candidates=settings.fingerprint.candidates,
            redact=settings.debate.redact,
            done=writer.done("audit"),
            tried=writer.tried("audit"),
            sink=writer.append,
        )


def append_lexical_audits(settings: Settings, debates: Iterable[Debate], out: Path) -> int:
    """Append the text rules' audits that `out` lacks; return how many."""
    from sentinel.audit import lexical_audit
    from sentinel.log_store import LogWriter
    from sentinel.vote import answer_grid, list_candidates, take_vote

    written = 0
    with _remove_if_left_empty(out), LogWriter(out) as writer:
        done = writer.done("audit")
        for debate in debates:
            vote = take_vote(debate, settings.decision.tie_break, settings.decision.fallback, settings.seed)
            for candidate in list_candidates(answer_grid(debate), vote, settings.fingerprint.candidates):
                if (debate.id, candidate.answer) not in done:
                    writer.append(lexical_audit(debate, candidate))
                    written += 1
    return written


def run_judge(settings: Settings) -> None:
    """Append a model's rulings on the divergent debates to a log."""
    corpus = _read_log(settings, "task=judge")
    from sentinel.audit import run_judge as rule_on
    from sentinel.log_store import LogWriter

    key = short_hash(corpus.data_hash, settings.judge, settings.seed)
    out = check_place(Path(settings.out or f"logs/rulings-{key}.jsonl"))
    with _remove_if_left_empty(out), LogWriter(out) as writer:
        report = rule_on(
            corpus,
            settings.judge,
            settings.llm,
            settings.seed,
            redact=settings.debate.redact,
            done=writer.done("ruling"),
            tried=writer.tried("ruling"),
            sink=writer.append,
        )
    _finish("rulings", report, out)


def _read_log(settings: Settings, task: str) -> Corpus:
    """Return the debates of the log that `corpus.path` names: nobody means to pay for audits of a simulated corpus.

    Raises ConfigError where it names none, and AuditError where there is nothing in the log to judge by.
    """
    from sentinel.log_store import load_corpus

    if not settings.corpus.paths:
        raise ConfigError(f"corpus.path=null: {task} needs the log of debates, e.g. 'corpus.path=logs/*.jsonl'")
    corpus = load_corpus(settings.corpus)
    turns = (turn for debate in corpus for turns in debate.rounds for turn in turns)
    if not any(turn.reasoning or turn.raw for turn in turns):
        raise AuditError(
            f"corpus.path={settings.corpus.path}: the log keeps answers but no text of what the agents said, as under "
            f"debate.redact=true; {task} needs the texts, so hold the debates without it (the call cache has them)"
        )
    return corpus


def debate_log(settings: Settings) -> Path:
    """Return `out`, or a path named by all that determines the debates, so that the same command goes on there."""
    # Where a task makes something of the debates, `out` is for that and not for their log.
    out = None if settings.task.value in ("train", "decide") else settings.out
    return check_place(Path(out or f"logs/{settings.dataset.name}-{debate_key(settings)}.jsonl"))


def debate_key(settings: Settings) -> str:
    """Return a name for all that determines the debates: questions, panel, protocol and seed."""
    protocol = dataclasses.replace(settings.debate, in_flight=None, samples=0, sampler=None)
    if protocol.prompts is not None:
        from sentinel.debate import load_prompts

        # What is in the folder and not where it lies.
        protocol.prompts = load_prompts(protocol.prompts).hash
    panel = [part for agent in settings.agents.items() for part in agent]
    return short_hash(settings.dataset, *panel, protocol, settings.corpus.seed)


def _finish(what: str, report: "RunReport", out: Path, *, again: bool = True, then: str = "") -> None:
    """Print to standard error what a run made and spent.

    `again`: what failed is made again by the same command; `then` is what an unfinished run keeps from being done.

    Raises BudgetReached for an unfinished run, KeyboardInterrupt after Ctrl-C, and ProviderError where no answer came.
    """
    tally = report.tally
    cost = "unknown" if tally.live_cost is None else f"${tally.live_cost:.4f}"
    print(
        f"{report.finished} {what} appended to {out}, {report.skipped} done before; answers not readable: "
        f"{report.unparsed}, failed: {report.failed}; {tally.live_calls} calls, {tally.cached_calls} from the cache, "
        f"{tally.tokens} tokens, cost {cost} (cached: ${tally.cached_cost:.4f})",
        file=sys.stderr,
    )
    if report.stopped == "interrupted":
        # Neither an evaluation nor the next job of a sweep is what Ctrl-C asked for.
        raise KeyboardInterrupt
    if report.stopped is not None:
        done = report.finished + report.skipped
        of, rest = ("", "more") if report.left is None else (f" of {done + report.left}", str(report.left))
        raise BudgetReached(f"unfinished: {done}{of} {what} are in {out}, {rest} to do{then}; {report.stopped}")
    missing = report.failed + report.unparsed
    if missing and not report.answered and not report.skipped:
        raise ProviderError(
            f"{what}: none of {missing} answers could be used ({report.error}); what came stands in {out}; "
            "mend the cause or take another model"
        )
    if report.failed and again:
        print(f"{report.failed} answers failed ({report.error}); the same command makes them again", file=sys.stderr)
    elif report.unparsed and again and what != "debates":
        print(
            f"{report.unparsed} not readable ({report.error}); llm.cache=null asks for them again",
            file=sys.stderr,
        )
