"""Bounds of RQ: not below what was measured, and the numbers that its sources state."""

from __future__ import annotations

from typing import Any

import pytest

from twice.model import Regime, UsageError, explore
from twice.protocols.delivery import scope_of
from twice.protocols.rq import RQ


def seconds(**settings: Any) -> dict[str, float]:
    return {name: bound.seconds for name, bound in RQ(**settings).bounds().items()}


def test_what_is_late_with_the_defaults_is_not_later_than_its_bound() -> None:
    found = seconds()
    assert 803 <= found["abandoned"] == 90 + 810
    assert 1618 <= found["stuck"] == 60 + 2 * 810
    assert found["abandoned, a cleaner having died"] == 90 + 899 + 810


@pytest.mark.parametrize(
    ("settings", "between"),
    [
        ({"worker_ttl": 415}, 800),
        ({"worker_ttl": 700}, 685),
        ({"maintenance_interval": 60}, 405),
        ({"maintenance_interval": 405}, 810),
        ({"maintenance_interval": 1200}, 1215),
    ],
)
def test_passes_of_an_idle_worker_are_whole_waits_apart(
    settings: dict[str, Any], between: float
) -> None:
    assert seconds(**settings)["abandoned"] == 90 + between


def test_how_long_an_entry_lasts() -> None:
    assert seconds(job_timeout=10)["abandoned"] == 70 + 810
    assert seconds(job_timeout=-1)["abandoned"] == 90 + 810
    assert seconds(job_monitoring_interval=100)["abandoned"] == 160 + 810
    assert seconds(worker_class="SimpleWorker")["abandoned"] == 240 + 810
    assert seconds(worker_class="SimpleWorker", job_timeout=-1)["abandoned"] == 420 + 810


def test_where_nothing_bounds_the_next_pass_an_entry_is_told_to_expire() -> None:
    assert seconds(version="0.6.0") == {"expired": 240}
    assert seconds(maintenance=False) == {"expired": 90}


def test_several_queues_have_no_intermediate_list_to_look_after() -> None:
    assert "stuck" not in seconds(queues=2)


def test_when_an_overdue_horse_is_killed_and_a_retry_is_due() -> None:
    assert seconds(run_time=1000, alarm_works=False)["killed"] == 180 + 60 + 30
    assert seconds(retry_max=1, retry_interval=5, with_scheduler=True)["retried"] == 5


def test_a_bound_tells_its_formula() -> None:
    assert str(RQ().bounds()["abandoned"]) == (
        "an abandoned job is found after job_monitoring_interval + 60 s + up to 810 s "
        "(2 * (worker_ttl - 15 s)) = 900 s"
    )


def test_they_change_no_state() -> None:
    models = [RQ(**given).compile(scope_of()) for given in ({}, {"worker_ttl": 60})]
    kill = Regime("kill", {"worker_kill": 1})
    sizes = {explore(model, [kill], model.properties).size for model in models}
    assert len(sizes) == 1


def test_the_oldest_version_has_an_interval_of_its_own() -> None:
    with pytest.raises(UsageError, match="3600 s"):
        RQ(version="0.6.0", maintenance_interval=60)
