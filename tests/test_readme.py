"""What README shows from Python runs as it stands there."""

import re
import runpy
from pathlib import Path

from sentinel.log_store import LogWriter
from sentinel.settings import CorpusSettings
from sentinel.simulation import simulate_corpus
from sentinel.vote import take_vote

README = Path(__file__).parents[1] / "README.md"


def test_the_python_example_runs_on_the_embedded_corpus(tmp_path, monkeypatch, capsys):
    corpus = simulate_corpus(CorpusSettings(scale=0.25))
    # A divergent debate first: only there the audits matter.
    debates = sorted(corpus.debates, key=lambda debate: not take_vote(debate).divergent)
    with LogWriter(tmp_path / "logs" / "simulated.jsonl") as writer:
        for record in (*debates, *corpus.audits.values()):
            writer.append(record)
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    names = runpy.run_path(str(tmp_path / "example.py"))
    decision = names["decision"]
    assert decision.probability is not None and decision.warnings == ()
    assert capsys.readouterr().out.startswith(f"{decision.answer} {decision.flipped} {decision.probability}")
    assert len(names["table"]) and (tmp_path / "models" / "mine" / "MODEL_CARD.md").is_file()
    # The same call without the audits says what is missing.
    forgetful = names["sentinel"].decide(names["debates"].debates[0])
    assert any("give decide the recorded audits (corpus.audits)" in warning for warning in forgetful.warnings)
