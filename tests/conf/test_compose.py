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
