"""Counterexamples replayed through the system they are about, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twice.model import (
    PropertyKind,
    Regime,
    Result,
    Step,
    Trace,
    TransitionSystem,
    Verdict,
    check,
)

LIVENESS = (PropertyKind.EVENTUALLY, PropertyKind.LEADS_TO)
LASSOS = (*LIVENESS, PropertyKind.FINITELY_OFTEN)


Canonical = Callable[[Any], Any]
"""The representative of a state, where a search was reduced by symmetry."""


def itself(state: Any) -> Any:
    """The representative of a state in a search that was not reduced."""
    return state


def replay(
    system: TransitionSystem[Any],
    trace: Trace[Any],
    regime: Regime,
    canonical: Canonical = itself,
) -> None:
    """Each step is enabled where it is taken, changes what it says, and is paid from the budget."""
    assert trace.start in system.initial_states()
    assert trace.initial == dict(system.describe(trace.start))
    here = trace.start
    for number, step in enumerate(trace.steps, 1):
        offered = [(label, target) for label, target in system.transitions(here)]
        assert (step.label, step.state) in offered, f"step {number} is not enabled"
        assert_changes(system, here, step)
        here = step.state
    assert_within(regime, trace)
    if trace.loop_from is not None:
        assert 0 <= trace.loop_from <= len(trace.steps)
        first, last = trace.states[trace.loop_from], trace.states[-1]
        assert canonical(first) == canonical(last), "the loop does not return"
        assert trace.returns_renamed == (first != last)
        assert not any(step.fault for step in trace.steps[trace.loop_from :]), "faults without end"


def assert_changes(system: TransitionSystem[Any], before: Any, step: Step[Any]) -> None:
    """A step tells every cell that differs, with the value before and after."""
    old, new = system.describe(before), system.describe(step.state)
    told = {change.cell: (change.before, change.after) for change in step.changes}
    assert told == {cell: (old[cell], new[cell]) for cell in new if old[cell] != new[cell]}


def assert_within(regime: Regime, trace: Trace[Any]) -> None:
    """The faults of a run are within the budget, and happen only where the regime says."""
    spent = [step for step in trace.steps if step.fault is not None]
    for kind in {step.fault for step in spent if step.fault}:
        used = [step for step in spent if step.fault == kind]
        assert len(used) <= regime.budget.get(kind, 0), f"{kind} beyond its budget"
        points = regime.points.get(kind)
        assert points is None or {step.action for step in used} <= points


def assert_finding(
    system: TransitionSystem[Any], result: Result, canonical: Canonical = itself
) -> None:
    """A counterexample or witness is a run of the system and shows what it is meant to show."""
    trace = result.trace
    assert trace is not None
    assert (result.faults, result.steps) == (trace.faults, len(trace.steps))
    replay(system, trace, result.regime, canonical)
    entry = result.property
    holds = [system.predicate(entry.goal)(state) for state in trace.states]
    if entry.kind is PropertyKind.INVARIANT:
        assert holds == [True] * (len(holds) - 1) + [False]
    elif entry.kind is PropertyKind.REACHABLE:
        assert holds == [False] * (len(holds) - 1) + [True]
    elif entry.kind is PropertyKind.ALWAYS_REACHABLE:
        assert not any(holds[-1:])
        assert not reachable_without_faults(system, trace.states[-1], entry.goal)
    elif entry.kind is PropertyKind.FINITELY_OFTEN:
        assert trace.loop_from is not None
        assert all(holds[trace.loop_from :])
        assert any(entry.counts(step.label) for step in trace.steps[trace.loop_from :])
    else:
        assert_awaited_in_vain(system, result)
        assert_fair(system, trace)


def assert_awaited_in_vain(system: TransitionSystem[Any], result: Result) -> None:
    """From some state on (after the premise) the goal does not come, all around the loop."""
    trace, entry = result.trace, result.property
    assert trace is not None
    goal = system.predicate(entry.goal)
    leads_to = entry.kind is PropertyKind.LEADS_TO
    begins = system.predicate(entry.premise) if leads_to else lambda state: state == trace.start
    in_vain = (
        begins(state) and not any(goal(later) for later in trace.states[number:])
        for number, state in enumerate(trace.states)
    )
    assert any(in_vain)


def assert_fair(system: TransitionSystem[Any], trace: Trace[Any]) -> None:
    """Every fair action is done justice on the loop, or the run may stay in its last state."""
    assert trace.loop_from is not None
    loop = trace.steps[trace.loop_from :]
    visited = trace.states[trace.loop_from :]
    taken = {step.label for step in loop}
    enabled = [{label for label, _ in system.transitions(state)} for state in visited]
    for label in set.union(*enabled):
        if label.fault is not None or label in taken:
            continue
        if label.fair == "weak":
            assert not all(label in offered for offered in enabled), (
                f"{label.action} waits for ever"
            )
        assert label.fair != "strong", f"{label.action} is passed over again and again"


def reachable_without_faults(system: TransitionSystem[Any], start: Any, goal: Any) -> bool:
    """Whether a condition can still come true by the system's own steps, by plain search."""
    holds = system.predicate(goal)
    known, frontier = {start}, [start]
    while frontier:
        state = frontier.pop()
        if holds(state):
            return True
        for label, target in system.transitions(state):
            if label.fault is None and target not in known:
                known.add(target)
                frontier.append(target)
    return False


def assert_fewest_faults(
    system: TransitionSystem[Any], *results: Result, symmetry: bool, engine: str = "auto"
) -> None:
    """With one fault less of any kind there are no such runs; all are of one regime."""
    budgets = {
        fewer.name: fewer
        for result in results
        for fewer in _budgets_below(result.regime, result.faults)
    }
    if not budgets:
        return
    names = {result.property.name: None for result in results if result.faults}
    report = check(
        system, [*budgets.values()], properties=[*names], symmetry=symmetry, engine=engine
    )
    for result in results:
        wanted = result.property.kind is PropertyKind.REACHABLE
        expected = Verdict.VIOLATED if wanted else Verdict.HOLDS
        for fewer in _budgets_below(result.regime, result.faults):
            assert report.result(result.property.name, fewer.name).verdict is expected


def _budgets_below(regime: Regime, faults: int) -> list[Regime]:
    """Every budget of one fault less than a run has, within the regime."""
    if not faults:
        return []
    budgets: list[dict[str, int]] = [{}]
    for kind, most in regime.budget.items():
        budgets = [{**budget, kind: n} for budget in budgets for n in range(most + 1)]
    return [
        Regime(" ".join(f"{n} {kind}" for kind, n in budget.items()), budget, regime.points)
        for budget in budgets
        if sum(budget.values()) == faults - 1
    ]
