"""Whatever stands in whatever field of a foreign record, the import reports it and goes on; it never crashes."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sentinel.errors import ImporterError

JUNK = (None, True, -1, 0.5, "", "x", [], [[]], [None], {}, {"role": None}, 10**30)
PROMPT = "Answer as well as possible? Q: A) a, B) b, C) c, D) d Explain your choice (X)."


def chats() -> list[Any]:
    return [[{"role": "user", "content": "?"}, {"role": "assistant", "content": "(A)"}] for _ in range(2)]


def message(number: int) -> dict[str, Any]:
    return {
        "message_id": number,
        "turn": 1,
        "agent_id": f"u{number}",
        "persona": f"P{number}",
        "message": "(A)",
        "solution": "A",
        "agreement": None,
        "additional_args": {"agent_memory": None},
    }


RECORDS: dict[str, Any] = {
    "du": [chats(), "A"],
    "multi_agent_attack": {
        "question": "Q (A) a (B) b (C) c (D) d",
        "answer": "A",
        "raw_task": ["Q", "a", "b", "c", "d", "A"],
        "agent_responses": chats(),
    },
    "mallm": {
        "exampleId": "e",
        "dataset": "d",
        "input": ["Q\nA) a\nB) b"],
        "context": ["C"],
        "references": ["A"],
        "personas": [{"agentId": f"u{k}", "model": "m", "persona": f"P{k}"} for k in range(2)],
        "globalMemory": [message(0), message(1)],
        "votesEachTurn": {"1": None},
    },
    "diversity_of_thought": {
        "question": PROMPT,
        "agent_response": {"m-1": ["(A)", "(B)"], "n-2": ["(B)", "(B)"]},
        "summarization": ["s"],
        "answer": "B",
    },
    "mapping": {
        "thread_id": "t",
        "values": {
            "question": "Q",
            "reference": 3,
            "messages": [
                {
                    "type": "ai",
                    "name": f"n{k}",
                    "content": "c",
                    "response_metadata": {"step": 1},
                    "additional_kwargs": {"result": "=> 3", "changed": True},
                }
                for k in range(2)
            ],
        },
    },
}


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in members:
        yield from places(item, (*path, key))


def broken(record: Any) -> Iterator[Any]:
    """Yield the record with each of its values replaced by each kind of junk, and with each of its members left out."""
    for path in places(record):
        for junk in (*JUNK, KeyError):
            if not path:
                if junk is not KeyError:
                    yield junk
                continue
            copied = copy.deepcopy(record)
            holder = copied
            for key in path[:-1]:
                holder = holder[key]
            if junk is KeyError:
                del holder[path[-1]]
            else:
                holder[path[-1]] = junk
            yield copied


@pytest.mark.parametrize("kind", RECORDS)
def test_no_field_can_crash_an_import(run, mappings: Path, kind: str) -> None:
    good = RECORDS[kind]
    records = [good, *broken(good)]
    if kind == "du":
        data: Any = {PROMPT.replace("Q", f"Q{i}"): record for i, record in enumerate(records)}
    else:
        data = {"threads": records} if kind == "mapping" else records
    settings = {"mapping": str(mappings / "graph_state.yaml")} if kind == "mapping" else {}
    done = run(kind, data, **settings)
    assert done.report.debates >= 1
    assert done.report.debates + len(done.report.skipped) == len(records)
    assert len(done.debates) == done.report.debates
    assert all(reason.startswith("record ") and len(reason) < 700 for reason in done.reasons)
    assert all(len(debate.agents) == 2 for debate in done.debates)


@pytest.mark.parametrize("kind", [kind for kind in RECORDS if kind != "mapping"])
@pytest.mark.parametrize("junk", JUNK)
def test_a_file_of_junk_is_an_error(run, kind: str, junk: Any) -> None:
    with pytest.raises(ImporterError, match=f"importer={kind} expects "):
        run(kind, json.dumps(junk))
