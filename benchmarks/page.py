"""The page `docs/performance.md`: its measured parts are written from the stored results."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import tables
from contestants import MINICHECK, PLAIN
from results import FEW, Results, Row
from suite import FAULTS, OPTIONS, SHIPPED, SYMMETRY, TASKS, WHOLE, WORKERS

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
PLOT = PAGE.with_suffix(".svg")

_PART = re.compile(r"(<!-- measured: (?P<name>[\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


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
    fewest = min(len(row.total) for row in results.rows)
    each = f"{results.runs}" + (f", of the longest {fewest}" if fewest < results.runs else "")
    known = {**results.machine, "runs of each": each}
    told = [tables.line(name, value) for name, value in known.items()]
    return [tables.line("what", "which"), "|---|---|", *told]


def _rates(results: Results) -> list[str]:
    def to_spin(case: str) -> str:
        return _ratio(_here(results, case), "SPIN")

    def to_minicheck(case: str) -> str:
        return _ratio([e for e in _here(results, case) if e.checker in _IN_PYTHON], "minicheck")

    ratios = {"Twice to SPIN": to_spin, "Twice, Python, to minicheck": to_minicheck}
    return tables.table(results.of(WHOLE), _rate, tables.millions, max, ratios)


def _memory(results: Results) -> list[str]:
    rows = [entry for entry in results.of(WHOLE) if entry.states >= FEW]
    return tables.table(rows, _bytes, tables.whole, min)


def _options(results: Results) -> list[str]:
    rates = tables.table(results.of(OPTIONS), _rate, tables.millions, max)
    return [*rates, "", *tables.table(results.of(OPTIONS), _bytes, tables.whole, min)]


def _times(group: str) -> Callable[[Results], list[str]]:
    def part(results: Results) -> list[str]:
        return tables.table(results.of(group), _seconds, tables.seconds, min)

    return part


def _growth(group: str) -> Callable[[Results], list[str]]:
    def part(results: Results) -> list[str]:
        lines = [tables.line("model", "states", "seconds", "all states", "seconds")]
        lines.append("|---|---:|---:|---:|---:|")
        rows = results.of(group)
        for case in dict.fromkeys(entry.case for entry in rows):
            cells = [case]
            for symmetry in (True, False):
                for entry in rows:
                    if entry.case == case and entry.symmetry == symmetry:
                        cells += [tables.whole(entry.states), tables.seconds(entry.seconds)]
            lines.append(tables.line(*cells, *[""] * (5 - len(cells))))
        return lines

    return part


def _summary(results: Results) -> list[str]:
    """The largest case on which Twice and SPIN met, in words."""
    met = [entry for entry in results.of(WHOLE) if entry.tool == "SPIN"]
    largest = max(met, key=lambda entry: entry.states)
    here = [entry for entry in _here(results, largest.case) if entry.memory]
    twice, spin = (
        min((entry for entry in here if entry.tool == tool), key=lambda entry: entry.seconds)
        for tool in ("Twice", "SPIN")
    )
    return [
        f"On `{largest.case}`, with {largest.states:,} states, Twice needs "
        f"{tables.seconds(twice.seconds)} s from a cold start to the verdict and "
        f"{tables.whole(_bytes(twice) or 0)} bytes of memory per state; "
        f"SPIN {tables.seconds(spin.seconds)} s and {tables.whole(_bytes(spin) or 0)} bytes."
    ]


PARTS: dict[str, Callable[[Results], list[str]]] = {
    "machine": _machine,
    "summary": _summary,
    "rates": _rates,
    "memory": _memory,
    "whole": _times(WHOLE),
    "options": _options,
    "symmetry": _times(SYMMETRY),
    "shipped": _times(SHIPPED),
    "tasks": _growth(TASKS),
    "workers": _growth(WORKERS),
    "faults": _growth(FAULTS),
}


_IN_PYTHON = (PLAIN.label, MINICHECK.label)


def _here(results: Results, case: str) -> list[Row]:
    """All rows of a case that explored every state."""
    return [e for e in results.of(WHOLE, OPTIONS) if e.case == case and not e.symmetry]


def _rate(row: Row) -> float | None:
    return row.rate


def _bytes(row: Row) -> float | None:
    return row.bytes_per_state


def _seconds(row: Row) -> float:
    return row.seconds


def _ratio(here: Sequence[Row], other: str) -> str:
    """How many times faster the best setting of Twice searched than the best of another checker."""
    rates = {
        tool: max((entry.rate or 0 for entry in here if entry.tool == tool), default=0)
        for tool in ("Twice", other)
    }
    return tables.times(rates["Twice"] / rates[other]) if all(rates.values()) else ""
