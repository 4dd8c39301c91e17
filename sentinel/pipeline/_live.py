"""The tasks left of the log: debate, audit, judge."""

from sentinel.pipeline._corpus import load_corpus
from sentinel.pipeline._job import need
from sentinel.settings import Settings


def run_audit(settings: Settings) -> None:
    """Append the text auditor's audits of all candidates to a log."""
    from sentinel.audit import lexical_audit
    from sentinel.log_store import LogWriter
    from sentinel.vote import answer_grid, list_candidates, take_vote

    corpus = load_corpus(settings)
    out = need(
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
