"""From a cold start to the answer: `twice check` of each protocol, and what its start loads.

python benchmarks/startup.py
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from contestants import PYTHON
from processes import measured

HEAVY = ("numpy", "networkx", "scipy", "dask", "distributed", "rich", "click")
"""Packages worth watching."""

UNWANTED = ("numpy", "networkx", "scipy", "dask", "distributed")
"""Packages that a default check does not need."""

ANSWERED = (0, 1, 3)
"""Exit codes of a check that gave an answer."""


class Loaded(NamedTuple):
    """A module that was imported, and its seconds without and with what it imports itself."""

    name: str
    alone: float
    together: float


def check(protocol: str) -> list[str]:
    """The command that a user types."""
    return [PYTHON, "-m", "twice", "check", protocol]


def protocols() -> list[str]:
    """The names of the shipped protocols."""
    told = "from twice.protocols import PROTOCOLS; print(*PROTOCOLS)"
    return measured([PYTHON, "-c", told]).output.split()


def cold(command: list[str], runs: int) -> float:
    """Median seconds of a command, after one run that fills the file cache."""
    measured(command, exits=ANSWERED)
    return median(measured(command, exits=ANSWERED).seconds for _ in range(runs))


def loaded(protocol: str) -> Iterator[Loaded]:
    """Every module that a check imports, with the times that Python tells."""
    command = [PYTHON, "-X", "importtime", *check(protocol)[1:]]
    said = measured(command, exits=ANSWERED).errors
    for line in re.finditer(r"import time:\s+(\d+) \|\s+(\d+) \|\s+([\w.]+)$", said, re.MULTILINE):
        yield Loaded(line[3], int(line[1]) / 1e6, int(line[2]) / 1e6)


def main() -> None:
    """Print a table of times, and what was loaded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print("| start of | median seconds |\n|---|---:|")
    print(f"| python | {cold([PYTHON, '-c', ''], runs):.3f} |")
    print(f"| twice --version | {cold([PYTHON, '-m', 'twice', '--version'], runs):.3f} |")
    for name in protocols():
        print(f"| twice check {name} | {cold(check(name), runs):.3f} |")
    for name in protocols():
        modules = list(loaded(name))
        print(f"\nImported by twice check {name}: {len(modules)} modules, in seconds")
        for heavy in HEAVY:
            own = [module.alone for module in modules if module.name.split(".")[0] == heavy]
            note = "  (not needed)" if own and heavy in UNWANTED else ""
            print(f"  {heavy:12} {f'{sum(own):.3f}' if own else 'not loaded'}{note}")
        own = [module.alone for module in modules if module.name.split(".")[0] == "twice"]
        print(f"  {'twice':12} {sum(own):.3f}")
        slowest = sorted(modules, key=lambda module: module.alone, reverse=True)[:8]
        print("  slowest alone:", ", ".join(f"{m.name} {m.alone:.3f}" for m in slowest))


if __name__ == "__main__":
    main()
