"""Finds the one object a model was asked for in whatever it wrote around, into or instead of it.

In: a reply of any quality. Out: its values by squashed key (see `squash`). Text is data: nothing is evaluated, and a
hostile reply costs bounded time.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping

_THOUGHT_END = "</think>"
_LENGTH = 50_000  # characters of a reply that are read, counted from its end
_ATTEMPTS = 200  # braces that are tried as the beginning of an object
_DECODER = json.JSONDecoder()
_QUOTES = "\"'“”‘’*`"
# A key and its value in an object that is not quite JSON: other quotes or none, commas too many or missing, cut short.
_PAIR = re.compile(
    rf"([A-Za-z][\w .-]{{0,40}}?)[{_QUOTES}]{{0,3}}\s{{0,3}}[:=]\s{{0,3}}"
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^,}\n]*)"""
)
_COMMENT = re.compile(r"\s*(?://|#|/\*).*")
# What a model may wrap a value in, in place of giving it: {"side_1_reasoning_score": {"score": 4, "why": "..."}}.
_WRAPPERS = ("", "value", "score", "answer")

Found = Mapping[str, object]


def find_fields(reply: str, fields: Collection[str]) -> dict[str, object]:
    """Return the values of those `fields` that an object in the reply gives; of several objects the fullest, the last.

    Where no object is JSON, the pairs after the first brace are read one by one. Without a brace nothing is found.
    """
    text = reply.rpartition(_THOUGHT_END)[2][-_LENGTH:]
    best: dict[str, object] = {}
    for found in _read_objects(text):
        chosen = _choose(found, fields)
        if chosen and len(chosen) >= len(best):
            best = chosen
    return best or _choose(_read_pairs(text.partition("{")[2]), fields)


def squash(key: str) -> str:
    """Return the letters and digits of a key in lower case: "Side 1: new evidence" is side_1_new_evidence."""
    return "".join(filter(str.isalnum, key)).lower()


def _choose(found: Found, fields: Collection[str]) -> dict[str, object]:
    chosen = {}
    for field in fields:
        ends = tuple(squash(field) + wrapper for wrapper in _WRAPPERS)
        values = [value for key, value in found.items() if key.endswith(ends)]
        if values:
            chosen[field] = values[-1]
    return chosen


def _read_objects(text: str) -> Iterator[Found]:
    """Yield every outermost JSON object of a text, flattened."""
    at = text.find("{")
    for _ in range(_ATTEMPTS):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
            yield dict(_flatten(value))
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)


def _flatten(value: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield an object's values, those of objects inside it under both keys put together."""
    for key, inner in value.items():
        path = prefix + squash(key)
        if isinstance(inner, dict):
            yield from _flatten(inner, path)
        else:
            yield path, inner


def _read_pairs(text: str) -> Found:
    return {squash(key): _COMMENT.sub("", value).strip(f" \t\r{_QUOTES}") for key, value in _PAIR.findall(text)}
