"""Results: rows of measurements, checked against each other, and the files that keep them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from contestants import Contestant, Run

FOLDER = Path(__file__).resolve().parent / "results"
"""Where the last run is kept."""


FEW = 300_000
"""Fewer states say little about memory: most of what a process holds is then its start-up."""


@dataclass(frozen=True)
class Row:
    """One contestant on one case.

    Attributes
    ----------
    group, case : str
    checker : str
        The contestant's label.
    tool : str
        The checker alone.
    states : int
    transitions : int or None
    verdict : str
    symmetry : bool
        Whether states that differ by names alone are one.
    fewer : bool
        Whether partial-order reduction may have left out states.
    search, total : list of float
        Seconds of each run; `search` is empty where it cannot be told from the whole.
    memory : list of int
        Bytes of each run, above what the same checker holds at its start; empty where nobody asks.
    """

    group: str
    case: str
    checker: str
    tool: str
    states: int
    transitions: int | None
    verdict: str
    symmetry: bool
    fewer: bool
    search: list[float]
    total: list[float]
    memory: list[int]

    @property
    def seconds(self) -> float:
        """From a cold start to the verdict."""
        return median(self.total)

    @property
    def rate(self) -> float | None:
        """States per second of search."""
        return self.states / median(self.search) if self.search else None

    @property
    def bytes_per_state(self) -> float | None:
        """Peak memory above start-up."""
        return median(self.memory) / self.states if self.memory else None


class Disagreement(Exception):
    """Two checkers counted differently: an error, and no result."""


def row(
    group: str, case: str, contestant: Contestant, runs: Sequence[Run], start: int | None
) -> Row:
    """Sum up the runs of a contestant; `start` is the memory at its start, if it was measured.

    Raises
    ------
    Disagreement
        Where one run found something else than the next.
    """
    found = {(run.states, run.transitions, run.verdict) for run in runs}
    if len(found) > 1:
        raise Disagreement(f"{contestant.label} on {case} found {found}")
    states, transitions, verdict = found.pop()
    return Row(
        group,
        case,
        contestant.label,
        contestant.tool,
        states,
        transitions,
        verdict,
        contestant.symmetry,
        contestant.may_store_fewer,
        [run.search for run in runs if run.search is not None],
        [run.total for run in runs],
        [] if start is None else [max(run.peak - start, 0) for run in runs],
    )


def compare(rows: Iterable[Row]) -> None:
    """Hold the rows of each case against each other.

    Raises
    ------
    Disagreement
        Where verdicts differ; where numbers of states differ between rows that both use symmetry,
        or both do not; where numbers of transitions differ between rows without symmetry. Partial-
        order reduction may store fewer states, never more.
    """
    verdicts: dict[str, Row] = {}
    counted: dict[tuple[str, bool], Row] = {}
    stepped: dict[str, Row] = {}
    entries = list(rows)
    for entry in entries:
        if entry.verdict:
            _agree(verdicts.setdefault(entry.case, entry), entry, "verdict")
        if not entry.fewer:
            _agree(counted.setdefault((entry.case, entry.symmetry), entry), entry, "states")
            # Which steps a state is counted for depends on how symmetry names its members.
            if entry.transitions is not None and not entry.symmetry:
                _agree(stepped.setdefault(entry.case, entry), entry, "transitions")
    for entry in entries:
        full = counted.get((entry.case, entry.symmetry))
        if entry.fewer and full and entry.states > full.states:
            raise Disagreement(f"{entry.case}: {entry.checker} stored more than all states")


def _agree(one: Row, other: Row, what: str) -> None:
    first, second = getattr(one, what), getattr(other, what)
    if first != second:
        raise Disagreement(
            f"{one.case}: {what} {first} by {one.checker}, {second} by {other.checker}"
        )


@dataclass(frozen=True)
class Results:
    """A whole run of the suite."""

    machine: dict[str, str]
    runs: int
    rows: list[Row]

    def of(self, *groups: str) -> list[Row]:
        """The rows of some groups."""
        return [entry for entry in self.rows if entry.group in groups]

    def save(self, folder: Path = FOLDER) -> None:
        """Write all measurements as JSON, and their medians as CSV."""
        folder.mkdir(exist_ok=True)
        document = json.dumps(asdict(self), indent=1)
        (folder / "comparison.json").write_text(document + "\n", encoding="utf-8")
        (folder / "comparison.csv").write_text(self.csv(), encoding="utf-8")

    def csv(self) -> str:
        """The medians, a line for each row."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(
            [
                *("group", "case", "checker", "states", "transitions", "verdict"),
                *("states per second", "bytes per state", "seconds from cold start"),
            ]
        )
        for entry in self.rows:
            writer.writerow(
                [
                    entry.group,
                    entry.case,
                    entry.checker,
                    entry.states,
                    entry.transitions,
                    entry.verdict,
                    None if entry.rate is None else round(entry.rate),
                    None if entry.bytes_per_state is None else round(entry.bytes_per_state, 1),
                    round(entry.seconds, 3),
                ]
            )
        return text.getvalue()


def load(folder: Path = FOLDER) -> Results:
    """The last run."""
    document: dict[str, Any] = json.loads((folder / "comparison.json").read_text(encoding="utf-8"))
    rows = [Row(**entry) for entry in document["rows"]]
    return Results(document["machine"], document["runs"], rows)
