"""Settings of RQ that a version does not have, and what to do instead."""

from __future__ import annotations

from typing import Any

import pytest

from twice.model import UsageError
from twice.protocols.rq import RQ


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"retry_max": 1}, "has no `retry_max`: Retry came with RQ 1.5; leave it out"),
        ({"retry_interval": 60}, "has no `retry_interval`: Retry came with RQ 1.5"),
        ({"with_scheduler": True}, "has no `with_scheduler`: the scheduler came with RQ 1.2"),
        ({"job_monitoring_interval": 10}, "heartbeats of a busy worker came with RQ 0.11"),
        ({"redis_py": 5}, "it was run with redis-py 2.10; leave it out, or use version=1.16.2"),
        ({"job_timeout": -1}, "jobs without a timeout came with RQ 1.3; give a time, or use"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_0_6_does_not_have(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        RQ(version="0.6.0", **given)
    assert told in str(refused.value)
    RQ(version="1.16.2", **given)  # accepted
