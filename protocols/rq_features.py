"""What the settings decide before the model is built: the steps of this version, and times."""

from __future__ import annotations

from twice.protocols.rq_settings import RQSettings, Version, WorkerClass

GRACE = 60
"""Seconds added to the next heartbeat in a registry entry's score, and to a job's timeout."""

RESENDS_FROM = 6
"""The first redis-py that by itself sends a command again after a connection error."""

BRIDGED = 3
"""Seconds without Redis that these resends were seen to bridge; after about 8 a worker gave up."""


ALONE = 420
"""Seconds that the registry entry of a SimpleWorker lasts if its job has no timeout."""


class WorkerClassFeatures(RQSettings):
    """Where the classes of workers differ."""

    @property
    def has_horses(self) -> bool:
        """Whether a job runs in a process of its own, its worker waiting (not SimpleWorker)."""
        return self.worker_class is not WorkerClass.SIMPLE

    @property
    def rereads_job(self) -> bool:
        """Whether a horse has nothing from its worker, and reads all from Redis (SpawnWorker)."""
        return self.worker_class is WorkerClass.SPAWN


class VersionFeatures(WorkerClassFeatures):
    """Where the versions differ."""

    @property
    def entry_by_job(self) -> bool:
        """Whether all attempts of a job share one entry of the StartedJobRegistry (before 2.0).

        Then the horse makes it; since 2.0 the worker makes one for each execution.
        """
        return self.version in (Version.V0_6, Version.V1_16)

    @property
    def saves_apart(self) -> bool:
        """Whether `enqueue` saves the job and pushes its id by two commands (0.6)."""
        return self.version is Version.V0_6

    @property
    def watches_horses(self) -> bool:
        """Whether a worker sends heartbeats for its horse, and asks how it ended (not 0.6)."""
        return self.has_horses and self.version is not Version.V0_6

    @property
    def reconnects(self) -> bool:
        """Whether a worker that waits for a job waits for Redis too (not 0.6)."""
        return self.version is not Version.V0_6

    @property
    def locks_maintenance(self) -> bool:
        """Whether only one worker at a time cleans the registries (not 0.6)."""
        return self.version is not Version.V0_6

    @property
    def persists_apart(self) -> bool:
        """Whether a horse sends a PERSIST between its registration and the body (before 3.0)."""
        return self.version is not Version.V3_0

    @property
    def fails_in_two(self) -> bool:
        """Whether a horse records a failure by two transactions: the status, the queue (0.6)."""
        return self.version is Version.V0_6

    @property
    def names_queue(self) -> bool:
        """Whether `enqueue` adds the queue's name by a command of its own (since 2.0)."""
        return self.version in (Version.V2_12, Version.V3_0)

    @property
    def pushes_at_once(self) -> bool:
        """Whether the whole of `enqueue` is one transaction (1.x)."""
        return self.version is Version.V1_16

    @property
    def renews_at_end(self) -> bool:
        """Whether a horse enters its job in the registry once more when its body ended (1.x)."""
        return self.version is Version.V1_16

    @property
    def reports_end(self) -> bool:
        """Whether a horse whose body failed sends something first that may fail (since 2.0)."""
        return self.version in (Version.V2_12, Version.V3_0)

    @property
    def says_failed_first(self) -> bool:
        """Whether maintenance sets the status failed by a command of its own (before 2.0)."""
        return self.version in (Version.V0_6, Version.V1_16)

    @property
    def lists_failure_first(self) -> bool:
        """Whether maintenance records the failure before it drops the entry (1.x)."""
        return self.version is Version.V1_16

    @property
    def asks_for_status(self) -> bool:
        """Whether maintenance takes a job for abandoned only while its status is started (3.0)."""
        return self.version is Version.V3_0

    @property
    def schedules_at_once(self) -> bool:
        """Whether the ScheduledJobRegistry is written with the rest of a retry (3.0)."""
        return self.version is Version.V3_0


class RQFeatures(VersionFeatures):
    """What queues, client and durations decide."""

    @property
    def single_queue(self) -> bool:
        """Whether the horse takes the id out of the intermediate list."""
        return self.queues == 1

    @property
    def pops_by_move(self) -> bool:
        """Whether a popped id is kept in the intermediate list (since 1.15)."""
        return self.version is not Version.V0_6 and self.single_queue and self.redis_version >= 6.2

    @property
    def sweeps_intermediate(self) -> bool:
        """Whether the intermediate list is used and looked after."""
        return self.maintenance and self.pops_by_move

    @property
    def retries_at_once(self) -> bool:
        """Whether a retry goes straight back to the queue."""
        return self.retry_max > 0 and self.retry_interval == 0

    @property
    def retries_later(self) -> bool:
        """Whether a retry waits in the ScheduledJobRegistry."""
        return self.retry_max > 0 and self.retry_interval > 0

    @property
    def lists_first(self) -> bool:
        """Whether a retry is in the ScheduledJobRegistry before the rest of it is written."""
        return self.retries_later and not self.schedules_at_once

    @property
    def has_scheduler(self) -> bool:
        """Whether there may be scheduled jobs, and somebody to move them."""
        return self.retries_later and self.with_scheduler

    @property
    def resends(self) -> bool:
        """Whether the client sends a command again when the connection broke."""
        return self.redis_py >= RESENDS_FROM or self.version is Version.V0_6

    @property
    def resends_retries(self) -> bool:
        """Whether a push that is a retry can be sent again."""
        return self.resends and self.retries_at_once

    @property
    def outage_is_noticed(self) -> bool:
        """Whether a restart of Redis lasts longer than the client's resends bridge."""
        bridged = BRIDGED if self.version is not Version.V0_6 else 0
        return not self.resends or self.redis_downtime > bridged

    @property
    def outage_matters(self) -> bool:
        """Whether a restart of Redis changes anything at all."""
        return self.outage_is_noticed or not self.redis_persistence

    @property
    def has_timeout(self) -> bool:
        """Whether the job's time is limited."""
        return self.job_timeout >= 0

    @property
    def times_out(self) -> bool:
        """Whether the alarm stops every run of the job."""
        return self.has_timeout and self.alarm_works and self.run_time > self.job_timeout

    @property
    def overruns(self) -> bool:
        """Whether the job, its alarm being of no use, goes on until its worker kills the horse."""
        too_long = self.run_time > self.job_timeout + GRACE
        return self.watches_horses and self.has_timeout and not self.alarm_works and too_long

    @property
    def may_end_overrun(self) -> bool:
        """Whether an overrunning job may return before its worker's next look at it."""
        return self.run_time <= self.job_timeout + GRACE + self.job_monitoring_interval

    @property
    def outlives_entry(self) -> bool:
        """Whether a run can be longer than its registry entry lasts without heartbeats.

        The first entry is what counts: a worker that dies at once leaves the horse alone with it.
        """
        if not self.has_horses and not self.has_timeout:
            return self.run_time > ALONE
        wait = self.job_monitoring_interval if self.watches_horses else self.job_timeout
        lasts = (min(self.job_timeout, wait) if self.has_timeout else wait) + GRACE
        return (self.job_timeout if self.times_out else self.run_time) > lasts
