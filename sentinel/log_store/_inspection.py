"""Is this log sound? Counts by file and domain, what is missing, and a verdict, for a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from sentinel.log_store._codec import KINDS
from sentinel.log_store._field import count_of, legible
from sentinel.log_store._gathering import FileSummary, show_problem
from sentinel.log_store._reader import LogCorpus
from sentinel.log_store._summary import DomainSummary, summarise
from sentinel.log_store._verdict import judge_log
from sentinel.records import OVERALL, Corpus, Problem

_SHOWN_PROBLEMS = 1000
_SHOWN_FIELDS = 30
_UNKNOWN = "those of a whole debate are kept in meta, others ignored"
_COLUMNS = (
    "domain debates questions agents rounds-after-0 no-gold unparsed failed tied unanswered divergent minority-right"
    " both-wrong majority-accuracy"
).split()


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a log holds and whether it can be evaluated; `overall` takes the domains together."""

    name: str
    verdict: str
    files: tuple[FileSummary, ...]
    domains: tuple[DomainSummary, ...]
    overall: DomainSummary
    superseded: int
    unknown: Mapping[str, int]
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]

    def to_text(self) -> str:
        """Return the inspection for a terminal; unparsed and failed are shares of the final turns."""
        whole = self.overall
        rows = [*self.domains, whole] if len(self.domains) > 1 else [whole]
        blocks = [self.name, _format_table(_COLUMNS, [_list_cells(row) for row in rows])]
        blocks.append(
            f"of {count_of(whole.divergent, 'divergent debate')}: {whole.audited} audited, {whole.ruled} judged, "
            f"{whole.sampled} with samples"
        )
        if self.files:
            problems = Counter(problem.file for problem in self.problems)
            cells = [
                [legible(file.file), *(str(file.records.get(kind, 0)) for kind in KINDS), str(problems[file.file])]
                for file in self.files
            ]
            blocks.append(_format_table(["file", *KINDS, "problems"], cells))
        if self.problems:
            shown = [f"  {show_problem(problem)}" for problem in self.problems[:_SHOWN_PROBLEMS]]
            if len(self.problems) > len(shown):
                shown.append(f"  and {len(self.problems) - len(shown)} more")
            blocks.append("\n".join(["problems (these lines are left out):", *shown]))
        if self.unknown:
            counts = [f"{legible(name)} ({count})" for name, count in islice(self.unknown.items(), _SHOWN_FIELDS)]
            if len(self.unknown) > len(counts):
                counts.append(f"and {len(self.unknown) - len(counts)} more")
            blocks.append(f"fields unknown to the format (records with them): {', '.join(counts)}; {_UNKNOWN}")
        if self.notes:
            blocks.append("\n".join(f"note: {note}" for note in self.notes))
        blocks.append(f"verdict: {self.verdict}")
        return "\n\n".join(blocks)


def describe_log(corpus: Corpus) -> Inspection:
    """Return what a corpus holds, with a verdict; only a corpus read from files says something about files."""
    ordered = sorted(corpus.debates, key=lambda debate: debate.domain)
    by_domain = groupby(ordered, key=lambda debate: debate.domain)
    overall = summarise(OVERALL, corpus.debates, corpus)
    return Inspection(
        name=corpus.name,
        verdict=judge_log(overall, corpus),
        files=corpus.files if isinstance(corpus, LogCorpus) else (),
        domains=tuple(summarise(domain, debates, corpus) for domain, debates in by_domain),
        overall=overall,
        superseded=corpus.superseded if isinstance(corpus, LogCorpus) else 0,
        unknown=corpus.unknown if isinstance(corpus, LogCorpus) else {},
        problems=corpus.problems,
        notes=corpus.notes,
    )


def _list_cells(summary: DomainSummary) -> list[str]:
    with_gold = summary.debates - summary.without_gold
    return [
        legible(summary.domain),
        str(summary.debates),
        str(summary.questions),
        "/".join(map(str, summary.agents)),
        "/".join(map(str, summary.rounds)),
        str(summary.without_gold),
        _format_share(summary.unparsed, summary.final_turns),
        _format_share(summary.failed, summary.final_turns),
        str(summary.tied),
        str(summary.unanswered),
        str(summary.divergent),
        str(summary.minority_truths),
        str(summary.both_wrong),
        _format_share(summary.majority_correct, with_gold),
    ]


def _format_share(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else "-"


def _format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return aligned columns, the first to the left, the others to the right."""
    table = [head, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    )
