"""Settings that cannot go together, each refused with what to set instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twice.model import UsageError
from twice.protocols.celery_amqp_features import Features
from twice.protocols.celery_amqp_settings import Poison, QueueType, RabbitMQ, Version

NEWER_THAN_3_1 = (
    "task_reject_on_worker_lost",
    "task_acks_on_failure_or_timeout",
    "worker_cancel_long_running_tasks_on_connection_loss",
    "worker_deduplicate_successful_tasks",
    "worker_soft_shutdown_timeout",
    "result_backend_always_retry",
    "broker_channel_error_retry",
)
NEWER_THAN_5_6 = ("task_retry_on_worker_lost", "task_acks_on_failure", "task_acks_on_timeout")
MISSING = {Version.V3_1: (*NEWER_THAN_3_1, *NEWER_THAN_5_6), Version.V5_6: NEWER_THAN_5_6}
"""The settings that an older Celery does not have."""


class Refusals(Features):
    """A configuration that means something."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for refusal in self._refusals():
            raise UsageError(refusal)

    def _refusals(self) -> Iterator[str]:
        """Say what does not go together, and what to set instead."""
        yield from self._of_version()
        yield from self._of_broker()
        yield from self._of_pool()
        if 0 < self.task_time_limit <= self.task_soft_time_limit:
            yield (
                "`task_soft_time_limit` is not shorter than `task_time_limit`, so it never comes; "
                "make it shorter, or set one of them to 0"
            )

    def _of_version(self) -> Iterator[str]:
        defaults = {entry.name: entry.default for entry in self.settings()}
        for name in MISSING.get(self.version, ()):
            if self.values[name] != defaults[name]:
                yield (
                    f"Celery {self.version.value} has no `{name}`; leave it out, or set "
                    f"version={Version.V5_7.value}"
                )

    def _of_broker(self) -> Iterator[str]:
        quorum = self.task_default_queue_type is QueueType.QUORUM
        if quorum and not self.queue_durable:
            yield "a quorum queue is always durable; set queue_durable=true, or a classic queue"
        if quorum and self.rabbitmq is RabbitMQ.V3_6:
            yield "RabbitMQ 3.6 has no quorum queues; set rabbitmq=3.10 or newer"
        if self.x_delivery_limit and not quorum:
            yield (
                "only quorum queues count deliveries; set task_default_queue_type=quorum, or leave "
                "`x_delivery_limit` out"
            )

    def _of_pool(self) -> Iterator[str]:
        if self.prefork:
            return
        killed = "worker_cancel_long_running_tasks_on_connection_loss"
        if self.values[killed]:
            yield f"`{killed}` is modelled for children only; set worker_pool=prefork"
        if self.worker_soft_shutdown_timeout or self.remap_sigterm:
            yield (
                "a cold shutdown is modelled for children only; set worker_pool=prefork, or leave "
                "`worker_soft_shutdown_timeout` and `remap_sigterm` out"
            )
        if self.poison is Poison.CHILD:
            yield (
                f"the {self.worker_pool.value} pool has no children to kill; set poison=worker, or "
                "worker_pool=prefork"
            )
