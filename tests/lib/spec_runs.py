"""The shipped specs, each run once in a session, however many tests look at what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from frame import ROOT

from twice.model import Label, Report, Result, Verdict, check
from twice.model.verdict import Finding
from twice.protocols.spec import Spec
from twice.protocols.spec_reader import read_specs
from twice.protocols.spec_run import SpecReport, compare, regime_of, system_of

FOLDER = ROOT / "specs"
SPECS = sorted(FOLDER.rglob("*.toml"))


def name_of(path: Path) -> str:
    """A spec's file, as seen from the folder of all specs."""
    return str(path.relative_to(FOLDER))


@dataclass(frozen=True)
class SpecRun:
    """What running a spec found: states are let go of, traces are kept.

    Attributes
    ----------
    spec : Spec
    report : SpecReport
    violations : tuple of Result
        Those with a counterexample.
    enabled : frozenset of str
        Actions and faults that are enabled in some state.
    """

    spec: Spec
    report: SpecReport
    violations: tuple[Result, ...] = ()
    enabled: frozenset[str] = frozenset()


@cache
def runs(path: Path) -> tuple[SpecRun, ...]:
    """Run what a file asks, each case of it; what is outside its protocol has found nothing."""
    return tuple(_run(spec) for spec in read_specs(path))


RunsOf = Callable[[str], Iterable[SpecRun]]


def runs_of(folder: str) -> Iterable[SpecRun]:
    """The runs of the shipped specs in a folder and below it; all where none is named."""
    return (run for path in SPECS if path.is_relative_to(FOLDER / folder) for run in runs(path))


def _run(spec: Spec) -> SpecRun:
    if spec.outside:
        return SpecRun(spec, SpecReport(spec, (), 0))
    report = check(system_of(spec), [regime_of(spec)], properties=list(spec.expect))
    violations = (_kept(r) for r in report.results if r.verdict is Verdict.VIOLATED)
    return SpecRun(spec, compare(spec, report), tuple(violations), _enabled(spec, report))


def _kept(result: Result) -> Result:
    """A result with its trace, and without the states it was searched in."""
    trace = result.trace
    assert trace is not None
    return result._replace(finding=Finding(result.faults, result.steps, lambda: trace))


def _enabled(spec: Spec, report: Report) -> frozenset[str]:
    """All actions, and the faults that a spec allows, except those that a warning names."""
    idle = {warning.split("`")[1] for warning in report.warnings}
    possible = {label.action for label in system_of(spec).labels if _allows(spec, label)}
    return frozenset(possible - idle)


def _allows(spec: Spec, label: Label) -> bool:
    """Whether a transition is a step of the system, or a fault that a spec has a budget for."""
    if label.fault is None:
        return True
    return bool(spec.faults.get(label.fault)) and label.action in spec.points.get(
        label.fault, {label.action}
    )
