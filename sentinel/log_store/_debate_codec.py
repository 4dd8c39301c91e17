"""A debate as a JSON object and back; reading derives what the object lacks (DESIGN section 3) and invents nothing."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any

from sentinel.answer import canonical_answer, infer_answer_type, parse_answer
from sentinel.errors import LogError
from sentinel.foreign import near_names, show
from sentinel.log_store._field import (
    Data,
    is_missing,
    misfit,
    need_list,
    need_text,
    take_flag,
    take_mapping,
    take_member,
    take_number,
    take_text,
)
from sentinel.records import SCHEMA_VERSION, Agent, AnswerType, Debate, Status, Turn

_ABSENT = "no turn recorded"
_MAX_CHOICES = 26
_KEYS = frozenset(
    "schema_version kind id dataset source question_key question choices answer_type gold agents rounds meta".split()
)


def debate_to_dict(debate: Debate) -> dict[str, Any]:
    """Return the complete JSON object of a debate, nulls included."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "debate",
        "id": debate.id,
        "dataset": debate.dataset,
        "source": debate.source,
        "question_key": debate.question_key,
        "question": debate.question,
        "choices": None if debate.choices is None else list(debate.choices),
        "answer_type": debate.answer_type.value,
        "gold": debate.gold,
        "agents": [
            {"name": agent.name, "model": agent.model, "role": agent.role, "temperature": agent.temperature}
            for agent in debate.agents
        ],
        "rounds": [[_turn_to_dict(turn) for turn in turns] for turns in debate.rounds],
        "meta": dict(debate.meta),
    }


def _turn_to_dict(turn: Turn) -> dict[str, Any]:
    return {
        "agent": turn.agent,
        "answer": turn.answer,
        "status": turn.status.value,
        "raw": turn.raw,
        "reasoning": turn.reasoning,
        "stance_change": turn.stance_change,
        "change_reason": turn.change_reason,
        "confidence": turn.confidence,
        "usage": None if turn.usage is None else dict(turn.usage),
        "cost": turn.cost,
        "latency": turn.latency,
        "attempts": turn.attempts,
        "error": turn.error,
    }


def debate_from_dict(data: Data, *, reparse: bool = False) -> Debate:
    """Return the debate of a JSON object; raises LogError with the field and the reason.

    Derived where absent: question_key (meta.question_key, else a hash of dataset, question and choices), answer_type,
    agents (in order of appearance, only if the object lists none), statuses, turns missing from a round (failed), and
    an answer whose key is absent (read from the text). With `reparse` all answers are read again from texts that exist.
    Keys the format does not know move to meta.
    """
    name = need_text(data, "id")
    try:
        return _read_debate(name, data, reparse)
    except LogError as error:
        raise LogError(f"debate {show(name)}: {error}") from None


def _read_debate(name: str, data: Data, reparse: bool) -> Debate:
    meta = take_mapping(data, "meta") or {}
    if not _KEYS.issuperset(data):
        meta = {key: value for key, value in data.items() if key not in _KEYS} | meta
    dataset = intern(need_text(data, "dataset"))
    question = intern(take_text(data, "question") or "")
    choices = _read_choices(data)
    rounds = need_list(data, "rounds")
    for r, turns in enumerate(rounds):
        if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
            raise misfit(f"rounds[{r}]", turns, "a list of turns that is not empty, each an object")
    answers = _AnswerReader(_read_answer_type(data, choices, rounds), choices, reparse)
    agents = _read_agents(data, rounds)
    return Debate(
        id=name,
        dataset=dataset,
        source=_intern(take_text(data, "source")),
        question_key=intern(_read_question_key(data, meta, dataset, question, choices)),
        question=question,
        choices=choices,
        answer_type=answers.answer_type,
        gold=answers.read_gold(data.get("gold")),
        agents=agents,
        rounds=_read_rounds(rounds, agents, answers),
        meta=meta,
    )


def _intern(text: str | None) -> str | None:
    return None if text is None else intern(text)


def _read_choices(data: Data) -> tuple[str, ...] | None:
    value = data.get("choices")
    if is_missing(value) or value == []:
        return None
    if not isinstance(value, list) or len(value) > _MAX_CHOICES:
        raise misfit("choices", value, f"a list of at most {_MAX_CHOICES} options, or null")
    for option in value:
        if not isinstance(option, str | int | float):
            raise misfit("choices", option, "options that are strings or numbers")
    return tuple(intern(str(option)) for option in value)


def _read_answer_type(data: Data, choices: tuple[str, ...] | None, rounds: list[list[dict[str, Any]]]) -> AnswerType:
    stated = take_member(data, "answer_type", AnswerType)
    if stated is not None:
        return stated
    gold = data.get("gold")
    if choices is not None or not is_missing(gold):
        return infer_answer_type(gold, choices)
    # Without gold and choices the recorded answers tell, if they agree about it.
    recorded = (turn.get("answer") for turns in rounds for turn in turns)
    types = {infer_answer_type(answer, None) for answer in recorded if not is_missing(answer)}
    return types.pop() if len(types) == 1 else AnswerType.TEXT


def _read_question_key(
    data: Data, meta: Mapping[str, Any], dataset: str, question: str, choices: tuple[str, ...] | None
) -> str:
    for source in (data, meta):
        if not is_missing(source.get("question_key")):
            return need_text(source, "question_key")
    if not question.strip():
        raise LogError("question and question_key are both missing: the debate cannot be grouped with its repeats")
    content = json.dumps([dataset, " ".join(question.split()), choices])
    return f"{dataset}:{hashlib.sha256(content.encode(errors='replace')).hexdigest()[:12]}"


def _read_agents(data: Data, rounds: list[list[dict[str, Any]]]) -> tuple[Agent, ...]:
    listed = data.get("agents")
    if is_missing(listed) or listed == []:
        names = dict.fromkeys(need_text(turn, "agent") for turns in rounds for turn in turns)
        return tuple(Agent(intern(name)) for name in names)
    agents = []
    for k, entry in enumerate(need_list(data, "agents")):
        try:
            agents.append(_read_agent({"name": entry} if isinstance(entry, str) else entry))
        except LogError as error:
            raise LogError(f"agents[{k}]: {error}") from None
    names_listed = [agent.name for agent in agents]
    for name in names_listed:
        if names_listed.count(name) > 1:
            raise LogError(f"agents: the name {name!r} occurs {names_listed.count(name)} times; names must be unique")
    return tuple(agents)


def _read_agent(entry: object) -> Agent:
    if not isinstance(entry, dict):
        raise LogError(f"{show(entry)}: expected a name or an object with one")
    return Agent(
        name=intern(need_text(entry, "name")),
        model=_intern(take_text(entry, "model")),
        role=_intern(take_text(entry, "role")),
        temperature=take_number(entry, "temperature"),
    )


def _read_rounds(
    rounds: list[list[dict[str, Any]]], agents: tuple[Agent, ...], answers: "_AnswerReader"
) -> tuple[tuple[Turn, ...], ...]:
    names = {agent.name for agent in agents}
    read = []
    for r, entries in enumerate(rounds):
        turns = []
        missing = set(names)
        for i, entry in enumerate(entries):
            try:
                turn = _read_turn(entry, answers)
                if turn.agent not in missing:
                    raise _wrong_agent(turn.agent, names)
            except LogError as error:
                raise LogError(f"rounds[{r}][{i}]: {error}") from None
            missing.discard(turn.agent)
            turns.append(turn)
        if missing:
            absent = (agent.name for agent in agents if agent.name in missing)
            turns.extend(Turn(name, None, Status.FAILED, error=_ABSENT) for name in absent)
        read.append(tuple(turns))
    return tuple(read)


def _wrong_agent(name: str, names: set[str]) -> LogError:
    if name in names:
        return LogError(f"agent={name!r} has two turns in this round")
    return LogError(f"agent={name!r} is not among the agents {', '.join(sorted(names))}{near_names(name, names)}")


def _read_turn(entry: dict[str, Any], answers: "_AnswerReader") -> Turn:
    raw = take_text(entry, "raw")
    # Features read `reasoning`; a log that kept only the whole output still has a text for them.
    reasoning = take_text(entry, "reasoning") or raw or ""
    answer, status, reason = answers.read_turn(entry, raw or reasoning)
    attempts = take_number(entry, "attempts", low=0)
    return Turn(
        agent=intern(need_text(entry, "agent")),
        answer=answer,
        status=status,
        reasoning=reasoning,
        raw=raw,
        stance_change=take_flag(entry, "stance_change"),
        change_reason=take_text(entry, "change_reason"),
        confidence=take_number(entry, "confidence"),
        usage=take_mapping(entry, "usage"),
        cost=take_number(entry, "cost"),
        latency=take_number(entry, "latency"),
        attempts=None if attempts is None else int(attempts),
        error=take_text(entry, "error") or reason,
    )


class _AnswerReader:
    """Reads the answers of one debate as its answer type."""

    def __init__(self, answer_type: AnswerType, choices: Sequence[str] | None, reparse: bool) -> None:
        self.answer_type = answer_type
        self._choices = choices
        self._reparse = reparse
        # A debate's answers repeat over agents and rounds.
        self._canonical: dict[str, str | None] = {}

    def canonical(self, value: object) -> str | None:
        """Return the canonical form of a recorded answer, None where it has none."""
        if not isinstance(value, str):
            return _intern(canonical_answer(value, self.answer_type, self._choices))
        if value not in self._canonical:
            self._canonical[value] = _intern(canonical_answer(value, self.answer_type, self._choices))
        return self._canonical[value]

    def describe(self) -> str:
        """Return what an answer must be, for a message."""
        if self.answer_type is AnswerType.CHOICE and self._choices:
            return f"one of the {len(self._choices)} choices"
        return f"a {self.answer_type.value} answer"

    def read_gold(self, value: object) -> str | None:
        if is_missing(value) or value == "":
            return None
        gold = self.canonical(value)
        if gold is None:
            raise misfit("gold", value, self.describe())
        return gold

    def read_turn(self, entry: dict[str, Any], text: str) -> tuple[str | None, Status, str | None]:
        """Return the answer, its status and, where a recorded answer cannot be read, the reason."""
        stated = take_member(entry, "status", Status)
        recorded = entry.get("answer")
        unread = "answer" not in entry and stated in (None, Status.OK)
        if text and (unread or (self._reparse and stated is not Status.FAILED)):
            parsed = parse_answer(text, self.answer_type, self._choices)
            return _intern(parsed.answer), parsed.status, None
        if is_missing(recorded) or recorded == "":
            if stated in (None, Status.OK):
                stated = Status.UNPARSED if text else Status.FAILED
            return None, stated, None
        if stated in (Status.UNPARSED, Status.FAILED):
            raise LogError(f"answer={show(recorded)} contradicts status={stated.value}: one of them must go")
        answer = self.canonical(recorded)
        if answer is None:
            return None, Status.UNPARSED, f"the recorded answer {show(recorded)} is not {self.describe()}"
        return answer, Status.OK, None
