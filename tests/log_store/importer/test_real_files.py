"""Real files: each sample imports whole, and two agree turn by turn with another conversion of the same runs."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from sentinel.log_store import load_debates
from sentinel.log_store.importer import import_log
from sentinel.records import Debate, Status, Turn
from sentinel.settings import ImporterKind, ImporterSettings

pytestmark = pytest.mark.shared


def import_sample(shared_data: Path, tmp_path: Path, kind: str, name: str, **settings: str) -> tuple[Debate, ...]:
    out = tmp_path / f"{kind}.jsonl"
    importer = ImporterSettings(kind=ImporterKind(kind), **settings)
    report = import_log(importer, shared_data / "native_formats" / name, out)
    assert report.skipped == ()
    corpus = load_debates(out)
    assert corpus.problems == ()
    assert len(corpus) == report.debates
    return corpus.debates


def converted(shared_data: Path, name: str, run: str) -> dict[str, list[dict[str, Any]]]:
    """Return the other conversion's debates of a run by question."""
    debates: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(shared_data / "debates" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            debate = json.loads(line)
            if debate["meta"]["run"].startswith(run):
                debates.setdefault(debate["question"], []).append(debate)
    return debates


def same_run(debate: Debate, others: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one conversion with the same texts in the same places."""
    texts = [[turn.reasoning for turn in turns] for turns in debate.rounds]
    (match,) = (o for o in others if [[turn["reasoning"] for turn in turns] for turns in o["rounds"]] == texts)
    return match


def differences(debate: Debate, other: dict[str, Any]) -> list[tuple[Turn, Any]]:
    """Return the turns with another answer, after checking everything but answers."""
    assert (debate.gold, debate.choices) == (other["gold"], other["choices"] and tuple(other["choices"]))
    assert [(agent.name, agent.role) for agent in debate.agents] == [(a["name"], a["role"]) for a in other["agents"]]
    assert [[turn.agent for turn in turns] for turns in debate.rounds] == [
        [turn["agent"] for turn in turns] for turns in other["rounds"]
    ]
    pairs = zip(sum(debate.rounds, ()), sum(other["rounds"], []), strict=True)
    return [(turn, theirs["answer"]) for turn, theirs in pairs if turn.answer != theirs["answer"]]


def test_gsm8k_agrees_with_the_other_conversion(shared_data: Path, tmp_path: Path) -> None:
    debates = import_sample(shared_data, tmp_path, "du", "du-multiagent-debate.json")
    others = converted(shared_data, "gsm-gpt35-tt6746690", "gsm_3_2_100")
    assert len(debates) == 20
    found = [pair for debate in debates for pair in differences(debate, same_run(debate, others[debate.question]))]
    # The other conversion takes the last number of a box even out of an expression or an inequality, which settles on
    # no number: boxes like {5w/2 + 2} and {160 <= distance <= 230}, in two debates.
    for turn, theirs in found:
        boxed = re.findall(r"boxed\{(.*)\}", turn.reasoning)[-1]
        assert turn.status is Status.UNPARSED
        assert re.search("leq|w", boxed) and theirs in boxed
    assert len(found) <= 4


@pytest.mark.parametrize(
    ("name", "other", "run", "number"),
    [
        ("multi-agent-attack.jsonl", "amayuelas-mad", "mmlu/100_3_3_gpt-3.5-turbo/", 12),
        ("multi-agent-attack-adversarial.jsonl", "amayuelas-mad-adversarial", "mmlu/adv_100_3_3_1-gpt-3.5-turbo", 10),
    ],
)
def test_mmlu_agrees_with_the_other_conversion(
    shared_data: Path, tmp_path: Path, name: str, other: str, run: str, number: int
) -> None:
    debates = import_sample(shared_data, tmp_path, "multi_agent_attack", name)
    others = converted(shared_data, other, run)
    assert len(debates) == number
    # The other conversion is published without some questions, five of which the samples hold.
    common = [debate for debate in debates if debate.question in others]
    assert len(common) == number - 5
    assert [differences(debate, same_run(debate, others[debate.question])) for debate in common] == [[]] * len(common)
    assert {len(debate.rounds) for debate in debates} == {3}


def test_the_mapping_of_the_gsm8k_sample_gives_the_same_debates(
    shared_data: Path, tmp_path: Path, mappings: Path
) -> None:
    name = "du-multiagent-debate.json"
    known = import_sample(shared_data, tmp_path, "du", name, model="gpt-3.5-turbo")
    mapping = str(mappings / "du_gsm8k.yaml")
    assert import_sample(shared_data, tmp_path, "mapping", name, mapping=mapping, model="gpt-3.5-turbo") == known


@pytest.mark.parametrize(
    ("kind", "name", "rounds"),
    [("du", "du-multiagent-debate-mmlu.json", 2), ("diversity_of_thought", "diversity-of-thought.json", 5)],
)
def test_prompts_are_split_without_loss(shared_data: Path, tmp_path: Path, kind: str, name: str, rounds: int) -> None:
    debates = import_sample(shared_data, tmp_path, kind, name)
    assert len(debates) == 20
    for debate in debates:
        assert debate.choices is not None and len(debate.choices) == 4
        options = ", ".join(f"{letter}) {choice}" for letter, choice in zip("ABCD", debate.choices, strict=True))
        squeezed = " ".join(debate.meta["prompt"].split()).replace(" ,", ",")
        assert " ".join(f"{debate.question}: {options}".split()) in squeezed
        assert "as possible" not in debate.question and "Explain your" not in debate.choices[3]
        assert len(debate.rounds) == rounds
        assert debate.gold is not None and debate.gold in "ABCD"


def test_the_slots_of_diversity_of_thought_are_models(shared_data: Path, tmp_path: Path) -> None:
    debates = import_sample(shared_data, tmp_path, "diversity_of_thought", "diversity-of-thought.json")
    assert {tuple(agent.model for agent in debate.agents) for debate in debates} == {("gemini-pro", "palm2", "gpt3.5")}
    assert debates[0].choices == ("Centaurus", "Cygnus", "Cassiopeia", "Cepheus")
    answered = sum(turn.status is Status.OK for debate in debates for turns in debate.rounds for turn in turns)
    assert answered >= 270


def test_mallm_keeps_turns_and_agreements(shared_data: Path, tmp_path: Path) -> None:
    debates = import_sample(shared_data, tmp_path, "mallm", "mallm-output.json", dataset="simple_ethical_questions")
    assert [len(debate.rounds) for debate in debates] == [3, 4]
    assert [len(turns) for debate in debates for turns in debate.rounds] == [3] * 7
    first = debates[0].meta["agreement_by_turn"]
    assert [sum(first[turn].values()) for turn in ("1", "2", "3")] == [0, 2, 3]
    assert len({debate.question_key for debate in debates}) == 1
