"""SPIN stores the states that the explorer counts, and gives the same verdicts."""

from __future__ import annotations

from pathlib import Path

import ack
import pytest
from ack_protocol import ONE_KILL, TWO_AND_TWO, AckProtocol
from spin_runs import spin

from twice.model import Regime, UsageError, Verdict, check, explore
from twice.model.promela import to_promela
from twice.protocols.delivery import scope_of
from twice.protocols.rq import RQ

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
def test_spin_gives_the_same_verdicts(late: bool, tmp_path: Path) -> None:
    model = ack.Ack(acks_late=late).compile({ack.Task: 2, ack.Worker: 2})
    report = check(model, [CRASHES])
    for entry in model.properties:
        violated = report.result(entry.name).verdict is Verdict.VIOLATED
        assert spin(to_promela(model, CRASHES, entry), tmp_path).violated == violated


@pytest.mark.parametrize("kind", sorted(RQ.fault_points()))
def test_spin_stores_as_many_states_of_rq(kind: str, tmp_path: Path) -> None:
    model = RQ(queues=2).compile(scope_of(1, 2))
    regime = Regime(kind, {kind: 1})
    states = explore(model, [regime], symmetry=False).size
    assert spin(to_promela(model, regime), tmp_path).states == states


def test_only_invariants_are_exported() -> None:
    model = RQ().compile(scope_of(1, 2))
    lost = next(entry for entry in model.properties if entry.violation == "lost")
    with pytest.raises(UsageError, match="is no invariant"):
        to_promela(model, Regime("none"), lost)
