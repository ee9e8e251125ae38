"""The suite: which contestants meet on which cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cases import BENCHMARK, Case
from contestants import (
    AUTO,
    AUTO_REDUCED,
    COMMAND,
    COUNTER,
    MINICHECK,
    NUMPY,
    NUMPY_REDUCED,
    PLAIN,
    PLAIN_REDUCED,
    SPIN_BREADTH,
    SPIN_COMPRESSED,
    SPIN_FULL,
    SPIN_REDUCED,
    SPIN_TUNED,
    Contestant,
)

START = Case(BENCHMARK, 4, 1, 0)
"""So small that what a process holds is its start-up."""


class Meeting(NamedTuple):
    """Contestants on one case; a group is one part of the page."""

    group: str
    case: Case
    contestants: tuple[Contestant, ...]


WHOLE = "whole"
"""The benchmark protocol without symmetry: every checker explores the same states."""

SYMMETRY = "symmetry"
"""The benchmark protocol with symmetry."""

SHIPPED = "shipped"
"""The shipped protocols."""

TASKS, WORKERS, FAULTS = "tasks", "workers", "faults"
"""How cost grows: one number grows, the others stay."""

GROUPS = (WHOLE, SYMMETRY, SHIPPED, TASKS, WORKERS, FAULTS)


def _ack(tasks: int, workers: int, crashes: int) -> Case:
    return Case(BENCHMARK, tasks, workers, crashes)


_EVERYBODY = (PLAIN, NUMPY, AUTO, SPIN_FULL, SPIN_REDUCED, SPIN_BREADTH)
_TRIED = (SPIN_TUNED, SPIN_COMPRESSED)

_WHOLE = {
    _ack(2, 2, 1): (*_EVERYBODY, MINICHECK),
    _ack(3, 2, 2): (*_EVERYBODY, MINICHECK),
    _ack(4, 2, 2): (*_EVERYBODY, MINICHECK),
    _ack(5, 2, 2): (*_EVERYBODY, *_TRIED, MINICHECK),
    _ack(5, 3, 2): (*_EVERYBODY, *_TRIED, MINICHECK),
    _ack(6, 3, 2): (NUMPY, AUTO, SPIN_FULL, SPIN_REDUCED, SPIN_BREADTH, SPIN_TUNED),
    _ack(6, 3, 3): (NUMPY, AUTO, SPIN_FULL),
    _ack(6, 3, 4): (AUTO,),
}

_REDUCED = (PLAIN_REDUCED, NUMPY_REDUCED, COUNTER, AUTO_REDUCED)

_SYMMETRY = {
    _ack(3, 2, 2): _REDUCED,
    _ack(5, 3, 2): _REDUCED,
    _ack(6, 3, 2): _REDUCED,
    _ack(6, 3, 3): _REDUCED,
    _ack(10, 2, 2): _REDUCED,
    _ack(20, 2, 2): (COUNTER, AUTO_REDUCED),
    _ack(50, 2, 2): (COUNTER, AUTO_REDUCED),
}

_GROWTH = (AUTO, AUTO_REDUCED)


def meetings(protocols: tuple[str, ...]) -> Iterator[Meeting]:
    """The whole suite, in the order of the page."""
    yield from (Meeting(WHOLE, case, who) for case, who in _WHOLE.items())
    yield from (Meeting(SYMMETRY, case, who) for case, who in _SYMMETRY.items())
    for name in protocols:
        asked = Case(name, 1, 2, 1)
        yield Meeting(SHIPPED, asked, (COMMAND, PLAIN, AUTO, SPIN_FULL, SPIN_REDUCED, MINICHECK))
    for name in (BENCHMARK, *protocols):
        home = _ack(4, 2, 2) if name == BENCHMARK else Case(name, 1, 2, 1)
        yield from _growth(home, most_tasks=6 if name == BENCHMARK else 2)


def _growth(home: Case, most_tasks: int) -> Iterator[Meeting]:
    """Cases around one, in each direction."""
    name, tasks, workers, faults = home.protocol, home.tasks, home.workers, home.faults
    for number in range(1, most_tasks + 1):
        yield Meeting(TASKS, Case(name, number, workers, faults), _GROWTH)
    for number in range(1, 5 if home.is_benchmark else 4):
        yield Meeting(WORKERS, Case(name, tasks, number, faults), _GROWTH)
    for number in range(5 if home.is_benchmark else 2):
        yield Meeting(FAULTS, Case(name, tasks, workers, number), _GROWTH)
