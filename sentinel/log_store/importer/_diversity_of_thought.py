"""Debates of the diversity-of-thought scripts: a list of question, agent_response {slot: [text per round]} and answer.

A slot's n-th text is its turn in round n: answers of all rounds are stored in order, while `summarization` (what each
round was shown) may stop after two. A slot is named "model-position", in older files by the model alone.
"""

from typing import Any

from sentinel.foreign import show
from sentinel.log_store.importer._document import Entry, Form, Refused
from sentinel.log_store.importer._layout import SOLUTION_MARK, Draft, Layout, need, text_after
from sentinel.log_store.importer._prompt import split_prompt


def _matches(entry: Entry) -> bool:
    return isinstance(entry.value, dict) and "agent_response" in entry.value


def _convert(entry: Entry, model: str | None) -> Draft:
    record = entry.value
    if not isinstance(record, dict):
        raise Refused(f"expected an object with question, agent_response and answer, found {show(record)}")
    prompt = need(record, "question", str, "a text")
    slots = need(record, "agent_response", dict, "an object of slot -> list of texts")
    if len(slots) < 2:
        raise Refused(f"agent_response: expected at least two slots, found {', '.join(map(str, slots)) or 'none'}")
    for slot, texts in slots.items():
        if not isinstance(texts, list) or not all(text is None or isinstance(text, str) for text in texts):
            raise Refused(f"agent_response, {slot}: expected a list of texts, found {show(texts)}")
    lengths = {slot: len(texts) for slot, texts in slots.items()}
    if len(set(lengths.values())) > 1 or not all(lengths.values()):
        listed = ", ".join(f"{slot} {length}" for slot, length in lengths.items())
        raise Refused(f"agent_response: the slots need equally many texts, one a round; there are {listed}")
    _check_summaries(record.get("summarization"), slots)
    data: dict[str, Any] = {
        "agents": [
            {"name": slot, "model": slot.removesuffix(f"-{place}") or model}
            for place, slot in enumerate(slots, start=1)
        ],
        "rounds": [
            [{"agent": slot, "reasoning": texts[r]} for slot, texts in slots.items()]
            for r in range(min(lengths.values()))
        ],
    }
    gold = record.get("answer")
    if isinstance(gold, str) and SOLUTION_MARK in gold:
        solution = text_after(gold, SOLUTION_MARK)
        return Draft(data | {"question": prompt, "gold": solution, "answer_type": "number"}, "gsm8k")
    question, choices = split_prompt(prompt)
    return Draft(data | {"question": question, "choices": choices, "gold": gold, "meta": {"prompt": prompt}}, "mmlu")


def _check_summaries(summaries: object, slots: dict[str, list[str | None]]) -> None:
    """Raise Refused where texts are not answers, or not one a round."""
    if not isinstance(summaries, list) or not summaries:
        return
    rounds = min(map(len, slots.values()))
    if len(summaries) >= rounds:
        raise Refused(
            f"{len(summaries)} summaries were shown, but there are {rounds} texts a slot, so rounds are missing"
        )
    # Some versions of the scripts stored the prompt, a list of the summaries so far, in place of the answer to it.
    shown = repr(summaries[0])
    for r in range(1, rounds):
        if all(shown in (texts[r] or "") for texts in slots.values()):
            raise Refused(f"text {r} of every slot holds the prompt that was shown, not the answer to it")


DIVERSITY_OF_THOUGHT = Layout(
    expected="a JSON list of objects with question, agent_response (slot -> texts by round) and answer",
    forms=(Form.LIST, Form.LINES),
    matches=_matches,
    convert=_convert,
)
