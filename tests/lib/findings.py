"""Results and traces made by hand, for tests of what is written about them."""

from __future__ import annotations

from twice.model import Change, Label, Property, PropertyKind, Regime, Result, Step, Trace, Verdict
from twice.model.verdict import Finding


def made_trace(*steps: tuple[str, str, str | None], loop_from: int | None = None) -> Trace[int]:
    """A trace from (actor, sentence, kind of fault)."""
    made = tuple(
        Step(
            Label(
                f"step_{n}", (), sentence, f"rq 3.0.0: queue.py:function_{n}", by, "Redis", fault
            ),
            n,
            (Change("queue", str(n - 1), str(n)),),
        )
        for n, (by, sentence, fault) in enumerate(steps, 1)
    )
    return Trace(0, {"queue": "0"}, made, loop_from)


def made_result(
    outcome: str,
    regime: str,
    verdict: Verdict,
    trace: Trace[int] | None = None,
    states: int = 1234,
) -> Result:
    """The answer of an invariant."""
    entry = Property(
        f"no_{outcome}", PropertyKind.INVARIANT, f"No job is {outcome}.", None, violation=outcome
    )
    finding = Finding(trace.faults, len(trace.steps), lambda: trace) if trace else None
    return Result(entry, Regime(regime), verdict, states, finding)


def long_trace(steps: int, faults: int) -> Trace[int]:
    """A trace of so many steps, the first ones being faults."""
    return made_trace(
        *(
            ("worker 1", "Worker 1 acts.", "worker_kill" if n < faults else None)
            for n in range(steps)
        )
    )
