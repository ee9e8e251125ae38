"""Settings that a version of RQ does not have, each refused with what to do instead."""

from __future__ import annotations

from typing import Any

from twice.model import UsageError
from twice.protocols.rq_features import RQFeatures
from twice.protocols.rq_settings import Version

SINCE = {
    "retry_max": "Retry came with RQ 1.5",
    "retry_interval": "Retry came with RQ 1.5",
    "with_scheduler": "the scheduler came with RQ 1.2",
    "job_monitoring_interval": "heartbeats of a busy worker came with RQ 0.11",
    "redis_py": "it was run with redis-py 2.10",
    "maintenance_interval": "3600 s were fixed in the code",
}
"""What 0.6 has not, and the others have."""


class Refusals(RQFeatures):
    """A configuration that there is in its version."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if self.version is not Version.V0_6:
            return
        for entry in self.settings():
            if entry.name in SINCE and self.values[entry.name] != entry.default:
                raise UsageError(
                    f"version=0.6.0 has no `{entry.name}`: {SINCE[entry.name]}; leave it out, or "
                    f"use version={Version.V1_16.value}"
                )
        if not self.has_timeout:
            raise UsageError(
                "version=0.6.0 has no `job_timeout=-1`: jobs without a timeout came with RQ 1.3; "
                f"give a time, or use version={Version.V1_16.value}"
            )
