"""Every option of every group composes, YAML and schema agree, and a typo stops the run."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.errors import ConfigCompositionException
from omegaconf import DictConfig

from sentinel.errors import ConfigError
from sentinel.paths import conf_dir
from sentinel.settings import FeatureGroup, Settings, from_config, register

OPTIONS = sorted(path.relative_to(conf_dir()).with_suffix("") for path in conf_dir().glob("*/*.yaml"))


@pytest.fixture(autouse=True)
def hydra_config_dir() -> Iterator[None]:
    register()
    with initialize_config_dir(config_dir=str(conf_dir()), version_base="1.3"):
        yield


def composed(*overrides: str) -> Settings:
    return from_config(compose("config", overrides=list(overrides)))


def test_defaults_in_yaml_and_in_the_schema_are_the_same() -> None:
    settings = composed()
    assert list(settings.agents) == ["auditor", "analyst", "challenger"]
    assert replace(settings, agents={}) == Settings()


@pytest.mark.parametrize("option", OPTIONS, ids=str)
def test_every_option_of_every_group_composes(option: Path) -> None:
    group, name = option.parts
    place = "roles@agents.auditor.role" if group == "roles" else group
    assert isinstance(composed(f"{place}={name}"), Settings)


def test_the_seven_feature_groups() -> None:
    groups = {
        name: composed(f"feature_groups={name}").feature_groups.groups
        for name in (o.name for o in OPTIONS if o.parts[0] == "feature_groups")
    }
    dynamics, meta, audit = FeatureGroup.dynamics, FeatureGroup.meta, FeatureGroup.audit
    assert groups == {
        "full": [dynamics, meta, audit],
        "dynamics_only": [dynamics],
        "meta_only": [meta],
        "audit_only": [audit],
        "no_dynamics": [meta, audit],
        "no_meta": [dynamics, audit],
        "no_audit": [dynamics, meta],
    }


@pytest.mark.parametrize(
    "override",
    ["threshold.taus=3", "threshold.accounting=some", "evaluation.folds=three", "feature_groups=dynamcs_only"],
)
def test_a_typo_stops_the_composition(override: str) -> None:
    with pytest.raises(ConfigCompositionException):
        compose("config", overrides=[override])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("+threshold.extra=1", "extra"),
        ("threshold.tau=3", "threshold.tau=3.0: expected a share between 0 and 1"),
        ("corpus.agents=2", "corpus.agents=2: expected at least 3 agents"),
        ("evaluation.folds=1", "evaluation.folds=1: expected at least 2 folds"),
        ("feature_groups.groups=[]", "at least one group"),
        ("evaluation.train_shares=[0.5,2]", "shares above 0"),
        ("seed=-1", "seed=-1: expected a whole number from 0 to 2147483647"),
        ("seed=2147483648", "seed=2147483648: expected a whole number from 0 to 2147483647"),
        ("corpus.seed=-1", "corpus.seed=-1: expected a whole number"),
        ("dataset.seed=-1", "dataset.seed=-1: expected a whole number"),
        ("corpus.effect=inf", "corpus.effect=inf: expected a number from 0"),
        ("corpus.scale=1e9", "corpus.scale=1000000000.0: expected a factor above 0"),
        ("corpus.agents=101", "corpus.agents=101: expected at least 3 agents, at most 100"),
        ("corpus.rounds=0", "corpus.rounds=0: expected at least 1 debate round"),
        ("threshold.step=1e-9", "threshold.step=1e-09: expected a step from 0.0001 to 1"),
        ("threshold.step=nan", "threshold.step=nan: expected a step"),
        ("threshold.wrong_flip_cost=inf", "threshold.wrong_flip_cost=inf: expected a cost"),
        ("classifier.n_jobs=0", "classifier.n_jobs=0: expected at least 1 thread, or -1 for all"),
        ("evaluation.bootstrap=10000000", "evaluation.bootstrap=10000000: expected at least 100 resamples, at most"),
        ("evaluation.confidence=1", "evaluation.confidence=1.0: expected a level from 0.01 to 0.9999"),
        ("llm.concurrency=100000", "llm.concurrency=100000: expected at least 1 call in flight, at most 10000"),
        ("debate.in_flight=100000", "debate.in_flight=100000: expected at least 1 debate, at most 10000, or null"),
        ("debate.rounds=101", "debate.rounds=101: expected 0 to 100 rounds"),
        ("dataset.limit=0", "dataset.limit=0: expected at least 1 question, at most"),
        ("report.dpi=0", "report.dpi=0: expected dots per inch from 30 to 1200"),
        ("audit.temperature=-1", "audit.temperature=-1.0: expected a temperature from 0 to 2"),
        ("judge.temperature=3", "judge.temperature=3.0: expected a temperature from 0 to 2"),
        ("agents.auditor.temperature=-1", "agent with model openai/gpt-4o-mini=-1.0: expected a temperature"),
        ("agents.auditor.role.temperature=9", "role rigorous_auditor=9.0: expected a temperature"),
    ],
)
def test_what_composition_lets_through_is_refused_with_its_name(override: str, message: str) -> None:
    config: DictConfig = compose("config", overrides=[override])
    with pytest.raises(ConfigError, match=message.replace("[", r"\[").replace(".", r"\.")):
        from_config(config)


def test_a_role_is_swapped_and_a_fourth_agent_added() -> None:
    settings = composed(
        "agents=mock_trio",
        "roles@agents.auditor.role=skeptic",
        "+roles@agents.extra.role=domain_expert",
        "+agents.extra.model=mock/stubborn",
    )
    assert settings.agents["auditor"].role.name == "skeptic"
    assert settings.agents["extra"].model == "mock/stubborn"
    assert settings.agents["extra"].role.name == "domain_expert"
