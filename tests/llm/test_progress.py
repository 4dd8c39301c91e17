"""What is shown of a run while it goes on."""

import io
import sys
import time

import pytest

from sentinel.llm._progress import Progress, describe_tally
from sentinel.llm._tally import Tally


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_unknown_cost_is_not_zero() -> None:
    known = Tally(live_calls=30, cached_calls=4, tokens=1200, known_cost=0.0123, failures=2)
    assert describe_tally(known, 10.0) == "3.0 calls/s, 1200 tokens, cost $0.0123, 2 failed, 4 cached"
    assert "cost unknown" in describe_tally(Tally(live_calls=2, known_cost=0.01, unpriced_calls=1), 1.0)


def test_a_terminal_gets_a_bar_with_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("debates", 2) as progress:
        progress.tally = Tally(tokens=77)
        progress.advance()
        progress.advance()
    assert "2/2" in terminal.getvalue() and "77 tokens" in terminal.getvalue()


def test_a_file_gets_a_line_a_minute(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with Progress("debates", 90) as progress:
        progress.tally = Tally(live_calls=122)
        progress.advance()
        assert capsys.readouterr().err == ""
        now += 61.0
        progress.advance()
        progress.advance()
    assert capsys.readouterr().err == "2 of 90 debates: 2.0 calls/s, 0 tokens, cost $0.0000, 0 failed, 0 cached\n"
