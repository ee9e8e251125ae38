"""Settings that cannot go together, each refused with what to set instead."""

from __future__ import annotations

from typing import Any

from twice.model import UsageError
from twice.protocols.celery_redis_features import Features
from twice.protocols.celery_redis_settings import Poison, Version

SINCE = {
    "task_retry_on_worker_lost": ("Celery 5.7", (Version.V5_7,)),
    "worker_disable_prefetch": ("Celery 5.6", (Version.V5_7,)),
    "worker_soft_shutdown_timeout": ("Celery 5.5", (Version.V5_7,)),
    "worker_enable_soft_shutdown_on_idle": ("Celery 5.5", (Version.V5_7,)),
    "unacked_restore_interval": ("kombu 5.7", (Version.V5_7,)),
    "unacked_restore_throttle": ("kombu 5.7", (Version.V5_7,)),
    "worker_deduplicate_successful_tasks": (
        "Celery 5.1, and works with kombu 5.2.4",
        (Version.V5_7, Version.KOMBU_5_3_1),
    ),
    "worker_cancel_long_running_tasks_on_connection_loss": (
        "Celery 5.1",
        (Version.V5_7, Version.KOMBU_5_3_1, Version.KOMBU_5_2_2),
    ),
    "task_reject_on_worker_lost": (
        "Celery 4.0",
        (Version.V5_7, Version.KOMBU_5_3_1, Version.KOMBU_5_2_2),
    ),
    "task_acks_on_failure_or_timeout": (
        "Celery 4.2",
        (Version.V5_7, Version.KOMBU_5_3_1, Version.KOMBU_5_2_2),
    ),
}
"""Since when there is a setting, and the versions here that have it; the others have them all."""


OF_CHILDREN = (
    "worker_cancel_long_running_tasks_on_connection_loss",
    "worker_soft_shutdown_timeout",
    "remap_sigterm",
)
"""Settings by which a main process terminates its children."""


class Refusals(Features):
    """A configuration that means something."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._refuse_the_future()
        if not self.prefork:
            self._refuse_children()

    def _refuse_children(self) -> None:
        pool = self.worker_pool.value
        if self.poison is Poison.CHILD:
            raise UsageError(
                f"worker_pool={pool} has no children for a task to bring down; use poison=worker, "
                "or worker_pool=prefork"
            )
        for name in OF_CHILDREN:
            if self.values[name]:
                raise UsageError(
                    f"`{name}` is modelled for children only, and worker_pool={pool} has none; "
                    "leave it out, or use worker_pool=prefork"
                )

    def _refuse_the_future(self) -> None:
        for entry in self.settings():
            since, versions = SINCE.get(entry.name, ("", tuple(Version)))
            if self.version not in versions and self.values[entry.name] != entry.default:
                raise UsageError(
                    f"version={self.version.value} has no working `{entry.name}`: it came with "
                    f"{since}; leave it out, or use version={versions[-1].value}"
                )
