"""Before RQ 2.0 maintenance records a failure bit by bit."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_started_sweep import SWEEP, StartedSweepSteps
from twice.protocols.rq_state import Phase, Status


class SlowFailureSteps(StartedSweepSteps):
    """The status, then the rest together with the entry's end.

    In 1.x the rest is twice written, and the first time the entry is still there.
    """

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and m.says_failed_first,
    )
    def mark_abandoned_failed(self, t: Task, w: Worker) -> None:
        """{w} first sets the status of the abandoned {t}, no retry left, to failed."""
        require(self.phase[w] == Phase.ABANDONED, self.job[w] == t, self.memory[w] == 0)
        require(self.acts(w), self.redis_answers())
        self.status[t] = Status.FAILED
        self.phase[w] = Phase.ABANDONED_FAILING

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and m.lists_failure_first,
    )
    def list_abandoned_failed(self, t: Task, w: Worker) -> None:
        """{w} adds the abandoned {t} to the FailedJobRegistry; its entry is still there."""
        require(self.phase[w] == Phase.ABANDONED_FAILING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.put_in_failed(t, self.memory[w])
        self.save_arguments(t, w)
        self.phase[w] = Phase.ABANDONED_FAILED

    @action(
        source=SWEEP,
        by="{w}",
        to="Redis",
        given=lambda m: m.maintenance and m.lists_failure_first,
    )
    def drop_failed_entry(self, t: Task, w: Worker) -> None:
        """{w} saves {t} as failed once more and drops the expired entry."""
        require(self.phase[w] == Phase.ABANDONED_FAILED, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.status[t] = Status.FAILED
        self.retries_left[t] = self.memory[w]
        self.save_arguments(t, w)
        self.drop_seen(t)
        self.end_pass(w)
