"""SPIN stores the states that the explorer counts, and gives the same verdicts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ack
import pytest
from ack_protocol import ONE_KILL, TWO_AND_TWO, AckProtocol
from drawn_recipes import recipes
from hypothesis import HealthCheck, Phase, assume, given, settings
from recipes import Recipe
from spin_runs import spin
from written_models import written

from twice.model import (
    Bool,
    Limits,
    Model,
    PropertyKind,
    Regime,
    UsageError,
    Var,
    Verdict,
    action,
    check,
    explore,
    fault,
    invariant,
    part,
    require,
)
from twice.model.promela import to_promela
from twice.protocols import PROTOCOLS
from twice.protocols.delivery import scope_of

pytestmark = pytest.mark.spin


CRASHES = Regime("crashes", {"crash": 2})


@pytest.mark.parametrize(("late", "states"), [(True, 8_530), (False, 2_791)])
def test_spin_stores_as_many_states_of_the_benchmark(
    late: bool, states: int, tmp_path: Path
) -> None:
    model = ack.Ack(acks_late=late).compile({ack.Task: 3, ack.Worker: 2})
    assert explore(model, [CRASHES], symmetry=False).size == states
    assert spin(to_promela(model, CRASHES), tmp_path).states == states


@pytest.mark.parametrize(("late", "states"), [(True, 308), (False, 135)])
def test_spin_stores_as_many_states_of_the_first_model(
    late: bool, states: int, tmp_path: Path
) -> None:
    model = AckProtocol(acks_late=late).compile(TWO_AND_TWO)
    assert spin(to_promela(model, ONE_KILL), tmp_path).states == states


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("which", ["benchmark", "first"])
def test_spin_gives_the_same_verdicts(which: str, late: bool, tmp_path: Path) -> None:
    if which == "benchmark":
        model, regime = ack.Ack(acks_late=late).compile({ack.Task: 2, ack.Worker: 2}), CRASHES
    else:
        model, regime = AckProtocol(acks_late=late).compile(TWO_AND_TWO), ONE_KILL
    report = check(model, [regime])
    verdicts = {entry.name: report.result(entry.name).verdict for entry in model.properties}
    assert Verdict.VIOLATED in verdicts.values()
    for entry in model.properties:
        violated = verdicts[entry.name] is Verdict.VIOLATED
        assert spin(to_promela(model, regime, entry), tmp_path).violated == violated


ASKED = [
    *((name, {}, kind) for name in PROTOCOLS for kind in PROTOCOLS[name]().fault_kinds()),
    ("rq", {"queues": 2}, "worker_kill"),
    ("rq", {"version": "0.6.0"}, "group_sigterm"),
]


@pytest.mark.parametrize(
    ("name", "values", "kind"), ASKED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_spin_stores_as_many_states_of_a_protocol(
    name: str, values: dict[str, Any], kind: str, tmp_path: Path
) -> None:
    model = PROTOCOLS[name](**values).compile(scope_of(1, 2))
    regime = Regime(kind, {kind: 1})
    states = explore(model, [regime], symmetry=False).size
    assert spin(to_promela(model, regime), tmp_path).states == states


class Piece(Model):
    """A piece whose names */ are awkward."""

    n: Var[bool] = Var(False, label="a */ b")

    @action
    def go(self) -> None:
        """It goes."""
        require(~self.n)
        self.n = True


class Awkward(Model):
    """Names that are spelt alike, numbers below zero, a fault without effect."""

    piece: Piece = part(Piece)
    piece_n: Var[int] = Var(0, within=range(-3, 4))

    @action
    def climb(self) -> None:
        """It climbs."""
        require(self.piece_n < 3)
        self.piece_n += 1

    @action
    def turn(self) -> None:
        """It turns around."""
        self.piece_n = 0 - self.piece_n

    @fault(kind="wait")
    def wait(self) -> None:
        """Nothing happens, at a price."""

    @invariant
    def above(self) -> Bool:
        """It stays above."""
        return self.piece_n > -3

    @invariant
    def within(self) -> Bool:
        """It stays within."""
        return (self.piece_n >= -3) & (self.piece_n <= 3)


class Still(Model):
    """Nothing can happen."""

    n: Var[bool] = Var(False)


@pytest.mark.parametrize(
    ("model", "regime"),
    [
        (Awkward(), Regime("none")),
        (Awkward(), Regime("waits", {"wait": 2})),
        (Still(), Regime("none")),
    ],
    ids=lambda value: value.name if isinstance(value, Regime) else type(value).__name__,
)
def test_awkward_models_are_exported_as_they_are(
    model: Model, regime: Regime, tmp_path: Path
) -> None:
    compiled = model.compile({})
    report = check(compiled, [regime], symmetry=False)
    assert spin(to_promela(compiled, regime), tmp_path).states == report.states
    for entry in compiled.properties:
        violated = report.result(entry.name).verdict is Verdict.VIOLATED
        assert spin(to_promela(compiled, regime, entry), tmp_path).violated == violated


@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(recipes())
def test_random_models_have_as_many_states_and_the_same_verdict(recipe: Recipe) -> None:
    model = written(recipe)
    regime = Regime("some", dict.fromkeys(model.fault_kinds(), 1))
    report = check(model, [regime], symmetry=False, limits=Limits(max_states=5_000))
    assume(report.closed and report.states > 5)
    with TemporaryDirectory() as folder:
        assert spin(to_promela(model, regime), Path(folder)).states == report.states
    for entry in model.properties:
        if entry.kind is PropertyKind.INVARIANT:
            violated = report.result(entry.name).verdict is Verdict.VIOLATED
            with TemporaryDirectory() as folder:
                assert spin(to_promela(model, regime, entry), Path(folder)).violated == violated


def test_only_invariants_are_exported() -> None:
    model = PROTOCOLS["rq"]().compile(scope_of(1, 2))
    lost = next(entry for entry in model.properties if entry.violation == "lost")
    with pytest.raises(UsageError, match="is no invariant"):
        to_promela(model, Regime("none"), lost)
