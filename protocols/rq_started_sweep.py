"""Maintenance in RQ, first part: expired entries of the StartedJobRegistry."""

from __future__ import annotations

from twice.model import action, ite, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import RETRY
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Phase, Status

SWEEP = "rq {version}: registry.py:StartedJobRegistry.cleanup"


class StartedSweepSteps(RQMoves):
    """An idle worker handles abandoned jobs: it reads the entries, then the hash, then acts.

    One pass of RQ does this for all jobs, with one transaction at the end. Here each job has a
    pass of its own, which for that job is the same. Two expired entries of one job are two
    retries in one transaction, as in RQ.
    """

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.maintenance)
    def see_expired_entry(self, t: Task, w: Worker) -> None:
        """{w}, in a maintenance pass, finds an expired execution of {t} registered."""
        require(self.phase[w] == Phase.IDLE, self.begins_pass(w), self.has_expired_entry(t))
        self.see_expired(t)
        self.job[w] = t
        self.phase[w] = Phase.SAW_EXPIRED

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and m.asks_for_status,
    )
    def find_abandoned(self, t: Task, w: Worker) -> None:
        """{w} reads that {t} is started: it must be abandoned."""
        require(self.phase[w] == Phase.SAW_EXPIRED, self.job[w] == t, self.acts(w))
        require(self.status[t] == Status.STARTED, self.redis_answers())
        self.remember(t, w)
        self.phase[w] = Phase.ABANDONED

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and m.asks_for_status,
    )
    def find_not_started(self, t: Task, w: Worker) -> None:
        """{w} reads that {t} is not started: the entry must be a leftover."""
        require(self.phase[w] == Phase.SAW_EXPIRED, self.job[w] == t, self.acts(w))
        require(self.status[t] != Status.STARTED, self.redis_answers())
        self.phase[w] = Phase.DROPPING

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and not m.asks_for_status,
    )
    def take_for_abandoned(self, t: Task, w: Worker) -> None:
        """{w} reads the hash of {t}, asks for no status, and takes it for abandoned."""
        require(self.phase[w] == Phase.SAW_EXPIRED, self.job[w] == t, self.acts(w))
        require(self.status[t] != Status.NONE, self.redis_answers())
        self.remember(t, w)
        self.phase[w] = Phase.ABANDONED

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and not m.asks_for_status and m.hash_may_be_missing,
    )
    def find_no_hash_of_entry(self, t: Task, w: Worker) -> None:
        """{w} finds no hash of {t}, whose execution expired."""
        require(self.phase[w] == Phase.SAW_EXPIRED, self.job[w] == t, self.acts(w))
        require(self.status[t] == Status.NONE, self.redis_answers())
        self.phase[w] = Phase.DROPPING

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and (m.asks_for_status or m.hash_may_be_missing),
    )
    def drop_entry(self, t: Task, w: Worker) -> None:
        """{w} drops the expired entry of {t} and does nothing else."""
        require(self.phase[w] == Phase.DROPPING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.drop_seen(t)
        self.end_pass(w)

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.maintenance and m.retries_at_once)
    def retry_abandoned(self, t: Task, w: Worker) -> None:
        """{w} pushes the abandoned {t} back to the queue and drops the expired entry."""
        require(self.phase[w] == Phase.ABANDONED, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.push_abandoned(t, w)
        self.end_pass(w)

    @action(source=RETRY, by="{w}", to="Redis", given=lambda m: m.maintenance and m.retries_later)
    def mark_abandoned_scheduled(self, t: Task, w: Worker) -> None:
        """{w} first sets the status of the abandoned {t} to scheduled."""
        require(self.phase[w] == Phase.ABANDONED, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.status[t] = Status.SCHEDULED
        self.phase[w] = Phase.ABANDONED_SCHEDULING

    @action(source=SWEEP, by="{w}", to="Redis", given=lambda m: m.maintenance and m.retries_later)
    def schedule_abandoned(self, t: Task, w: Worker) -> None:
        """{w} adds {t} to the ScheduledJobRegistry and drops the expired entry."""
        require(self.phase[w] == self.before_scheduling(Phase.ABANDONED_SCHEDULING))
        require(self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.put_in_schedule(t, self.memory[w])
        self.save_arguments(t, w)
        self.drop_seen(t)
        self.end_pass(w)

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and not m.lists_failure_first,
    )
    def fail_abandoned(self, t: Task, w: Worker) -> None:
        """{w} records the abandoned {t}, no retry left, as failed; the entry is dropped."""
        require(self.phase[w] == self.gives_up_from, self.job[w] == t, self.memory[w] == 0)
        require(self.acts(w), self.redis_answers())
        self.put_in_failed(t, self.memory[w])
        self.save_arguments(t, w)
        self.drop_seen(t)
        self.end_pass(w)

    def push_abandoned(self, t: Task, w: Worker) -> None:
        """What the transaction of a retry writes: a push for every expired entry of the job."""
        several = self.seen_entries(t) > 1
        copies = ite(several | (self.queue[t] > 0), 2, 1)
        self.put_back(t, w)
        self.queue[t] = copies
        self.drop_seen(t)

    def end_pass(self, w: Worker) -> None:
        """The worker is idle again; the job it looked at was never its own."""
        self.job[w] = None
        self.forget(w)
        self.phase[w] = Phase.IDLE
