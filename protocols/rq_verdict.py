"""A worker whose horse died judges the job: it reads the status, then acts on what it read."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, RETRY
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Phase, Status
from twice.protocols.rq_worker import MONITOR

FINAL = (Status.FINISHED, Status.FAILED, Status.NONE)
"""What a worker is content with; NONE stands for a hash that is gone."""


class VerdictSteps(RQMoves):
    """The verdict, whoever owns the job by now, with the retries read when it was popped."""

    @action(
        source=MONITOR, by="{w}", to="Redis", given=lambda m: m.has_horses and not m.watches_horses
    )
    def ignore_dead_horse(self, t: Task, w: Worker) -> None:
        """{w} does not ask how its horse ended, and is idle."""
        require(self.phase[w] == Phase.HORSE_DEAD, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.becomes_idle(t, w)

    @action(source=MONITOR, by="{w}", to="Redis", given=lambda m: m.watches_horses)
    def see_final_status(self, t: Task, w: Worker) -> None:
        """{w}, its horse dead, reads that {t} has a final status and lets it be."""
        require(self.phase[w] == Phase.HORSE_DEAD, self.job[w] == t, self.acts(w))
        require(self.status[t].is_in(*FINAL), self.redis_answers())
        self.becomes_idle(t, w)

    @action(source=MONITOR, by="{w}", to="Redis", given=lambda m: m.watches_horses)
    def see_open_status(self, t: Task, w: Worker) -> None:
        """{w}, its horse dead, reads that {t} is neither finished nor failed."""
        require(self.phase[w] == Phase.HORSE_DEAD, self.job[w] == t, self.acts(w))
        require(~self.status[t].is_in(*FINAL), self.redis_answers())
        self.phase[w] = Phase.VERDICT

    @action(
        source=FAILURE, by="{w}", to="Redis", given=lambda m: m.watches_horses and m.retries_at_once
    )
    def retry_by_worker(self, t: Task, w: Worker) -> None:
        """{w} remembers a retry left for {t} and pushes it back to the queue."""
        require(self.phase[w] == Phase.VERDICT, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.put_back(t, w)
        self._close_verdict(t, w)

    @action(
        source=RETRY, by="{w}", to="Redis", given=lambda m: m.watches_horses and m.retries_later
    )
    def mark_scheduled_by_worker(self, t: Task, w: Worker) -> None:
        """{w} remembers a retry left for {t} and first sets its status to scheduled."""
        require(self.phase[w] == Phase.VERDICT, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.status[t] = Status.SCHEDULED
        self.phase[w] = Phase.VERDICT_SCHEDULING

    @action(
        source=FAILURE, by="{w}", to="Redis", given=lambda m: m.watches_horses and m.retries_later
    )
    def schedule_by_worker(self, t: Task, w: Worker) -> None:
        """{w} adds {t} to the ScheduledJobRegistry, due in {retry_interval} s."""
        require(self.phase[w] == self.before_scheduling(Phase.VERDICT_SCHEDULING))
        require(self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.put_in_schedule(t, self.memory[w])
        self.save_arguments(t, w)
        self._close_verdict(t, w)

    @action(source=FAILURE, by="{w}", to="Redis", given=lambda m: m.watches_horses)
    def fail_by_worker(self, t: Task, w: Worker) -> None:
        """{w} remembers no retry left for {t} and records it as failed."""
        require(self.phase[w] == Phase.VERDICT, self.job[w] == t, self.memory[w] == 0)
        require(self.acts(w), self.redis_answers())
        self.put_in_failed(t, self.memory[w])
        self.save_arguments(t, w)
        self._close_verdict(t, w)

    def _close_verdict(self, t: Task, w: Worker) -> None:
        """A verdict drops this execution's entry; it never touches the intermediate list."""
        self.remove_entry(t, w)
        self.becomes_idle(t, w)
