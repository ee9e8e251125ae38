"""Before RQ 2.0 a job has one entry in the StartedJobRegistry, whoever runs it, however often."""

from __future__ import annotations

from twice.model import Bool, action, count, exists, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import BEFORE_BODY, HORSE, MID_JOB, Entry, Phase
from twice.protocols.rq_time import HEARTBEAT, SCORE
from twice.protocols.rq_worker import EXECUTE

ENDED = "rq {version}: worker/base.py:perform_job"


class JobEntrySteps(RQMoves):
    """The horse makes the entry; any attempt's worker refreshes it, any attempt's end drops it."""

    @action(source=EXECUTE, by="{w}", to="Redis", given=lambda m: m.entry_by_job)
    def become_busy(self, w: Worker) -> None:
        """{w} becomes busy with the job it popped, of which Redis knows nothing yet."""
        require(self.phase[w] == Phase.FETCHED, self.acts(w), self.redis_answers())
        self.phase[w] = Phase.TAKEN_UP

    @action(source=SCORE, by="environment", to="Redis", given=lambda m: m.entry_by_job)
    def expire_job_entry(self, t: Task) -> None:
        """The entry of {t} in the StartedJobRegistry expires: no heartbeat came."""
        require(self.wip[t] == Entry.VALID, ~self.somebody_hurries())
        require(~exists(Worker, lambda w: self._is_refreshed_by(t, w)))
        self.wip[t] = Entry.EXPIRED

    def _is_refreshed_by(self, t: Task, w: Worker) -> Bool:
        """Whether the entry cannot expire because of this attempt."""
        in_time = BEFORE_BODY if self.outlives_entry else HORSE
        ends_before = self.horse_acts(w) & self.phase[w].is_in(*in_time)
        if not self.watches_horses:
            return (self.job[w] == t) & ends_before
        return (self.job[w] == t) & (self._has_heartbeats(w) | ends_before)

    def _has_heartbeats(self, w: Worker) -> Bool:
        """Whether a worker sends heartbeats for its horse."""
        return self.acts(w) & self.phase[w].is_in(*HORSE)

    @action(
        source=HEARTBEAT,
        by="{w}",
        to="Redis",
        given=lambda m: m.entry_by_job and m.watches_horses and not m.overruns,
    )
    def refresh_job_entry(self, t: Task, w: Worker) -> None:
        """{w} refreshes the expired entry of {t}, which is still there (ZADD XX)."""
        require(self.has_expired_entry(t), self.job[w] == t, self._has_heartbeats(w))
        require(self.redis_answers())
        self.wip[t] = Entry.VALID

    @action(
        source=SCORE,
        by="environment",
        to="Redis",
        given=lambda m: m.entry_by_job and m.overruns,
    )
    def expire_overrun_job_entry(self, t: Task) -> None:
        """{t} is a minute past its timeout: heartbeats prolong its entry no more."""
        require(self.wip[t] == Entry.VALID, ~self.somebody_hurries())
        require(count(Worker, lambda w: (self.job[w] == t) & self._has_heartbeats(w)) == 1)
        self.require_overrun(t)
        self.wip[t] = Entry.EXPIRED

    def require_overrun(self, t: Task) -> None:
        """Some worker that acts waits for a body of the job; of several one has just begun."""
        require(
            exists(
                Worker,
                lambda w: (self.job[w] == t) & self.acts(w) & self.phase[w].is_in(*MID_JOB),
            )
        )


class RenewalSteps(JobEntrySteps):
    """In 1.x a horse whose body ended adds its job to the registry, be it there or not (ZADD).

    An entry that maintenance has dropped is there again; the attempt's last transaction drops it,
    together with what another attempt relied on.
    """

    @action(source=ENDED, by="horse of {w}", to="Redis", given=lambda m: m.renews_at_end)
    def renew_after_return(self, t: Task, w: Worker) -> None:
        """The horse of {w}, its body returned, enters {t} in the registry for another minute."""
        self._renew(t, w, Phase.RETURNED, Phase.RETURNED_RENEWED)

    @action(source=ENDED, by="horse of {w}", to="Redis", given=lambda m: m.renews_at_end)
    def renew_after_failure(self, t: Task, w: Worker) -> None:
        """The horse of {w}, its body failed, enters {t} in the registry for another minute."""
        self._renew(t, w, Phase.RAISED, Phase.RAISED_RENEWED)

    def _renew(self, t: Task, w: Worker, before: Phase, after: Phase) -> None:
        """The entry is there and valid."""
        require(self.phase[w] == before, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.wip[t] = Entry.VALID
        self.phase[w] = after
