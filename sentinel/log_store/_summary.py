"""The counts of one domain of a corpus: what is missing, how votes ended, and who was right."""

from collections.abc import Iterable
from dataclasses import dataclass

from sentinel.records import Corpus, Debate, Label, Status
from sentinel.vote import VoteState, answer_grid, label_candidate, list_candidates, take_vote


@dataclass(frozen=True, slots=True)
class DomainSummary:
    """Counts of debates, but for `final_turns`, `unparsed` and `failed`, which count turns of final rounds.

    `agents` and `rounds` (after round 0) are the values that occur. `majority_correct` (ties go to the first speaker),
    `minority_truths` and `both_wrong` refer to debates with gold; `audited`, `ruled` and `sampled` to divergent ones
    with an audit of every candidate, a ruling, samples.
    """

    domain: str
    debates: int
    questions: int
    agents: tuple[int, ...]
    rounds: tuple[int, ...]
    without_gold: int
    final_turns: int
    unparsed: int
    failed: int
    tied: int
    unanswered: int
    divergent: int
    divergent_with_gold: int
    minority_truths: int
    both_wrong: int
    majority_correct: int
    audited: int
    ruled: int
    sampled: int


@dataclass(frozen=True, slots=True)
class _Outcome:
    """One debate's vote; `labels` has one entry for each candidate of the final split."""

    debate: Debate
    state: VoteState
    correct: bool
    labels: tuple[Label | None, ...]
    audited: bool


def summarise(domain: str, debates: Iterable[Debate], corpus: Corpus) -> DomainSummary:
    """Return the counts of some debates of a corpus, which holds what was recorded about them."""
    outcomes = [_take_outcome(debate, corpus) for debate in debates]
    debates = [outcome.debate for outcome in outcomes]
    final = [turn.status for debate in debates for turn in debate.rounds[-1]]
    divergent = [outcome for outcome in outcomes if outcome.labels]
    return DomainSummary(
        domain=domain,
        debates=len(debates),
        questions=len({debate.question_key for debate in debates}),
        agents=tuple(sorted({len(debate.agents) for debate in debates})),
        rounds=tuple(sorted({len(debate.rounds) - 1 for debate in debates})),
        without_gold=sum(debate.gold is None for debate in debates),
        final_turns=len(final),
        unparsed=final.count(Status.UNPARSED),
        failed=final.count(Status.FAILED),
        tied=sum(outcome.state is VoteState.TIED for outcome in outcomes),
        unanswered=sum(outcome.state is VoteState.UNANSWERED for outcome in outcomes),
        divergent=len(divergent),
        divergent_with_gold=sum(outcome.debate.gold is not None for outcome in divergent),
        minority_truths=sum(Label.MINORITY_CORRECT in outcome.labels for outcome in divergent),
        both_wrong=sum(set(outcome.labels) == {Label.BOTH_WRONG} for outcome in divergent),
        majority_correct=sum(outcome.correct for outcome in outcomes),
        audited=sum(outcome.audited for outcome in divergent),
        ruled=sum(outcome.debate.id in corpus.rulings for outcome in divergent),
        sampled=sum(outcome.debate.id in corpus.samples for outcome in divergent),
    )


def _take_outcome(debate: Debate, corpus: Corpus) -> _Outcome:
    vote = take_vote(debate)
    candidates = list_candidates(answer_grid(debate), vote)
    return _Outcome(
        debate=debate,
        state=vote.state,
        correct=debate.gold is not None and vote.answer == debate.gold,
        labels=tuple(label_candidate(candidate, debate.gold) for candidate in candidates),
        audited=all((debate.id, candidate.answer) in corpus.audits for candidate in candidates),
    )
