"""The page `docs/performance.md`: its measured parts are written from the stored results."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import tables
from results import Results, Row
from suite import FAULTS, SHIPPED, SYMMETRY, TASKS, WHOLE, WORKERS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
PLOT = PAGE.with_suffix(".svg")

_PART = re.compile(r"(<!-- measured: (?P<name>[\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)

FEW = 50_000
"""Fewer states say nothing about memory: what a process holds is then its start-up."""


def written(page: str, results: Results) -> str:
    """The page with its measured parts as the results have them.

    Raises
    ------
    KeyError
        For a part that nobody writes.
    """

    def part(found: re.Match[str]) -> str:
        lines = PARTS[found["name"]](results)
        return f"{found[1]}{chr(10).join(lines)}\n{found[3]}"

    return _PART.sub(part, page)


def _machine(results: Results) -> list[str]:
    told = [tables.line(name, value) for name, value in results.machine.items()]
    return [tables.line("what", "which"), "|---|---|", *told]


def _rates(results: Results) -> list[str]:
    rows = results.of(WHOLE)
    ratios = {
        "Twice to SPIN": lambda here: _ratio(here, "SPIN", _rate),
        "Twice, Python, to minicheck": lambda here: _python_ratio(here),
    }
    return tables.table(rows, _rate, tables.millions, tables.BETTER_HIGH, ratios)


def _memory(results: Results) -> list[str]:
    rows = [entry for entry in results.of(WHOLE) if entry.states >= FEW]
    return tables.table(rows, lambda row: row.bytes_per_state, tables.whole, tables.BETTER_LOW)


def _verdicts(results: Results) -> list[str]:
    return tables.table(results.of(WHOLE), _seconds, tables.seconds, tables.BETTER_LOW)


def _symmetry(results: Results) -> list[str]:
    return tables.table(results.of(SYMMETRY), _seconds, tables.seconds, tables.BETTER_LOW)


def _shipped(results: Results) -> list[str]:
    return tables.table(results.of(SHIPPED), _seconds, tables.seconds, tables.BETTER_LOW)


def _growth(group: str) -> Callable[[Results], list[str]]:
    def part(results: Results) -> list[str]:
        reduced = {
            "states with symmetry": lambda here: tables.whole(min(row.states for row in here))
        }
        return tables.table(results.of(group), _seconds, tables.seconds, None, reduced)

    return part


def _summary(results: Results) -> list[str]:
    """The largest case on which Twice and SPIN met, in words."""
    met = [entry for entry in results.of(WHOLE) if entry.tool == "SPIN"]
    largest = max(met, key=lambda entry: entry.states)
    here = [entry for entry in results.of(WHOLE) if entry.case == largest.case]
    twice = min((e for e in here if e.tool == "Twice"), key=lambda entry: entry.seconds)
    spin = min((e for e in here if e.tool == "SPIN"), key=lambda entry: entry.seconds)
    return [
        f"On `{largest.case}`, {largest.states:,} states, Twice needs "
        f"{tables.seconds(twice.seconds)} s from a cold start to the verdict and "
        f"{tables.whole(twice.bytes_per_state or 0)} bytes of memory per state; SPIN "
        f"{tables.seconds(spin.seconds)} s and {tables.whole(spin.bytes_per_state or 0)} bytes."
    ]


PARTS: dict[str, Callable[[Results], list[str]]] = {
    "machine": _machine,
    "summary": _summary,
    "rates": _rates,
    "memory": _memory,
    "verdicts": _verdicts,
    "symmetry": _symmetry,
    "shipped": _shipped,
    "tasks": _growth(TASKS),
    "workers": _growth(WORKERS),
    "faults": _growth(FAULTS),
}


def _rate(row: Row) -> float | None:
    return row.rate


def _seconds(row: Row) -> float:
    return row.seconds


def _ratio(here: Sequence[Row], other: str, number: tables.Number) -> str:
    ours = tables.best_of(here, "Twice", number, max)
    theirs = tables.best_of(here, other, number, max)
    return tables.times(ours / theirs) if ours and theirs else ""


def _python_ratio(here: Sequence[Row]) -> str:
    from contestants import PLAIN

    return _ratio(
        [row for row in here if row.checker in (PLAIN.label, "minicheck")], "minicheck", _rate
    )
