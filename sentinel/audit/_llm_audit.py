"""An auditor that is a model: seven judgements from one JSON object, given blind to the right answer and the camps.

The model is asked about side 1 and side 2, all questions about both, and only afterwards are the sides mapped back.
"""

from collections.abc import Mapping, Sequence

from sentinel.audit._exchange import ask_model
from sentinel.audit._prompts import fill_prompt, hash_prompts
from sentinel.audit._quoting import quote_answer, quote_question
from sentinel.audit._sides import MAJORITY, MINORITY, Side, View, view_candidate
from sentinel.audit._values import FOLLOWERS, read_values
from sentinel.llm import Caller, quote
from sentinel.records import Audit, Debate, Status
from sentinel.settings import AuditSettings
from sentinel.vote import Candidate

_PROMPTS = ("audit_system", "audit", "audit_repair")
_NO_TEXT = "(no text was kept)"


async def audit_with_llm(
    debate: Debate, candidate: Candidate, caller: Caller, settings: AuditSettings, seed: int, *, redact: bool = False
) -> Audit:
    """Return the model's audit of one candidate: ok with at least one value, unparsed with none, failed without reply.

    `error` names each value that is missing, and why. A log without the texts of both sides is not put to the model.
    Raises CredentialError and BudgetReached.
    """
    view = view_candidate(debate, candidate, seed)
    mute = [side.camp for side in view.sides if not side.statements]
    if mute:
        error = f"the log keeps no text of the {' and the '.join(sorted(mute))}; nothing to judge"
        return Audit(debate.id, candidate.answer, settings.model, status=Status.FAILED, error=error)
    most = min(len(debate.agents) - 1, len(view.changes))
    places = _place(view)

    def complain(replies: Sequence[str]) -> str | None:
        values, _ = read_values(replies, most)
        if all(place in values for place in places.values()):
            return None
        given, faults = read_values(replies[-1:], most)
        problems = "; ".join(faults.values()) if given else "it holds no object with the keys asked for"
        return fill_prompt("audit_repair", problems=problems)

    exchange = await ask_model(
        caller,
        settings,
        fill_prompt("audit_system"),
        _ask(debate, view, most),
        complain,
        seed,
        f"{debate.id} audit {candidate.answer}",
    )
    values, faults = read_values(exchange.replies, most)
    audited = {name: values[place] for name, place in places.items() if place in values}
    missing = [f"{name} ({faults[place]})" for name, place in places.items() if place not in values]
    if FOLLOWERS not in places:
        missing.append(f"{FOLLOWERS} (the log lacks the text of an agent that changed)")
    if audited:
        status = Status.OK
    else:
        status = Status.UNPARSED if exchange.replies else Status.FAILED
        missing = ["no value could be read"] if exchange.replies else ["no reply"]
    meta = exchange.describe(settings, seed, hash_prompts(*_PROMPTS), redact)
    meta["sides"] = [side.camp for side in view.sides]
    return Audit(
        id=debate.id,
        candidate=candidate.answer,
        auditor=settings.model,
        status=status,
        error=exchange.explain(missing),
        meta=meta,
        **audited,
    )


def _place(view: View) -> Mapping[str, str]:
    """Return for each value of an audit the field of the reply that holds it."""
    number = {side.camp: i for i, side in enumerate(view.sides, start=1)}
    ours, theirs = f"side_{number[MINORITY]}", f"side_{number[MAJORITY]}"
    places = {
        "minority_new_evidence": f"{ours}_new_evidence",
        "majority_echo_chamber": f"{theirs}_echo_chamber",
        "minority_finds_error": f"{ours}_finds_error",
        "majority_logical_gap": f"{theirs}_logical_gap",
        "minority_reasoning_score": f"{ours}_reasoning_score",
        "majority_reasoning_score": f"{theirs}_reasoning_score",
    }
    # Whether a change was blind cannot be told without what was said.
    return places | {FOLLOWERS: FOLLOWERS} if all(view.changes) else places


def _ask(debate: Debate, view: View, most: int) -> str:
    first, second = view.sides
    changes = (f"{i}.\n{quote(text) or _NO_TEXT}" for i, text in enumerate(view.changes, start=1))
    return fill_prompt(
        "audit",
        question=quote_question(debate),
        answer_1=quote_answer(debate, first.answer),
        statements_1=_show(first),
        answer_2=quote_answer(debate, second.answer),
        statements_2=_show(second),
        changed=len(view.changes) or "none",
        changes="\n\n".join(changes) or "(nothing)",
        most_followers=most,
    )


def _show(side: Side) -> str:
    return "\n\n".join(f"Round {r}:\n{quote(text)}" for r, text in side.statements)
