"""The outcome tables of the three systems, cell by cell: what was observed, what Twice finds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from frame import ROOT
from observed_words import CLAIMS, claim
from spec_runs import SpecRun
from systems import SYSTEMS

from twice.model import Verdict
from twice.protocols import PROTOCOLS
from twice.protocols.answers import POSSIBLE

PAGE = ROOT / "docs" / "outcome-tables.md"
NAME = "tables"

DIFFERS = "**no**"
"""The mark of what was not found as the spec expects."""

ROW = re.compile(r"row-(?P<number>\d+)-")
VERSION = re.compile(r"^(?P<fault>.*), RQ (?P<version>[\d.]+)$")


@dataclass(frozen=True)
class Cell:
    """One spec beside what was observed.

    Attributes
    ----------
    run : SpecRun
    row : int
        Its row in the outcome table of its system; 0 for what was seen besides.
    fault, configuration : str
        The two halves of its title.
    note : str
        What the comment at the top of its file says.
    """

    run: SpecRun
    row: int
    fault: str
    configuration: str
    note: str

    @property
    def possible(self) -> list[str]:
        """The outcomes found possible, the worst first."""
        found = {answer.name: answer.found for answer in self.run.report.answers}
        spec = self.run.spec
        return [w for w in PROTOCOLS[spec.protocol].outcomes() if found.get(w) == POSSIBLE]

    @property
    def open(self) -> list[str]:
        """The outcomes that it does not ask for."""
        spec = self.run.spec
        return [w for w in PROTOCOLS[spec.protocol].outcomes() if w not in spec.expect]

    @property
    def as_expected(self) -> bool:
        """Whether all was found as the spec expects."""
        return self.run.report.verdict is Verdict.HOLDS

    @property
    def agrees(self) -> bool:
        """Whether what was found bears out the very words of the observation."""
        return self.as_expected and claim(self.run.spec.observed).agrees(self.possible)


def cells(runs: Iterable[SpecRun]) -> list[Cell]:
    """The cells of some runs; those of a row, and of a fault in it, in a row."""
    found = [_cell(run) for run in runs]
    faults: dict[tuple[int, str], list[Cell]] = {}
    for cell in found:
        faults.setdefault((cell.row, cell.fault), []).append(cell)
    return [cell for group in sorted(faults.items(), key=lambda g: g[0][0]) for cell in group[1]]


def _cell(run: SpecRun) -> Cell:
    spec = run.spec
    row = ROW.match(spec.path.stem)
    fault, configuration = spec.title, spec.case
    if version := VERSION.match(spec.title):
        fault, configuration = version["fault"], f"RQ {version['version']}"
    elif spec.protocol == "rq":
        configuration = spec.case or "RQ 3.0.0"
    elif row and ": " in spec.title:
        fault, _, configuration = spec.title.rpartition(": ")
    return Cell(run, int(row["number"]) if row else 0, fault, configuration, _note(spec.path))


def _note(path: Path) -> str:
    """The lines of comment that a file begins with."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return " ".join(line.lstrip("# ") for line in lines[:first])


def tables(by_system: dict[str, list[Cell]]) -> str:
    """What is asked of each system, row by row, and what was seen besides."""
    lines = ["| observed | is borne out by |", "|---|---|", *_legend(), ""]
    lines += [*_summary(by_system), ""]
    for system, found in by_system.items():
        rows = [cell for cell in found if cell.row]
        besides = [cell for cell in found if not cell.row]
        lines += [f"### {SYSTEMS[system]}", "", *_table(rows), ""]
        if besides:
            lines += [f"### {SYSTEMS[system]}: what else was seen", "", *_besides(besides), ""]
    return "\n".join(lines)


def _legend() -> Iterator[str]:
    for known in CLAIMS:
        words = (f"{word} ...)" if "(" in word else word for word in known.words)
        yield f"| {', '.join(words)} | {known.meaning} |"


def _summary(by_system: dict[str, list[Cell]]) -> Iterator[str]:
    yield "| system | rows | cells | agree | agree in other words | outside |"
    yield "|---|---|---|---|---|---|"
    for system, found in by_system.items():
        rows = [cell for cell in found if cell.row]
        asked = [cell for cell in rows if not cell.run.spec.outside]
        agreeing = [cell for cell in asked if cell.agrees]
        noted = [cell for cell in asked if cell.as_expected and not cell.agrees]
        numbers = (
            len({cell.row for cell in rows}),
            len(rows),
            len(agreeing),
            len(noted),
            len(rows) - len(asked),
        )
        yield f"| {SYSTEMS[system]} | {' | '.join(map(str, numbers))} |"


def _table(found: list[Cell]) -> Iterator[str]:
    """One line for all configurations of a fault in which the same was observed and found."""
    yield "| row | fault point | configuration | observed | Twice says | agreement |"
    yield "|---|---|---|---|---|---|"
    lines: dict[tuple[int, str, str, str, str], list[str]] = {}
    for cell in found:
        observed = cell.run.spec.observed
        line = (cell.row, cell.fault, observed, _said(cell), _judged(cell))
        lines.setdefault(line, []).append(_link(cell, cell.configuration or "spec"))
    last: tuple[int, str] = (0, "")
    for (row, fault, observed, said, judged), where in lines.items():
        shown = str(row) if row != last[0] else ""
        told = fault if (row, fault) != last else ""
        last = (row, fault)
        yield f"| {shown} | {told} | {'<br>'.join(where)} | {observed} | {said} | {judged} |"


def _besides(found: list[Cell]) -> Iterator[str]:
    yield "| what | observed | Twice says | agreement |"
    yield "|---|---|---|---|"
    for cell in found:
        spec = cell.run.spec
        what = _link(cell, spec.name)
        judged = _outside(cell) or _noted("as expected" if cell.as_expected else DIFFERS, cell)
        yield f"| {what} | {spec.observed} | {_said(cell)} | {judged} |"


def _said(cell: Cell) -> str:
    """The outcomes found possible, those left open, and how late what is late may be."""
    if cell.run.spec.outside:
        return ""
    said = [", ".join(f"**{word}**" for word in cell.possible) or "none possible"]
    if cell.open:
        said.append(f"open: {', '.join(cell.open)}")
    bounds = cell.run.spec.bounds
    said += [f"{answer.found}" for answer in cell.run.report.answers if answer.name in bounds]
    return "; ".join(said)


def _judged(cell: Cell) -> str:
    """Whether it agrees; where it does so in other words only, the file's comment tells."""
    if cell.run.spec.outside:
        return _outside(cell)
    if not cell.as_expected:
        return DIFFERS
    return "yes" if cell.agrees else _noted("in other words", cell)


def _outside(cell: Cell) -> str:
    return f"*outside*: {cell.run.spec.outside}" if cell.run.spec.outside else ""


def _noted(judged: str, cell: Cell) -> str:
    return f"{judged}: {cell.note}" if cell.note else judged


def _link(cell: Cell, text: str) -> str:
    return f"[{text}](../{cell.run.spec.path.relative_to(ROOT).as_posix()})"
