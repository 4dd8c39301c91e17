"""Discussions of MALLM, in the early and in the current layout.

Early: global_memory {message id: {turn, agent_id, persona, text, ..}}, personas {name: description}. Current:
globalMemory [{message_id, turn, agent_id, persona, message, solution, ..}], personas a list. Turn 1 is round 0. A
message's answer is read from its solution where one was recorded, else from its text; agreement goes to meta.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from sentinel.answer import infer_answer_type, parse_answer
from sentinel.foreign import show
from sentinel.log_store.importer._document import Entry, Form, Refused
from sentinel.log_store.importer._layout import LETTERS, SOLUTION_MARK, Draft, Layout, need, text_after
from sentinel.records import AnswerType

_OPTION = re.compile(r"[ \t]*\(?([A-Z])\)[ \t]+(.*)")
_NO_PANELIST = re.compile(r"(Policy )?Moderator( \d+)?")
_META = (
    *("exampleId", "datasetId", "metadata", "instruction", "paradigm", "turns"),
    *("agreements", "votesEachTurn", "decisionSuccess", "challengedAnswers"),
)


@dataclass(frozen=True, slots=True)
class _Message:
    turn: int
    agent: str
    persona: str
    text: str | None
    solution: str | None
    agreement: bool | None
    saw_others: bool


def _matches(entry: Entry) -> bool:
    return isinstance(entry.value, dict) and bool({"globalMemory", "global_memory"} & entry.value.keys())


def _convert(entry: Entry, model: str | None) -> Draft:
    record = entry.value
    if not isinstance(record, dict):
        raise Refused(f"expected an object with input, references, personas and globalMemory, found {show(record)}")
    messages = _read_messages(record)
    agents, names = _read_agents(record.get("personas"), messages, model)
    rounds, notes = _arrange(messages, list(names))
    prompt = _join(record.get("input"), "input")
    question, choices = _split_options(prompt)
    if context := _join(record.get("context"), "context", optional=True):
        question = f"{context}\n\n{question}"
    gold = _read_gold(record.get("references"))
    numeric = isinstance(gold, str) and SOLUTION_MARK in gold
    gold = text_after(gold, SOLUTION_MARK) if numeric else gold
    answer_type = AnswerType.NUMBER if numeric else infer_answer_type(gold, choices)
    if gold is None and choices is None:
        raise Refused("references are missing, and without options nothing says what kind of answer is asked for")
    meta = {key: record[key] for key in _META if record.get(key) is not None}
    meta |= {"prompt": prompt, "final_answer": record.get("finalAnswer", record.get("answer"))}
    meta["agreement_by_turn"] = {
        str(message.turn): {names[other.agent]: other.agreement for other in messages if other.turn == message.turn}
        for message in messages
    }
    data = {
        "question": question,
        "choices": choices,
        "gold": gold,
        "answer_type": answer_type.value,
        "agents": agents,
        "rounds": [
            [_write_turn(names[message.agent], message, answer_type, choices) for message in turns] for turns in rounds
        ],
        "meta": meta,
    }
    return Draft(data, _read_dataset(record.get("dataset")), notes=notes)


def _read_messages(record: Mapping[str, Any]) -> list[_Message]:
    """Return the messages in the order they were sent."""
    if "globalMemory" in record:
        rows = need(record, "globalMemory", list, "a list of messages")
        numbered = [(row.get("message_id") if isinstance(row, dict) else None, row) for row in rows]
    else:
        numbered = list(need(record, "global_memory", dict, "an object of message id -> message").items())
    messages = []
    for number, row in numbered:
        if not isinstance(row, dict) or not str(number).isdecimal() or len(str(number)) > 18:
            raise Refused(f"message {show(number)}: expected an object with a numbered id, found {show(row)}")
        messages.append((int(str(number)), _read_message(f"message {number}", row)))
    if len({number for number, _ in messages}) < len(messages):
        raise Refused("two messages have the same id")
    return [message for _, message in sorted(messages, key=lambda item: item[0])]


def _read_message(name: str, row: Mapping[str, Any]) -> _Message:
    turn, agent = row.get("turn"), row.get("agent_id", row.get("agentId"))
    text = row.get("message", row.get("text"))
    if not isinstance(turn, int) or isinstance(turn, bool) or agent is None or not isinstance(text, str | None):
        raise Refused(f"{name}: expected a turn number, an agent_id and a text, found {show(dict(row))}")
    solution = row.get("solution", row.get("extracted_draft", row.get("extractedDraft")))
    shown = row.get("additional_args") or row.get("prompt_args") or {}
    return _Message(
        turn=turn,
        agent=str(agent),
        persona=str(row.get("persona")),
        text=text,
        # The early version wrote str(None).
        solution=solution if isinstance(solution, str) and solution.strip() not in ("", "None") else None,
        agreement=row.get("agreement"),
        saw_others=isinstance(shown, dict) and shown.get("agent_memory") not in (None, "None", "", []),
    )


def _read_agents(
    personas: object, messages: Sequence[_Message], model: str | None
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the agents and the name of each agent id, in the order of `personas`."""
    speakers = {message.agent: message.persona for message in messages}
    if isinstance(personas, dict):
        known = {agent: None for role in personas for agent, persona in speakers.items() if persona == role}
        models: dict[str, Any] = {}
    elif isinstance(personas, list) and all(isinstance(persona, dict) for persona in personas):
        known = {str(persona.get("agentId")): None for persona in personas}
        models = {str(persona.get("agentId")): persona.get("model") for persona in personas}
        speakers |= {str(persona.get("agentId")): str(persona.get("persona")) for persona in personas}
    else:
        raise Refused(f"personas={show(personas)}: expected an object of descriptions or a list of objects")
    outside = [role for agent, role in speakers.items() if agent not in known or _NO_PANELIST.fullmatch(role)]
    if outside:
        raise Refused(f"{', '.join(outside)}: takes part but is no panelist with an answer of its own")
    if len(known) < 2:
        raise Refused(f"expected at least two agents, found {len(known)}")
    roles = [speakers[agent] for agent in known]
    names = {
        agent: role if roles.count(role) == 1 else f"{role} {place}"
        for place, (agent, role) in enumerate(zip(known, roles, strict=True), start=1)
    }
    agents = [{"name": names[a], "model": models.get(a) or model, "role": speakers[a]} for a in known]
    return agents, names


def _arrange(messages: Sequence[_Message], agents: Sequence[str]) -> tuple[list[list[_Message]], tuple[str, ...]]:
    """Return the messages by turn, and what is unusual about them; a decision may end the last turn early."""
    turns = sorted({message.turn for message in messages})
    if not turns or turns != list(range(turns[0], turns[0] + len(turns))):
        raise Refused(f"expected messages of consecutive turns, found turns {', '.join(map(str, turns)) or 'none'}")
    notes = []
    rounds = []
    for turn in turns:
        said = [message for message in messages if message.turn == turn]
        speakers = [message.agent for message in said]
        if len(set(speakers)) < len(speakers):
            raise Refused(f"turn {turn}: an agent speaks twice")
        if len(speakers) < len(agents):
            if turn != turns[-1]:
                raise Refused(
                    f"turn {turn}: {len(speakers)} of {len(agents)} agents speak, and it is not the last turn"
                )
            notes.append(
                "the decision fell before all agents spoke in the last turn; their turns there count as failed"
            )
        rounds.append(said)
    if any(message.saw_others for message in rounds[0]):
        notes.append("round 0 is not independent: agents saw messages of others in turn 1")
    return rounds, tuple(notes)


def _write_turn(name: str, message: _Message, answer_type: AnswerType, choices: list[str] | None) -> dict[str, Any]:
    if message.solution is None:
        return {"agent": name, "reasoning": message.text}
    parsed = parse_answer(message.solution, answer_type, choices)
    return {"agent": name, "reasoning": message.text, "answer": parsed.answer, "status": parsed.status.value}


def _join(value: object, key: str, optional: bool = False) -> str:
    """Return a text that may be stored as a list of texts."""
    parts = value if isinstance(value, list) else [] if value is None else [value]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts) or not (parts or optional):
        raise Refused(f"{key}={show(value)}: expected a text or a list of texts")
    return "\n".join(texts)


def _split_options(prompt: str) -> tuple[str, list[str] | None]:
    """Return question and options where the input ends in lines "A) ..", "B) .." and so on; else the input whole."""
    lines = prompt.rstrip().split("\n")
    options = [(i, match) for i, line in enumerate(lines) if (match := _OPTION.fullmatch(line))]
    if not options or options[0][1][1] != "A":
        return prompt, None
    first = options[0][0]
    letters = [match[1] for _, match in options]
    if len(options) < 2 or len(lines) - first != len(options) or letters != list(LETTERS[: len(options)]):
        raise Refused(
            f"input: the lines from 'A)' on are not options in the order of their letters: {', '.join(letters)}"
        )
    return "\n".join(lines[:first]).strip(), [match[2].strip() for _, match in options]


def _read_gold(references: object) -> Any:
    if not isinstance(references, list):
        return references
    if len(references) > 1:
        raise Refused(f"references={show(references)}: {len(references)} answers count as right, and a debate has one")
    return references[0] if references else None


def _read_dataset(dataset: object) -> str | None:
    if not isinstance(dataset, str) or not dataset:
        return None
    return PurePath(dataset).stem if dataset.endswith((".json", ".jsonl")) else dataset


MALLM = Layout(
    expected="a JSON list of objects with input, references, personas and globalMemory (early: global_memory)",
    forms=(Form.LIST, Form.LINES),
    matches=_matches,
    convert=_convert,
)
