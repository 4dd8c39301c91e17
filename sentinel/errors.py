"""The exceptions sentinel raises on purpose; every message names the thing, the value and the way out.

SentinelError
├── ConfigError        a setting is misspelt, out of range or missing for the chosen task
├── DatasetError       questions cannot be loaded, or lack what was asked for
├── ProviderError      a model could not be called, or nothing that it said could be used
│   ├── CredentialError    a key is missing or refused; stops the run
│   ├── BudgetReached      a bound on cost, calls, tokens or time is reached; stops the run cleanly, with status 3
│   ├── ContextOverflow    the request is longer than the model reads; not retried
│   └── CallFailed         retries did not help; recorded, and the debate goes on
├── DebateError        a panel or a prompt cannot be used
├── LogError           a debate log cannot be read, or must not be appended to
├── ImporterError      a foreign log does not have the layout its importer was told to expect
├── SimulationError    a simulated corpus cannot satisfy the counts asked for
├── AuditError         an audit or a ruling cannot be made or read
├── FingerprintError   a feature or feature group cannot be computed
├── ClassifierError    a classifier is unknown, not installed, or cannot be fitted
├── ThresholdError     a threshold cannot be chosen
├── DecisionError      a saved sentinel cannot be loaded, or strict mode refuses a debate
├── EvaluationError    there is nothing to evaluate, or the data contradict the protocol
└── ReportError        a run's folder does not hold what a report needs
"""


class SentinelError(Exception):
    """Root of all errors raised by sentinel."""


class ConfigError(SentinelError):
    """A setting is misspelt, out of range or missing for the chosen task."""


class DatasetError(SentinelError):
    """Questions cannot be loaded, or lack what was asked for."""


class ProviderError(SentinelError):
    """A model could not be called, or nothing that it said could be used."""


class CredentialError(ProviderError):
    """A key is missing or refused; stops the run."""


class BudgetReached(ProviderError):
    """A bound on cost, calls, tokens or time is reached; stops the run cleanly."""


class ContextOverflow(ProviderError):
    """The request is longer than the model reads; not retried."""


class CallFailed(ProviderError):
    """Retries did not help; recorded, and the debate goes on."""


class DebateError(SentinelError):
    """A panel or a prompt cannot be used."""


class LogError(SentinelError):
    """A debate log cannot be read, or must not be appended to."""


class ImporterError(SentinelError):
    """A foreign log does not have the layout its importer was told to expect."""


class SimulationError(SentinelError):
    """A simulated corpus cannot satisfy the counts asked for."""


class AuditError(SentinelError):
    """An audit or a ruling cannot be made or read."""


class FingerprintError(SentinelError):
    """A feature or feature group cannot be computed."""


class ClassifierError(SentinelError):
    """A classifier is unknown, not installed, or cannot be fitted."""


class ThresholdError(SentinelError):
    """A threshold cannot be chosen."""


class DecisionError(SentinelError):
    """A saved sentinel cannot be loaded, or strict mode refuses a debate."""


class EvaluationError(SentinelError):
    """There is nothing to evaluate, or the data contradict the protocol."""


class ReportError(SentinelError):
    """A run's folder does not hold what a report needs."""
