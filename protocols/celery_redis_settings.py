"""The settings of Celery over Redis: Celery's own, kombu's, the server's, and the task's."""

from __future__ import annotations

from enum import Enum

from twice.model import setting
from twice.protocols.celery_settings import CeleryTask, CeleryWorker
from twice.protocols.delivery import Delivery


class Version(Enum):
    """A version of Celery, with the kombu, billiard and redis-py of its day."""

    V5_7 = "5.7"
    KOMBU_5_3_1 = "kombu-5.3.1"  # the last before close() reads what BRPOP brings (5.3.2)
    KOMBU_5_2_2 = "kombu-5.2.2"  # the last before restoring is one transaction (5.2.3)
    V3_1 = "3.1"  # 3.1.23 with kombu 3.0.35, of 2016


class ResultBackend(Enum):
    """Where results are stored."""

    NONE = "none"
    PERSISTENT = "persistent"  # another Redis, a database, files


class Poison(Enum):
    """What a run of the task may bring down, again and again."""

    NONE = "none"
    CHILD = "child"
    WORKER = "worker"


class Persistence(Enum):
    """What Redis still has after it stopped."""

    NONE = "none"
    RDB = "rdb"  # everything after an orderly stop, the last snapshot after a crash
    AOF_EVERYSEC = "aof-everysec"  # all but about a second when the machine crashes
    AOF_ALWAYS = "aof-always"


class Eviction(Enum):
    """What Redis does when its memory is full."""

    NOEVICTION = "noeviction"
    VOLATILE_LRU = "volatile-lru"  # evicts keys with a TTL, which the broker's keys do not have
    ALLKEYS_LRU = "allkeys-lru"


class WorkerSettings(CeleryWorker):
    """What a user configures on the worker's side, by the names of Celery."""

    version: Version = setting(Version.V5_7, "Celery's version, with the libraries of its day.")
    worker_disable_prefetch: bool = setting(
        False, "Take a message only when a process of the pool is free for it (5.6)."
    )
    task_acks_on_failure_or_timeout: bool = setting(
        True, "With task_acks_late: acknowledge also after a time limit, instead of putting back."
    )
    result_backend: ResultBackend = setting(ResultBackend.NONE, "Where results are stored.")
    worker_enable_soft_shutdown_on_idle: bool = setting(
        False, "Whether a cold shutdown waits for that long even when no task runs (5.5)."
    )
    termination_grace_period: float = setting(
        0,
        "How long after SIGTERM the platform sends SIGKILL (Docker 10, Kubernetes 30); 0: never.",
        unit="s",
        minimum=0,
    )


class TransportSettings(Delivery):
    """What a user configures between producer, Redis and worker, by the names of each."""

    visibility_timeout: float = setting(
        3600, "Age at which any sweep moves an unacknowledged message back.", unit="s", minimum=1
    )
    other_apps_visibility_timeout: float = setting(
        0,
        "The shortest visibility_timeout of other apps on the same Redis keys; 0: there are none.",
        unit="s",
        minimum=0,
    )
    unacked_restore_interval: float = setting(
        10, "Time between two looks at unacknowledged messages (5.7).", unit="s", minimum=1
    )
    unacked_restore_throttle: int = setting(
        10, "Of so many looks only the first is a sweep (5.7).", minimum=1
    )
    unacked_mutex_expire: float = setting(
        300, "How long a sweep's lock outlives a worker that died in it.", unit="s", minimum=1
    )
    ack_emulation: bool = setting(
        True, "Record what a worker holds in Redis; without it only the worker knows."
    )
    retry_on_timeout: bool = setting(
        False, "Let redis-py send a command again by itself, with the same delivery tag."
    )
    named_exchange: bool = setting(
        False, "Publish through an exchange with a name, which needs a binding stored in Redis."
    )
    redis_persistence: Persistence = setting(
        Persistence.RDB, "What Redis still has after it stopped."
    )
    redis_replica: bool = setting(
        False, "Whether a replica takes over when the master is gone (Sentinel, managed Redis)."
    )
    maxmemory_policy: Eviction = setting(
        Eviction.NOEVICTION, "What Redis does when its memory is full."
    )


class TaskSettings(CeleryTask):
    """What the body may do, and what it may bring down."""

    task_retries: bool = setting(False, "Whether a body that raises calls self.retry.")
    poison: Poison = setting(Poison.NONE, "What any run of the task may bring down.")
