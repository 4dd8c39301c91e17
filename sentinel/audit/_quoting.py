"""Sets a debate's texts into prompts: quoted, so that they cannot pass for instructions, and without names."""

import re
from collections.abc import Callable, Mapping
from string import ascii_uppercase

from sentinel.llm import quote
from sentinel.records import AnswerType, Debate, Turn

# Shorter names ("A", "1") are also words of the language.
_SHORTEST_NAME = 3
# What agents call each other in a debate that gives them letters or numbers, whatever the log calls them.
_GIVEN_NAMES = re.compile(r"\b[Aa]gents? (?:[A-Z]|\d{1,2})(?:(?:,|,? and|,? or| &) (?:[A-Z]|\d{1,2}))*\b")


def quote_question(debate: Debate) -> str:
    """Return the question and its options, quoted."""
    options = zip(ascii_uppercase, debate.choices or (), strict=False)
    return quote("\n".join([debate.question, *(f"{letter}) {choice}" for letter, choice in options)]))


def quote_answer(debate: Debate, answer: str) -> str:
    """Return an answer, quoted; a letter with the option it stands for."""
    if debate.answer_type is AnswerType.CHOICE and debate.choices is not None and len(answer) == 1:
        at = ascii_uppercase.find(answer)
        if 0 <= at < len(debate.choices):
            return quote(f"{answer}) {debate.choices[at]}")
    return quote(answer)


def text_of(turn: Turn) -> str:
    """Return what a turn argues: its reasoning, or its raw text, and why it changed; "" where nothing was kept."""
    said = (turn.reasoning or turn.raw or "").strip()
    why = (turn.change_reason or "").strip()
    return said if why in said else f"{said}\n{why}".strip()


def label_agents(debate: Debate) -> dict[str, str]:
    """Return "Agent A", "Agent B", ... for the agents' names, in the panel's order, as anonymous debates call them."""
    labels = [*ascii_uppercase, *range(27, len(debate.agents) + 1)]
    return {agent.name: f"Agent {label}" for agent, label in zip(debate.agents, labels, strict=False)}


def rename_agents(labels: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that puts the labels in place of the agents' names in a text."""
    found = {name: label for name, label in labels.items() if len(name) >= _SHORTEST_NAME}
    found |= {name[0].upper() + name[1:]: label for name, label in found.items()}
    if not found:
        return lambda text: text
    # The longer names first, so that none is taken for a part of another.
    names = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:[Tt]he )?({names})(?!\w)")
    return lambda text: pattern.sub(lambda match: found[match[1]], text)


def hide_agents(debate: Debate) -> Callable[[str], str]:
    """Return a function that puts "a participant" in place of whoever is named in a text, so that nobody is counted."""
    rename = rename_agents(label_agents(debate))
    return lambda text: _GIVEN_NAMES.sub("a participant", rename(text))
