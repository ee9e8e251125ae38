"""What the settings decide before the model is built: which steps there are, which time wins."""

from __future__ import annotations

from math import ceil
from typing import Any

from twice.model import UsageError
from twice.protocols.celery_redis_settings import (
    Eviction,
    Persistence,
    Poison,
    Pool,
    ResultBackend,
    TaskSettings,
    TransportSettings,
    Version,
    WorkerSettings,
)
from twice.protocols.durations import NOTHING, Bound, Duration, duration

MOST_SWEEPS = 1
"""More sweeps of a message before its ETA are not told apart: two copies show all there is."""

SINCE = {
    "task_retry_on_worker_lost": ("Celery 5.7", (Version.V5_7,)),
    "worker_disable_prefetch": ("Celery 5.6", (Version.V5_7,)),
    "worker_soft_shutdown_timeout": ("Celery 5.5", (Version.V5_7,)),
    "worker_enable_soft_shutdown_on_idle": ("Celery 5.5", (Version.V5_7,)),
    "unacked_restore_interval": ("kombu 5.7", (Version.V5_7,)),
    "unacked_restore_throttle": ("kombu 5.7", (Version.V5_7,)),
    "worker_deduplicate_successful_tasks": (
        "Celery 5.1, and works with kombu 5.2.4",
        (Version.V5_7, Version.KOMBU_5_3_1),
    ),
    "worker_cancel_long_running_tasks_on_connection_loss": (
        "Celery 5.1",
        (Version.V5_7, Version.KOMBU_5_3_1, Version.KOMBU_5_2_2),
    ),
    "task_reject_on_worker_lost": (
        "Celery 4.0",
        (Version.V5_7, Version.KOMBU_5_3_1, Version.KOMBU_5_2_2),
    ),
    "task_acks_on_failure_or_timeout": (
        "Celery 4.2",
        (Version.V5_7, Version.KOMBU_5_3_1, Version.KOMBU_5_2_2),
    ),
}
"""Since when there is a setting, and the versions here that have it; the others have them all."""


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
    """What needs the settings of several sides; above all, which of two durations is shorter."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._refuse_the_future()
        if self.poison is Poison.CHILD and not self.prefork:
            raise UsageError(
                f"worker_pool={self.worker_pool.value} has no children for a task to bring down; "
                "use poison=worker, or worker_pool=prefork"
            )

    def _refuse_the_future(self) -> None:
        for entry in self.settings():
            since, versions = SINCE.get(entry.name, ("", tuple(Version)))
            if self.version not in versions and self.values[entry.name] != entry.default:
                raise UsageError(
                    f"version={self.version.value} has no working `{entry.name}`: it came with "
                    f"{since}; leave it out, or use version={versions[-1].value}"
                )

    # Retries.

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

    # Durations.

    @property
    def longest_run(self) -> Duration:
        """The longest time a run takes, its limit considered."""
        run = duration(self, "run_time")
        return duration(self, "task_time_limit") if self.times_out else run

    @property
    def times_out(self) -> bool:
        """Whether every run is killed at its time limit."""
        heeded = self.worker_pool in (Pool.PREFORK, Pool.GEVENT)
        return heeded and 0 < self.task_time_limit < self.run_time

    @property
    def delay(self) -> Duration:
        """How long a message waits in a worker until its ETA."""
        eta = duration(self, "eta") if self.eta else NOTHING
        return max(eta, duration(self, "default_retry_delay")) if self.counts_retries else eta

    @property
    def runs_ahead(self) -> int:
        """How many runs a prefetched message waits for in its worker, as far as the window allows.

        Of the unacknowledged messages one is running under late acks, none under early acks.
        """
        if self.worker_disable_prefetch:
            return 0
        if self.worker_prefetch_multiplier == 0:
            return self.neighbours
        running = 1 if self.acks_after_run else 0
        return min(self.neighbours, self.worker_prefetch_multiplier - running)

    @property
    def held_to_start(self) -> Duration:
        """The longest time from taking a message until the pool accepts it."""
        return self.delay + self.runs_ahead * self.longest_run

    @property
    def held_to_end(self) -> Duration:
        """The longest time from taking a message until the end of its run."""
        return self.held_to_start + self.longest_run

    @property
    def shortest_timeout(self) -> Duration:
        """The visibility timeout that counts: the shortest of all apps on the same keys."""
        own, others = (
            duration(self, "visibility_timeout"),
            duration(self, "other_apps_visibility_timeout"),
        )
        return min(own, others) if others > NOTHING else own

    def sweeps_within(self, time: Duration) -> int | None:
        """How often a message may be swept away from healthy workers that hold it for this time.

        Of the time, the wait for the ETA gets shorter with each sweep; the rest begins anew in the
        next worker. None is any number.
        """
        timeout = self.shortest_timeout
        if time <= timeout:
            return 0
        if time.seconds - self.delay.seconds > timeout.seconds:
            return None
        return min(ceil(time.seconds / timeout.seconds) - 1, MOST_SWEEPS)

    @property
    def counts_sweeps(self) -> bool:
        """Whether an ETA allows some sweeps, and then no more."""
        return any(self.sweeps_within(time) for time in (self.held_to_start, self.held_to_end))

    @property
    def window_may_shrink(self) -> bool:
        """Whether the prefetch window of one message fills while a BRPOP is under way.

        That is so when an ETA comes: until then the window was wider by one.
        """
        one = self.worker_prefetch_multiplier == 1 and not self.worker_disable_prefetch
        return self.pauses_brpop and one and self.acks_after_run and self.eta > 0

    @property
    def kills_at_deadline(self) -> bool:
        """Whether the platform's SIGKILL comes while a warm shutdown waits for a run."""
        return 0 < self.termination_grace_period < self.longest_run.seconds

    @property
    def kills_in_soft_shutdown(self) -> bool:
        """Whether the platform's SIGKILL comes while a soft shutdown waits."""
        return 0 < self.termination_grace_period <= self.worker_soft_shutdown_timeout

    # Bounds.

    @property
    def sweep(self) -> Duration:
        """The time between two sweeps of one worker.

        Up to 5.6 it is fixed. Under Python 3, kombu 3.0.35 never gave its lock back, so that only
        its expiry allows the next sweep.
        """
        if self.version is Version.V3_1:
            return duration(self, "unacked_mutex_expire")
        times, interval = self.unacked_restore_throttle, duration(self, "unacked_restore_interval")
        return times * interval

    def bounds(self) -> dict[str, Bound]:
        """How late something is that is only late, as formulas over the settings."""
        found = {
            "held": Bound("a message is unacknowledged for at most", self._held_unacked()),
        }
        if self.ack_emulation and not self.gevent:
            found["redelivered"] = Bound("redelivered after", self.shortest_timeout, self.sweep)
            mutex = duration(self, "unacked_mutex_expire")
            found["redelivered, a sweeper having died"] = Bound(
                "redelivered after", self.shortest_timeout, mutex + self.sweep
            )
        return found

    def _held_unacked(self) -> Duration:
        return self.held_to_end if self.acks_after_run else self.held_to_start
