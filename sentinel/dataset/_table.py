"""The user's own questions from CSV, TSV, JSON, JSON Lines or Parquet, by paths in `dataset.fields`; no code.

question: stem                    # required; the paths are those of `_path`
choices: options                  # a list, an object {A: .., B: ..} or {text: [], label: []}, or several paths: a, b, c
labels: choices[*].label          # what gold names, where the choices are not labelled A, B, ... by position
gold: answer                      # a label, or the exact text of one choice; without choices the answer itself
gold_index: answer                # in place of gold: the place of the right choice, from 0; gold_number: from 1
id: uid                           # else a hash of the question; it must not tell the answer
subject: topic                    # for dataset.subset and dataset.stratify
context: passage                  # a text to answer from
answer_type: number               # not a path: choice, number, boolean or text; else told by choices and gold
"""

import json
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sentinel.answer import infer_answer_type
from sentinel.dataset._digest import digest
from sentinel.dataset._draft import Draft, File, Loader
from sentinel.dataset._path import parse_path, resolve
from sentinel.dataset._reading import read_rows
from sentinel.dataset._row import Row, parse_json
from sentinel.errors import DatasetError
from sentinel.foreign import list_names, near_names, show
from sentinel.records import AnswerType
from sentinel.settings import DatasetSettings

_KEYS = (
    "question",
    "choices",
    "labels",
    "gold",
    "gold_index",
    "gold_number",
    "id",
    "subject",
    "context",
    "answer_type",
)
_GOLDS = ("gold", "gold_index", "gold_number")
_COMMA = re.compile(r'(?:"[^"]*"|[^,"])+')
_EXAMPLE = "'+dataset.fields={question: stem, choices: options, gold: answer}'"


def read(settings: DatasetSettings, files: Sequence[File]) -> Iterator[Draft]:
    fields = _check(settings.fields)
    drafts = [_draft(row, fields) for row in read_rows(files)]
    answer_type = _tell_type(fields, drafts)
    return (replace(draft, answer_type=answer_type) for draft in drafts)


def _check(fields: Mapping[str, str]) -> Mapping[str, str]:
    for key in fields:
        if key not in _KEYS:
            raise DatasetError(f"dataset.fields.{key}: no such field{near_names(key, _KEYS)}; have: {', '.join(_KEYS)}")
    if "question" not in fields:
        raise DatasetError(f"dataset.fields.question: say where the question stands, e.g. {_EXAMPLE}")
    golds = [key for key in _GOLDS if key in fields]
    if len(golds) > 1:
        raise DatasetError(f"dataset.fields: {' and '.join(golds)} are both given; keep one")
    for key in ("labels", "gold_index", "gold_number"):
        if key in fields and "choices" not in fields:
            raise DatasetError(f"dataset.fields.{key}: means nothing without dataset.fields.choices")
    if fields.get("answer_type", "text") not in list(AnswerType):
        kinds = ", ".join(AnswerType)
        raise DatasetError(f"dataset.fields.answer_type={fields['answer_type']}: expected one of {kinds} (not a path)")
    return fields


def _draft(row: Row, fields: Mapping[str, str]) -> Draft:
    question = _take_text(row, fields, "question")
    if question is None:
        raise row.error(f"question ({fields['question']}) is empty")
    context, subject, name = (_take_text(row, fields, key) for key in ("context", "subject", "id"))
    choices, labels = _take_choices(row, fields) if "choices" in fields else (None, None)
    return Draft(
        id=name or digest(question, context, choices),
        place=row.place,
        question=question,
        gold=_take_gold(row, fields, choices, labels),
        choices=choices,
        context=context,
        subject=subject,
    )


def _take(row: Row, fields: Mapping[str, str], key: str) -> Any:
    return resolve(parse_path(fields[key], f"dataset.fields.{key}"), row) if key in fields else None


def _take_text(row: Row, fields: Mapping[str, str], key: str) -> str | None:
    value = _take(row, fields, key)
    if value is None or isinstance(value, str):
        return value if value and value.strip() else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise row.error(f"{key} ({fields[key]}) is {show(value)}: expected a text")


def _take_choices(row: Row, fields: Mapping[str, str]) -> tuple[list[str], list[str] | None]:
    """Return the choices and, where they have labels of their own, these."""
    where, text = "dataset.fields.choices", fields["choices"]
    paths = _COMMA.findall(text)
    labels = _take(row, fields, "labels")
    if len(paths) > 1:
        values = [resolve(parse_path(path, where), row) for path in paths]
        # A question with fewer choices leaves the last columns empty.
        while values and (values[-1] is None or values[-1] == ""):
            values.pop()
    else:
        values = _unwrap(resolve(parse_path(text, where), row))
        if isinstance(values, dict) and values.keys() >= {"text", "label"}:
            values, labels = values["text"], labels or values["label"]
        elif isinstance(values, dict):
            values, labels = list(values.values()), labels or list(values)
    if not isinstance(values, list) or not values or not all(_is_plain(value) for value in values):
        raise row.error(f"choices ({text}) is {show(values)}: expected a list of texts")
    if blank := [i for i, value in enumerate(values, start=1) if not str(value).strip()]:
        raise row.error(f"choices ({text}): number {blank[0]} of {len(values)} is blank")
    if labels is not None and (not isinstance(labels, list) or len(labels) != len(values)):
        raise row.error(f"labels are {show(labels)}: expected one for each of the {len(values)} choices")
    return [str(value) for value in values], labels and [str(label) for label in labels]


def _unwrap(value: Any) -> Any:
    """Return a list that a table's cell holds as JSON text, else the value."""
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        try:
            return parse_json(value)
        except json.JSONDecodeError:
            return value
    return value


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _take_gold(
    row: Row, fields: Mapping[str, str], choices: Sequence[str] | None, labels: Sequence[str] | None
) -> int | str | bool | None:
    key = next((key for key in _GOLDS if key in fields), None)
    if key is None:
        return None
    value = _take(row, fields, key)
    if value is None or isinstance(value, str) and not value.strip():
        if fields[key].rstrip().endswith("?"):
            return None
        raise row.error(f"{key} ({fields[key]}) is empty; write {fields[key]}? where questions may have no answer")
    if not isinstance(value, str | int | float):
        raise row.error(f"{key} ({fields[key]}) is {show(value)}: expected a text or a number")
    if choices is None:
        return value if isinstance(value, bool) else str(value)
    if key != "gold":
        start = 0 if key == "gold_index" else 1
        places = {str(i + start): i for i in range(len(choices))}
        if str(value).strip() not in places:
            raise row.error(f"{key}={show(value)}: expected a number from {start} to {len(choices) - 1 + start}")
        return places[str(value).strip()]
    return _find_choice(row, str(value).strip(), choices, labels)


def _find_choice(row: Row, gold: str, choices: Sequence[str], labels: Sequence[str] | None) -> int:
    """Return the place of the choice that `gold` names by its label or text; both may not point at different ones."""
    named = labels if labels is not None else string.ascii_uppercase[: len(choices)]
    found = {i for i, label in enumerate(named) if label.strip() == gold}
    found |= {i for i, choice in enumerate(choices) if choice.strip() == gold and labels is None}
    if len(found) == 1:
        return found.pop()
    if found:
        raise row.error(f"gold={show(gold)} fits {len(found)} choices; map labels, gold_index or gold_number instead")
    advice = "; a number that counts places is mapped as gold_index (from 0) or gold_number (from 1)"
    expected = f"one of the labels {list_names(named)}{'' if labels else ' or the text of a choice'}"
    raise row.error(f"gold={show(gold)}: expected {expected}{advice if gold.isdigit() else ''}")


def _tell_type(fields: Mapping[str, str], drafts: Sequence[Draft]) -> AnswerType:
    """Return one type for all questions: what is asked for, else what every gold answer looks like, else text."""
    if "choices" in fields:
        return AnswerType.CHOICE
    if "answer_type" in fields:
        return AnswerType(fields["answer_type"])
    types = {infer_answer_type(draft.gold, None) for draft in drafts if draft.gold is not None}
    return types.pop() if len(types) == 1 else AnswerType.TEXT


LOADER = Loader(read, origin="your own file: .csv, .tsv, .json, .jsonl or .parquet, or hf://...")
