"""The suite: which contestants meet on which cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
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

OPTIONS = "options"
"""SPIN alone, in more of its settings: which of them is best."""

SYMMETRY = "symmetry"
"""The benchmark protocol with symmetry."""

SHIPPED = "shipped"
"""The shipped protocols."""

TASKS, WORKERS, FAULTS = "tasks", "workers", "faults"
"""How cost grows: one number grows, the others stay."""

GROUPS = (WHOLE, OPTIONS, SYMMETRY, SHIPPED, TASKS, WORKERS, FAULTS)


def _ack(tasks: int, workers: int, crashes: int) -> Case:
    return Case(BENCHMARK, tasks, workers, crashes)


_EVERYBODY = (PLAIN, NUMPY, AUTO, SPIN_FULL, SPIN_REDUCED, MINICHECK)

_WHOLE = {
    _ack(2, 2, 1): _EVERYBODY,
    _ack(3, 2, 2): _EVERYBODY,
    _ack(4, 2, 2): _EVERYBODY,
    _ack(5, 2, 2): _EVERYBODY,
    _ack(5, 3, 2): _EVERYBODY,
    _ack(6, 3, 2): (NUMPY, AUTO, SPIN_FULL, SPIN_REDUCED),
    _ack(6, 3, 3): (NUMPY, AUTO, SPIN_FULL),
    _ack(6, 3, 4): (AUTO,),
}

_OPTIONS = (SPIN_FULL, SPIN_REDUCED, SPIN_BREADTH, SPIN_TUNED, SPIN_COMPRESSED)

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


def meetings(protocols: tuple[str, ...]) -> Iterator[Meeting]:
    """The whole suite, in the order of the page."""
    yield from (Meeting(WHOLE, case, who) for case, who in _WHOLE.items())
    yield from (Meeting(OPTIONS, case, _OPTIONS) for case in (_ack(5, 3, 2), _ack(6, 3, 2)))
    yield from (Meeting(SYMMETRY, case, who) for case, who in _SYMMETRY.items())
    for name in protocols:
        asked = Case(name, 1, 2, 1)
        yield Meeting(SHIPPED, asked, (COMMAND, PLAIN, AUTO, SPIN_FULL, SPIN_REDUCED, MINICHECK))
    yield from _growth(_ack(4, 2, 2), (AUTO, AUTO_REDUCED), range(1, 7), range(1, 5), range(5))
    for name in protocols:
        home = Case(name, 1, 2, 1)
        yield from _growth(home, (AUTO_REDUCED,), range(1, 3), range(1, 4), range(2))


def _growth(
    home: Case,
    contestants: tuple[Contestant, ...],
    tasks: Iterable[int],
    workers: Iterable[int],
    faults: Iterable[int],
) -> Iterator[Meeting]:
    """Cases around one, in each direction."""
    for number in tasks:
        yield Meeting(TASKS, replace(home, tasks=number), contestants)
    for number in workers:
        yield Meeting(WORKERS, replace(home, workers=number), contestants)
    for number in faults:
        yield Meeting(FAULTS, replace(home, faults=number), contestants)
