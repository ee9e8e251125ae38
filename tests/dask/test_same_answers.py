"""A search spread over two worker processes finds what a search in one process finds."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import ack
import pytest
import wide
from two_workers import TwoWorkers

from twice.model import (
    Bool,
    Limits,
    Model,
    PropertyKind,
    Regime,
    Report,
    Result,
    Var,
    action,
    always_reachable,
    check,
    explore,
    fault,
    require,
)
from twice.model.compiled import CompiledModel
from twice.protocols import PROTOCOLS
from twice.protocols.delivery import scope_of

pytestmark = pytest.mark.usefixtures("at_once")


class Quiet(Model):
    """A counter, and a fault that never happens: its layer stays empty."""

    count: Var[int] = Var(0, within=range(3))

    @action
    def go_on(self) -> None:
        """It goes on."""
        require(self.count < 2)
        self.count += 1

    @fault(kind="crash")
    def crash(self) -> None:
        """It goes back."""
        require(self.count == 1, self.count == 2)
        self.count = 0

    @always_reachable
    def ends(self) -> Bool:
        """It can come to its end."""
        return self.count == 2


EARLY = ack.Ack(acks_late=False).compile({ack.Task: 2, ack.Worker: 2})
LATE = ack.Ack().compile({ack.Task: 2, ack.Worker: 2})
RQ = PROTOCOLS["rq"](queues=2).compile(scope_of(1, 1))
CRASH = [Regime("none"), Regime("crash", {"crash": 1})]
KILL = [Regime("none"), Regime("kill", {"worker_kill": 1})]


def told(report: Report) -> list[Any]:
    """All that a report says, the steps of traces included."""
    return [
        (report.states, report.transitions, report.depth, report.closed, report.warnings),
        *(
            (result.property.name, result.regime.name, result.verdict, result.states, run(result))
            for result in report.results
        ),
    ]


def run(result: Result) -> Any:
    """The run of a result; of equally short cycles a back end may show any."""
    if result.trace is None or result.property.kind is PropertyKind.FINITELY_OFTEN:
        return result.faults, result.steps
    return [(step.sentence, step.changes) for step in result.trace.steps]


@pytest.mark.parametrize(
    ("system", "regimes", "symmetry"),
    [
        pytest.param(EARLY, CRASH, False, id="ack"),
        pytest.param(LATE, CRASH, True, id="ack with symmetry"),
        pytest.param(RQ, KILL, True, id="rq"),
        pytest.param(Quiet().compile({}), CRASH, False, id="quiet"),
        pytest.param(wide.Wide().compile({wide.Thing: 3}), [Regime("none")], False, id="wide"),
    ],
)
def test_reports_and_traces_are_equal(
    workers: TwoWorkers, system: CompiledModel, regimes: list[Regime], symmetry: bool
) -> None:
    alone = check(system, regimes, symmetry=symmetry, engine="numpy")
    spread = check(system, regimes, symmetry=symmetry, engine="dask", cluster=workers.client)
    assert told(spread) == told(alone)


def test_every_level_has_the_same_states(workers: TwoWorkers) -> None:
    def levels(engine: str, **where: Any) -> list[Any]:
        space = explore(RQ, KILL, engine=engine, **where)
        return [
            (usage, depth, sorted(space.engine.states(level)))
            for usage, layer in space.layers.items()
            for depth, level in layer.levels.items()
        ]

    assert levels("dask", cluster=workers.client) == levels("python")


@pytest.mark.parametrize(("first", "second"), [("dask", "python"), ("python", "dask")])
def test_a_checkpoint_leads_into_and_out_of_a_cluster(
    workers: TwoWorkers, tmp_path: Path, first: str, second: str
) -> None:
    def asked(engine: str, **rest: Any) -> Report:
        cluster = workers.client if engine == "dask" else None
        return check(LATE, CRASH, symmetry=False, engine=engine, cluster=cluster, **rest)

    file = tmp_path / "half.npz"
    half = asked(first, limits=Limits(max_states=150), checkpoint=file)
    assert half.stopped == "the limit of 150 states was reached"
    assert told(asked(second, resume=file)) == told(asked("python"))


def test_workers_need_not_have_the_module_of_a_model(
    workers: TwoWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("only_here")
    monkeypatch.setitem(sys.modules, "only_here", module)
    text = Path(wide.__file__).read_text(encoding="utf-8")
    exec(compile(text, wide.__file__, "exec"), vars(module))
    system = module.Wide().compile({module.Thing: 2})
    spread = check(system, engine="dask", symmetry=False, cluster=workers.client)
    assert told(spread) == told(check(system, engine="python", symmetry=False))
