"""One case as a Promela program, on the standard output.

The benchmark protocol is written by hand; a shipped protocol is exported by Twice.

python benchmarks/with_promela.py "rq 1,2,1"
"""

from __future__ import annotations

import re
import sys

from ack_promela import ack_promela
from cases import Case


def promela(case: Case) -> str:
    """The program."""
    if case.is_benchmark:
        return ack_promela(case.tasks, case.workers, case.faults)
    return exported(case)


def exported(case: Case) -> str:
    """What Twice exports, with one budget for the faults of all kinds together."""
    from twice.model import Regime
    from twice.model.promela import to_promela

    system = case.system()
    kinds = system.fault_kinds()
    program = to_promela(system, Regime("any", dict.fromkeys(kinds, case.faults)))
    if case.faults == 0:
        return program
    together = " + ".join(f"used_{number}" for number in range(len(kinds)))
    return re.sub(rf"used_\d+ < {case.faults}\b", f"{together} < {case.faults}", program)


if __name__ == "__main__":
    print(promela(Case.parse(sys.argv[1])), end="")
