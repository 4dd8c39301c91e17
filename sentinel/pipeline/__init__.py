"""What each task does, from its settings to its files; the only module that knows the order of the rooms.

question -> debate -> audit -> log -> fingerprint -> classifier -> threshold -> decision -> evaluation -> report
"""

from sentinel.pipeline._evaluate import run_evaluate
from sentinel.pipeline._job import Run
from sentinel.pipeline._live import run_audit, run_debate, run_judge, run_samples
from sentinel.pipeline._task import run_decide, run_import, run_inspect, run_report, run_train
from sentinel.pipeline._unused import check_used
from sentinel.settings import Settings

__all__ = ["Run", "run"]


def run(settings: Settings, job: Run) -> float | None:
    """Run the task that the settings name; return the headline net gain (a share) of an evaluation, else None."""
    check_used(settings, job)
    match settings.task.value:
        case "evaluate":
            return run_evaluate(settings, job)
        case "inspect":
            run_inspect(settings, job)
        case "import":
            run_import(settings)
        case "debate":
            run_debate(settings)
        case "samples":
            run_samples(settings)
        case "audit":
            run_audit(settings)
        case "judge":
            run_judge(settings)
        case "train":
            run_train(settings)
        case "decide":
            run_decide(settings, job)
        case "report":
            run_report(settings)
    return None
