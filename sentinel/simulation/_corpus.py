"""Assembles the simulated corpus: every data set, every debate, in a fixed order."""

import hashlib
from collections.abc import Iterable

from sentinel.errors import SimulationError
from sentinel.records import Audit, Corpus, Debate, Ruling, Samples
from sentinel.settings import CorpusSettings
from sentinel.simulation._counts import count_outcomes
from sentinel.simulation._debate import SimulatedDebate, simulate_debate
from sentinel.simulation._draws import Draws
from sentinel.simulation._table import DATASETS


def simulate_corpus(settings: CorpusSettings) -> Corpus:
    """Return the simulated corpus of these settings, the same in every process.

    Data sets follow one another; within one, debates of all outcomes are mixed. Raises SimulationError for shares that
    the counts leave no room for, and for a scale at which no debate is left.
    """
    simulated: list[SimulatedDebate] = []
    for spec in DATASETS:
        outcomes = [outcome for outcome, count in count_outcomes(spec, settings).items() for _ in range(count)]
        mixed = Draws(settings.seed, spec.name, "order").sample(outcomes, len(outcomes))
        simulated += [simulate_debate(spec, index, outcome, settings) for index, outcome in enumerate(mixed)]
    if not simulated:
        raise SimulationError(f"corpus.scale={settings.scale}: leaves no debate at all; take 0.05 or more")
    debates = tuple(item.debate for item in simulated)
    audits = {(audit.id, audit.candidate): audit for item in simulated for audit in item.audits}
    rulings = {item.ruling.id: item.ruling for item in simulated if item.ruling is not None}
    samples = {item.samples.id: item.samples for item in simulated}
    effect = "" if settings.effect == 1 else f", effect {settings.effect:g}"
    return Corpus(
        name=f"simulated (seed {settings.seed}{effect})",
        debates=debates,
        audits=audits,
        rulings=rulings,
        samples=samples,
        notes=(
            "Simulated debates: no model was asked, and the figures say nothing about real models.",
            f"Planted effect {settings.effect:g} (0 plants nothing within a data set); counts are those of the paper's "
            f"Table 2 times {settings.scale:g}.",
        ),
        data_hash=_hash_content(debates, audits.values(), rulings.values(), samples.values()),
        simulated=True,
    )


def _hash_content(
    debates: Iterable[Debate], audits: Iterable[Audit], rulings: Iterable[Ruling], samples: Iterable[Samples]
) -> str:
    """Return the SHA-256 of everything that was generated, so that a changed simulation is a changed corpus."""
    digest = hashlib.sha256()
    for debate in debates:
        digest.update(f"{debate.id}\0{debate.question}\0{debate.choices}\0{debate.gold}\0".encode())
        for turns in debate.rounds:
            for turn in turns:
                parts = (turn.agent, turn.answer, turn.reasoning, turn.stance_change, turn.change_reason)
                digest.update("\0".join(map(str, parts)).encode())
    for record in (*audits, *rulings, *samples):
        digest.update(repr(record).encode())
    return digest.hexdigest()
