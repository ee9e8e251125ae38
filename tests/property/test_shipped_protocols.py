"""The shipped protocols under settings drawn at random: every back end takes the same steps."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from stepping import assert_back_ends_agree

from twice.model import Limits, Regime, Report, UsageError, check, explore
from twice.model.compiled import CompiledModel
from twice.protocols import PROTOCOLS
from twice.protocols.delivery import scope_of

MOST = Limits(max_states=400)
SMALL = Limits(max_states=6_000)

EACH = pytest.mark.parametrize("name", PROTOCOLS)

# Building a model takes long; writing its arrays takes seconds.
few = settings(max_examples=3, suppress_health_check=list(HealthCheck))


@st.composite
def configured(draw: st.DrawFn, name: str, tasks: int, workers: int) -> CompiledModel:
    """A protocol with up to four of its settings changed, where it accepts that."""
    protocol = PROTOCOLS[name]
    listed = [entry for entry in protocol.settings() if entry.choices]
    changed = draw(st.lists(st.sampled_from(listed), max_size=4, unique_by=lambda e: e.name))
    values = {entry.name: entry.parse(draw(st.sampled_from(entry.choices))) for entry in changed}
    try:
        return protocol(**values).compile(scope_of(tasks, workers))
    except UsageError:
        assume(False)
        raise


def one_fault(model: CompiledModel) -> list[Regime]:
    return [Regime("none"), *(Regime(kind, {kind: 1}) for kind in model.fault_kinds())]


@few
@EACH
@given(data=st.data())
def test_every_back_end_gives_the_successors_of_the_interpreter(
    name: str, data: st.DataObject
) -> None:
    model = data.draw(configured(name, 1, 2))
    space = explore(model, one_fault(model), symmetry=False, engine="python", limits=MOST)
    states = sorted(
        state
        for layer in space.layers.values()
        for level in layer.levels.values()
        for state in space.engine.states(level)
    )
    assert states
    assert_back_ends_agree(model, *states[:: max(1, len(states) // 25)])


@few
@EACH
@given(data=st.data())
def test_every_back_end_counts_the_same_and_says_the_same(name: str, data: st.DataObject) -> None:
    model = data.draw(configured(name, 1, 2))
    reports = {
        engine: check(model, one_fault(model), engine=engine, limits=SMALL)
        for engine in ("python", "numpy", "auto")
    }
    assume(not reports["python"].stopped)
    said = {
        engine: (report.states, report.transitions, report.depth, answers(report))
        for engine, report in reports.items()
    }
    assert said["numpy"] == said["auto"] == said["python"]


def answers(report: Report) -> list[tuple[str, str, str, int, int]]:
    """What was answered, traces only by their lengths."""
    return [
        (r.property.name, r.regime.name, r.verdict.value, r.faults, r.steps) for r in report.results
    ]
