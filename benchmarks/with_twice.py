"""One case in Twice, as a program of its own: builds the model, explores it, says the verdict.

python benchmarks/with_twice.py "ack 4,2,2" [--engine numpy] [--no-symmetry]
"""

from __future__ import annotations

import argparse
import json
import time

from cases import Case

from twice.model import check, engine_choice


def main() -> None:
    """Explore, and print what was found as JSON; `search` begins with the compiled model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", type=Case.parse)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--no-symmetry", action="store_true")
    parser.add_argument("--outgrown", type=int, help="states at which auto moves to NumPy")
    given = parser.parse_args()
    if given.outgrown is not None:
        engine_choice.OUTGROWN = given.outgrown
    case: Case = given.case
    system = case.system()
    if given.engine == "numpy":
        import twice.model.numpy_engine  # noqa: F401 - loading it is start-up, not search
    start = time.perf_counter()
    report = check(
        system,
        case.regimes(system),
        properties=case.outcomes(),
        symmetry=not given.no_symmetry,
        engine=given.engine,
    )
    seconds = time.perf_counter() - start
    found = {
        "states": report.states,
        "transitions": report.transitions,
        "search": seconds,
        "verdict": report.verdict.value,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
