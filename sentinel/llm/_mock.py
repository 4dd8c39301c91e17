"""A stand-in for models that costs nothing: named behaviours, or a test's own script or callable.

A behaviour reads the prompt as a model would, options ("A) ...") and the others' answers ("NAME, round 1:" before
"| answer: B"), and replies in tags, or in JSON where that is asked for. A hash of the request decides what it says.
"""

import asyncio
import hashlib
import inspect
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

from sentinel.llm._fault import Fault, Kind
from sentinel.llm._request import Completion, Endpoint, Message, Params

Reply = str | None | Completion
Script = Callable[[str, Sequence[Message], Params], Reply | Awaitable[Reply]] | Mapping[str, Sequence[Reply]]

# How often a behaviour finds the right answer where it can work it out (sums in words), and how it meets disagreement.
_SKILL = {"agreeable": 0.5, "stubborn": 0.6, "contrarian": 0.4, "careful": 0.9}
_OPTION = re.compile(r"^([A-Z])\) ", re.MULTILINE)
_SAID = re.compile(r"^(.{1,80}), round \d+:\n\| answer: (.+)$", re.MULTILINE)
_STATEMENT = re.compile(r"(\w+\s+)?(\d+)([^.?!]*)")
_NUMBER_FORM = re.compile(r"<answer>[^<]*(number|digits)", re.IGNORECASE)
_BOOLEAN_FORM = re.compile(r"<answer>[^<]*\btrue\b", re.IGNORECASE)
_VALUES = re.compile(r"(\w+(?:, \w+)*) \((?:true or false|a (?:whole )?number from (\d+) to (\d+))\)")
_CHARACTERS_PER_TOKEN = 4


class Mock:
    """A scripted endpoint.

    `script` is called with (model name, messages, params), or lists replies by model name, which are used up in order.
    """

    # A reply from a script may depend on more than the request.
    identity: Mapping[str, Any] | None = None
    slots: int | None = None

    def __init__(self, endpoint: Endpoint, script: Script | None) -> None:
        self._name = endpoint.name
        self._script = script
        self._left = None
        if isinstance(script, Mapping) and self._name in script:
            self._left = iter(script[self._name])

    async def complete(self, messages: Sequence[Message], params: Params, without: Collection[str]) -> Completion:
        """Return the scripted reply; raises what a callable raises, and Fault when a script is used up."""
        # As a server would, it lets others have a turn.
        await asyncio.sleep(0)
        reply: Any
        if self._left is not None:
            try:
                reply = next(self._left)
            except StopIteration:
                raise Fault(Kind.REFUSED, f"mock/{self._name}: no replies left in its script") from None
        elif callable(self._script):
            reply = self._script(self._name, messages, params)
            if inspect.isawaitable(reply):
                reply = await reply
        else:
            reply = behave(self._name, messages, params)
        if isinstance(reply, Completion):
            return reply
        return Completion(reply, usage=_count(messages, reply or ""), cost=0.0, finish_reason="stop")

    async def close(self) -> None:
        """Do nothing."""


def mock_names() -> tuple[str, ...]:
    """Return the names of the behaviours."""
    return tuple(_SKILL)


def behave(name: str, messages: Sequence[Message], params: Params) -> str:
    """Return what the named behaviour replies."""
    draw = _Draw(name, messages, params)
    prompt = messages[-1]["content"]
    if "JSON object" in prompt:
        return _fill_in(prompt, draw)
    options = sorted(set(_OPTION.findall(prompt)))
    # Of several rounds that are shown the last one counts.
    said = {speaker: answer for speaker, answer in _SAID.findall(prompt) if not options or answer in options}
    own = said.pop("You", None)
    others = list(said.values())
    if own is None and not others:
        answer = _first_answer(name, prompt, options, draw)
        return f"<reasoning>\n{_think(prompt, answer, draw)}\n</reasoning>\n<answer>{answer}</answer>"
    answer, reason = _next_answer(name, own, others, options, draw)
    return (
        f"<reasoning>\n{_think(prompt, answer, draw)} {reason}\n</reasoning>\n<answer>{answer}</answer>\n"
        f"<stance_change>{'NO' if answer == own else 'YES'}</stance_change>\n<change_reason>{reason}</change_reason>"
    )


class _Draw:
    """Draws that follow from the request alone."""

    def __init__(self, name: str, messages: Sequence[Message], params: Params) -> None:
        request = json.dumps([name, [dict(message) for message in messages], params.seed], sort_keys=True)
        self._seed = hashlib.sha256(request.encode()).hexdigest()

    def share(self, what: str) -> float:
        """Return a number in [0, 1)."""
        return int.from_bytes(hashlib.sha256(f"{self._seed} {what}".encode()).digest()[:6]) / 2**48

    def pick(self, what: str, among: Sequence[str]) -> str:
        """Return one of them."""
        return among[int(self.share(what) * len(among))]


def _fill_in(prompt: str, draw: _Draw) -> str:
    """Return a JSON object with the values that the prompt lists, such as "- name, name (true or false): ..."."""
    values: dict[str, bool | int] = {}
    for names, low, high in _VALUES.findall(prompt):
        for name in names.split(", "):
            share = draw.share(name)
            values[name] = int(low) + int(share * (int(high) - int(low) + 1)) if high else share < 0.5
    return json.dumps(values)


def _first_answer(name: str, prompt: str, options: Sequence[str], draw: _Draw) -> str:
    right = draw.share("skill") < _SKILL.get(name, 0.5)
    if options:
        # Nothing here can tell which option is right; most hold the same one, so that there is something to debate.
        favourite = options[int(hashlib.sha256(prompt.encode()).hexdigest(), 16) % len(options)]
        return favourite if right else draw.pick("option", options)
    if _BOOLEAN_FORM.search(prompt):
        return draw.pick("option", ("true", "false"))
    if _NUMBER_FORM.search(prompt):
        total = _work_out(prompt)
        return str(total if right else total + 1 + int(draw.share("slip") * 3))
    return draw.pick("option", ("both", "neither", "the first", "the last"))


def _next_answer(
    name: str, own: str | None, others: Sequence[str], options: Sequence[str], draw: _Draw
) -> tuple[str, str]:
    """Return an answer after the exchange, and why it was kept or changed."""
    counted = Counter(others)
    leading = max(counted, key=lambda answer: (counted[answer], answer)) if counted else own
    if own is None:
        return leading or draw.pick("option", options or ("1",)), "I had none before."
    if leading is None or set(counted) <= {own}:
        return own, "Nobody holds anything else."
    rivals = sorted(set(others) - {own})
    match name:
        case "stubborn":
            return own, "No step of mine was shown to be wrong."
        case "contrarian":
            rival = draw.pick("rival", rivals)
            return (
                (own, "The others only repeat each other.")
                if counted[own] == 0
                else (rival, "I tried it the other way.")
            )
        case "careful":
            return (
                (rivals[0], "I found a slip in my second step.")
                if draw.share("check") < 0.2
                else (own, "I checked it again.")
            )
    if counted[leading] > 1 + counted[own] or draw.share("yield") < 0.5:
        return leading, "I was convinced by the others."
    return own, "I stay with what I worked out."


def _think(prompt: str, answer: str, draw: _Draw) -> str:
    words = sorted(set(re.findall(r"[A-Za-z]{5,}", prompt.partition("Solve")[0])))
    seen = ", ".join(draw.pick(f"word {number}", words) for number in range(3)) if words else "the question"
    step = int(draw.share("step") * 40) + 2
    return f"What counts here: {seen}. Step 1: {step} + {step} = {2 * step}. Step 2 leads to {answer}."


def _work_out(prompt: str) -> int:
    """Return the running total of a sum in words: each number changes it as the words around it say."""
    total: int | None = None
    for before, digits, after in _STATEMENT.findall(prompt.partition("How many")[0]):
        number, words = int(digits), f"{before}{after}".lower()
        if total is None:
            total = number
        elif "times" in words:
            total *= number
        elif re.search(r"shared|people|evenly|divid", words) and number:
            total //= number
        else:
            total += -number if re.search(r"lost|fewer|less|gives? away|eats?|sells?", words) else number
    return total or 0


def _count(messages: Sequence[Message], reply: str) -> dict[str, int]:
    asked = sum(len(message["content"]) for message in messages)
    return {"prompt_tokens": asked // _CHARACTERS_PER_TOKEN, "completion_tokens": len(reply) // _CHARACTERS_PER_TOKEN}
