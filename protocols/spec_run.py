"""Running a spec: the verdicts found beside the verdicts expected."""

from __future__ import annotations

from dataclasses import dataclass

from twice.model import Limits, Regime, Result, Verdict, check
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
    protocol = PROTOCOLS[spec.protocol]
    system = protocol(**spec.settings).compile(scope_of(**spec.scope))
    regime = Regime(spec.path.stem, spec.faults, spec.points)
    report = check(
        system,
        [regime],
        properties=list(spec.expect),
        limits=limits,
        engine=engine,
        cluster=cluster,
        progress=progress,
    )
    found = answers(report.results)
    compared = [
        _outcome(name, expected, found[name, regime.name]) for name, expected in spec.expect.items()
    ]
    compared += [
        _count(name, expected, getattr(report, name), report.closed)
        for name, expected in spec.counts.items()
    ]
    known = protocol(**spec.settings).bounds()
    compared += [_bound(name, expected, known[name]) for name, expected in spec.bounds.items()]
    return SpecReport(spec, tuple(compared), report.states, report.stopped)


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
