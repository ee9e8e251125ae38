"""Workers that die lead to the right answer or to a clear error, never to a wrong count."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import ack
import pytest
from two_workers import TwoWorkers

from twice.model import Covered, Regime, UsageError, dask_cluster, explore
from twice.model.check import choose, judge
from twice.model.dask_cluster import Cluster, EngineLost

pytestmark = pytest.mark.usefixtures("at_once")

SYSTEM = ack.Ack().compile({ack.Task: 2, ack.Worker: 2})
REGIMES = [Regime("crash", {"crash": 1})]
ALONE = explore(SYSTEM, REGIMES, symmetry=False, engine="python")


@pytest.fixture(autouse=True)
def both_are_there(request: pytest.FixtureRequest) -> Iterator[None]:
    """Begin and end with both workers."""
    yield
    if "workers" in request.fixturenames:
        request.getfixturevalue("workers").wait_for_both()


class Once:
    """Something done when a search has come as far as a number of states."""

    def __init__(self, states: int, what: Callable[[], object]) -> None:
        self.left = [(states, what)]

    def __call__(self, covered: Covered) -> None:
        if self.left and covered.states >= self.left[0][0]:
            _, what = self.left.pop()
            what()


@pytest.mark.parametrize(("number", "states"), [(0, 1), (1, 40)])
def test_a_worker_killed_in_the_middle_changes_nothing(
    workers: TwoWorkers, number: int, states: int
) -> None:
    killing = Once(states, lambda: workers.kill(number))
    space = explore(
        SYSTEM,
        REGIMES,
        symmetry=False,
        engine="dask",
        cluster=workers.client,
        progress=killing,
    )
    assert not killing.left, "the search was over before anything was killed"
    assert (space.size, space.transitions, space.depth) == (341, 682, ALONE.depth)


def test_questions_are_answered_when_every_state_was_lost(workers: TwoWorkers) -> None:
    space = explore(SYSTEM, REGIMES, symmetry=False, engine="dask", cluster=workers.client)
    for number in (1, 0):
        workers.kill(number)
    entries = choose(SYSTEM, None)
    found, expected = (judge(each, REGIMES, entries) for each in (space, ALONE))
    assert [r.verdict for r in found.results] == [r.verdict for r in expected.results]
    assert [r.trace for r in found.results] == [r.trace for r in expected.results]


def test_a_task_that_kills_its_workers_ends_the_search(workers: TwoWorkers) -> None:
    cluster = Cluster(workers.client)
    before, workers.local.scheduler.allowed_failures = workers.local.scheduler.allowed_failures, 0
    try:
        with pytest.raises(EngineLost, match="died again and again on the same part"):
            cluster.results([cluster.submit(os._exit, 1)])
    finally:
        workers.local.scheduler.allowed_failures = before


def test_a_worker_without_memory_ends_the_search(workers: TwoWorkers) -> None:
    cluster = Cluster(workers.client)
    with pytest.raises(EngineLost, match="most likely for want of memory"):
        cluster.results([cluster.submit(bytearray, 1 << 62)])


def test_a_part_that_is_computed_again_differently_ends_the_search(workers: TwoWorkers) -> None:
    engine = explore(
        SYSTEM, [Regime("none")], symmetry=False, engine="dask", cluster=workers.client
    ).engine
    known = engine.known()
    start = engine.learn(known, engine.batch(SYSTEM.initial_states()))
    wrong = replace(start, sizes=[size * 2 for size in start.sizes])
    with pytest.raises(EngineLost, match="had 2 states, and 1 when a worker"):
        engine.expand(engine.level(wrong), lambda: None)


@pytest.fixture
def threads() -> Iterator[Any]:
    """A cluster inside this process, which a test may take apart."""
    distributed = pytest.importorskip("distributed", reason="needs Dask: pip install 'twice[dask]'")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        yield local, client


def test_a_cluster_without_workers_ends_the_search(
    threads: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "GRACE", 1.0)
    local, client = threads
    with pytest.raises(
        EngineLost, match="no worker of the Dask cluster has worked on the search for 1 s"
    ):
        explore(
            SYSTEM,
            REGIMES,
            symmetry=False,
            engine="dask",
            cluster=client,
            progress=Once(1, lambda: local.scale(0)),
        )


def test_a_scheduler_that_is_closed_ends_the_search(threads: Any) -> None:
    local, client = threads
    with pytest.raises(EngineLost, match="so there is no answer"):
        explore(
            SYSTEM,
            REGIMES,
            symmetry=False,
            engine="dask",
            cluster=client,
            progress=Once(1, local.close),
        )


def test_what_a_lost_engine_tells_is_told_as_other_refusals_are() -> None:
    assert issubclass(EngineLost, UsageError)
