"""The estimator of the whole right half: debates in, decisions out."""

import reprlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from numbers import Integral
from pathlib import Path
from typing import Any, Self

import numpy as np
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from sentinel.classifier import Classifier, make_classifier, out_of_fold
from sentinel.decision._artefact import MAIN_FILE, read_folder, write_folder
from sentinel.decision._decision import Decision, Influence
from sentinel.decision._model_card import write_card
from sentinel.decision._reach import list_warnings
from sentinel.decision._training import FloatArray, Training, TrainingRows, describe_training, gather_rows, measure
from sentinel.errors import ConfigError, DecisionError, SentinelError
from sentinel.fingerprint import Fingerprints, fingerprint_corpus, fingerprint_debate, select_features
from sentinel.records import Audit, Corpus, Debate
from sentinel.settings import (
    AuditKind,
    AuditSettings,
    ClassifierSettings,
    DecisionSettings,
    FeatureGroup,
    FeatureGroupsSettings,
    FingerprintSettings,
    ThresholdSettings,
)
from sentinel.threshold import Thresholds, ThresholdSelector, pick_candidates
from sentinel.vote import Vote, take_vote

# How many features a decision names for and against a flip.
NAMED = 3
_MAX_SEED = 2**31 - 1
# The settings that decisions depend on: stored with a sentinel, under the names of its fields.
_GROUPS: dict[str, type[Any]] = {
    "classifier": ClassifierSettings,
    "threshold": ThresholdSettings,
    "feature_groups": FeatureGroupsSettings,
    "fingerprint": FingerprintSettings,
    "decision": DecisionSettings,
    "audit": AuditSettings,
}
Audits = Mapping[tuple[str, str], Audit]
Reasons = tuple[tuple[Influence, ...], tuple[Influence, ...]]


@dataclass(eq=False)
class Sentinel:
    """Learns from debates with known answers when to overturn the majority; decides on new ones.

    `folds` is the number of folds of the out-of-fold probabilities that cuts are chosen on, grouped by question;
    `random_state` drives them, the classifier and a seeded tie-break. Fitted: `features_`, `classifier_`, `thresholds_`
    and `training_`.
    """

    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)
    threshold: ThresholdSettings = field(default_factory=ThresholdSettings)
    feature_groups: FeatureGroupsSettings = field(default_factory=FeatureGroupsSettings)
    fingerprint: FingerprintSettings = field(default_factory=FingerprintSettings)
    decision: DecisionSettings = field(default_factory=DecisionSettings)
    audit: AuditSettings = field(default_factory=AuditSettings)
    folds: int = 5
    random_state: int = 0

    features_: tuple[str, ...] = field(init=False, repr=False)
    classifier_: Classifier = field(init=False, repr=False)
    thresholds_: Thresholds = field(init=False, repr=False)
    training_: Training = field(init=False, repr=False)

    def fit(self, data: Corpus | Fingerprints) -> Self:
        """Choose cuts on out-of-fold probabilities, then fit the classifier on all candidates.

        The cuts are those of the evaluation's paper reading. Fingerprints must come from this sentinel's own settings.
        Where nothing tells candidates apart their probability is the same constant, and the notes say so. Raises
        ConfigError for settings of another kind, DecisionError for other data, and without gold answers or divergent
        debates of at least 2 questions.
        """
        self._check_settings()
        if not isinstance(data, Corpus | Fingerprints):
            raise DecisionError(
                f"fit: got {type(data).__name__}; expected a corpus, as load_debates returns it, or all that "
                "fingerprint_corpus returns"
            )
        prints = data if isinstance(data, Fingerprints) else self._fingerprint(data)
        features = select_features(self.feature_groups)
        rows = gather_rows(prints, features)
        classifier = make_classifier(self.classifier, self.random_state).fit(rows.X, rows.y, rows.weight, features)
        probability = out_of_fold(
            self.classifier, rows.X, rows.y, rows.question, self.folds, self.random_state, rows.weight, features
        ).probability
        picks = rows.pick(probability)
        thresholds = ThresholdSelector(self.threshold).fit(picks, rows.totals).thresholds_
        record = measure(rows, probability, picks, thresholds.apply(picks))
        self.features_, self.classifier_, self.thresholds_ = features, classifier, thresholds
        self.training_ = describe_training(prints, features, rows, record, _note_constant(rows, classifier))
        return self

    def decide(self, debate: Debate, audits: Audits | None = None) -> Decision:
        """Return the answer to one debate; `audits` are keyed by (debate id, candidate)."""
        return self.decide_many([debate], audits)[0]

    def decide_many(self, debates: Iterable[Debate], audits: Audits | None = None) -> list[Decision]:
        """Return the answers to several debates, in order; a corpus brings its own audits.

        Tied, unanswered and unanimous debates keep the voted answer. Under `decision.strict` so does a debate with
        warnings. Raises DecisionError for anything but debates, and before `fit`.
        """
        self._check_fitted()
        if audits is None:
            audits = debates.audits if isinstance(debates, Corpus) else {}
        debates = _check_debates(debates, audits)
        rows = [(i, row) for i, debate in enumerate(debates) for row in self._list_rows(debate, audits)]
        chosen = self._choose(debates, rows) if rows else {}
        return [chosen[i] if i in chosen else _keep(debate, self._vote(debate)) for i, debate in enumerate(debates)]

    def save(self, folder: Path | str) -> str | None:
        """Write the sentinel as a folder; return in words which older sentinel it replaced, None for none.

        Raises DecisionError for a folder that holds anything else, and before `fit`.
        """
        self._check_fitted()
        content = {
            "versions": _versions(),
            "settings": {name: asdict(getattr(self, name)) for name in _GROUPS},
            "folds": self.folds,
            "random_state": self.random_state,
            "features": list(self.features_),
            "thresholds": self.thresholds_.to_dict(),
            "training": self.training_.to_dict(),
        }
        card = write_card(self.training_, self.thresholds_, self.classifier, self.threshold, self.features_)
        return write_folder(Path(folder), self.classifier_, content, card)

    @classmethod
    def load(cls, folder: Path | str) -> "Sentinel":
        """Read what `save` wrote; runs no code of the folder's.

        Raises DecisionError, naming the file and the way out, for anything missing, changed, or of another version.
        """
        classifier, content = read_folder(Path(folder))
        try:
            groups = {name: _read_settings(name, kind, content["settings"][name]) for name, kind in _GROUPS.items()}
            loaded = cls(**groups, folds=int(content["folds"]), random_state=int(content["random_state"]))
            loaded.features_ = tuple(str(name) for name in content["features"])
            loaded.thresholds_ = Thresholds.from_dict(content["thresholds"])
            loaded.training_ = Training.from_dict(content["training"])
        except (SentinelError, LookupError, TypeError, ValueError, AttributeError) as error:
            reason = str(error).partition("\n")[0]
            raise DecisionError(f"{Path(folder) / MAIN_FILE}: not as saved ({reason}); train again") from error
        features = loaded.features_
        if not features == classifier.feature_names_in_ == select_features(loaded.feature_groups):
            raise DecisionError(f"{Path(folder) / MAIN_FILE}: its features are not those of this version; train again")
        if not loaded.training_.covers(features):
            raise DecisionError(f"{Path(folder) / MAIN_FILE}: lacks the training range of a feature; train again")
        loaded.classifier_ = classifier
        return loaded

    def _fingerprint(self, corpus: Corpus) -> Fingerprints:
        return fingerprint_corpus(corpus, self.fingerprint, self.decision, **self._options())

    def _list_rows(self, debate: Debate, audits: Audits) -> list[dict[str, Any]]:
        return fingerprint_debate(debate, audits, self.fingerprint, self.decision, **self._options())

    def _vote(self, debate: Debate) -> Vote:
        return take_vote(debate, self.decision.tie_break, self.decision.fallback, self.random_state)

    def _options(self) -> dict[str, Any]:
        wanted = [*self.feature_groups.groups, *self.feature_groups.extra]
        return {
            "equations": FeatureGroup.equations in wanted,
            "seed": self.random_state,
            "lexical": self.audit.kind is AuditKind.lexical,
        }

    def _choose(self, debates: tuple[Debate, ...], rows: list[tuple[int, dict[str, Any]]]) -> dict[int, Decision]:
        """Return the decisions of the debates that have candidates, by position."""
        X = np.array([[row[name] for name in self.features_] for _, row in rows], dtype=np.float64)
        columns = {name: [row[name] for _, row in rows] for name in ("size", "first_speaker", "domain", "question_key")}
        unknown = np.zeros(len(rows), dtype=np.bool_)
        picks = pick_candidates(
            [i for i, _ in rows],
            self.classifier_.predict_proba(X, self.features_)[:, 1],
            columns["size"],
            columns["first_speaker"],
            unknown,
            unknown,
            columns["domain"],
            columns["question_key"],
            unknown,
        )
        contributions = self.classifier_.contributions(X[picks.row], self.features_)
        decisions = {}
        for k, picked in enumerate(picks.row):
            i, row = rows[picked]
            reasons = None if contributions is None else self._rank(X[picked], contributions[k])
            decisions[i] = self._decide(debates[i], row["candidate"], picks.probability[k], X[picked], reasons)
        return decisions

    def _decide(
        self, debate: Debate, candidate: str, probability: float, features: FloatArray, reasons: Reasons | None
    ) -> Decision:
        vote = self._vote(debate)
        tau, stand_in = self.thresholds_.lookup(debate.domain)
        warnings = list_warnings(self.training_, self.features_, debate, features, stand_in)
        abstained = self.decision.strict and bool(warnings)
        flipped = tau is not None and bool(probability > tau) and not abstained
        supports, opposes = reasons or (None, None)
        return Decision(
            id=debate.id,
            answer=candidate if flipped else vote.answer,
            voted=vote.answer,
            flipped=flipped,
            candidate=candidate,
            probability=float(probability),
            tau=tau,
            stand_in=stand_in,
            abstained=abstained,
            state=vote.state.value,
            warnings=warnings,
            supports=supports,
            opposes=opposes,
        )

    def _rank(self, values: FloatArray, contributions: FloatArray) -> Reasons:
        """Return the strongest features for and against a flip, the strongest first."""
        influences = [
            Influence(name, float(value), float(contribution))
            for name, value, contribution in zip(self.features_, values, contributions, strict=True)
        ]
        supports = sorted((item for item in influences if item.contribution > 0), key=lambda item: -item.contribution)
        opposes = sorted((item for item in influences if item.contribution < 0), key=lambda item: item.contribution)
        return tuple(supports[:NAMED]), tuple(opposes[:NAMED])

    def _check_settings(self) -> None:
        """Replace the settings by checked copies, so that ThresholdSettings("fixed") means the kind of that name."""
        for name, kind in _GROUPS.items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise ConfigError(f"{name}={reprlib.repr(value)}: expected a sentinel.settings.{kind.__name__}")
            setattr(self, name, _read_settings(name, kind, value))
        # Integers of numpy are as good, but not for JSON.
        if not isinstance(self.folds, Integral) or self.folds < 2:
            raise ConfigError(f"folds={self.folds!r}: expected at least 2 folds")
        if not isinstance(self.random_state, Integral) or not 0 <= self.random_state <= _MAX_SEED:
            raise ConfigError(f"random_state={self.random_state!r}: expected a whole number from 0 to {_MAX_SEED}")
        self.folds, self.random_state = int(self.folds), int(self.random_state)

    def _check_fitted(self) -> None:
        if not hasattr(self, "classifier_"):
            raise DecisionError("sentinel: not fitted; call fit, or Sentinel.load a trained one")


def _keep(debate: Debate, vote: Vote) -> Decision:
    """Return the decision where there is no candidate: the voted answer stands."""
    return Decision(
        id=debate.id,
        answer=vote.answer,
        voted=vote.answer,
        flipped=False,
        candidate=None,
        probability=None,
        tau=None,
        stand_in=False,
        abstained=False,
        state=vote.state.value,
    )


def _check_debates(debates: Any, audits: Any) -> tuple[Debate, ...]:
    if not isinstance(debates, Iterable):
        raise DecisionError(f"decide_many: got {type(debates).__name__}; expected debates; a single one goes to decide")
    checked = tuple(debates)
    for debate in checked:
        if not isinstance(debate, Debate):
            raise DecisionError(
                f"decide: got {type(debate).__name__}; expected a debate; a whole corpus goes to decide_many"
            )
    if not isinstance(audits, Mapping):
        raise DecisionError(f"audits: got {type(audits).__name__}; expected what a corpus holds as corpus.audits")
    return checked


def _note_constant(rows: TrainingRows, classifier: Classifier) -> tuple[str, ...]:
    """Return one note where every candidate gets the same probability."""
    if classifier.constant_ is None:
        return ()
    why = "no feature varies over the training data"
    if rows.y.min() == rows.y.max():
        why = f"all {len(rows.y)} minorities of the training data are {'right' if rows.y[0] else 'wrong'}"
    return (f"{why}: nothing tells them apart, every probability is {classifier.constant_:.3g}",)


def _read_settings(name: str, kind: type[Any], content: Any) -> Any:
    """Return the settings of one group, checked as a config would be; raises ConfigError."""
    try:
        return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(kind), content))
    except OmegaConfBaseException as error:
        where = f"{name}.{error.full_key}" if error.full_key else name
        raise ConfigError(f"{where}: {str(error).splitlines()[0]}") from error


def _versions() -> dict[str, str]:
    try:
        ours = version("minority-sentinel")
    except PackageNotFoundError:
        ours = "not installed (run from a checkout)"
    return {"minority-sentinel": ours, "python": ".".join(map(str, sys.version_info[:3])), "numpy": np.__version__}
