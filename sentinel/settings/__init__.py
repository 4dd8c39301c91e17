"""The schema of the configuration: one typed dataclass for each group, and the way from Hydra's config to them.

`register` stores the typed root as `schema`; `from_config` checks a composed config once more and returns `Settings`.
Members of an enum are written in YAML by their names, so those are lower case. Meanings and units of the values stand
beside them in conf/.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from sentinel.errors import ConfigError
from sentinel.settings._live import (
    AgentSettings,
    DatasetKind,
    DatasetSettings,
    DebateSettings,
    JudgeSettings,
    LlmSettings,
    RoleSettings,
    SpeakingOrder,
    Visibility,
)
from sentinel.settings._replay import (
    Accounting,
    AuditKind,
    AuditSettings,
    ClassifierKind,
    ClassifierSettings,
    CorpusKind,
    CorpusSettings,
    DecisionSettings,
    Endorsement,
    EvaluationKind,
    EvaluationSettings,
    FeatureGroup,
    FeatureGroupsSettings,
    FigureMode,
    FingerprintSettings,
    ImporterKind,
    ImporterSettings,
    InspectSettings,
    Novelty,
    ReportSettings,
    Split,
    ThresholdKind,
    ThresholdScope,
    ThresholdSettings,
)

Task = StrEnum(
    "Task", ["evaluate", "inspect", "import", "debate", "samples", "audit", "judge", "train", "decide", "report"]
)

__all__ = [
    "AgentSettings",
    "DatasetKind",
    "DatasetSettings",
    "DebateSettings",
    "JudgeSettings",
    "LlmSettings",
    "RoleSettings",
    "SpeakingOrder",
    "Visibility",
    "Accounting",
    "AuditKind",
    "AuditSettings",
    "ClassifierKind",
    "ClassifierSettings",
    "CorpusKind",
    "CorpusSettings",
    "DecisionSettings",
    "Endorsement",
    "EvaluationKind",
    "EvaluationSettings",
    "FeatureGroup",
    "FeatureGroupsSettings",
    "FigureMode",
    "FingerprintSettings",
    "ImporterKind",
    "ImporterSettings",
    "InspectSettings",
    "Novelty",
    "ReportSettings",
    "Settings",
    "Split",
    "Task",
    "ThresholdKind",
    "ThresholdScope",
    "ThresholdSettings",
    "from_config",
    "register",
]


@dataclass
class Settings:
    """The root of the configuration."""

    task: Task = Task.evaluate
    seed: int = 0
    out: str | None = None
    model: str | None = None
    source: str | None = None
    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    dataset: DatasetSettings = field(default_factory=DatasetSettings)
    agents: dict[str, AgentSettings] = field(default_factory=dict)
    llm: LlmSettings = field(default_factory=LlmSettings)
    debate: DebateSettings = field(default_factory=DebateSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    importer: ImporterSettings = field(default_factory=ImporterSettings)
    audit: AuditSettings = field(default_factory=AuditSettings)
    fingerprint: FingerprintSettings = field(default_factory=FingerprintSettings)
    feature_groups: FeatureGroupsSettings = field(default_factory=FeatureGroupsSettings)
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)
    threshold: ThresholdSettings = field(default_factory=ThresholdSettings)
    decision: DecisionSettings = field(default_factory=DecisionSettings)
    evaluation: EvaluationSettings = field(default_factory=EvaluationSettings)
    report: ReportSettings = field(default_factory=ReportSettings)
    inspect: InspectSettings = field(default_factory=InspectSettings)


def register() -> None:
    """Store the typed root under the name that conf/config.yaml lists first."""
    ConfigStore.instance().store(name="schema", node=Settings)


def from_config(config: DictConfig) -> Settings:
    """Return the typed settings of a composed config.

    Raises ConfigError for a key the schema does not know (also one that `+` smuggled in) and for a value out of range.
    """
    plain = OmegaConf.to_container(config, resolve=True, enum_to_str=True)
    try:
        merged = OmegaConf.merge(OmegaConf.structured(Settings), plain)
        settings = OmegaConf.to_object(merged)
    except OmegaConfBaseException as error:
        where = f"{error.full_key}: " if error.full_key else ""
        raise ConfigError(f"{where}{str(error).splitlines()[0]}") from error
    assert isinstance(settings, Settings)
    return settings
