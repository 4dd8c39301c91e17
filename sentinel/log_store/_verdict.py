"""The one-line verdict of an inspection."""

from collections.abc import Iterable

from sentinel.log_store._summary import DomainSummary
from sentinel.records import Corpus, Debate

# Above this share of final turns without a readable answer, the votes say little about the agents.
_UNPARSED_LIMIT = 0.05
# Below this number of minority truths, each of five folds holds fewer than four.
_FEW_TRUTHS = 20


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
        return f"the minority is right in none of {overall.divergent_with_gold} divergent debates"
    if overall.minority_truths == overall.divergent_with_gold:
        return f"the minority is right in all {overall.divergent_with_gold} divergent debates"
    return None


def _find_doubts(overall: DomainSummary, corpus: Corpus) -> list[str]:
    doubts = []
    if corpus.problems:
        doubts.append(f"{len(corpus.problems)} problems left lines out")
    if overall.without_gold:
        doubts.append(f"{overall.without_gold} of {overall.debates} debates have no gold answer")
    if overall.minority_truths < _FEW_TRUTHS:
        doubts.append(f"the minority is right in {overall.minority_truths} debates only: too few to learn from")
    for name, count in (("could not be read", overall.unparsed), ("failed", overall.failed)):
        if count > _UNPARSED_LIMIT * overall.final_turns:
            doubts.append(f"{count / overall.final_turns:.0%} of final turns {name}")
    if 0 < overall.audited < overall.divergent:
        doubts.append(f"{overall.divergent - overall.audited} of {overall.divergent} divergent debates lack an audit")
    if contradicting := _count_contradictions(corpus.debates):
        doubts.append(f"{contradicting} questions have repeats with different gold answers")
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
