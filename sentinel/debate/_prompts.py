"""The templates that prompts are made from: the package's own, each of which a user's file of the same name replaces.

In: a folder, or none. Out: `Prompts`, checked when loaded, so that a misspelt placeholder costs no call.
"""

import difflib
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import yaml

from sentinel.errors import DebateError

# The placeholders each template may hold; those in the second tuple it must hold.
_TEMPLATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "system.txt": (("role",), ("role",)),
    "independent.txt": (("question", "answer_form"), ("question",)),
    "debate.txt": (("question", "answer_form", "own", "others", "round", "rounds"), ("question", "own", "others")),
    "reconsider.txt": (("question", "answer_form", "own", "round", "rounds"), ("question", "own")),
    "brief.txt": (("question", "answer_form", "turns"), ("question", "turns")),
    "turn.txt": (("speaker", "round", "answer", "reasoning"), ("speaker", "answer", "reasoning")),
    "turn_answer.txt": (("speaker", "round", "answer"), ("speaker", "answer")),
    "reask.txt": (("answer_form",), ()),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "answer_choice": ("last",),
    "answer_letter": (),
    "answer_number": (),
    "answer_boolean": (),
    "answer_text": (),
    "you": (),
    "anonymous": ("letter",),
    "no_answer": (),
    "no_reply": (),
}
_EXAMPLE_TEXTS = ("question", "reasoning", "answer", "wrong_reasoning", "wrong_answer", "change_reason")
_FILES = (*_TEMPLATES, "words.yaml", "examples.yaml")


@dataclass(frozen=True, slots=True)
class Example:
    """A worked question. In a debate round the agent had the wrong answer if it `changes`, else another one has it."""

    question: str
    choices: tuple[str, ...] | None
    reasoning: str
    answer: str
    wrong_reasoning: str
    wrong_answer: str
    changes: bool
    change_reason: str


@dataclass(frozen=True, slots=True)
class Prompts:
    """Templates by file name, short texts by name, worked examples by answer type; `hash` is over all of them."""

    templates: Mapping[str, Template]
    words: Mapping[str, Template]
    examples: Mapping[str, tuple[Example, ...]]
    hash: str

    def fill(self, name: str, **values: object) -> str:
        """Return a template with its values set in; a "$" or a brace inside a value is left alone."""
        return self.templates[f"{name}.txt"].substitute(values).strip()

    def word(self, name: str, **values: object) -> str:
        """Return a short text with its values set in."""
        return self.words[name].substitute(values)


def load_prompts(folder: str | None = None) -> Prompts:
    """Return the prompts, those in `folder` in place of the package's.

    Raises DebateError for a folder without any, a file with another name, and a template that cannot be filled.
    """
    texts = dict(_built_in())
    if folder is not None:
        texts |= _read_folder(Path(folder).expanduser())
    templates = {name: _template(name, texts[name], *_TEMPLATES[name]) for name in _TEMPLATES}
    words = {
        name: _template(f"words.yaml: {name}", text, _WORDS[name])
        for name, text in _mapping("words.yaml", texts["words.yaml"], _WORDS).items()
    }
    digest = hashlib.sha256("\0".join(texts[name] for name in _FILES).encode())
    return Prompts(templates, words, _read_examples(texts["examples.yaml"]), digest.hexdigest()[:16])


@cache
def _built_in() -> Mapping[str, str]:
    folder = resources.files("sentinel.debate") / "prompts"
    return {name: (folder / name).read_text(encoding="utf-8") for name in _FILES}


def _read_folder(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise DebateError(f"debate.prompts={folder}: no such folder; it holds templates named {', '.join(_FILES)}")
    texts = {}
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".txt", ".yaml"):
            continue
        if path.name not in _FILES:
            near = difflib.get_close_matches(path.name, _FILES, n=1)
            raise DebateError(f"{path}: no such template; {f'did you mean {near[0]}? ' if near else ''}{_have(_FILES)}")
        try:
            texts[path.name] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DebateError(f"{path}: cannot be read as UTF-8 text: {error}") from error
    if not texts:
        raise DebateError(f"debate.prompts={folder}: holds no template; {_have(_FILES)}")
    return texts


def _template(name: str, text: str, allowed: Iterable[str], needed: Iterable[str] = ()) -> Template:
    template = Template(text)
    if not template.is_valid():
        raise DebateError(f"{name}: a lone $ that is no placeholder; write $$ for a dollar sign")
    found = template.get_identifiers()
    for placeholder in found:
        if placeholder not in allowed:
            raise DebateError(f"{name}: ${placeholder}: no such placeholder; {_have(allowed, '$') or 'it has none'}")
    for placeholder in needed:
        if placeholder not in found:
            raise DebateError(f"{name}: lacks ${placeholder}, without which the model is not told what it must know")
    return template


def _have(names: Iterable[str], prefix: str = "") -> str:
    listed = ", ".join(prefix + name for name in names)
    return f"have: {listed}" if listed else ""


def _parse_yaml(name: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise DebateError(f"{name}: no YAML: {' '.join(str(error).split())}") from error


def _mapping(name: str, text: str, keys: Iterable[str]) -> dict[str, str]:
    data = _parse_yaml(name, text)
    if not isinstance(data, dict) or set(data) != set(keys):
        got = ", ".join(map(str, data)) if isinstance(data, dict) else type(data).__name__
        raise DebateError(f"{name}: expected exactly the keys {', '.join(keys)}; got {got}")
    return {key: str(value) for key, value in data.items()}


def _read_examples(text: str) -> dict[str, tuple[Example, ...]]:
    data = _parse_yaml("examples.yaml", text)
    if not isinstance(data, dict):
        raise DebateError("examples.yaml: expected lists of examples under choice, number, boolean, text")
    return {kind: tuple(_read_example(kind, entry) for entry in entries) for kind, entries in data.items()}


def _read_example(kind: str, entry: object) -> Example:
    needed = {*_EXAMPLE_TEXTS, "changes"}
    if not isinstance(entry, dict) or not needed <= set(entry) <= {*needed, "choices"}:
        raise DebateError(
            f"examples.yaml: {kind}: an example has {', '.join(_EXAMPLE_TEXTS)}, changes, and choices if any"
        )
    choices = entry.get("choices")
    texts = {key: str(entry[key]) for key in _EXAMPLE_TEXTS}
    return Example(
        choices=None if choices is None else tuple(map(str, choices)), changes=bool(entry["changes"]), **texts
    )
