"""One request to the auditor's or the judge's model, and one more where its reply cannot be used."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sentinel.errors import CallFailed, ContextOverflow
from sentinel.llm import Caller, Completion, Endpoint, Params, add_up, seed_for
from sentinel.settings import AuditSettings, JudgeSettings

# Room for a model that thinks before it replies; `params.max_tokens` wins over it.
_ANSWER_TOKENS = 2048
_ATTEMPTS = 2
_CUT_OFF = "length"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back: all completions, and why a call failed, if one did."""

    completions: tuple[Completion, ...]
    error: str | None

    @property
    def replies(self) -> tuple[str, ...]:
        """The replies that have a text."""
        return _texts(self.completions)

    def explain(self, faults: Sequence[str]) -> str | None:
        """Return what stands in the record's `error`: the faults and what may have caused them; None without any."""
        cut = any(reply.finish_reason == _CUT_OFF for reply in self.completions)
        causes = ["a reply ended at the token limit; raise params.max_tokens"] if cut else []
        if self.error is not None:
            causes.append(self.error)
        return "; ".join([*faults, *causes]) if faults or self.error else None

    def describe(
        self, settings: AuditSettings | JudgeSettings, seed: int, prompts: str, redact: bool
    ) -> dict[str, Any]:
        """Return what the record's `meta` keeps of the calls; the replies themselves unless they are to be redacted."""
        meta: dict[str, Any] = {
            "model": settings.model,
            "temperature": settings.temperature,
            "prompts": prompts,
            "seed": seed,
            **add_up(self.completions)._asdict(),
            "attempts": sum(reply.attempts for reply in self.completions),
            "calls": len(self.completions),
            "cached_calls": sum(reply.cached for reply in self.completions),
        }
        if not redact:
            meta["replies"] = list(self.replies)
        return meta


def endpoint_of(settings: AuditSettings | JudgeSettings) -> Endpoint:
    """Return where the model is called."""
    return Endpoint(settings.model, settings.base_url, settings.api_key_env)


async def ask_model(
    caller: Caller,
    settings: AuditSettings | JudgeSettings,
    system: str,
    user: str,
    complain: Callable[[tuple[str, ...]], str | None],
    seed: int,
    key: str,
) -> Exchange:
    """Ask; where `complain` objects to the replies so far, ask once more with what it says.

    Raises what must stop the run (CredentialError, BudgetReached); other failures are in the exchange.
    """
    params = Params(
        temperature=settings.temperature,
        max_tokens=_ANSWER_TOKENS,
        seed=seed_for(seed, key, settings.model, 0),
        extra=settings.params,
    )
    asked = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    completions: list[Completion] = []
    error = None
    messages = asked
    for _ in range(_ATTEMPTS):
        try:
            completions.append(await caller.call(endpoint_of(settings), messages, params))
        except (CallFailed, ContextOverflow) as failure:
            error = str(failure)
            break
        complaint = complain(_texts(completions))
        if complaint is None:
            break
        messages = _add_complaint(asked, completions[-1].text, complaint)
    return Exchange(tuple(completions), error)


def _texts(completions: Sequence[Completion]) -> tuple[str, ...]:
    return tuple(reply.text for reply in completions if reply.text and reply.text.strip())


def _add_complaint(asked: list[dict[str, str]], reply: str | None, complaint: str) -> list[dict[str, str]]:
    if reply and reply.strip():
        return [*asked, {"role": "assistant", "content": reply}, {"role": "user", "content": complaint}]
    # Some providers refuse an empty message.
    return [asked[0], {"role": "user", "content": f"{asked[1]['content']}\n\n{complaint}"}]
