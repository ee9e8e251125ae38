"""Numbers of states that SPIN, TLC and several other programs found as well."""

from __future__ import annotations

from typing import NamedTuple

import ack
import pytest
from ack_protocol import ONE_KILL, TWO_AND_TWO, AckProtocol
from replay import assert_fewest_faults, assert_finding

from twice.model import Regime, Sort, Verdict, check, explore

ENGINES = ("python", "numpy")


class Count(NamedTuple):
    """A scope of the benchmark protocol and what an exploration of it finds."""

    late: bool
    tasks: int
    workers: int
    crashes: int
    states: int
    transitions: int
    depth: int | None = None
    reduced: int | None = None

    @property
    def name(self) -> str:
        """The scope in short."""
        when = "late" if self.late else "early"
        return f"{when} {self.tasks},{self.workers},{self.crashes}"

    @property
    def model(self) -> ack.Ack:
        """The protocol."""
        return ack.Ack(acks_late=self.late)

    @property
    def regime(self) -> Regime:
        """The crashes."""
        return Regime("crashes", {"crash": self.crashes})

    @property
    def scope(self) -> dict[type[Sort], int]:
        """The sizes of the sorts."""
        return {ack.Task: self.tasks, ack.Worker: self.workers}


SMALL = [
    Count(True, 2, 2, 1, 341, 682),
    Count(True, 3, 2, 2, 8_530, 23_025, 23, 874),
    Count(False, 3, 2, 2, 2_791, 8_097, None, 323),
    Count(False, 4, 2, 2, 18_649, 61_540),
]
LARGE = [
    Count(True, 4, 2, 2, 59_857, 182_872, 28, 1_891),
    Count(True, 5, 2, 2, 360_232, 1_217_555, None, 3_329),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("count", SMALL, ids=lambda count: count.name)
def test_states_and_transitions_of_the_benchmark_protocol(count: Count, engine: str) -> None:
    model = count.model.compile(count.scope)
    space = explore(model, [count.regime], model.properties, symmetry=False, engine=engine)
    assert (space.size, space.transitions) == (count.states, count.transitions)
    assert count.depth in (None, space.depth)


@pytest.mark.parametrize("count", LARGE, ids=lambda count: count.name)
def test_states_and_transitions_of_larger_scopes(count: Count) -> None:
    model = count.model.compile(count.scope)
    space = explore(model, [count.regime], model.properties, symmetry=False)
    assert (space.size, space.transitions) == (count.states, count.transitions)
    assert count.depth in (None, space.depth)


@pytest.mark.parametrize(
    "count", [c for c in SMALL + LARGE if c.reduced], ids=lambda count: count.name
)
def test_states_of_the_benchmark_protocol_with_symmetry(count: Count) -> None:
    model = count.model.compile(count.scope)
    space = explore(model, [count.regime], model.properties)
    assert space.size == count.reduced
    assert count.depth in (None, space.depth)


@pytest.mark.parametrize(("late", "states", "reduced"), [(True, 308, 95), (False, 135, 46)])
def test_states_of_the_protocol_of_the_design(late: bool, states: int, reduced: int) -> None:
    model = AckProtocol(acks_late=late).compile(TWO_AND_TWO)
    for engine in ENGINES:
        assert explore(model, [ONE_KILL], symmetry=False, engine=engine).size == states
    assert explore(model, [ONE_KILL]).size == reduced


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize(
    ("late", "broken", "steps", "kept"),
    [(True, "at_most_once", 5, "never_lost"), (False, "never_lost", 3, "at_most_once")],
)
def test_what_late_and_early_acknowledgement_break(
    late: bool, broken: str, steps: int, kept: str, symmetry: bool
) -> None:
    model = AckProtocol(acks_late=late).compile(TWO_AND_TWO)
    report = check(model, [ONE_KILL], symmetry=symmetry)
    assert report.result(kept).verdict is Verdict.HOLDS
    result = report.result(broken)
    assert result.verdict is Verdict.VIOLATED
    assert (result.steps, result.faults) == (steps, 1)
    assert_finding(model, result)
    assert_fewest_faults(model, result, symmetry=symmetry)


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("late", [True, False])
def test_counterexamples_of_the_benchmark_protocol(late: bool, symmetry: bool) -> None:
    model = ack.Ack(acks_late=late).compile({ack.Task: 2, ack.Worker: 2})
    report = check(model, [Regime("crashes", {"crash": 2})], symmetry=symmetry)
    answers = {result.property.violation: result for result in report.results}
    verdicts = {word: result.verdict for word, result in answers.items()}
    broken = "started_twice" if late else "lost"
    assert verdicts[broken] is Verdict.VIOLATED
    for result in answers.values():
        if result.trace:
            assert_finding(model, result)
            assert_fewest_faults(model, result, symmetry=symmetry)
    assert report.warnings == ()
