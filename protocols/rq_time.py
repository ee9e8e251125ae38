"""The passing of time in RQ: heartbeats, expiry, the minute of grace, and jobs past their timeout."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import HORSE, MID_JOB, Entry, FirstSeen, Phase, Process
from twice.protocols.rq_worker import MONITOR

HEARTBEAT = "rq 3.0.0: worker/base.py:maintain_heartbeats"
TTL = "rq 3.0.0: worker/base.py:get_heartbeat_ttl"


class TimeSteps(RQMoves):
    """What happens because time passes.

    A worker that runs and waits for its horse refreshes its entry before it expires. So an entry expires only when
    its worker is dead or paused, and, while a horse still acts, only if the job can run longer than the entry lasts.
    """

    @action(source=TTL, by="time", to="Redis")
    def expire_entry(self, w: Worker) -> None:
        """The entry of {w} in the StartedJobRegistry expires: no heartbeat has come."""
        require(self.entry[w] == Entry.VALID)
        require(self.process[w].is_in(Process.DEAD, Process.PAUSED, Process.FROZEN))
        horse_gets_done = self.horse_acts(w) & self.phase[w].is_in(*HORSE, Phase.EXITING)
        if self.outlives_entry:
            horse_gets_done = self.horse_acts(w) & self.phase[w].is_in(
                Phase.FORKED, Phase.HORSE_READY
            )
        require(~horse_gets_done)
        self.entry[w] = Entry.EXPIRED

    @action(source=HEARTBEAT, by="{w}", to="Redis", given=lambda m: not m.overruns)
    def refresh_entry(self, w: Worker) -> None:
        """{w} awakes in time to refresh its expired entry, which nobody has seen yet (ZADD XX)."""
        require(
            self.entry[w] == Entry.EXPIRED,
            self.phase[w].is_in(*HORSE),
            self.acts(w),
            self.redis_answers(),
        )
        self.entry[w] = Entry.VALID

    @action(
        source="rq 3.0.0: intermediate_queue.py:should_be_cleaned_up",
        by="time",
        to="Redis",
        given=lambda m: m.pops_by_move and m.maintenance,
    )
    def pass_a_minute(self, t: Task) -> None:
        """More than a minute passes since {t} was first seen in the intermediate list."""
        require(self.first_seen[t] == FirstSeen.RECENTLY, ~self.somebody_hurries())
        self.first_seen[t] = FirstSeen.LONG_AGO

    @action(source=TTL, by="time", to="Redis", given=lambda m: m.overruns)
    def expire_overrun_entry(self, w: Worker) -> None:
        """{w} is a minute past the timeout of its job, and its heartbeats cannot prolong the entry any more."""
        require(self.entry[w] == Entry.VALID, self.phase[w].is_in(*MID_JOB), self.acts(w))
        self.entry[w] = Entry.EXPIRED

    @action(source=MONITOR, by="{w}", to="horse of {w}", given=lambda m: m.overruns)
    def kill_overrun_horse(self, w: Worker) -> None:
        """{w} finds its job more than a minute past its timeout and kills the horse."""
        require(self.phase[w].is_in(*MID_JOB), self.acts(w))
        self.horse_dies(w)

    @action(source=MONITOR, by="{w}", to="horse of {w}", given=lambda m: m.has_timeout)
    def kill_overdue_horse(self, w: Worker) -> None:
        """{w}, awake again, finds its job more than a minute past its timeout and kills the horse, if it still runs."""
        require(self.process[w] == Process.OVERDUE)
        self.process[w] = Process.RUNNING
        self.phase[w] = Phase.HORSE_DEAD
