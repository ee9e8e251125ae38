"""The classes of RQ's workers: refused where a version has none, told without a horse."""

from __future__ import annotations

import re
from typing import Any

import pytest

from twice.model import UsageError
from twice.protocols.rq import RQ
from twice.protocols.rq_state import BEFORE_BODY, HORSE, STARTING, Phase


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"version": "1.16.2", "worker_class": "SpawnWorker"},
            "version=1.16.2 has no SpawnWorker, which came with RQ 2.2; set worker_class=Worker, "
            "or version=2.12.0",
        ),
        (
            {"version": "0.6.0", "worker_class": "SpawnWorker"},
            "version=0.6.0 has no SpawnWorker",
        ),
        (
            {"version": "0.6.0", "worker_class": "SimpleWorker"},
            "not established what a SimpleWorker does in version=0.6.0; set worker_class=Worker",
        ),
        (
            {"worker_class": "SimpleWorker", "job_monitoring_interval": 10},
            "a SimpleWorker sends no heartbeats while its job runs",
        ),
        (
            {"enqueued_twice": True, "worker_class": "SpawnWorker"},
            "`enqueued_twice` cannot be asked of worker_class=SpawnWorker",
        ),
    ],
    ids=["spawn 1.16.2", "spawn 0.6.0", "simple 0.6.0", "heartbeats", "one id twice"],
)
def test_what_does_not_go_together(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        RQ(**given)
    assert told in str(refused.value)


@pytest.mark.parametrize("version", ["1.16.2", "2.12.0", "3.0.0"])
@pytest.mark.parametrize("redis_py", [5, 8])
@pytest.mark.parametrize("retry_interval", [0, 60])
def test_no_step_of_a_simple_worker_is_told_of_a_horse(
    version: str, redis_py: int, retry_interval: int
) -> None:
    model = RQ(
        version=version,
        worker_class="SimpleWorker",
        redis_py=redis_py,
        retry_max=1,
        retry_interval=retry_interval,
        with_scheduler=True,
        job_raises=True,
        respawn=True,
        redis_persistence=False,
    )
    for command in model.program().commands:
        told = f"{command.sentence} {command.by} {command.to}"
        assert not re.search(r"\bhorse\b|\bexits\b", told), (command.name, told)


def test_no_phase_of_a_simple_worker_is_told_of_a_horse() -> None:
    reached: set[Phase] = {*BEFORE_BODY, *HORSE, Phase.EXITING} - {*STARTING, Phase.HORSE_FAILING}
    assert [phase for phase in reached if "horse" in phase.value] == []


def test_only_a_spawned_horse_has_a_memory_of_its_own() -> None:
    for name, expected in [("Worker", False), ("SimpleWorker", False), ("SpawnWorker", True)]:
        variables = {variable.name for variable in RQ(worker_class=name).program().variables}
        assert ("reread" in variables) is expected


@pytest.mark.parametrize(
    ("settings", "outlives"),
    [
        ({"job_timeout": -1, "run_time": 420}, False),
        ({"job_timeout": -1, "run_time": 421}, True),
        ({"run_time": 300}, False),  # the alarm stops it before
        ({"run_time": 240, "alarm_works": False}, False),
        ({"run_time": 241, "alarm_works": False}, True),
    ],
)
def test_how_long_the_entry_of_a_simple_worker_lasts(
    settings: dict[str, Any], outlives: bool
) -> None:
    assert RQ(worker_class="SimpleWorker", **settings).outlives_entry is outlives
