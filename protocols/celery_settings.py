"""The settings that Celery has over every broker: the worker's, and the task's."""

from __future__ import annotations

from enum import Enum

from twice.model import setting
from twice.protocols.delivery import Delivery


class Pool(Enum):
    """How a worker runs the tasks it has received."""

    PREFORK = "prefork"
    SOLO = "solo"
    THREADS = "threads"
    GEVENT = "gevent"


class CeleryWorker(Delivery):
    """What a user configures on the worker's side, by the names of Celery."""

    worker_pool: Pool = setting(Pool.PREFORK, "The pool that runs tasks, here one at a time.")
    worker_prefetch_multiplier: int = setting(
        4, "How many messages a worker may hold unacknowledged; 0 means any number.", minimum=0
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
    task_time_limit: float = setting(
        0, "A run is killed after this time; 0 means no limit.", unit="s", minimum=0
    )
    task_ignore_result: bool = setting(False, "Store no results of this task, nor failures.")
    worker_deduplicate_successful_tasks: bool = setting(
        False, "With task_acks_late: skip a redelivered task whose stored state is SUCCESS."
    )
    worker_cancel_long_running_tasks_on_connection_loss: bool = setting(
        False, "With task_acks_late: kill running tasks when the connection to the broker is lost."
    )
    worker_soft_shutdown_timeout: float = setting(
        0, "How long a cold shutdown waits for running tasks first (5.5).", unit="s", minimum=0
    )
    remap_sigterm: bool = setting(
        False, "Whether REMAP_SIGTERM=SIGQUIT makes SIGTERM a cold shutdown."
    )
    supervised: bool = setting(True, "Whether a worker that exits or dies is started again.")


class CeleryTask(Delivery):
    """The task: how it is published, how long it runs and waits, and how it may end."""

    task_publish_retry: bool = setting(True, "Publish again after a connection error.")
    run_time: float = setting(10, "The longest run of the task's body.", unit="s", minimum=0)
    eta: float = setting(0, "ETA or countdown of the publish; 0: none.", unit="s", minimum=0)
    neighbours: int = setting(
        0, "How many runs, each as long as its own, a prefetched message may wait for.", minimum=0
    )
    task_raises: bool = setting(False, "Whether the task's body may raise an exception.")
    max_retries: int = setting(
        3, "Task.max_retries, for self.retry and for lost children.", within=range(4)
    )
    default_retry_delay: float = setting(
        180, "Task.default_retry_delay, the countdown of a retry.", unit="s", minimum=0
    )
