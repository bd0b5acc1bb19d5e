"""poynting.parallel: threads of the engine. Results do not depend on their number."""
from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator

from . import get_num_threads, set_num_threads

__all__ = ["ThreadingWarning", "get_num_threads", "set_num_threads", "thread_info", "threads"]


class ThreadingWarning(UserWarning):
    """A setting of threads that has no effect."""


def _available() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def thread_info() -> dict[str, Any]:
    """threads: of the next call; available: processors that this process may run on."""
    return {"threads": get_num_threads(), "available": _available()}


@contextlib.contextmanager
def threads(n: int | None) -> Iterator[None]:
    """with threads(2): ... so many threads inside (None: all), and as many as before afterwards. The number is one of the process."""
    before = get_num_threads()
    set_num_threads(0 if n is None else n)
    try:
        yield
    finally:
        set_num_threads(before)
