"""The scheduler of RQ: the only process that takes ids out of the ScheduledJobRegistry."""

from __future__ import annotations

from twice.model import action, fault, require
from twice.protocols.delivery import Task
from twice.protocols.rq_moves import RQMoves

ENQUEUE_DUE = "rq 3.0.0: scheduler.py:enqueue_scheduled_jobs"


class SchedulerSteps(RQMoves):
    """A scheduler moves due jobs to the queue.

    Its reading and its transaction are one step, unless it is paused between them: nobody else takes an id out
    of the registry, so nothing can go wrong in between but that, its lock having expired, another scheduler does the
    same.
    """

    @property
    def has_scheduler(self) -> bool:
        """Whether there are scheduled jobs and somebody to move them."""
        return self.retries_later and self.with_scheduler

    @action(source=ENQUEUE_DUE, by="scheduler", to="Redis", given=lambda m: m.has_scheduler)
    def enqueue_due(self, t: Task) -> None:
        """The scheduler finds {t} due and moves it to the queue."""
        require(self.scheduled[t], self.redis_answers(), ~self.somebody_hurries())
        self.put_in_queue(t, self.retries_left[t])
        self.scheduled[t] = False

    @fault(
        kind="pause",
        source=ENQUEUE_DUE,
        by="environment",
        to="scheduler",
        given=lambda m: m.has_scheduler,
    )
    def pause_scheduler(self, t: Task) -> None:
        """The scheduler, having read that {t} is due, is paused until another one has its lock."""
        require(self.scheduled[t], self.late_push[t] == 0, self.redis_answers())
        self.late_push[t] = self.retries_left[t] + 1

    @action(source=ENQUEUE_DUE, by="scheduler", to="Redis", given=lambda m: m.has_scheduler)
    def enqueue_due_late(self, t: Task) -> None:
        """The paused scheduler wakes up and pushes {t} as it read it before."""
        require(self.late_push[t] > 0, self.redis_answers())
        self.put_in_queue(t, self.late_push[t] - 1)
        self.scheduled[t] = False
        self.late_push[t] = 0
