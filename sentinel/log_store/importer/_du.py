"""Debates as Du et al.'s scripts write them: an object of question -> [one chat history per agent, gold answer].

GSM8K: the key is the question and the gold answer a worked solution ending in "#### N". MMLU: the key is the prompt,
which spells out the options, and the gold answer a letter.
"""

from sentinel.foreign import show
from sentinel.log_store.importer._chat import first_message, read_chats
from sentinel.log_store.importer._document import Entry, Form, Refused
from sentinel.log_store.importer._layout import LETTERS, SOLUTION_MARK, Draft, Layout, text_after
from sentinel.log_store.importer._prompt import split_prompt


def _matches(entry: Entry) -> bool:
    value = entry.value
    return entry.key is not None and isinstance(value, list) and len(value) in (1, 2) and isinstance(value[0], list)


def _convert(entry: Entry, model: str | None) -> Draft:
    if not _matches(entry):
        raise Refused(f"expected [message lists, gold answer], found {show(entry.value)}")
    chats, gold = entry.value[0], entry.value[1] if len(entry.value) == 2 else None
    key = entry.key or ""
    data = read_chats(chats, model)
    if isinstance(gold, str) and SOLUTION_MARK in gold:
        gold = text_after(gold, SOLUTION_MARK)
        return Draft(data | {"question": key, "gold": gold, "answer_type": "number"}, "gsm8k")
    if isinstance(gold, str) and gold.strip().strip("()").upper() in tuple(LETTERS):
        question, choices = split_prompt(key)
        return Draft(data | {"question": question, "choices": choices, "gold": gold, "meta": {"prompt": key}}, "mmlu")
    if isinstance(gold, int | float) and not isinstance(gold, bool):
        return Draft(data | {"question": key, "gold": gold, "answer_type": "number"})
    if gold is not None:
        raise Refused(f"the gold answer {show(gold)} is no letter, no number and no solution with {SOLUTION_MARK}")
    if "numerical" in (first_message(chats[0], "user") or ""):
        return Draft(data | {"question": key, "answer_type": "number"}, "gsm8k")
    question, choices = split_prompt(key)
    return Draft(data | {"question": question, "choices": choices, "meta": {"prompt": key}}, "mmlu")


DU = Layout(
    expected="a JSON object whose keys are questions and whose values are [one message list per agent, gold answer]",
    forms=(Form.OBJECT,),
    matches=_matches,
    convert=_convert,
)
