"""An event loop whose clock jumps to the next thing due, so that minutes of waiting take no time in a test."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class JumpingLoop(asyncio.SelectorEventLoop):
    """For code that waits for timers alone, not for sockets or threads."""

    def __init__(self) -> None:
        super().__init__()
        self._jumped = 0.0

    def time(self) -> float:
        return self._jumped

    def _run_once(self) -> None:
        due = [handle.when() for handle in self._scheduled if not handle.cancelled()]
        if not self._ready and due:
            self._jumped = max(self._jumped, min(due))
        super()._run_once()


def run_jumping(main: Coroutine[Any, Any, Result]) -> Result:
    """Run the coroutine; `asyncio.get_running_loop().time()` starts at 0."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)
