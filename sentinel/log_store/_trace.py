"""One debate followed from its line in the log through its answers to its vote and candidates."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from sentinel.errors import LogError
from sentinel.foreign import near_names
from sentinel.log_store._field import legible, printable
from sentinel.log_store._reader import LogCorpus
from sentinel.log_store._row import STANDARD_INPUT, read_rows
from sentinel.records import Corpus, Debate, Status
from sentinel.vote import (
    CandidateMode,
    Fallback,
    TieBreak,
    Vote,
    VoteState,
    answer_grid,
    label_candidate,
    list_candidates,
    take_vote,
)

_CELL_WIDTH = 24


def trace_debate(
    corpus: Corpus,
    debate_id: str,
    *,
    tie_break: TieBreak = TieBreak.first_speaker,
    fallback: Fallback = Fallback.none,
    candidates: CandidateMode = CandidateMode.final_split,
    seed: int = 0,
) -> str:
    """Return where a debate stands in its files, its answers by round, its vote, candidates and later records.

    The files are read again for the line numbers. Raises LogError for an id the corpus does not hold.
    """
    found = next((debate for debate in corpus.debates if debate.id == debate_id), None)
    if found is None:
        raise LogError(f"inspect.id={debate_id}: no such debate in {corpus.name}{_near_ids(corpus, debate_id)}")
    vote = take_vote(found, tie_break, fallback, seed)
    lines = [f"debate     {legible(found.id)}", *_locate(corpus, found.id), *_describe(found)]
    lines += ["", *_list_answers(found), "", *_describe_vote(found, vote, tie_break)]
    for candidate in list_candidates(answer_grid(found), vote, candidates):
        label = label_candidate(candidate, found.gold)
        holders = _name_agents(found, candidate.holders)
        against = _name_agents(found, candidate.majority)
        lines.append(
            f"candidate  {printable(candidate.answer)} ({candidate.origin.value}): held by {holders}, against "
            f"{printable(candidate.majority_answer)} of {against or 'nobody else'}: {label or 'gold unknown'}"
        )
        if audit := corpus.audits.get((found.id, candidate.answer)):
            lines.append(f"           audited by {printable(audit.auditor)}: {audit.status.value}")
    if ruling := corpus.rulings.get(found.id):
        lines.append(f"ruling     {printable(ruling.answer or ruling.status.value)} by {printable(ruling.judge)}")
    if samples := corpus.samples.get(found.id):
        lines.append(f"samples    {', '.join(printable(answer or '-') for answer in samples.answers)}")
    return "\n".join(lines)


def _near_ids(corpus: Corpus, debate_id: str) -> str:
    """Return near ids: those that contain it, which is how ids are usually cut, else those spelt alike."""
    ids = [debate.id for debate in corpus.debates]
    containing = [name for name in ids if debate_id in name]
    if containing:
        more = f" and {len(containing) - 3} more" if len(containing) > 3 else ""
        return f"; ids that contain it: {', '.join(containing[:3])}{more}"
    return near_names(debate_id, ids)


def _locate(corpus: Corpus, debate_id: str) -> Iterator[str]:
    """Yield the place of every line about a debate."""
    if not isinstance(corpus, LogCorpus):
        yield f"from       {corpus.name}"
        return
    for file in corpus.files:
        if file.file == STANDARD_INPUT:
            yield "from       standard input"
            continue
        for number, row in read_rows(Path(file.file), sha256()):
            if isinstance(row, dict) and str(row.get("id")) == debate_id:
                yield f"from       {file.file}:{number} ({row.get('kind') or 'debate'})"


def _describe(debate: Debate) -> Iterator[str]:
    yield f"domain     {legible(debate.domain)}"
    yield f"question   {printable(debate.question)} [{legible(debate.question_key)}]"
    for k, option in enumerate(debate.choices or ()):
        yield f"           {chr(ord('A') + k)}) {printable(option)}"
    yield f"gold       {'unknown' if debate.gold is None else printable(debate.gold)} ({debate.answer_type.value})"


def _list_answers(debate: Debate) -> Iterator[str]:
    """Yield the table of answers, agents by rounds; a turn without an answer shows its status."""
    turns = [{turn.agent: turn for turn in entries} for entries in debate.rounds]
    table = [["answers", *(f"round {r}" for r in range(len(turns)))]]
    for agent in debate.agents:
        spoken = [entries.get(agent.name) for entries in turns]
        cells = [turn.answer or f"[{turn.status.value}]" if turn else f"[{Status.FAILED.value}]" for turn in spoken]
        detail = ", ".join(part for part in (agent.model, agent.role) if part)
        name = legible(agent.name) + (f" ({printable(detail)})" if detail else "")
        table.append([name, *(printable(cell, _CELL_WIDTH) for cell in cells)])
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _describe_vote(debate: Debate, vote: Vote, tie_break: TieBreak) -> Iterator[str]:
    answer = "none" if vote.answer is None else printable(vote.answer)
    sizes = ":".join(str(len(camp.holders)) for camp in vote.camps)
    means = f" by {tie_break.value}" if vote.state is VoteState.TIED else ""
    if vote.state is VoteState.UNANSWERED and vote.answer is not None:
        means = f" by the fallback to round {vote.round}"
    right = "" if debate.gold is None else (", right" if vote.answer == debate.gold else ", wrong")
    yield f"vote       {vote.state.value}{f' {sizes}' if sizes else ''}: {answer}{means}{right}"
    for camp in vote.camps:
        yield f"camp       {printable(camp.answer)}: {_name_agents(debate, camp.holders)}"


def _name_agents(debate: Debate, indices: tuple[int, ...]) -> str:
    return ", ".join(legible(debate.agents[k].name) for k in indices)
