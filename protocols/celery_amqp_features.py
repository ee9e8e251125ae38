"""What the settings decide before the model is built: the steps, and which duration wins."""

from __future__ import annotations

from twice.protocols.celery_amqp_settings import (
    BrokerSettings,
    Message,
    Poison,
    QueueType,
    RabbitMQ,
    ResultBackend,
    TaskSettings,
    Version,
    WorkerSettings,
)
from twice.protocols.celery_settings import Pool

SERVER_HEARTBEAT = 60
"""Seconds between heartbeats that RabbitMQ asks for; the smaller of the two wishes counts."""

LIMIT_SINCE_4 = 20
"""The delivery limit of quorum queues that RabbitMQ 4 sets by itself."""


class WorkerFeatures(WorkerSettings):
    """How the worker acknowledges, and who runs the body."""

    @property
    def late(self) -> bool:
        """Whether a message is acknowledged after its run."""
        return self.task_acks_late

    @property
    def early(self) -> bool:
        """Whether a message is acknowledged when the pool has accepted it."""
        return not self.task_acks_late

    @property
    def prefork(self) -> bool:
        """Whether bodies run in child processes."""
        return self.worker_pool is Pool.PREFORK

    @property
    def solo(self) -> bool:
        """Whether the body runs in the worker's own loop, which does nothing else meanwhile."""
        return self.worker_pool is Pool.SOLO

    @property
    def gevent(self) -> bool:
        """Whether bodies run in greenlets."""
        return self.worker_pool is Pool.GEVENT

    @property
    def acks_before_start(self) -> bool:
        """Whether an early ack is on its way before the body starts."""
        return self.early and (
            (self.gevent and self.version is not Version.V5_6)
            or (self.solo and self.version is Version.V3_1)
        )

    @property
    def frames_wait(self) -> bool:
        """Whether an ack waits for the next turn of the worker's loop."""
        return not (self.version is Version.V3_1 or (self.gevent and self.version is Version.V5_7))

    @property
    def children_survive(self) -> bool:
        """Whether children go on as orphans when the main process is killed."""
        return self.prefork and self.version is Version.V3_1

    @property
    def runs_prefetched_in_shutdown(self) -> bool:
        """Whether a warm shutdown runs what the worker has already received."""
        threads = self.worker_pool is Pool.THREADS and self.version is not Version.V5_7
        return self.solo or self.gevent or threads

    @property
    def requeues_lost(self) -> bool:
        """Whether the death of a child puts the message back."""
        return self.late and self.task_reject_on_worker_lost

    @property
    def replaces_lost(self) -> bool:
        """Whether the death of a child makes the parent publish a retry."""
        return self.prefork and self.task_retry_on_worker_lost

    @property
    def acks_failures(self) -> bool:
        """Whether the message of a failed run is acknowledged."""
        return self.task_acks_on_failure_or_timeout and self.task_acks_on_failure

    @property
    def acks_timeouts(self) -> bool:
        """Whether the message of a run that met its time limit is acknowledged."""
        return self.version is Version.V3_1 or (
            self.task_acks_on_failure_or_timeout and self.task_acks_on_timeout
        )

    @property
    def stores_results(self) -> bool:
        """Whether anything is written to a result backend."""
        return self.result_backend is not ResultBackend.NONE and not self.task_ignore_result

    @property
    def may_lose_results(self) -> bool:
        """Whether a backend that is down for a moment means that a result is never stored."""
        return self.stores_results and not self.result_backend_always_retry

    @property
    def keeps_success(self) -> bool:
        """Whether nothing overwrites a stored SUCCESS."""
        key_value = self.result_backend is ResultBackend.KEY_VALUE
        return key_value and self.version is not Version.V3_1

    @property
    def sees_stored_success(self) -> bool:
        """Whether the parent of a dead child looks whether SUCCESS is stored already."""
        return self.stores_results and self.version is Version.V5_7

    @property
    def deduplicates(self) -> bool:
        """Whether a redelivered task is skipped when its SUCCESS is stored."""
        return self.worker_deduplicate_successful_tasks and self.late and self.stores_results

    @property
    def records_rejections(self) -> bool:
        """Whether a task that rejects its message for good gets a FAILURE."""
        return self.stores_results and self.version is Version.V5_7

    @property
    def cancels_on_loss(self) -> bool:
        """Whether running tasks are killed when the connection is lost."""
        return self.late and self.worker_cancel_long_running_tasks_on_connection_loss


class BrokerFeatures(BrokerSettings):
    """What the broker keeps, counts and limits."""

    @property
    def quorum(self) -> bool:
        """Whether the queue is a quorum queue."""
        return self.task_default_queue_type is QueueType.QUORUM

    @property
    def rabbitmq_4(self) -> bool:
        """Whether the broker is RabbitMQ 4."""
        return self.rabbitmq in (RabbitMQ.V4_2, RabbitMQ.V4_3)

    @property
    def on_disk(self) -> bool:
        """Whether messages are written to disk, soon after they have come in."""
        return self.quorum or (self.queue_durable and self.task_default_delivery_mode == 2)

    @property
    def acks_reach_disk_later(self) -> bool:
        """Whether an acknowledged message may come back when the broker is killed at once."""
        classic = self.task_default_queue_type is QueueType.CLASSIC
        return self.on_disk and classic and self.classic_queue_version == 1 and not self.rabbitmq_4

    @property
    def delivery_limit(self) -> int | None:
        """How often a message is taken back; None for any number."""
        if not self.quorum or self.x_delivery_limit < 0:
            return None
        return self.x_delivery_limit or (LIMIT_SINCE_4 if self.rabbitmq_4 else None)

    @property
    def heartbeat(self) -> float:
        """The negotiated heartbeat in seconds, 0 for none."""
        return min(self.broker_heartbeat, SERVER_HEARTBEAT)

    @property
    def ack_timeout(self) -> float | None:
        """How long a message may be unacknowledged; None for any time."""
        bound = self.rabbitmq is not RabbitMQ.V3_6 and self.consumer_timeout > 0
        bound = bound and (self.rabbitmq is not RabbitMQ.V4_3 or self.quorum)
        return self.consumer_timeout if bound else None

    @property
    def ack_timeouts_count(self) -> bool:
        """Whether what returns by the ack timeout counts against the delivery limit."""
        return self.rabbitmq is not RabbitMQ.V4_3

    @property
    def exits_at_ack_timeout(self) -> bool:
        """Whether a worker exits when the broker closed its channel for a late ack."""
        return self.rabbitmq is not RabbitMQ.V4_3 and not self.broker_channel_error_retry


class Features(WorkerFeatures, BrokerFeatures, TaskSettings):
    """What needs the settings of several sides; above all, which of two durations is shorter."""

    @property
    def window_is_static(self) -> bool:
        """Whether messages that wait for their ETA count against the prefetch window."""
        return self.quorum or (self.rabbitmq_4 and self.version is Version.V5_7)

    @property
    def soft_limit(self) -> float | None:
        """The soft time limit, where the pool heeds it."""
        heeded = self.prefork and self.task_soft_time_limit > 0
        return self.task_soft_time_limit if heeded else None

    @property
    def hard_limit(self) -> float | None:
        """The hard time limit, where the pool heeds it."""
        heeded = (self.prefork or self.gevent) and self.task_time_limit > 0
        return self.task_time_limit if heeded else None

    @property
    def meets_soft_limit(self) -> bool:
        """Whether every run is stopped by its soft time limit."""
        return self.soft_limit is not None and self.run_time > self.soft_limit

    @property
    def meets_hard_limit(self) -> bool:
        """Whether every run is killed at its hard time limit."""
        met = self.hard_limit is not None and self.run_time > self.hard_limit
        return met and not self.meets_soft_limit

    @property
    def children_die(self) -> bool:
        """Whether there are children that run this task and may die."""
        return self.prefork and self.runs

    @property
    def gives_lost_up(self) -> bool:
        """Whether the death of a child may be the end of its task."""
        return self.children_die and (not self.requeues_lost or self.replaces_lost)

    @property
    def returns_at_all(self) -> bool:
        """Whether a run can get to its end."""
        return not self.meets_soft_limit and not self.meets_hard_limit

    @property
    def longest_run(self) -> float:
        """The longest time a run takes, its limits considered."""
        limits = [limit for limit in (self.soft_limit, self.hard_limit) if limit is not None]
        return min([self.run_time, *limits])

    @property
    def held_while_running(self) -> bool:
        """Whether a running task's message is unacknowledged: late acks, and every ack of solo."""
        return self.late or (self.solo and not self.acks_before_start)

    @property
    def run_outlasts_ack_timeout(self) -> bool:
        """Whether the broker's patience ends before a run does."""
        late = self.ack_timeout is not None and self.longest_run > self.ack_timeout
        return late and self.held_while_running

    @property
    def wait_outlasts_ack_timeout(self) -> bool:
        """Whether the broker's patience ends while a prefetched message waits for its turn."""
        wait = self.neighbours * self.longest_run
        return self.ack_timeout is not None and wait > self.ack_timeout

    @property
    def eta_outlasts_ack_timeout(self) -> bool:
        """Whether the broker's patience ends before the ETA comes."""
        delays = [self.eta]
        if self.task_retries or self.replaces_lost:
            delays.append(self.default_retry_delay)
        return self.ack_timeout is not None and max(delays) > self.ack_timeout

    @property
    def a_slow_run_outlasts_ack_timeout(self) -> bool:
        """Whether a run that is slow for once outlasts the patience, no limit stopping it."""
        limits = [limit for limit in (self.soft_limit, self.hard_limit) if limit is not None]
        return self.ack_timeout is not None and all(limit > self.ack_timeout for limit in limits)

    @property
    def may_be_refused(self) -> bool:
        """Whether the broker may run out of patience at all."""
        waits = self.wait_outlasts_ack_timeout or self.eta_outlasts_ack_timeout
        runs = self.run_outlasts_ack_timeout or self.a_slow_run_outlasts_ack_timeout
        return waits or (self.runs and runs)

    @property
    def run_outlasts_heartbeats(self) -> bool:
        """Whether solo, which is silent while it runs a task, is cut off in every run."""
        return self.solo and 0 < 2 * self.heartbeat < self.longest_run

    @property
    def shutdown_outlasts_heartbeats(self) -> bool:
        """Whether a warm shutdown, silent before Celery 5.6.1, is cut off while a task runs."""
        silent = self.version is Version.V5_6 and not self.solo
        return silent and 0 < 2 * self.heartbeat < self.longest_run

    @property
    def outlasts_soft_shutdown(self) -> bool:
        """Whether a run goes on longer than a soft shutdown waits."""
        return 0 < self.worker_soft_shutdown_timeout < self.longest_run

    @property
    def deaths_are_forgiven(self) -> bool:
        """Whether some run of a task is allowed to bring down its child or its worker."""
        return self.poison in (Poison.CHILD, Poison.WORKER)

    @property
    def raises(self) -> bool:
        """Whether the body may end with an exception of its own."""
        return self.task_raises or self.task_retries or self.poison is Poison.MEMORY_ERROR

    @property
    def fails(self) -> bool:
        """Whether a run may end with an exception at all."""
        return self.raises or self.soft_limit is not None

    @property
    def runs(self) -> bool:
        """Whether the worker can make sense of the message."""
        return self.message is Message.GOOD

    @property
    def memory_errors_kill(self) -> bool:
        """Whether failures of the task are MemoryErrors, which the worker does not survive."""
        return self.poison is Poison.MEMORY_ERROR

    @property
    def counts_retries(self) -> bool:
        """Whether the task may be published again by a child or a parent."""
        return self.task_retries or self.replaces_lost

    @property
    def may_requeue(self) -> bool:
        """Whether a worker may ever put a message back by a reject."""
        at_limit = self.hard_limit is not None and not self.acks_timeouts
        return self.late and ((self.requeues_lost and self.prefork) or at_limit)

    @property
    def may_drop(self) -> bool:
        """Whether a worker may ever give a message up by a reject."""
        of_failures = not self.acks_failures and (self.fails or self.prefork or self.stores_results)
        at_receipt = self.message in (Message.UNKNOWN_TASK, Message.REFUSED_CONTENT)
        return at_receipt or (self.late and (of_failures or self.task_retries))
