"""Panels, roles and protocols as YAML: what a user composes, swaps, sweeps and adds."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.errors import ConfigCompositionException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import MissingMandatoryValue

from sentinel.debate import run_debates
from sentinel.debate._rules import make_rules
from sentinel.paths import conf_dir
from sentinel.records import Debate, Question
from sentinel.settings import AgentSettings, DebateSettings, LlmSettings, SpeakingOrder, Visibility


@dataclass
class Root:
    """The two groups of the debate room under a typed root of their own."""

    agents: dict[str, AgentSettings] = field(default_factory=dict)
    debate: DebateSettings = field(default_factory=DebateSettings)


ROLES = sorted(path.stem for path in (conf_dir() / "roles").glob("*.yaml"))
PANELS = sorted(path.stem for path in (conf_dir() / "agents").glob("*.yaml"))


@pytest.fixture(autouse=True)
def hydra_config_dir() -> Iterator[None]:
    store = ConfigStore.instance()
    store.store(name="debate_test_schema", node=Root)
    defaults = ["debate_test_schema", {"agents": "paper_trio"}, {"debate": "paper"}, "_self_"]
    store.store(name="debate_test", node={"defaults": defaults})
    with initialize_config_dir(config_dir=str(conf_dir()), version_base="1.3"):
        yield


def composed(*overrides: str) -> Root:
    config: DictConfig = compose("debate_test", overrides=list(overrides))
    plain = OmegaConf.to_container(config, resolve=True, enum_to_str=True)
    root = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(Root), plain))
    assert isinstance(root, Root)
    return root


def test_the_default_protocol_is_the_schemas_and_names_every_setting() -> None:
    assert composed().debate == DebateSettings()
    written = yaml.safe_load((conf_dir() / "debate" / "paper.yaml").read_text(encoding="utf-8"))
    assert set(written) == set(DebateSettings.__dataclass_fields__)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("paper", DebateSettings()),
        ("answers_only", DebateSettings(visibility=Visibility.answers_only)),
        ("blind", DebateSettings(visibility=Visibility.none)),
        ("anonymous", DebateSettings(anonymous=True, order=SpeakingOrder.shuffled)),
        ("independent", DebateSettings(rounds=0)),
    ],
)
def test_the_other_protocols_differ_in_what_they_say(option: str, expected: DebateSettings) -> None:
    assert composed(f"debate={option}").debate == expected


def test_the_papers_panel() -> None:
    agents = composed().agents
    assert {name: (agent.model, agent.role.name) for name, agent in agents.items()} == {
        "auditor": ("openai/gpt-4o-mini", "rigorous_auditor"),
        "analyst": ("gemini/gemini-2.0-flash", "balanced_analyst"),
        "challenger": ("anthropic/claude-haiku-4-5", "intuitive_challenger"),
    }
    assert all(agent.role.prompt for agent in agents.values())


@pytest.mark.parametrize("panel", PANELS)
def test_every_panel_can_debate(panel: str) -> None:
    rules = make_rules(composed(f"agents={panel}").agents, DebateSettings(), 0)
    assert len(rules.members) == 3


def test_the_panels_and_roles_there_are() -> None:
    assert PANELS == ["local_tiny", "mock_trio", "ollama_trio", "openrouter_trio", "paper_trio"]
    assert {"rigorous_auditor", "balanced_analyst", "intuitive_challenger", "skeptic"} <= set(ROLES)
    assert len(ROLES) >= 7


@pytest.mark.parametrize("role", ROLES)
def test_every_role_can_be_put_into_a_panel(role: str) -> None:
    auditor = composed(f"roles@agents.auditor.role={role}").agents["auditor"]
    assert auditor.role.name == role
    assert auditor.model == "openai/gpt-4o-mini"


def test_the_roles_prompts_differ() -> None:
    texts = [yaml.safe_load((conf_dir() / "roles" / f"{role}.yaml").read_text(encoding="utf-8")) for role in ROLES]
    assert len({text["prompt"] for text in texts}) == len(ROLES)
    assert [text["name"] for text in texts] == ROLES


def test_the_local_panel_keeps_small_models_to_their_form() -> None:
    agents = composed("agents=local_tiny").agents.values()
    assert all(agent.grammar and agent.examples and agent.model.startswith("gguf/") for agent in agents)


def test_a_fourth_agent_by_override() -> None:
    agents = composed("+roles@agents.extra.role=skeptic", "+agents.extra.model=mock/stubborn").agents
    assert list(agents) == ["auditor", "analyst", "challenger", "extra"]
    assert (agents["extra"].model, agents["extra"].role.name) == ("mock/stubborn", "skeptic")


def test_an_agent_without_a_model_is_refused() -> None:
    with pytest.raises(MissingMandatoryValue, match="model"):
        composed("+roles@agents.extra.role=skeptic")


def test_fields_of_an_agent_and_of_its_role_by_override() -> None:
    agents = composed(
        "agents.auditor.temperature=0.1",
        "agents.analyst.role.temperature=0.2",
        "agents.auditor.role.prompt=Be brief.",
        "+agents.challenger.params={top_p: 0.9}",
    ).agents
    assert agents["auditor"].temperature == 0.1 and agents["auditor"].role.prompt == "Be brief."
    assert agents["analyst"].role.temperature == 0.2
    assert agents["challenger"].params == {"top_p": 0.9}


def test_an_agent_can_be_left_out() -> None:
    assert list(composed("~agents.challenger").agents) == ["auditor", "analyst"]


@pytest.mark.parametrize(
    "override",
    [
        "debate.rouns=3",
        "debate.visibility=some",
        "agents.auditor.modell=x",
        "roles@agents.auditor.role=sceptic",
        "debate=blnd",
    ],
)
def test_a_typo_stops_the_composition(override: str) -> None:
    with pytest.raises(ConfigCompositionException):
        compose("debate_test", overrides=[override])


def test_a_role_of_ones_own_swept_against_a_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "my" / "roles").mkdir(parents=True)
    (tmp_path / "my" / "roles" / "pirate.yaml").write_text(
        "name: pirate\nprompt: You are a pirate.\n", encoding="utf-8"
    )
    app = tmp_path / "app.py"
    app.write_text(
        f"""
import hydra
from hydra.core.config_store import ConfigStore
from test_conf import Root

store = ConfigStore.instance()
store.store(name="schema", node=Root)
store.store(name="app", node={{"defaults": ["schema", {{"agents": "mock_trio"}}, {{"debate": "paper"}}, "_self_"]}})

@hydra.main(version_base="1.3", config_path={str(conf_dir())!r}, config_name="app")
def main(config):
    print("ROLE", config.agents.auditor.role.name, config.agents.auditor.role.prompt)

main()
""",
        encoding="utf-8",
    )
    command = [sys.executable, str(app), "--config-dir", "my", "--multirun"]
    done = subprocess.run(
        [*command, "roles@agents.auditor.role=pirate,skeptic"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parent), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line.startswith("ROLE")]
    assert said[0] == "ROLE pirate You are a pirate."
    assert said[1].startswith("ROLE skeptic You doubt first.")


def test_a_composed_panel_debates(ask: Callable[..., Question], uncached: LlmSettings) -> None:
    root = composed("agents=mock_trio", "debate=anonymous", "debate.rounds=1")
    finished: list[Debate] = []
    run_debates([ask("q1"), ask("q2")], root.agents, root.debate, uncached, 0, sink=finished.append)
    assert len(finished) == 2
    assert {agent.role for agent in finished[0].agents} == {
        "rigorous_auditor",
        "balanced_analyst",
        "intuitive_challenger",
    }


def test_options_stay_short_and_values_only() -> None:
    for group in ("agents", "roles", "debate"):
        for path in (conf_dir() / group).glob("*.yaml"):
            assert "_target_" not in path.read_text(encoding="utf-8")
