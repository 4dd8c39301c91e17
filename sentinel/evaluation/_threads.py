"""Linear algebra on one thread: sums are taken in one order, and results do not depend on the machine's cores."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS to one thread; at this size more of them would only cost time."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(limits=1, user_api="blas"):
        yield
