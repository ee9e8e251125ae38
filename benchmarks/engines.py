"""Where one engine of Twice overtakes another: what `auto` is decided by.

    python benchmarks/engines.py

Three tables: what a level costs in plain Python and in NumPy, by its number of states; what a whole
check costs when it moves from one to the other at different numbers of states; and what many
interchangeable members cost ordered and counted.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

from cases import Case
from contestants import HERE, PYTHON
from processes import measured

LEVELS = ("ack 5,3,2", "rq 1,2,2", "celery-amqp 1,2,1", "celery-redis 1,2,1")
SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
ENOUGH = 60_000
"""States to take levels from."""

WHOLE = ("ack 4,2,2", "ack 5,2,2", "ack 5,3,2", "rq 1,2,1", "rq 2,2,1", "celery-redis 1,2,1")
MOVES = (3_000, 10_000, 30_000, 100_000, 1_000_000_000)

MEMBERS = range(3, 11)


def best(action: Callable[[], object], times: int = 5) -> float:
    """The shortest time of several, in seconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return min(taken)


def level_costs(case: Case, symmetry: bool) -> Iterator[tuple[int, float, float]]:
    """Seconds to expand a level of so many states, in plain Python and in NumPy."""
    from twice.model import Limits, explore
    from twice.model.numpy_engine import NumpyEngine
    from twice.model.python_engine import PythonEngine
    from twice.model.regimes import FaultLattice
    from twice.model.symmetry import Symmetry

    system = case.system()
    lattice = FaultLattice(case.regimes(system), system.fault_kinds())
    faults = range(len(lattice.classes))
    asked = [p for p in system.properties if {p.name, p.violation} & set(case.outcomes())]
    canonical: Symmetry | None = system.canonical(asked) if symmetry else None
    limits = Limits(max_states=ENOUGH)
    space = explore(
        system, case.regimes(system), asked, symmetry=symmetry, engine="python", limits=limits
    )
    levels = [level for layer in space.layers.values() for level in layer.levels.values()]
    states = [state for level in levels for state in space.engine.states(level)]
    engines: list[Any] = [
        PythonEngine(system, lattice.classes, canonical),
        NumpyEngine(system, lattice.classes, canonical),
    ]
    for size in SIZES:
        if size > len(states):
            return
        sample = random.Random(size).sample(states, size)

        def cost(engine: Any, sample: list[int] = sample) -> float:
            batch = engine.batch(sample)
            return best(lambda: engine.successors(engine.level(batch), faults, lambda: None))

        python, numpy = map(cost, engines)
        yield size, python, numpy


def show_levels() -> None:
    """What a level costs."""
    print("| model | symmetry | " + " | ".join(f"{size:,}" for size in SIZES) + " |")
    print("|---|---|" + "---:|" * len(SIZES))
    for name in LEVELS:
        for symmetry in (False, True):
            costs = list(level_costs(Case.parse(name), symmetry))
            cells = [f"{1000 * p:.1f} / {1000 * n:.1f}" for _, p, n in costs]
            cells += [""] * (len(SIZES) - len(cells))
            print(f"| {name} | {'yes' if symmetry else 'no'} | {' | '.join(cells)} |", flush=True)


def check(case: Case, engine: str, *extra: str) -> tuple[float, int]:
    """Median seconds of three checks, each a process of its own, and the number of states."""
    command = [PYTHON, str(HERE / "with_twice.py"), str(case), "--engine", engine, *extra]
    runs = [measured(command) for _ in range(3)]
    return median(run.seconds for run in runs), json.loads(runs[0].output)["states"]


def show_moves() -> None:
    """What a whole check costs, by the number of states at which it moves to NumPy."""
    heads = [f"{move:,}" if move < 10**9 else "never" for move in MOVES]
    print("| model | symmetry | states | " + " | ".join(heads) + " |")
    print("|---|---|---:|" + "---:|" * len(MOVES))
    for name in WHOLE:
        for symmetry in (False, True):
            extra = [] if symmetry else ["--no-symmetry"]
            cells = []
            for move in MOVES:
                seconds, states = check(Case.parse(name), "auto", "--outgrown", str(move), *extra)
                cells.append(f"{seconds:.2f}")
            yes = "yes" if symmetry else "no"
            print(f"| {name} | {yes} | {states:,} | {' | '.join(cells)} |", flush=True)


def show_members() -> None:
    """What many members cost, ordered in each state and counted."""
    print("| model | states | Python | NumPy | counter |\n|---|---:|---:|---:|---:|")
    for tasks in MEMBERS:
        case = Case("ack", tasks, 2, 2)
        costs = {engine: check(case, engine) for engine in ("python", "numpy", "counter")}
        cells = " | ".join(f"{seconds:.2f}" for seconds, _ in costs.values())
        print(f"| {case} | {costs['python'][1]:,} | {cells} |", flush=True)


PARTS = {"levels": show_levels, "moves": show_moves, "members": show_members}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", action="append", choices=PARTS, help="only this table")
    for part in parser.parse_args().part or PARTS:
        print(f"\n{(PARTS[part].__doc__ or '').splitlines()[0]}\n")
        PARTS[part]()


if __name__ == "__main__":
    main()
