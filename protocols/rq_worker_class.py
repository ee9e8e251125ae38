"""Classes of workers that a version of RQ does not have, each refused with what to do instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twice.model import UsageError
from twice.protocols.rq_refusals import Refusals
from twice.protocols.rq_settings import Version, WorkerClass


class WorkerClassRefusals(Refusals):
    """A class of workers that there is in its version, and that does what is asked of it."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        for refusal in self._of_worker_class():
            raise UsageError(refusal)

    def _of_worker_class(self) -> Iterator[str]:
        """Say what does not go together, and what to set instead."""
        before_spawning = self.version in (Version.V0_6, Version.V1_16)
        if self.worker_class is WorkerClass.SPAWN and before_spawning:
            yield (
                f"version={self.version.value} has no SpawnWorker, which came with RQ 2.2; set "
                f"worker_class={WorkerClass.WORKER.value}, or version={Version.V2_12.value}"
            )
        if self.worker_class is WorkerClass.SIMPLE and self.version is Version.V0_6:
            yield (
                "it is not established what a SimpleWorker does in version=0.6.0; set "
                f"worker_class={WorkerClass.WORKER.value}, or version={Version.V1_16.value}"
            )
        interval = next(e for e in self.settings() if e.name == "job_monitoring_interval")
        if not self.has_horses and self.job_monitoring_interval != interval.default:
            yield (
                "a SimpleWorker sends no heartbeats while its job runs, so "
                "`job_monitoring_interval` does nothing; leave it out, or set "
                f"worker_class={WorkerClass.WORKER.value}"
            )
