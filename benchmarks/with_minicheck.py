"""One case in minicheck, as a program of its own.

The benchmark protocol is written for it by hand. Of the shipped protocols it gets the successors
that Twice generates, since nobody wrote them for it, and only explores.

python benchmarks/with_minicheck.py "ack 3,2,2"
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import ack_minicheck
from cases import Case

Generated = tuple[int, int]
"""A packed state, and the faults used so far, each kind in eight bits."""


def protocol(case: Case) -> Any:
    """The case as minicheck takes it."""
    made = importlib.import_module("minicheck").Protocol
    if case.is_benchmark:
        return made(
            name=str(case),
            candidate=False,
            fields=ack_minicheck.FIELDS,
            initial=ack_minicheck.initial(case.tasks, case.workers),
            transitions=ack_minicheck.transitions(case.faults),
            invariants={"lost": ack_minicheck.never_lost},
        )
    return made(
        name=str(case),
        candidate=False,
        fields=("state", "faults"),
        initial=(case.system().layout.initial, 0),
        transitions=generated(case),
        invariants={},
    )


def generated(case: Case) -> Callable[[Generated], list[tuple[str, Generated]]]:
    """Successors by the code that Twice generates."""
    from twice.model.python_engine import belongs_to

    system = case.system()
    own = system.expander(belongs_to(None))
    faults = [system.expander(belongs_to((kind, None))) for kind in system.fault_kinds()]

    def successors(source: Generated) -> list[tuple[str, Generated]]:
        packed, used = source
        after: list[int] = []
        own((packed,), after.append)
        found = [("step", (state, used)) for state in after]
        if sum(used.to_bytes(len(faults), "little")) < case.faults:
            for number, strike in enumerate(faults):
                after.clear()
                strike((packed,), after.append)
                found += [("fault", (state, used + (1 << 8 * number))) for state in after]
        return found

    return successors


def main() -> None:
    """Explore, and print what was found as JSON."""
    case = Case.parse(sys.argv[1])
    model = protocol(case)
    check_safety = importlib.import_module("minicheck").check_safety
    start = time.perf_counter()
    report = check_safety(model, max_states=1 << 40)
    seconds = time.perf_counter() - start
    holds = all(entry["holds"] for entry in report["properties"].values())
    found = {
        "states": report["reachable_states"],
        "search": seconds,
        "verdict": "holds" if holds else "violated",
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
