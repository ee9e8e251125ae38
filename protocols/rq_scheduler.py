"""The scheduler of RQ: the only process that takes ids out of the ScheduledJobRegistry."""

from __future__ import annotations

from twice.model import action, fault, require
from twice.protocols.delivery import Task
from twice.protocols.rq_moves import RQMoves

DUE = "rq {version}: scheduler.py:enqueue_scheduled_jobs"


class SchedulerSteps(RQMoves):
    """A scheduler moves due jobs to the queue.

    It reads, then writes, and here that is one step unless it is paused in between: nobody else
    takes ids out of the registry but another scheduler, once this one's lock has expired.
    """

    @action(source=DUE, by="scheduler", to="Redis", given=lambda m: m.has_scheduler)
    def enqueue_due(self, t: Task) -> None:
        """The scheduler finds {t} due and moves it to the queue."""
        require(self.scheduled[t], self.redis_answers(), ~self.somebody_hurries())
        self.put_in_queue(t, self.retries_left[t])
        self.scheduled[t] = False

    @fault(
        kind="pause",
        source=DUE,
        by="environment",
        to="scheduler",
        given=lambda m: m.has_scheduler,
    )
    def pause_scheduler(self, t: Task) -> None:
        """The scheduler, having read that {t} is due, is paused until another has its lock."""
        require(self.scheduled[t], self.late_push[t] == 0, ~self.somebody_hurries())
        self.late_push[t] = self.retries_left[t] + 1

    @action(source=DUE, by="scheduler", to="Redis", given=lambda m: m.has_scheduler)
    def enqueue_late(self, t: Task) -> None:
        """The paused scheduler wakes up and pushes {t} as it had read it."""
        require(self.late_push[t] > 0, self.redis_answers())
        self.put_in_queue(t, self.late_push[t] - 1)
        self.scheduled[t] = False
        self.late_push[t] = 0
