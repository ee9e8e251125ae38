"""The passing of time in RQ: heartbeats, expiry, the minute of grace, jobs past their timeout."""

from __future__ import annotations

from twice.model import action, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import BEFORE_BODY, HORSE, MID_JOB, Entry, FirstSeen, Phase, Process
from twice.protocols.rq_worker import MONITOR

HEARTBEAT = "rq {version}: worker/base.py:maintain_heartbeats"
SCORE = "rq {version}: worker/base.py:get_heartbeat_ttl"
MINUTE = "rq {version}: intermediate_queue.py:should_be_cleaned_up"


class TimeSteps(RQMoves):
    """What happens because time passes.

    A worker that runs and waits for its horse refreshes its entry before it expires. So an entry
    expires only when its worker is dead or paused; and while a horse still acts, only if the job
    can run longer than the entry lasts. No entry expires while a process that runs is between two
    quick steps: it might as well have expired before the first of them.
    """

    @action(source=SCORE, by="environment", to="Redis", given=lambda m: not m.entry_by_job)
    def expire_entry(self, w: Worker) -> None:
        """The entry of {w} in the StartedJobRegistry expires: no heartbeat came."""
        require(self.entry[w] == Entry.VALID, ~self.somebody_hurries())
        if self.watches_horses:
            require(self.process[w].is_in(Process.DEAD, Process.PAUSED, Process.FROZEN))
        in_time = BEFORE_BODY if self.outlives_entry else HORSE
        require(~(self.horse_acts(w) & self.phase[w].is_in(*in_time)))
        self.entry[w] = Entry.EXPIRED

    @action(
        source=HEARTBEAT,
        by="{w}",
        to="Redis",
        given=lambda m: not m.entry_by_job and m.watches_horses and not m.overruns,
    )
    def refresh_entry(self, w: Worker) -> None:
        """{w} is back and refreshes its expired entry, which is still there (ZADD XX)."""
        require(self.is_expired(w), self.phase[w].is_in(*HORSE))
        if self.rereads_job:  # the execution's hash has expired for good
            require(self.phase[w] != Phase.FORKED)
        require(self.acts(w), self.redis_answers())
        self.entry[w] = Entry.VALID

    @action(source=MINUTE, by="environment", to="Redis", given=lambda m: m.sweeps_intermediate)
    def pass_a_minute(self, t: Task) -> None:
        """A minute passes since {t} was first seen in the intermediate list."""
        require(self.first_seen[t] == FirstSeen.RECENTLY, ~self.somebody_hurries())
        self.first_seen[t] = FirstSeen.LONG_AGO

    @action(
        source=SCORE,
        by="environment",
        to="Redis",
        given=lambda m: not m.entry_by_job and m.overruns,
    )
    def expire_overrun_entry(self, w: Worker) -> None:
        """The job of {w} is a minute past its timeout: heartbeats prolong its entry no more."""
        require(self.entry[w] == Entry.VALID, self.phase[w].is_in(*MID_JOB), self.acts(w))
        require(~self.somebody_hurries())
        self.entry[w] = Entry.EXPIRED

    @action(source=MONITOR, by="{w}", to="horse of {w}", given=lambda m: m.overruns)
    def kill_overrun_horse(self, w: Worker) -> None:
        """{w} finds its job over a minute past its timeout and kills the horse."""
        require(self.phase[w].is_in(*MID_JOB), self.acts(w))
        self.horse_dies(w)

    @action(
        source=MONITOR,
        by="{w}",
        to="horse of {w}",
        given=lambda m: m.has_timeout and m.watches_horses,
    )
    def kill_overdue_horse(self, w: Worker) -> None:
        """{w}, back after a pause, finds its job overdue and kills the horse, if it is there."""
        require(self.process[w] == Process.OVERDUE)
        self.process[w] = Process.RUNNING
        self.phase[w] = Phase.HORSE_DEAD
