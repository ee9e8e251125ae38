"""Bounds of Celery over AMQP: the numbers that its sources state, and what was measured."""

from __future__ import annotations

from typing import Any

import pytest

from twice.protocols.celery_amqp import CeleryAMQP

VANISHED = "returned, its machine having vanished"


def seconds(**settings: Any) -> dict[str, float]:
    return {name: bound.seconds for name, bound in CeleryAMQP(**settings).bounds().items()}


def test_what_is_late_with_the_defaults() -> None:
    assert seconds() == {VANISHED: 180, "taken back": 1860}


def test_a_vanished_machine_is_noticed_as_late_as_was_measured_or_earlier() -> None:
    assert 14.6 <= seconds(broker_heartbeat=6)[VANISHED] == 18
    assert seconds()[VANISHED] >= 2.5 * 60
    assert seconds(broker_heartbeat=600) == seconds()


def test_without_heartbeats_nothing_tells_of_a_vanished_machine() -> None:
    assert VANISHED not in seconds(broker_heartbeat=0)
    assert VANISHED not in seconds(version="3.1.23")


@pytest.mark.parametrize(
    ("settings", "held"),
    [
        ({"eta": 600}, 600),
        ({"eta": 600, "task_acks_late": True, "run_time": 20}, 620),
        ({"task_acks_late": True, "run_time": 20, "neighbours": 3}, 80),
        ({"task_acks_late": True, "run_time": 20, "task_time_limit": 5}, 5),
        ({"task_retries": True}, 180),
    ],
)
def test_how_long_a_message_is_held(settings: dict[str, Any], held: float) -> None:
    assert seconds(**settings)["held"] == held


def test_what_would_be_held_too_long_is_taken_back() -> None:
    found = seconds(task_acks_late=True, run_time=3600)
    assert "held" not in found
    assert found["taken back"] == 1860
    assert "taken back" not in seconds(rabbitmq="4.3")


def test_when_runs_end_and_the_next_are_due() -> None:
    assert seconds(task_time_limit=60)["killed"] == pytest.approx(60.1)
    assert seconds(task_retry_on_worker_lost=True)["retried"] == 180
    assert seconds(worker_soft_shutdown_timeout=30)["cold"] == 30
    assert seconds(eta=60, task_default_queue_type="quorum")["window"] == 60


def test_a_bound_tells_its_formula() -> None:
    shown = str(CeleryAMQP(broker_heartbeat=6).bounds()[VANISHED])
    assert shown == (
        "back in the queue after 2 * broker_heartbeat + up to 6 s (broker_heartbeat) = 18 s"
    )
