"""Debates of the multi-agent-attack scripts: JSON lines of prompt, answer, raw_task and one chat history per agent.

Question and options come from `raw_task`, whose shape tells the dataset, and must occur in the prompt. An agent whose
history starts with a system message was told to argue for a wrong answer; its role is "adversary".
"""

from collections.abc import Mapping
from typing import Any

from sentinel.foreign import show
from sentinel.log_store.importer._chat import first_message, read_chats
from sentinel.log_store.importer._document import Entry, Form, Refused
from sentinel.log_store.importer._layout import LETTERS, Draft, Layout, need

_KEYS = ("question", "answer", "raw_task", "agent_responses")


def _matches(entry: Entry) -> bool:
    return isinstance(entry.value, dict) and all(key in entry.value for key in ("raw_task", "agent_responses"))


def _convert(entry: Entry, model: str | None) -> Draft:
    record = entry.value
    if not isinstance(record, dict):
        raise Refused(f"expected an object with {', '.join(_KEYS)}, found {show(record)}")
    prompt = need(record, "question", str, "the prompt")
    chats = need(record, "agent_responses", list, "one message list per agent")
    task = need(record, "raw_task", (list, dict), "the dataset's item")
    dataset, question, choices = _read_list_task(task) if isinstance(task, list) else _read_task(task)
    for letter, choice in zip(LETTERS, choices or (), strict=False):
        if f"{letter}) {choice}" not in prompt:
            raise Refused(f"option {letter} of raw_task, {show(choice)}, is not in the prompt")
    data = read_chats(chats, model)
    meta: dict[str, Any] = {"prompt": prompt}
    for agent, messages in zip(data["agents"], chats, strict=True):
        if messages[0]["role"] == "system":
            agent["role"] = "adversary"
            # The answer it was told to argue for stands nowhere else.
            meta["adversary_prompt"] = first_message(messages, "user")
    gold = _read_gold(record.get("answer"), choices)
    if isinstance(task, list) and gold != task[-1]:
        raise Refused(f"answer={show(gold)} contradicts raw_task, which says {show(task[-1])}")
    return Draft(data | {"question": question, "choices": choices, "gold": gold, "meta": meta}, dataset)


def _read_list_task(task: list[Any]) -> tuple[str, str, list[str]]:
    if len(task) != 6:
        raise Refused(f"raw_task: expected [question, A, B, C, D, gold], found a list of {len(task)}")
    return "mmlu", str(task[0]), [str(choice) for choice in task[1:5]]


def _read_task(task: Mapping[str, Any]) -> tuple[str, str, list[str] | None]:
    """Return dataset, question and options of an item that is an object."""
    if "mc1_targets" in task:
        options = list(need(task, "mc1_targets", dict, "an object of options"))
        return "truthfulqa", need(task, "question", str, "a text"), options
    if "opa" in task:
        return "medmcqa", need(task, "question", str, "a text"), [str(task.get(f"op{letter}")) for letter in "abcd"]
    if "choice_0" in task:
        return "scalr", need(task, "question", str, "a text"), [str(task.get(f"choice_{i}")) for i in range(5)]
    for dataset, key, other in (("math", "problem", "solution"), ("chess", "input", "target")):
        if key in task and other in task:
            return dataset, need(task, key, str, "a text"), None
    if "questions" in task:
        return "mquake", str(need(task, "questions", list, "a list of questions")[0]), None
    if "question" in task and "answer_aliases" in task:
        return "musique", need(task, "question", str, "a text"), None
    raise Refused(f"raw_task: no dataset known to this importer has the fields {', '.join(map(str, task))}")


def _read_gold(answer: object, choices: list[str] | None) -> Any:
    """Return the gold answer; a list of one is that one, TruthfulQA's is a pair of letter and option."""
    if not isinstance(answer, list):
        return answer
    if choices and len(answer) == 1 and isinstance(answer[0], list) and len(answer[0]) == 2:
        letter, option = answer[0]
        if str(letter).upper() not in dict(zip(LETTERS, choices, strict=False)):
            raise Refused(f"answer={show(answer)}: expected one of the {len(choices)} options")
        if choices[LETTERS.index(str(letter).upper())] != option:
            raise Refused(f"answer={show(answer)}: option {letter} of raw_task is another one")
        return letter
    if len(answer) == 1:
        return answer[0]
    raise Refused(f"answer={show(answer)}: {len(answer)} answers count as right, and a debate has one gold answer")


MULTI_AGENT_ATTACK = Layout(
    expected="JSON lines, each with question, answer, raw_task and agent_responses (one message list per agent)",
    forms=(Form.LINES, Form.LIST),
    matches=_matches,
    convert=_convert,
)
