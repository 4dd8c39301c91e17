"""The schema of the configuration: one typed dataclass for each group, and the way from Hydra's config to them.

`register` stores the typed root as `schema`; `from_config` checks a composed config once more and returns `Settings`.
Members of an enum are written in YAML by their names, so those are lower case. Meanings and units of the values stand
beside them in conf/.
"""

from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum

from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import MissingMandatoryValue, OmegaConfBaseException

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
    check_seed,
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

    def __post_init__(self) -> None:
        check_seed("seed", self.seed)
        for name, agent in self.agents.items():
            if agent.role.prompt is None:
                raise ConfigError(
                    f"agents.{name}.role.prompt: missing; the role {agent.role.name} needs a line prompt: in its YAML "
                    f'(prompt: "" for none), or choose one: roles@agents.{name}.role=skeptic'
                )


def register() -> None:
    """Store the typed root under the name that conf/config.yaml lists first."""
    ConfigStore.instance().store(name="schema", node=Settings)


def from_config(config: DictConfig) -> Settings:
    """Return the typed settings of a composed config.

    Raises ConfigError for a key the schema does not know (also one that `+` smuggled in) and for a value out of range.
    """
    try:
        # Composed on the typed root, a config is typed already; to merge it in again would take a job of a sweep 50 ms.
        if OmegaConf.get_type(config) is not Settings:
            config = OmegaConf.merge(OmegaConf.structured(Settings), config)  # type: ignore[assignment]
        settings = OmegaConf.to_object(config)
    except MissingMandatoryValue as error:
        # An agent's model is the one setting without a default.
        raise ConfigError(f"{error.full_key}: missing; add +{error.full_key}=openai/gpt-4o-mini, say") from error
    except OmegaConfBaseException as error:
        where = f"{error.full_key}: " if error.full_key else ""
        raise ConfigError(f"{where}{str(error).splitlines()[0]}") from error
    assert isinstance(settings, Settings)
    _refuse_unknown(settings, "")
    return settings


def _refuse_unknown(value: object, path: str) -> None:
    """Raise ConfigError for an attribute that its dataclass does not have: what `+` adds to a typed config."""
    if not is_dataclass(value) and not isinstance(value, dict):
        return
    inner = value if isinstance(value, dict) else vars(value)
    known = inner.keys() if isinstance(value, dict) else {field.name for field in fields(value)}
    for name, item in inner.items():
        place = f"{path}.{name}" if path else str(name)
        if name not in known:
            raise ConfigError(f"{place}: Key '{name}' not in '{type(value).__name__}'")
        _refuse_unknown(item, place)
