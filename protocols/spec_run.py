"""Running a spec: the verdicts found beside the verdicts expected."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from twice.model import Limits, Regime, Report, Result, Verdict, check
from twice.model.compiled import CompiledModel
from twice.model.limits import Progress
from twice.protocols import PROTOCOLS
from twice.protocols.answers import ANSWERS, UNDETERMINED, answers
from twice.protocols.delivery import scope_of
from twice.protocols.durations import Bound
from twice.protocols.spec import Spec


@dataclass(frozen=True)
class Answer:
    """One expectation of a spec and what was found.

    Attributes
    ----------
    name : str
        An outcome word, `states`, `transitions`, or a bound.
    expected, found : str
        `"possible"`, `"never"`, `"undetermined"`, a number, or a time.
    verdict : Verdict
        HOLDS where they agree, VIOLATED where they differ, UNDETERMINED where nothing was proved.
    """

    name: str
    expected: str
    found: str
    verdict: Verdict


@dataclass(frozen=True)
class SpecReport:
    """A spec and all its answers; `stopped` says why a search ended early."""

    spec: Spec
    answers: tuple[Answer, ...]
    states: int
    stopped: str = ""

    @property
    def verdict(self) -> Verdict:
        """VIOLATED where any answer differs; else UNDETERMINED where any is missing; else HOLDS."""
        found = {answer.verdict for answer in self.answers}
        for verdict in (Verdict.VIOLATED, Verdict.UNDETERMINED):
            if verdict in found:
                return verdict
        return Verdict.HOLDS


def run_spec(
    spec: Spec,
    limits: Limits | None = None,
    *,
    engine: str = "auto",
    cluster: str | None = None,
    progress: Progress | None = None,
) -> SpecReport:
    """Check what a spec asks and compare; what is outside the protocol has no answers.

    How it is explored is said as to `check`.
    """
    if spec.outside:
        return SpecReport(spec, (), 0)
    report = check(
        system_of(spec),
        [regime_of(spec)],
        properties=list(spec.expect),
        limits=limits,
        engine=engine,
        cluster=cluster,
        progress=progress,
    )
    return compare(spec, report)


def system_of(spec: Spec) -> CompiledModel:
    """Compile the protocol of a spec; several that are run in a row share it."""
    items = (tuple(sorted(table.items())) for table in (spec.settings, spec.scope))
    return _compiled(spec.protocol, *items)


def regime_of(spec: Spec) -> Regime:
    """Name the faults of a spec by its file."""
    return Regime(spec.path.stem, spec.faults, spec.points)


def compare(spec: Spec, report: Report) -> SpecReport:
    """Put what a check of a spec's system under its regime found beside what the spec expects."""
    found = answers(report.results)
    regime = regime_of(spec).name
    compared = [
        _outcome(name, expected, found[name, regime]) for name, expected in spec.expect.items()
    ]
    compared += [
        _count(name, expected, getattr(report, name), report.closed)
        for name, expected in spec.counts.items()
    ]
    known = PROTOCOLS[spec.protocol](**spec.settings).bounds()
    compared += [_bound(name, expected, known[name]) for name, expected in spec.bounds.items()]
    return SpecReport(spec, tuple(compared), report.states, report.stopped)


_Items = tuple[tuple[str, Any], ...]


@lru_cache(maxsize=8)
def _compiled(protocol: str, settings: _Items, scope: _Items) -> CompiledModel:
    return PROTOCOLS[protocol](**dict(settings)).compile(scope_of(**dict(scope)))


def _outcome(name: str, expected: str, result: Result) -> Answer:
    found = ANSWERS[result.verdict]
    if result.verdict is Verdict.UNDETERMINED:
        return Answer(name, expected, found, Verdict.UNDETERMINED)
    return Answer(name, expected, found, _agreement(found == expected))


def _count(name: str, expected: int, found: int, closed: bool) -> Answer:
    if not closed:
        return Answer(name, str(expected), UNDETERMINED, Verdict.UNDETERMINED)
    return Answer(name, str(expected), str(found), _agreement(found == expected))


def _bound(name: str, expected: float, found: Bound) -> Answer:
    said = f"{expected:,.10g} s"
    return Answer(name, said, str(found), _agreement(found.seconds == expected))


def _agreement(agrees: bool) -> Verdict:
    return Verdict.HOLDS if agrees else Verdict.VIOLATED
