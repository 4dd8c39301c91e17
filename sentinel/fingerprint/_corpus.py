"""Fingerprints a whole corpus: one vote and one row for each debate, and the features of each candidate."""

from typing import Any

import polars as pl

from sentinel.errors import FingerprintError
from sentinel.fingerprint._candidate_row import CANDIDATE_COLUMNS, list_groups, list_rows
from sentinel.fingerprint._debate_row import DEBATE_COLUMNS, describe_debate
from sentinel.fingerprint._feature import FEATURE_GROUPS
from sentinel.fingerprint._fingerprints import Fingerprints
from sentinel.fingerprint._notes import note_corpus
from sentinel.records import Corpus
from sentinel.settings import DecisionSettings, FingerprintSettings
from sentinel.vote import Origin, take_vote

Columns = dict[str, list[Any]]


def fingerprint_corpus(
    corpus: Corpus,
    fingerprint: FingerprintSettings | None = None,
    decision: DecisionSettings | None = None,
    *,
    equations: bool = False,
    seed: int = 0,
    lexical: bool = False,
) -> Fingerprints:
    """Return the fingerprints of a corpus, ordered by debate id, under the default settings where none are given.

    `equations` adds their columns after the 22. `lexical` audits every candidate by text rules and leaves the recorded
    audits aside. `seed` matters to the seeded tie-break only. Raises FingerprintError for anything but a corpus.
    """
    if not isinstance(corpus, Corpus):
        raise FingerprintError(
            f"fingerprint_corpus: got {type(corpus).__name__}; expected a corpus, as load_debates returns it"
        )
    fingerprint, decision = fingerprint or FingerprintSettings(), decision or DecisionSettings()
    groups = list_groups(equations)
    features = [name for group in groups for name in FEATURE_GROUPS[group]]
    debates: Columns = {name: [] for name in DEBATE_COLUMNS}
    candidates: Columns = {name: [] for name in (*CANDIDATE_COLUMNS, *features)}
    # By id: a log's lines stand in the order in which debates ended, and folds must not depend on that.
    for debate in sorted(corpus, key=lambda debate: debate.id):
        vote = take_vote(debate, decision.tie_break, decision.fallback, seed)
        rows = list_rows(debate, vote, corpus.audits, fingerprint, equations=equations, lexical=lexical)
        given_up = [row["candidate"] for row in rows if row["origin"] == Origin.GIVEN_UP]
        ruling, samples = corpus.rulings.get(debate.id), corpus.samples.get(debate.id)
        _append(debates, describe_debate(debate, vote, given_up, ruling, samples))
        for row in rows:
            _append(candidates, row)
    return Fingerprints(
        debates=pl.DataFrame(debates).cast(DEBATE_COLUMNS),
        candidates=pl.DataFrame(candidates, schema=CANDIDATE_COLUMNS | dict.fromkeys(features, pl.Float64())),
        name=corpus.name,
        simulated=corpus.simulated,
        data_hash=corpus.data_hash,
        notes=(*corpus.notes, *note_corpus(corpus, lexical=lexical)),
    )


def _append(columns: Columns, row: dict[str, Any]) -> None:
    for name, value in row.items():
        columns[name].append(value)
