"""The benchmark protocol for minicheck, as a function from states to labelled successors.

References
----------
minicheck 0.4: a breadth-first explicit-state checker; a state is a tuple, the transition relation
any Python function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Record = tuple[int, int, int, int]
"""Of a task: loc, execs, effects, owner."""

Holder = tuple[int, int]
"""Of a worker: phase, and the task it holds (0: none)."""

State = tuple[tuple[Record, ...], tuple[Holder, ...], int]
"""Tasks, workers, crashes used."""

FIELDS = ("tasks", "workers", "crashes")


def initial(tasks: int, workers: int) -> State:
    """Nothing published."""
    return ((0, 0, 0, 0),) * tasks, ((0, 0),) * workers, 0


def transitions(crashes: int) -> Callable[[State], list[tuple[str, State]]]:
    """The successors of a state, with late acknowledgement."""

    def successors(state: State) -> list[tuple[str, State]]:
        tasks, workers, used = state
        found: list[tuple[str, State]] = []
        for t, (loc, execs, effects, _) in enumerate(tasks):
            if loc == 0:
                after = (*tasks[:t], (1, execs, effects, 0), *tasks[t + 1 :])
                found.append(("publish", (after, workers, used)))
            elif loc == 1:
                for w, (phase, _) in enumerate(workers):
                    if phase == 0:
                        after = (*tasks[:t], (2, execs, effects, w + 1), *tasks[t + 1 :])
                        holders = (*workers[:w], (1, t + 1), *workers[w + 1 :])
                        found.append(("deliver", (after, holders, used)))
        for w, (phase, held) in enumerate(workers):
            if phase == 0:
                continue
            before, behind = tasks[: held - 1], tasks[held:]
            loc, execs, effects, owner = tasks[held - 1]
            idle = (*workers[:w], (0, 0), *workers[w + 1 :])
            if phase == 1:
                after = (*before, (loc, min(execs + 1, 2), effects, owner), *behind)
                holders = (*workers[:w], (2, held), *workers[w + 1 :])
                found.append(("start", (after, holders, used)))
            elif phase == 2:
                after = (*before, (loc, execs, min(effects + 1, 2), owner), *behind)
                holders = (*workers[:w], (3, held), *workers[w + 1 :])
                found.append(("finish", (after, holders, used)))
            else:
                after = (*before, (3, execs, effects, 0), *behind)
                found.append(("ack", (after, idle, used)))
            if used < crashes:
                after = (*before, (1, execs, effects, 0), *behind)
                found.append(("crash", (after, idle, used + 1)))
        return found

    return successors


def never_lost(state: dict[str, Any]) -> bool:
    """No task is gone without its effect."""
    return not any(loc == 3 and effects == 0 for loc, _, effects, _ in state["tasks"])
