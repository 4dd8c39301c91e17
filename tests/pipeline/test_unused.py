"""A setting that was asked for and that nothing reads is refused or noted; what README shows is neither."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from sentinel.errors import ConfigError
from sentinel.paths import conf_dir
from sentinel.pipeline import Run
from sentinel.pipeline._unused import check_used, show
from sentinel.settings import from_config, register

# The groups that set what another kind of the same group, or another task, does not read.
GROUPS = ("audit", "corpus", "debate", "decision", "evaluation", "experiment", "threshold")
OPTIONS = [path.relative_to(conf_dir()).with_suffix("") for group in GROUPS for path in conf_dir().glob(f"{group}/*")]


@pytest.fixture(autouse=True)
def hydra_config_dir() -> Iterator[None]:
    register()
    with initialize_config_dir(config_dir=str(conf_dir()), version_base="1.3"):
        yield


def check(*overrides: str, sweep: Path | None = None, by_file: bool = False) -> None:
    settings = from_config(compose("config", overrides=list(overrides)))
    check_used(settings, Run(Path("out"), sweep, () if by_file else overrides))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["source=x"], "source=x: no effect under task=evaluate; used by task=import, task=report"),
        (["model=m"], "model=m: no effect under task=evaluate; used by task=decide, task=inspect"),
        (["task=inspect", "model=m"], "model=m: no effect under task=inspect without inspect.id"),
        (["inspect.id=q"], "inspect.id=q: no effect under task=evaluate; used by task=inspect"),
        (["task=report", "source=s", "out=x"], "out=x: no effect under task=report"),
        (["task=report", "source=s", "report.figures=never"], "report.figures=never: no effect under task=report"),
        (["task=import", "corpus.path=x"], "corpus.path=x: no effect under task=import"),
        (["importer=mallm"], "importer=mallm: no effect under task=evaluate; used by task=import"),
        (["threshold.tau=0.5"], "threshold.tau=0.5: no effect under threshold=search; used by threshold=fixed"),
        (["threshold.tau=0.9"], "threshold.tau=0.9: no effect under threshold=search; used by threshold=fixed"),
        (
            ["threshold=risk_controlled", "threshold.tau=0.9"],
            "threshold.tau=0.9: no effect under threshold=risk_controlled",
        ),
        (["threshold=fixed", "threshold.alpha=0.1"], "threshold.alpha=0.1: no effect under threshold=fixed"),
        (["corpus.path=l.jsonl", "corpus.scale=2"], "corpus.scale=2: no effect under corpus.path=l.jsonl"),
        (["corpus=live", "corpus.effect=0"], "corpus.effect=0: no effect under corpus=live; used by corpus=simulated"),
        (["corpus.path=l.jsonl", "corpus.seed=2"], "corpus.seed=2: no effect under corpus.path=l.jsonl"),
        (["corpus.strict=true"], "corpus.strict=true: no effect under corpus=simulated; used by corpus=file"),
        (["corpus.test_share=0.2"], "corpus.test_share=0.2: no effect under corpus.split=all"),
        (["task=debate", "corpus.path=x.jsonl"], "corpus.path=x.jsonl: no effect under task=debate"),
        (["task=debate", "seed=3"], "seed=3: no effect under task=debate; .*debates have corpus.seed"),
        (["task=debate", "debate.samples=5"], "debate.samples=5: no effect under task=debate; used by task=samples"),
        (["task=debate", "dataset.path=q"], "dataset.path=q: no effect under dataset=arithmetic_demo"),
        (["agents=mock_trio"], "agents=mock_trio: no effect under task=evaluate; .*corpus=live"),
        (["roles@agents.auditor.role=skeptic"], "roles@agents.auditor.role=skeptic: no effect under task=evaluate"),
        (["audit=lexical", "audit.model=x"], "audit.model=x: no effect under audit=lexical; used by audit=llm"),
        (["task=audit", "audit=lexical", "llm=local"], "llm=local: no effect under audit=lexical"),
        (["task=inspect", "threshold=fixed"], "threshold=fixed: no effect under task=inspect"),
        (["task=train", "evaluation.bootstrap=500"], "evaluation.bootstrap=500: no effect under task=train"),
        (
            ["evaluation=transfer", "evaluation.permutations=5"],
            "evaluation.permutations=5: no effect under evaluation=transfer",
        ),
        (["decision.strict=true"], "decision.strict=true: no effect under task=evaluate; used by task=decide"),
        (
            ["task=judge", "+classifier.params.num_leaves=7"],
            "classifier.params.num_leaves=7: no effect under task=judge",
        ),
        (["corpus=simulated", "corpus.path=l.jsonl"], "corpus=simulated: corpus.path=l.jsonl names files"),
        (
            ["corpus=live", "corpus.path=[a.jsonl,b.jsonl]"],
            r"corpus=live: corpus.path=\[a.jsonl, b.jsonl\] names files",
        ),
    ],
)
def test_what_the_command_line_gives_for_nothing_is_refused(overrides: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check(*overrides)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "corpus=file corpus.path=logs/x.jsonl",
        "corpus.path=logs/x.jsonl corpus.split=train corpus.test_share=0.3 corpus.strict=true",
        "feature_groups=dynamics_only classifier=logistic_regression +classifier.params.C=2",
        "threshold=fixed threshold.tau=0.8",
        "threshold=risk_controlled threshold.alpha=0.1",
        "corpus.effect=0 seed=4 corpus.seed=2",
        "task=inspect corpus.path=x.jsonl",
        "task=inspect corpus.path=x.jsonl inspect.id=q model=m decision.tie_break=seeded",
        "task=import importer=du source=gsm_3_2.json out=gsm.jsonl",
        "task=import importer=mapping importer.mapping=my.yaml source=x",
        "task=debate agents=ollama_trio llm=local dataset=gsm8k dataset.path=test.jsonl dataset.limit=50 corpus.seed=1",
        "task=samples agents=mock_trio debate.samples=4 out=x.jsonl",
        "corpus=live agents=paper_trio dataset=gsm8k dataset.path=test.jsonl seed=3 out=log.jsonl",
        "corpus=live agents=mock_trio roles@agents.auditor.role=skeptic audit=llm audit.model=mock/careful",
        "task=audit audit=lexical corpus.path=gsm.jsonl out=gsm.jsonl",
        "task=audit audit=llm audit.model=x llm=patient corpus.path=x.jsonl debate.redact=true seed=2",
        "task=judge judge=ollama llm=local corpus.path=x.jsonl",
        "task=train corpus.path=x.jsonl out=models/mine evaluation.folds=4 threshold=fixed",
        "task=decide model=models/mine corpus.path=- decision.strict=true out=d.jsonl",
        "task=report source=outputs/x report.dpi=200",
        "experiment=transfer evaluation.permutations=0 evaluation.baselines=false",
        "corpus=simulated corpus.strict=false out=null",
    ],
)
def test_nothing_is_said_of_what_is_used(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(*command.split())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("option", OPTIONS, ids=str)
def test_no_option_of_ours_sets_what_is_not_used(option: Path, capsys: pytest.CaptureFixture[str]) -> None:
    group, name = option.parts
    check(f"{group}={name}", *(["corpus=live"] if group == "debate" else []))
    assert capsys.readouterr().err == ""


def test_what_a_shared_file_sets_and_what_a_sweep_varies_is_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check("task=inspect", "evaluation.folds=4", "threshold.tau=0.9", by_file=True)
    noted = capsys.readouterr().err.splitlines()
    assert noted == [
        "note: threshold: no effect under task=inspect; used by task=evaluate, task=train, task=decide",
        "note: evaluation: no effect under task=inspect; used by task=evaluate, task=train",
    ]
    check("threshold=search", "threshold.tau=0.9", sweep=tmp_path)
    assert (
        capsys.readouterr().err
        == "note: threshold.tau=0.9: no effect under threshold=search; used by threshold=fixed\n"
    )


def test_values_are_shown_as_they_are_written() -> None:
    assert show(None) == "null"
    assert show({"a": [1, True], "b": 0}) == "{a: [1, true], b: 0}"
