"""What the settings decide before the model is built: which steps there are in this version."""

from __future__ import annotations

from twice.protocols.celery_redis_settings import (
    Eviction,
    Persistence,
    ResultBackend,
    TaskSettings,
    TransportSettings,
    Version,
    WorkerSettings,
)
from twice.protocols.celery_settings import Pool


class WorkerFeatures(WorkerSettings):
    """How the worker acknowledges, and who runs the body."""

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
        """Whether the worker has no event loop, and so no timer for its sweeps."""
        return self.worker_pool is Pool.GEVENT

    @property
    def acks_after_run(self) -> bool:
        """Whether a message is acknowledged after its run: late acks, and every ack of solo.

        An early ack waits for the loop to turn, and with solo the loop waits for the body. In 3.1
        it was a direct call.
        """
        return self.task_acks_late or (self.solo and self.version is not Version.V3_1)

    @property
    def acks_before_start(self) -> bool:
        """Whether the callback of the accept writes the early ack itself, before the body."""
        early = not self.task_acks_late
        direct = self.gevent and self.version is Version.V5_7
        return early and (direct or (self.solo and self.version is Version.V3_1))

    @property
    def children_survive(self) -> bool:
        """Whether children go on as orphans when the main process is killed."""
        return self.prefork and self.version is Version.V3_1

    @property
    def requeues_lost(self) -> bool:
        """Whether the death of a child puts the message back; a retry goes before that."""
        rejects = self.task_acks_late and self.task_reject_on_worker_lost
        return self.prefork and rejects and not self.replaces_lost

    @property
    def replaces_lost(self) -> bool:
        """Whether the death of a child makes the parent publish a retry."""
        return self.prefork and self.task_retry_on_worker_lost

    @property
    def requeues_timed_out(self) -> bool:
        """Whether a run that met its time limit puts the message back."""
        return self.task_acks_late and not self.task_acks_on_failure_or_timeout

    @property
    def stores_results(self) -> bool:
        """Whether anything is written to a result backend."""
        return self.result_backend is not ResultBackend.NONE and not self.task_ignore_result

    @property
    def sees_stored_success(self) -> bool:
        """Whether the parent of a dead child looks whether SUCCESS is stored already."""
        return self.stores_results and self.version is Version.V5_7

    @property
    def deduplicates(self) -> bool:
        """Whether a redelivered task is skipped when its SUCCESS is stored."""
        return (
            self.worker_deduplicate_successful_tasks and self.task_acks_late and self.stores_results
        )

    @property
    def cancels_on_loss(self) -> bool:
        """Whether running tasks are killed when the connection is lost."""
        return (
            self.prefork
            and self.task_acks_late
            and self.worker_cancel_long_running_tasks_on_connection_loss
        )

    @property
    def shuts_down_softly(self) -> bool:
        """Whether a cold shutdown waits a while first."""
        return self.worker_soft_shutdown_timeout > 0


class TransportFeatures(TransportSettings, WorkerSettings):
    """What kombu does in this version, and what Redis keeps."""

    @property
    def restores_at_once(self) -> bool:
        """Whether a message moves from the unacknowledged ones to its list in one transaction."""
        return self.version not in (Version.KOMBU_5_2_2, Version.V3_1)

    @property
    def acks_what_it_requeued(self) -> bool:
        """Whether a message that was put back is acknowledged by its tag after that (< 5.3.3)."""
        return self.version is not Version.V5_7

    @property
    def reads_last_reply(self) -> bool:
        """Whether closing a channel waits for the BRPOP under way and keeps what it brings."""
        return self.version is Version.V5_7

    @property
    def pauses_brpop(self) -> bool:
        """Whether a reply that comes when the prefetch window has shrunk is left in the socket."""
        return self.version is Version.V5_7

    @property
    def stops_when_redis_goes(self) -> bool:
        """Whether a worker that waits in BRPOP and holds messages exits when Redis goes down.

        Seen with kombu 5.7.0 and redis-py 8.1 only.
        """
        return self.version is Version.V5_7

    @property
    def publishes_twice(self) -> bool:
        """Whether a publish whose reply is lost is published again, with a tag of its own."""
        return self.task_publish_retry and not self.retry_on_timeout

    @property
    def loses_data_at_stop(self) -> bool:
        """Whether Redis comes back empty."""
        return self.redis_persistence is Persistence.NONE

    @property
    def may_come_back_older(self) -> bool:
        """Whether Redis may come back with an earlier state."""
        return self.redis_persistence in (Persistence.RDB, Persistence.AOF_EVERYSEC)

    @property
    def evicts_anything(self) -> bool:
        """Whether Redis, when full, throws away whole queues."""
        return self.maxmemory_policy is Eviction.ALLKEYS_LRU


class Features(WorkerFeatures, TransportFeatures, TaskSettings):
    """What needs the settings of several sides."""

    @property
    def times_out(self) -> bool:
        """Whether every run is killed at its time limit, which only children heed."""
        return self.prefork and 0 < self.task_time_limit < self.run_time

    @property
    def counts_retries(self) -> bool:
        """Whether a child or a parent may publish the task again."""
        return self.task_retries or self.replaces_lost

    @property
    def messages_per_task(self) -> int:
        """How many messages of one task there may be at a time.

        The publish and its repetition; and where a retry is published before the old message is
        acknowledged, the old one, the new one, and one that a crash between the two left behind.
        """
        return 3 if self.counts_retries else 1 + self.publishes_twice

    @property
    def requeues_any(self) -> bool:
        """Whether a main process may put a message back that its pool had."""
        return self.requeues_lost or (self.times_out and self.requeues_timed_out)
