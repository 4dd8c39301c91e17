"""Imports an unknown JSON layout by a YAML file of paths, without code. Paths are those of `_path`.

    records: {layout: lines}            # or list, object (its values are the records), single; path: where in the file
    question: "@key"                    # a value: a path, or a block {path: .., value: a literal,
    gold: {path: "[1]", after: "####"}  #   after: cut what precedes its last occurrence, regex: take its only group
                                        #   (last match), counted_from: 0 or 1 (a number that stands for an option)}
    choices: options                    # path of a list, or of an object with the keys A, B, ..
    answer_type: number                 # choice, number, boolean, text; else told by choices and gold
    id: uid                             # else file name, index and digest; question_key: what repeats share
    dataset: {value: gsm8k}             # dataset and source; importer.dataset and importer.source_name come before them
    rounds:
      layout: agents_of_rounds          # or rounds_of_agents, flat (one list of messages)
      path: "[0]"                       # the outer list or object: agents, rounds or messages
      turns: messages                   # the inner one, from an outer member; default: the member itself
      where: {role: assistant}          # only turns with this value, or one of a list of values
      text: content                     # from a turn; the answer is read from it unless `answer` says where it stands
      answer: answer                    # a value
      agent: name                       # from a turn; needed by flat; else an object's key or the position
      round: step                       # from a turn; needed by flat; "@count": the n-th message of an agent is round n
      order: [draft, revised]           # where labels of rounds do not tell their order by a number
      missing: failed                   # a turn that is not there counts as failed; the default refuses the record
      stance_change: changed            # also change_reason, confidence
    agents:
      name: id                          # agents_of_rounds: from an outer member; or names: [ann, bob], by position
      model: llm                        # a value from an outer member or from an agent's first turn; also role
      models: {ann: gpt-4o}             # literals by name; also roles

The first round must be the independent one. Whatever is ambiguous in a record is refused with the reason.
"""

from typing import Any

from sentinel.foreign import show
from sentinel.log_store.importer._document import Entry, Refused
from sentinel.log_store.importer._layout import LETTERS, Draft
from sentinel.log_store.importer._mapping_file import Mapping, Rounds, Value
from sentinel.log_store.importer._path import FieldPath, resolve
from sentinel.log_store.importer._rounds import Said, arrange_turns, collect_turns
from sentinel.records import AnswerType


class _Unfit(Refused):
    """A value is there, but does not have the form that the mapping cuts it by."""


def convert_record(entry: Entry, mapping: Mapping, model: str | None) -> Draft:
    """Return the debate of one record; raises Refused where a path leads nowhere or what it finds is ambiguous."""
    record, key = entry.value, entry.key
    choices = _read_choices(mapping.choices, record)
    gold = _read_value(mapping.gold, record, key)
    chosen = choices is not None or mapping.answer_type is AnswerType.CHOICE
    if chosen:
        _check_option(gold, "gold")
    elif gold is None and mapping.answer_type is None and mapping.rounds.answer is None:
        raise Refused("without gold and choices nothing says how to read answers; set answer_type in the mapping")
    question = _read_text(mapping.question, record, key, "question")
    if not question:
        raise Refused("question is empty")
    names, table, notes = arrange_turns(
        collect_turns(record, mapping.rounds, mapping.agents), mapping.rounds, mapping.agents
    )
    data: dict[str, Any] = {
        "question": question,
        "choices": choices,
        "gold": gold,
        "answer_type": mapping.answer_type,
        "question_key": _read_text(mapping.question_key, record, key, "question_key"),
        "source": _read_text(mapping.source, record, key, "source"),
        "agents": [_read_agent(name, table, mapping, model) for name in names],
        "rounds": [[_read_turn(said, mapping.rounds, chosen) for said in row] for row in table],
    }
    dataset = _read_text(mapping.dataset, record, key, "dataset")
    return Draft(data, dataset, _read_text(mapping.id, record, key, "id"), tuple(notes))


def _read_value(value: Value | None, holder: Any, key: str | None) -> Any:
    """Return what a value leads to, cut as it says; None where it is null or may be absent and is."""
    if value is None:
        return None
    found = value.literal if value.path is None else resolve(value.path, holder, key)
    if found is None:
        return None
    if value.after is not None or value.regex is not None:
        if not isinstance(found, str):
            raise _Unfit(f"{_name(value)} is {show(found)}; after and regex need a text")
        found = _cut(value, found)
    if value.counted_from is None:
        return found
    if isinstance(found, bool) or not isinstance(found, int | str) or not str(found).isdecimal():
        raise _Unfit(f"{_name(value)} is {show(found)}; counted_from needs the number of an option")
    index = int(str(found)[:9]) - value.counted_from
    if not 0 <= index < len(LETTERS):
        raise _Unfit(f"{_name(value)} is {found}; there is no such option counted from {value.counted_from}")
    return LETTERS[index]


def _cut(value: Value, text: str) -> str:
    """Return what follows the last `after`, and of that the group of the last match of `regex`."""
    if value.after is not None:
        _, found, text = text.rpartition(value.after)
        if not found or not text.strip():
            raise _Unfit(f"{_name(value)}: nothing follows {value.after!r} in it")
    if value.regex is not None:
        matches = list(value.regex.finditer(text))
        if not matches or matches[-1][1] is None:
            raise _Unfit(f"{_name(value)}: regex {value.regex.pattern} does not match {show(text)}")
        text = str(matches[-1][1])
    return text.strip()


def _name(value: Value) -> str:
    return f"path {value.path.text}" if value.path else "the value"


def _read_text(value: Value | None, holder: Any, key: str | None, name: str) -> str | None:
    found = _read_value(value, holder, key)
    if found is None or isinstance(found, str):
        return found
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    raise Refused(f"{name} is {show(found)}; expected a text")


def _read_choices(path: FieldPath | None, record: Any) -> list[str] | None:
    found = None if path is None else resolve(path, record)
    if found is None:
        return None
    if isinstance(found, dict):
        letters = sorted(found)
        if letters != list(LETTERS[: len(letters)]):
            raise Refused(f"choices have the keys {', '.join(map(str, found))}; expected A, B, ... without a gap")
        found = [found[letter] for letter in letters]
    if not isinstance(found, list) or len(found) < 2:
        raise Refused(f"choices are {show(found)}; expected a list of at least two options")
    for option in found:
        if isinstance(option, bool) or not isinstance(option, str | int | float):
            raise Refused(f"choices hold {show(option)}; expected texts or numbers")
    return [str(option) for option in found]


def _check_option(answer: Any, name: str) -> None:
    if isinstance(answer, int | float):
        raise Refused(f"{name}={answer} is a number among options; say counted_from: 0 or 1 in the mapping")


def _read_agent(name: str, table: list[list[Said]], mapping: Mapping, model: str | None) -> dict[str, Any]:
    first = next((said for row in table for said in row if said.agent == name), None)
    agents = mapping.agents
    read = {}
    for key, value, literals in (("model", agents.model, agents.models), ("role", agents.role, agents.roles)):
        found = None if first is None else _read_text(value, first.holder, first.key, key)
        read[key] = found or literals.get(name)
    return {"name": name, "model": read["model"] or model, "role": read["role"]}


def _read_turn(said: Said, rounds: Rounds, chosen: bool) -> dict[str, Any]:
    try:
        text = None if rounds.text is None else resolve(rounds.text, said.turn)
        if text is not None and not isinstance(text, str):
            raise Refused(f"text is {show(text)}; expected a text or null")
        turn = {"agent": said.agent, "reasoning": text}
        if rounds.answer is not None:
            try:
                turn["answer"] = _read_value(rounds.answer, said.turn, None)
            except _Unfit:
                # An agent that did not answer in the asked form gave no answer that can be read.
                turn["answer"] = None
            if chosen:
                _check_option(turn["answer"], "answer")
        return turn | {name: resolve(path, said.turn) for name, path in rounds.extra.items()}
    except Refused as error:
        raise Refused(f"round {said.label}, {said.agent}: {error}") from None
