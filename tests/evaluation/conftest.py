"""Small synthetic fingerprints for the tests of the evaluation: a corpus drawn from a seed, or one written out."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from sentinel.fingerprint import FEATURES, Fingerprints

DEBATE_SCHEMA = {
    "id": pl.String,
    "domain": pl.String,
    "dataset": pl.String,
    "source": pl.String,
    "question_key": pl.String,
    "agents": pl.Int64,
    "rounds": pl.Int64,
    "state": pl.String,
    "voted": pl.String,
    "gold": pl.String,
    "voted_correct": pl.Boolean,
    "any_correct": pl.Boolean,
    "divergent": pl.Boolean,
    "minority_truth": pl.Boolean,
    "both_wrong": pl.Boolean,
    "given_up_truth": pl.Boolean,
    "fallback": pl.Boolean,
    "unparsed_final": pl.Int64,
    "agent_names": pl.List(pl.String),
    "agent_correct": pl.List(pl.Boolean),
    "ruling": pl.String,
    "ruling_correct": pl.Boolean,
    "samples": pl.Int64,
    "samples_correct": pl.Boolean,
}
CANDIDATE_SCHEMA = {
    "id": pl.String,
    "domain": pl.String,
    "dataset": pl.String,
    "source": pl.String,
    "question_key": pl.String,
    "candidate": pl.String,
    "majority_answer": pl.String,
    "origin": pl.String,
    "size": pl.Int64,
    "first_speaker": pl.Int64,
    "agents": pl.Int64,
    "weight": pl.Float64,
    "label": pl.String,
    **dict.fromkeys(FEATURES, pl.Float64),
}


def debate(
    identity: str, domain: str = "s/d", voted: str | None = "A", gold: str | None = "A", **other: Any
) -> dict[str, Any]:
    """Return one debate of three agents; `other` replaces or adds columns."""
    right = None if gold is None else voted == gold
    return {
        "id": identity,
        "domain": domain,
        "dataset": domain.rpartition("/")[2],
        "source": domain.partition("/")[0],
        "question_key": f"q-{identity}",
        "agents": 3,
        "rounds": 2,
        "state": "majority",
        "voted": voted,
        "gold": gold,
        "voted_correct": right,
        "any_correct": right,
        "divergent": False,
        "minority_truth": None if gold is None else False,
        "both_wrong": None if gold is None else False,
        "given_up_truth": False,
        "fallback": False,
        "unparsed_final": 0,
        "agent_names": [],
        "agent_correct": [],
        **other,
    }


def split(
    identity: str,
    label: str | None,
    values: Sequence[float] = (),
    domain: str = "s/d",
    question: str | None = None,
    origin: str = "final_split",
    **other: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a debate voted A with one candidate B, and that candidate with `values` in the leading features."""
    gold = {"minority_correct": "B", "majority_correct": "A", "both_wrong": "C", None: None}[label]
    final = origin == "final_split"
    key = question or f"q-{identity}"
    held = {"divergent": final, "question_key": key, "any_correct": gold in ("A", "B")}
    if gold is not None:
        held |= {"minority_truth": final and gold == "B", "both_wrong": final and gold == "C"}
        held |= {"given_up_truth": not final and gold == "B"}
    owner = debate(identity, domain, gold=gold, **{**held, **other})
    candidate = {
        **{name: owner[name] for name in ("id", "domain", "dataset", "source", "question_key", "agents")},
        "candidate": "B",
        "majority_answer": "A",
        "origin": origin,
        "size": 1,
        "first_speaker": 2,
        "weight": 1.0,
        "label": label,
        **dict(zip(FEATURES, values, strict=False)),
    }
    return owner, candidate


def fingerprints(debates: Sequence[dict[str, Any]], candidates: Sequence[dict[str, Any]], **other: Any) -> Fingerprints:
    """Return fingerprints with all columns of the contract; what a row leaves out is null."""

    def frame(rows: Sequence[dict[str, Any]], schema: dict[str, Any]) -> pl.DataFrame:
        return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema)

    return Fingerprints(
        debates=frame(debates, DEBATE_SCHEMA),
        candidates=frame(candidates, CANDIDATE_SCHEMA),
        **{"name": "synthetic", "simulated": True, "data_hash": "0" * 64, "notes": (), **other},
    )


def draw(
    n: int = 150,
    divergent: int = 90,
    features: int = 4,
    effect: float = 0.0,
    seed: int = 0,
    domains: Sequence[str] = ("s/a", "s/b"),
    repeats: int = 1,
) -> Fingerprints:
    """Return a random corpus: in `divergent` of `n` debates B stands against A, right in 30 %, both wrong in 20 %.

    `effect` shifts the first feature of minority truths, in standard deviations. `repeats` debates share a question.
    """
    rng = np.random.default_rng(seed)
    debates, candidates = [], []
    for i in range(n):
        domain = domains[(i // repeats) % len(domains)]
        question = f"k{i // repeats}"
        if i >= divergent:
            debates.append(debate(f"d{i}", domain, gold="A" if rng.random() < 0.8 else "B", question_key=question))
            continue
        label = str(rng.choice(["minority_correct", "majority_correct", "both_wrong"], p=[0.3, 0.5, 0.2]))
        values = rng.normal(size=features)
        values[0] += effect * (label == "minority_correct")
        owner, candidate = split(f"d{i}", label, values.tolist(), domain, question)
        debates.append(owner)
        candidates.append(candidate)
    return fingerprints(debates, candidates)


@pytest.fixture
def make() -> SimpleNamespace:
    """Return the makers of rows, of fingerprints from rows, and of random fingerprints."""
    return SimpleNamespace(debate=debate, split=split, fingerprints=fingerprints, draw=draw)
