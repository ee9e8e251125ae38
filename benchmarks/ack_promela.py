"""The benchmark protocol in Promela, written by hand in the way that SPIN explores fastest.

One process chooses among all actions. Each action is a `d_step`, so that no intermediate state is
stored: SPIN stores exactly the states of the model. A worker finds its task by the number it holds,
where the export of Twice has one action for each pair of a worker and a task; that made SPIN a
third faster. Invalid end states are nothing here: at the end all tasks are gone.
"""

from __future__ import annotations

from collections.abc import Iterator


def ack_promela(tasks: int, workers: int, crashes: int) -> str:
    """The program for late acknowledgement, with the assertion that no task is lost."""
    return "\n".join(_lines(tasks, workers, crashes)) + "\n"


def _lines(tasks: int, workers: int, crashes: int) -> Iterator[str]:
    yield "/* loc: 0 new, 1 ready, 2 unacked, 3 gone; phase: 0 idle, 1 got, 2 running, 3 done */"
    yield f"byte loc[{tasks}], execs[{tasks}], effects[{tasks}], owner[{tasks}];"
    yield f"byte phase[{workers}], holds[{workers}], crashes;"
    yield "active proctype system() {"
    yield "  do"
    for t in range(tasks):
        yield f"  :: d_step {{ loc[{t}] == 0 -> loc[{t}] = 1 }}"
        for w in range(workers):
            yield (
                f"  :: d_step {{ loc[{t}] == 1 && phase[{w}] == 0 -> "
                f"loc[{t}] = 2; owner[{t}] = {w + 1}; phase[{w}] = 1; holds[{w}] = {t + 1} }}"
            )
    for w in range(workers):
        task, release = f"holds[{w}] - 1", f"holds[{w}] = 0; phase[{w}] = 0"
        for phase, counted in ((1, "execs"), (2, "effects")):
            yield (
                f"  :: d_step {{ phase[{w}] == {phase} -> phase[{w}] = {phase + 1}; "
                f"if :: {counted}[{task}] < 2 -> {counted}[{task}]++ :: else fi }}"
            )
        yield (
            f"  :: d_step {{ phase[{w}] == 3 -> assert(effects[{task}] > 0); "
            f"loc[{task}] = 3; owner[{task}] = 0; {release} }}"
        )
        yield (
            f"  :: d_step {{ phase[{w}] != 0 && crashes < {crashes} -> "
            f"loc[{task}] = 1; owner[{task}] = 0; {release}; crashes++ }}"
        )
    yield "  od"
    yield "}"
