"""The settings of RQ: its own, those of Redis and its client, and the job's."""

from __future__ import annotations

from enum import Enum

from twice.model import setting
from twice.protocols.delivery import Delivery


class Version(Enum):
    """A version of RQ that was read and run."""

    V0_6 = "0.6.0"  # of 2016, with redis-py 2.10
    V1_16 = "1.16.2"
    V2_12 = "2.12.0"
    V3_0 = "3.0.0"


class WorkerClass(Enum):
    """What `rq worker --worker-class` names: how a worker runs a job."""

    WORKER = "Worker"  # forks a work horse
    SIMPLE = "SimpleWorker"  # runs the job itself
    SPAWN = "SpawnWorker"  # starts a new process, which reads the job again


class RQSettings(Delivery):
    """What a user of RQ configures, and the job given to it."""

    version: Version = setting(Version.V3_0, "RQ's version.")
    worker_class: WorkerClass = setting(
        WorkerClass.WORKER,
        "The workers' class: Worker forks, SpawnWorker spawns, SimpleWorker runs the job itself.",
    )
    queues: int = setting(
        1,
        "Queues each worker listens to: one is popped by BLMOVE, several by BLPOP.",
        within=range(1, 10),
    )
    redis_version: float = setting(7.0, "Version of the Redis server; BLMOVE needs 6.2.", minimum=2)
    redis_py: int = setting(
        8,
        "Major version of redis-py; from 6 on it resends after connection errors.",
        within=range(2, 10),
    )
    retry_max: int = setting(0, "Retry(max=...) of the job; 0 is no Retry.", within=range(4))
    retry_interval: float = setting(
        0,
        "Retry(interval=...): how long a retry waits; above 0 it needs a scheduler.",
        unit="s",
        minimum=0,
    )
    with_scheduler: bool = setting(False, "Whether workers run with --with-scheduler.")
    job_timeout: float = setting(180, "The job's timeout; -1 is none.", unit="s", minimum=-1)
    job_monitoring_interval: float = setting(
        30, "Time between two heartbeats of a worker whose horse works.", unit="s", minimum=1
    )
    maintenance: bool = setting(
        True, "Whether idle workers of this queue ever get to their maintenance."
    )
    respawn: bool = setting(False, "Whether a supervisor replaces dead workers.")
    redis_persistence: bool = setting(True, "Whether Redis has its data after a restart.")
    redis_downtime: float = setting(60, "How long Redis is away in a restart.", unit="s", minimum=0)
    run_time: float = setting(10, "How long the job's function runs.", unit="s", minimum=0)
    job_raises: bool = setting(False, "Whether the job's function may raise an exception.")
    alarm_works: bool = setting(
        True, "Whether the timeout stops the job; not if swallowed, nor in blocking C code."
    )
