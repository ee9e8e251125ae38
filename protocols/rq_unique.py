"""Settings about one id enqueued twice that do not go with others, and what to do instead."""

from __future__ import annotations

from typing import Any

from twice.model import UsageError
from twice.protocols.rq_arguments import CallSettings
from twice.protocols.rq_refusals import Refusals
from twice.protocols.rq_settings import Version, WorkerClass

WITH_UNIQUE = (Version.V2_12, Version.V3_0)
"""The versions that know unique jobs."""


class UniqueRefusals(Refusals, CallSettings):
    """`unique` where there is it, and a second call where its arguments can be followed."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if self.unique and self.version not in WITH_UNIQUE:
            raise UsageError(
                f"version={self.version.value} has no `unique`: it came with RQ 2.8; leave it "
                f"out, or use version={Version.V2_12.value}"
            )
        if self.enqueued_twice and self.worker_class is WorkerClass.SPAWN:
            raise UsageError(
                "`enqueued_twice` cannot be asked of worker_class=SpawnWorker, whose processes "
                "read a job twice and may get either call's arguments each time; use "
                f"worker_class={WorkerClass.WORKER.value}"
            )
