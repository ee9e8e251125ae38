"""The settings of Celery over Redis: Celery's own, kombu's, the server's, and the task's."""

from __future__ import annotations

from enum import Enum

from twice.model import setting
from twice.protocols.delivery import Delivery


class Version(Enum):
    """A version of Celery, with the kombu, billiard and redis-py of its day."""

    V5_7 = "5.7"
    KOMBU_5_3_1 = "kombu-5.3.1"  # the last before close() reads what BRPOP brings (5.3.2)
    KOMBU_5_2_2 = "kombu-5.2.2"  # the last before restoring is one transaction (5.2.3)
    V3_1 = "3.1"  # 3.1.23 with kombu 3.0.35, of 2016


class Pool(Enum):
    """How a worker runs the tasks it has received."""

    PREFORK = "prefork"
    SOLO = "solo"
    THREADS = "threads"
    GEVENT = "gevent"


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


class WorkerSettings(Delivery):
    """What a user configures on the worker's side, by the names of Celery."""

    version: Version = setting(Version.V5_7, "Celery's version, with the libraries of its day.")
    worker_pool: Pool = setting(Pool.PREFORK, "The pool that runs tasks, here one at a time.")
    worker_prefetch_multiplier: int = setting(
        4, "How many messages a worker may hold unacknowledged; 0 means any number.", minimum=0
    )
    worker_disable_prefetch: bool = setting(
        False, "Take a message only when a process of the pool is free for it (5.6)."
    )
    task_acks_late: bool = setting(
        False, "Acknowledge a message after its run, not when the pool accepts it."
    )
    task_reject_on_worker_lost: bool = setting(
        False, "With task_acks_late: put the message back when the child that ran it died."
    )
    task_retry_on_worker_lost: bool = setting(
        False, "Publish a counted retry when the child that ran the task died (5.7)."
    )
    task_acks_on_failure_or_timeout: bool = setting(
        True, "With task_acks_late: acknowledge also after a time limit, instead of putting back."
    )
    task_time_limit: float = setting(
        0, "A run is killed after this time; 0 means no limit.", unit="s", minimum=0
    )
    result_backend: ResultBackend = setting(ResultBackend.NONE, "Where results are stored.")
    task_ignore_result: bool = setting(False, "Store no results of this task, nor failures.")
    worker_deduplicate_successful_tasks: bool = setting(
        False, "With task_acks_late: skip a redelivered task whose stored state is SUCCESS."
    )
    worker_cancel_long_running_tasks_on_connection_loss: bool = setting(
        False, "With task_acks_late: kill running tasks when the connection to Redis is lost."
    )
    worker_soft_shutdown_timeout: float = setting(
        0, "How long a cold shutdown waits for running tasks first (5.5).", unit="s", minimum=0
    )
    worker_enable_soft_shutdown_on_idle: bool = setting(
        False, "Whether a cold shutdown waits for that long even when no task runs (5.5)."
    )
    remap_sigterm: bool = setting(
        False, "Whether REMAP_SIGTERM=SIGQUIT makes SIGTERM a cold shutdown."
    )
    supervised: bool = setting(True, "Whether a worker that exits or dies is started again.")
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
    task_publish_retry: bool = setting(True, "Publish again after a connection error.")
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


class TaskSettings(Delivery):
    """The task: how long it runs and waits, and how it may end."""

    run_time: float = setting(10, "The longest run of the task's body.", unit="s", minimum=0)
    eta: float = setting(0, "ETA or countdown of the publish; 0: none.", unit="s", minimum=0)
    neighbours: int = setting(
        0, "How many runs, each as long as its own, a prefetched message may wait for.", minimum=0
    )
    task_raises: bool = setting(False, "Whether the task's body may raise an exception.")
    task_retries: bool = setting(False, "Whether a body that raises calls self.retry.")
    max_retries: int = setting(
        3, "Task.max_retries, for self.retry and for lost children.", within=range(4)
    )
    default_retry_delay: float = setting(
        180, "Task.default_retry_delay, the countdown of a retry.", unit="s", minimum=0
    )
    poison: Poison = setting(Poison.NONE, "What any run of the task may bring down.")
