"""The one-line verdict of an inspection."""

from collections.abc import Iterable

from sentinel.log_store._field import count_of
from sentinel.log_store._summary import DomainSummary
from sentinel.records import FEW_TRUTHS, Corpus, Debate

# Above this share of final turns without a readable answer, the votes say little about the agents.
_UNPARSED_LIMIT = 0.05


def judge_log(overall: DomainSummary, corpus: Corpus) -> str:
    """Return "sound", "sound, but ..." or "unusable for evaluation because ..."."""
    if reason := _find_obstacle(overall):
        return f"unusable for evaluation because {reason}"
    doubts = _find_doubts(overall, corpus)
    return f"sound, but {'; '.join(doubts)}" if doubts else "sound"


def _find_obstacle(overall: DomainSummary) -> str | None:
    if overall.without_gold == overall.debates:
        return "no debate has a gold answer"
    if overall.divergent == 0:
        return "no debate is divergent: the agents agree, tie or do not answer in every one"
    if overall.divergent_with_gold == 0:
        return "no divergent debate has a gold answer"
    if overall.minority_truths == 0:
        return f"the minority is right in none of {count_of(overall.divergent_with_gold, 'divergent debate')}"
    if overall.minority_truths == overall.divergent_with_gold:
        return f"the minority is right in every divergent debate ({overall.divergent_with_gold})"
    return None


def _find_doubts(overall: DomainSummary, corpus: Corpus) -> list[str]:
    doubts = []
    if corpus.problems:
        doubts.append(f"{count_of(len(corpus.problems), 'problem')} left lines out")
    if overall.without_gold:
        doubts.append(f"no gold answer in {overall.without_gold} of {count_of(overall.debates, 'debate')}")
    if overall.minority_truths < FEW_TRUTHS:
        doubts.append(
            f"the minority is right in {count_of(overall.minority_truths, 'debate')} only: too few to learn from"
        )
    for name, count in (("could not be read", overall.unparsed), ("failed", overall.failed)):
        if count > _UNPARSED_LIMIT * overall.final_turns:
            doubts.append(f"{count / overall.final_turns:.0%} of final turns {name}")
    if 0 < overall.audited < overall.divergent:
        doubts.append(
            f"no audit of {overall.divergent - overall.audited} of {count_of(overall.divergent, 'divergent debate')}"
        )
    if contradicting := _count_contradictions(corpus.debates):
        doubts.append(f"repeats of {count_of(contradicting, 'question')} have different gold answers")
    return doubts


def _count_contradictions(debates: Iterable[Debate]) -> int:
    """Count the questions whose gold answer differs between repeats; letters are compared by their options."""
    golds: dict[str, set[str]] = {}
    for debate in debates:
        if debate.gold is not None:
            golds.setdefault(debate.question_key, set()).add(_spell_out(debate, debate.gold))
    return sum(len(found) > 1 for found in golds.values())


def _spell_out(debate: Debate, gold: str) -> str:
    if debate.choices is not None and len(gold) == 1 and 0 <= ord(gold) - ord("A") < len(debate.choices):
        return debate.choices[ord(gold) - ord("A")]
    return gold
