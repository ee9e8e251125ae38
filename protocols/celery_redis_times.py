"""Times of Celery over Redis: how long a message is held, and which of two durations is shorter."""

from __future__ import annotations

from math import ceil

from twice.protocols.celery_redis_features import Features
from twice.protocols.celery_redis_settings import Version
from twice.protocols.durations import NOTHING, Bound, Duration, duration

MOST_SWEEPS = 1
"""More sweeps of a message before its ETA are not told apart: two copies show all there is."""


class Times(Features):
    """Durations, compared; and, for what is only late, the bounds."""

    @property
    def longest_run(self) -> Duration:
        """The longest time a run takes, its limit considered."""
        run = duration(self, "run_time")
        return duration(self, "task_time_limit") if self.times_out else run

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
