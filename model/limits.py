"""Limits of an exploration, and the progress it reports on the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


class LimitReached(Exception):  # the end of a search, not a fault of anybody's
    """An exploration stopped before it was complete; the message says why."""


@dataclass(frozen=True)
class Limits:
    """When to stop early.

    Attributes
    ----------
    max_states : int, optional
        Distinct states.
    timeout : float, optional
        Seconds.
    """

    max_states: int | None = None
    timeout: float | None = None


class Covered(NamedTuple):
    """How far an exploration has come: all states, and the level it is at."""

    states: int
    seconds: float
    frontier: int
    depth: int
    faults: int


Progress = Callable[[Covered], None]
"""Receives what was covered so far."""


class Watch:
    """Looks at the limits, and reports progress at most every quarter of a second."""

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
        if self._progress and now - self._reported > 0.25:
            self._reported = now
            self._progress(Covered(states, now - self._start, frontier, depth, faults))
