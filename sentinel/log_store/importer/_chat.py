"""Agents recorded as chat histories, one message list each, as Du et al. write them.

The r-th assistant message of an agent is its turn in round r. Positions do not count: an agent told to play a part
starts with a system message. The user messages between quote other agents' turns and are not kept.
"""

from typing import Any

from sentinel.foreign import show
from sentinel.log_store.importer._document import Refused

_SILENT_ROLES = ("user", "system")


def read_chats(chats: object, model: str | None) -> dict[str, Any]:
    """Return the agents and rounds of a list of message lists; raises Refused where turns cannot be told apart."""
    if not isinstance(chats, list) or len(chats) < 2:
        held = f"{len(chats)} of them" if isinstance(chats, list) else show(chats)
        raise Refused(f"expected message lists of at least two agents, found {held}")
    texts = [_read_texts(messages, f"agent {k}") for k, messages in enumerate(chats)]
    counts = [len(said) for said in texts]
    if len(set(counts)) > 1:
        raise Refused(
            f"the agents have unequal numbers of assistant messages, {', '.join(map(str, counts))}, "
            "so rounds cannot be told apart"
        )
    if not counts[0]:
        raise Refused("no agent has an assistant message")
    names = [f"agent_{k}" for k in range(len(chats))]
    return {
        "agents": [{"name": name, "model": model} for name in names],
        "rounds": [
            [{"agent": name, "reasoning": said[r]} for name, said in zip(names, texts, strict=True)]
            for r in range(counts[0])
        ],
    }


def first_message(messages: list[Any], role: str) -> str | None:
    """Return the text of an agent's first message of a role, None where that is no text."""
    content = next((message["content"] for message in messages if message["role"] == role), None)
    return content if isinstance(content, str) else None


def _read_texts(messages: object, agent: str) -> list[str | None]:
    if not isinstance(messages, list):
        raise Refused(f"{agent}: expected a list of messages, found {show(messages)}")
    texts = []
    for i, message in enumerate(messages):
        if not isinstance(message, dict) or not {"role", "content"} <= message.keys():
            raise Refused(f"{agent}, message {i}: expected role and content, found {show(message)}")
        if message["role"] == "assistant":
            content = message["content"]
            if content is not None and not isinstance(content, str):
                raise Refused(f"{agent}, message {i}: content={show(content)}: expected a text or null")
            texts.append(content)
        elif message["role"] not in _SILENT_ROLES:
            expected = ", ".join((*_SILENT_ROLES, "assistant"))
            raise Refused(f"{agent}, message {i}: role={show(message['role'])}: expected one of {expected}")
    return texts
