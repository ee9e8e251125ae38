"""Limits of an exploration, and the progress it reports on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from twice.model.memory import resident


class LimitReached(Exception):  # the end of a search, not a fault of anybody's
    """An exploration stopped before it was complete; the message says why."""


class Limits(NamedTuple):
    """When to stop early.

    Attributes
    ----------
    max_states : int, optional
        Distinct states.
    timeout : float, optional
        Seconds.
    max_memory : int, optional
        Bytes held by the process.
    """

    max_states: int | None = None
    timeout: float | None = None
    max_memory: int | None = None


class Covered(NamedTuple):
    """How far an exploration has come: all states, and the level it is at."""

    states: int
    seconds: float
    frontier: int
    depth: int
    faults: int
    memory: int = 0


Progress = Callable[[Covered], None]
"""Receives what was covered so far; memory is in bytes."""

_OFTEN = 0.25
"""Seconds between two reports of progress, and between two looks at the memory."""


class Watch:
    """Looks at the limits, and reports progress now and then."""

    def __init__(self, limits: Limits, progress: Progress | None) -> None:
        self._limits = limits
        self._progress = progress
        self._start = self._reported = time.monotonic()

    def look(self, states: int, frontier: int, depth: int, faults: int) -> None:
        """Report, and stop where a limit is reached.

        Raises
        ------
        LimitReached
        """
        now = time.monotonic()
        limits = self._limits
        if limits.max_states is not None and states > limits.max_states:
            raise LimitReached(f"the limit of {limits.max_states:,} states was reached")
        if limits.timeout is not None and now - self._start > limits.timeout:
            raise LimitReached(f"the limit of {limits.timeout:g} seconds was reached")
        if now - self._reported > _OFTEN:
            self._reported = now
            memory = resident()
            if limits.max_memory is not None and memory > limits.max_memory:
                raise LimitReached(f"the limit of {limits.max_memory >> 20:,} MB was reached")
            if self._progress:
                seconds = now - self._start
                self._progress(Covered(states, seconds, frontier, depth, faults, memory))
