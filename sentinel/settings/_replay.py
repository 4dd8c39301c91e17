"""Settings of the groups right of the debate log: from a corpus to a report."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sentinel.errors import ConfigError
from sentinel.vote import CandidateMode, Fallback, TieBreak

CorpusKind = StrEnum("CorpusKind", ["simulated", "file", "live"])
Split = StrEnum("Split", ["all", "train", "test"])
ImporterKind = StrEnum("ImporterKind", ["du", "multi_agent_attack", "mallm", "diversity_of_thought", "mapping"])
AuditKind = StrEnum("AuditKind", ["recorded", "lexical", "llm"])
Novelty = StrEnum("Novelty", ["lexical", "embedding"])
Endorsement = StrEnum("Endorsement", ["textual_else_positional", "textual", "positional"])
FeatureGroup = StrEnum("FeatureGroup", ["dynamics", "meta", "audit", "equations"])
ClassifierKind = StrEnum(
    "ClassifierKind",
    ["lightgbm", "xgboost", "catboost", "random_forest", "logistic_regression", "mlp", "single_feature"],
)
ThresholdKind = StrEnum("ThresholdKind", ["search", "fixed", "risk_controlled"])
ThresholdScope = StrEnum("ThresholdScope", ["domain", "all"])
Accounting = StrEnum("Accounting", ["paper", "exact"])
EvaluationKind = StrEnum("EvaluationKind", ["cross_validated", "transfer", "learning_curve"])
FigureMode = StrEnum("FigureMode", ["auto", "always", "never"])


def check(holds: bool, name: str, value: object, expected: str) -> None:
    if not holds:
        raise ConfigError(f"{name}={value}: expected {expected}")


def check_share(name: str, value: float) -> None:
    check(0.0 <= value <= 1.0, name, value, "a share between 0 and 1")


def check_seed(name: str, value: int) -> None:
    # The largest that every classifier takes.
    check(0 <= value < 2**31, name, value, f"a whole number from 0 to {2**31 - 1}")


def check_temperature(name: str, value: float | None) -> None:
    check(value is None or 0 <= value <= 2, name, value, "a temperature from 0 to 2")


@dataclass
class CorpusSettings:
    """Where debates come from: `kind` simulated, the log files that `path` names, or debates held now (live)."""

    kind: CorpusKind = CorpusKind.simulated
    path: Any = None
    exclude: list[str] = field(default_factory=list)
    split: Split = Split.all
    test_share: float = 0.5
    strict: bool = False
    reparse: bool = False
    seed: int = 0
    effect: float = 1.0
    agents: int = 3
    rounds: int = 2
    scale: float = 1.0
    both_wrong_share: float = 0.3
    tied_share: float = 0.1
    unparsed_share: float = 0.02

    def __post_init__(self) -> None:
        check_share("corpus.test_share", self.test_share)
        check_seed("corpus.seed", self.seed)
        check(0 <= self.effect <= 100, "corpus.effect", self.effect, "a number from 0 (plants nothing) to 100")
        check(3 <= self.agents <= 100, "corpus.agents", self.agents, "at least 3 agents, at most 100")
        check(
            1 <= self.rounds <= 100, "corpus.rounds", self.rounds, "at least 1 debate round after round 0, at most 100"
        )
        check(
            0 < self.scale <= 1000, "corpus.scale", self.scale, "a factor above 0 (1 is the paper's size), at most 1000"
        )
        for name in ("both_wrong_share", "tied_share", "unparsed_share"):
            check_share(f"corpus.{name}", getattr(self, name))

    @property
    def paths(self) -> list[str]:
        """The globs of `path`, as a list."""
        if self.path is None:
            return []
        return [str(item) for item in self.path] if isinstance(self.path, list) else [str(self.path)]

    @property
    def origin(self) -> CorpusKind:
        """Where the debates really come from: a path names files, whatever `kind` says."""
        return CorpusKind.file if self.paths else self.kind


@dataclass
class ImporterSettings:
    """How a foreign log becomes ours; the fields after `kind` serve the mapping importer and unnamed sources."""

    kind: ImporterKind = ImporterKind.du
    mapping: str | None = None
    source_name: str | None = None
    dataset: str | None = None
    model: str | None = None


@dataclass
class AuditSettings:
    """Where the audit features come from when debates are evaluated, and who audits under task=audit.

    The fields after `kind` name the model of kind llm; what it said is read from the log, as under recorded.
    """

    kind: AuditKind = AuditKind.recorded
    model: str = "openai/gpt-4o"
    temperature: float = 0.0
    base_url: str | None = None
    api_key_env: str | None = None
    params: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_temperature("audit.temperature", self.temperature)


@dataclass
class FingerprintSettings:
    """The judgement calls of the fingerprint."""

    novelty: Novelty = Novelty.lexical
    novelty_cut: float = 0.6
    endorsement: Endorsement = Endorsement.textual_else_positional
    candidates: CandidateMode = CandidateMode.final_split

    def __post_init__(self) -> None:
        check_share("fingerprint.novelty_cut", self.novelty_cut)


@dataclass
class FeatureGroupsSettings:
    """Which features the classifier sees: groups of the 22, and `extra` groups beyond them."""

    name: str = "full"
    groups: list[FeatureGroup] = field(
        default_factory=lambda: [FeatureGroup.dynamics, FeatureGroup.meta, FeatureGroup.audit]
    )
    extra: list[FeatureGroup] = field(default_factory=list)

    def __post_init__(self) -> None:
        check(bool(self.groups or self.extra), "feature_groups.groups", self.groups, "at least one group")


@dataclass
class ClassifierSettings:
    """The estimator and its hyper-parameters, under the names its library gives them."""

    kind: ClassifierKind = ClassifierKind.lightgbm
    n_jobs: int = 1
    params: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check(
            self.n_jobs >= 1 or self.n_jobs == -1, "classifier.n_jobs", self.n_jobs, "at least 1 thread, or -1 for all"
        )


@dataclass
class ThresholdSettings:
    """How the cut on the probability is chosen."""

    kind: ThresholdKind = ThresholdKind.search
    per: ThresholdScope = ThresholdScope.domain
    accounting: Accounting = Accounting.paper
    tau: float = 0.5
    low: float = 0.05
    high: float = 0.95
    step: float = 0.01
    preservation: float = 0.95
    wrong_flip_cost: float = 1.0
    alpha: float = 0.05
    delta: float = 0.1

    def __post_init__(self) -> None:
        for name in ("tau", "low", "high", "preservation", "alpha", "delta"):
            check_share(f"threshold.{name}", getattr(self, name))
        check(self.low <= self.high, "threshold.low", self.low, f"at most threshold.high={self.high}")
        check(0.0001 <= self.step <= 1, "threshold.step", self.step, "a step from 0.0001 to 1")
        check(
            0 <= self.wrong_flip_cost < float("inf"),
            "threshold.wrong_flip_cost",
            self.wrong_flip_cost,
            "a cost of at least 0",
        )


@dataclass
class DecisionSettings:
    """How votes become answers."""

    tie_break: TieBreak = TieBreak.first_speaker
    fallback: Fallback = Fallback.none
    strict: bool = False


@dataclass
class EvaluationSettings:
    """The protocol: folds, resamples, and which of its forms to run.

    Left at None, 20 `permutations` and the `baselines` belong to a plain run and are left out in the jobs of a sweep.
    """

    kind: EvaluationKind = EvaluationKind.cross_validated
    folds: int = 5
    inner_folds: int = 5
    bootstrap: int = 2000
    permutations: int | None = None
    permute_cross_fitted: bool = False
    null_corpora: int = 0
    baselines: bool | None = None
    confidence: float = 0.95
    workers: int = 1
    train_shares: list[float] = field(default_factory=lambda: [0.1, 0.2, 0.4, 0.6, 0.8, 1.0])

    def __post_init__(self) -> None:
        check(self.folds >= 2, "evaluation.folds", self.folds, "at least 2 folds")
        check(self.inner_folds >= 2, "evaluation.inner_folds", self.inner_folds, "at least 2 folds")
        check(
            100 <= self.bootstrap <= 1_000_000,
            "evaluation.bootstrap",
            self.bootstrap,
            "at least 100 resamples, at most 1000000",
        )
        check((self.permutations or 0) >= 0, "evaluation.permutations", self.permutations, "0 or more, or null")
        check(self.null_corpora >= 0, "evaluation.null_corpora", self.null_corpora, "0 or more")
        check(self.workers >= 1, "evaluation.workers", self.workers, "at least 1 process")
        check(
            0.01 <= self.confidence <= 0.9999, "evaluation.confidence", self.confidence, "a level from 0.01 to 0.9999"
        )
        check(
            bool(self.train_shares) and all(0 < share <= 1 for share in self.train_shares),
            "evaluation.train_shares",
            self.train_shares,
            "shares above 0 and at most 1",
        )


@dataclass
class ReportSettings:
    """What a run writes and prints.

    Figures: `auto` draws them in a plain run and leaves them to the summary in a sweep. `show` names the tables that
    the terminal gets after the results.
    """

    figures: FigureMode = FigureMode.auto
    dpi: int = 150
    show: list[str] = field(default_factory=lambda: ["baselines"])

    def __post_init__(self) -> None:
        check(30 <= self.dpi <= 1200, "report.dpi", self.dpi, "dots per inch from 30 to 1200")


@dataclass
class InspectSettings:
    """What `task=inspect` traces: one debate by its id, or the log as a whole."""

    id: str | None = None
