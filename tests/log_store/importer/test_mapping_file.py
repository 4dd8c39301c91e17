"""Mapping files: misspelt, missing and contradictory keys are errors that name the place and the way out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sentinel.errors import ConfigError, ImporterError
from sentinel.log_store.importer._mapping_file import read_mapping

GOOD = """
records: {layout: list}
question: q
gold: {path: a, after: "####"}
rounds: {layout: flat, path: turns, agent: who, round: step, text: said}
"""


def test_the_worked_examples_are_valid(mappings) -> None:
    files = sorted(mappings.glob("*.yaml"))
    assert len(files) == 4
    for file in files:
        read_mapping(file)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("gold:", "golden:", "mapping.yaml: no such key: golden; near: gold"),
        ("question: q", "", "mapping.yaml: question must be given"),
        ("layout: list", "layout: listt", "mapping.yaml: records.layout='listt': expected one of lines, list, object"),
        ("{layout: list}", "list", "mapping.yaml: records: expected keys with values, found 'list'"),
        ("{layout: list}", "{layout: lines, path: x}", "JSON lines are records themselves"),
        ("after:", "aftr:", "mapping.yaml: gold: no such key: aftr; near: after"),
        ('after: "####"', "after: 3", "mapping.yaml: gold.after=3: expected a text, in quotes"),
        ('after: "####"', "value: 3", "mapping.yaml: gold: give either path or value"),
        ('after: "####"', "counted_from: 2", "counted_from=2: expected 0 or 1"),
        ('after: "####"', "counted_from: true", "counted_from=True: expected 0 or 1"),
        ('after: "####"', 'regex: "("', "not a regular expression"),
        ('after: "####"', 'regex: "x"', "expected one group in brackets"),
        ("path: a,", "path: 'a..b',", "mapping.yaml: gold.path=a..b: not a path at '.b'"),
        ("agent: who", "agnet: who", "mapping.yaml: rounds: no such key: agnet; near: agent"),
        ("agent: who, ", "", "mapping.yaml: rounds: layout=flat needs agent"),
        (", round: step", "", "layout=flat needs round"),
        ("agent: who", "agent: null", "layout=flat needs agent"),
        ("question: q", "question: q\nagents: &x {names: [*x]}", "an anchor holds itself"),
        ("text: said", "turns: said, text: x", "rounds.turns: means nothing with layout=flat"),
        (", text: said", "", "give text, from which answers are read, or answer"),
        ("layout: flat", "layout: nested", "rounds.layout='nested': expected one of rounds_of_agents"),
        ("layout: flat", "layout: rounds_of_agents", "rounds.round: means nothing with layout=rounds_of_agents"),
        ("layout: flat", "layout: agents_of_rounds", "rounds.agent: means nothing with layout=agents_of_rounds"),
        ("text: said", "text: said, missing: skip", "rounds.missing='skip': expected refuse or failed"),
        ("text: said", "text: said, order: [a, a]", "rounds.order=['a', 'a']: expected a list of different names"),
        ("text: said", "text: said, where: [x]", "rounds.where: expected keys with values"),
        ("question: q", "question: q\nanswer_type: letter", "answer_type='letter': expected one of choice, number"),
        ("question: q", "question: q\nagents: {name: a, names: [b, c]}", "agents: give either name (a path) or names"),
        ("question: q", "question: q\nagents: {models: [a]}", "agents.models=['a']: expected agent names"),
        ("question: q", "question: q\nquestion: p", "not a YAML file: "),
        ("question: q", "question: [", "not a YAML file"),
    ],
)
def test_a_faulty_mapping_says_what_is_wrong(map_file: Callable[[str], str], old: str, new: str, reason: str) -> None:
    assert old in GOOD
    with pytest.raises(ImporterError) as error:
        read_mapping(Path(map_file(GOOD.replace(old, new, 1))))
    assert reason in str(error.value)


def test_count_serves_the_flat_layout_only(map_file: Callable[[str], str]) -> None:
    text = GOOD.replace("round: step", 'round: "@count"')
    assert read_mapping(Path(map_file(text))).rounds.counted
    nested = text.replace("layout: flat", "layout: agents_of_rounds").replace("agent: who, ", "")
    with pytest.raises(ImporterError, match="only layout=flat needs it"):
        read_mapping(Path(map_file(nested)))


def test_a_mapping_that_is_absent_or_not_asked_for(run, tmp_path) -> None:
    with pytest.raises(ConfigError, match="importer.mapping=null: importer=mapping needs a YAML file"):
        run("mapping", [])
    with pytest.raises(ConfigError, match="only importer=mapping reads it, not du"):
        run("du", {}, mapping="x.yaml")
    with pytest.raises(ImporterError, match="x.yaml: cannot be read"):
        run("mapping", [], mapping=str(tmp_path / "x.yaml"))
    (tmp_path / "empty.yaml").write_text("")
    with pytest.raises(ImporterError, match="must be given"):
        run("mapping", [], mapping=str(tmp_path / "empty.yaml"))
