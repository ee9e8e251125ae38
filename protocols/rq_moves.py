"""Effects that several steps of RQ share: what a transaction writes, how an attempt ends."""

from __future__ import annotations

from twice.model import Bool, Expr, each, ite, when
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_dependent_state import Dependents
from twice.protocols.rq_state import HORSE, Entry, FirstSeen, Phase, Process, Status

LISTED = {
    Phase.HORSE_SCHEDULING: Phase.HORSE_LISTED,
    Phase.VERDICT_SCHEDULING: Phase.VERDICT_LISTED,
    Phase.ABANDONED_SCHEDULING: Phase.ABANDONED_LISTED,
    Phase.STUCK_SCHEDULING: Phase.STUCK_LISTED,
}
"""After the status scheduled: the ScheduledJobRegistry has the id, where it is written first."""


class RQMoves(Dependents):
    """The moves; none is an action of its own."""

    # Transactions.

    def put_in_queue(self, t: Task, retries: int | Expr[int]) -> None:
        """Save the hash as queued, and push the id (`Queue._enqueue_job`)."""
        self.status[t] = Status.QUEUED
        self.retries_left[t] = retries
        self.queue[t] = self.one_copy_more(t)

    def put_back(self, t: Task, w: Worker) -> None:
        """Save the hash as the worker remembers it, a retry less, and push the id (`Job.retry`)."""
        self.put_in_queue(t, self.memory[w] - 1)
        self.save_arguments(t, w)

    def one_copy_more(self, t: Task) -> Expr[int]:
        """How many copies of the id the queue has after a push (RPUSH)."""
        return ite(self.queue[t] > 0, 2, 1)

    def put_in_schedule(self, t: Task, memory: Expr[int]) -> None:
        """Save the hash as scheduled, a retry less, and add the id (`Queue.schedule_job`)."""
        self.status[t] = Status.SCHEDULED
        self.retries_left[t] = memory - 1
        if self.schedules_at_once:
            self.scheduled[t] = True

    def before_scheduling(self, said: Phase) -> Phase:
        """How far a process is before it saves a job as scheduled, having said so."""
        return said if self.schedules_at_once else LISTED[said]

    def put_in_failed(self, t: Task, memory: Expr[int]) -> None:
        """Save the hash as failed, and add the id to the registry (`Job._handle_failure`)."""
        self.status[t] = Status.FAILED
        self.retries_left[t] = memory
        self.failed[t] = True

    def put_in_finished(self, t: Task, w: Worker) -> None:
        """Save the hash as finished, and drop the entry (`handle_job_success`)."""
        self.status[t] = Status.FINISHED
        self.retries_left[t] = self.horse_memory(w)
        self.save_arguments(t, w)
        self.release_with_commit(t)
        self.remove_entry(t, w)

    def mark_started(self, t: Task) -> None:
        """Set the status to started, and clear the intermediate list (`prepare_job_execution`)."""
        self.status[t] = Status.STARTED
        if self.entry_by_job:
            self.wip[t] = Entry.VALID
        if self.single_queue:
            self.leave_intermediate(t)

    def remove_entry(self, t: Task, w: Worker) -> None:
        """Drop the entry of this attempt; if all attempts have only one, that (ZREM)."""
        if self.entry_by_job:
            self.wip[t] = Entry.NONE
        else:
            self.entry[w] = Entry.NONE

    def see_expired(self, t: Task) -> None:
        """A pass reads the job's expired entries (ZRANGEBYSCORE)."""
        if self.entry_by_job:
            self.wip[t] = Entry.SEEN
            return
        for v in each(Worker):
            with when((self.job[v] == t) & (self.entry[v] == Entry.EXPIRED)):
                self.entry[v] = Entry.SEEN
        total = self.leftover_seen[t] + self.leftover[t]
        self.leftover_seen[t] = ite(total > 1, 2, total)
        self.leftover[t] = 0

    def drop_seen(self, t: Task) -> None:
        """Drop the entries that were read, if none was refreshed (ZREMRANGEBYSCORE)."""
        if self.entry_by_job:
            with when(self.wip[t] == Entry.SEEN):
                self.wip[t] = Entry.NONE
            return
        for v in each(Worker):
            with when((self.job[v] == t) & (self.entry[v] == Entry.SEEN)):
                self.entry[v] = Entry.NONE
                with when(self._slot_is_dead(v)):
                    self.job[v] = None
        self.leftover_seen[t] = 0

    def leave_queue(self, t: Task) -> None:
        """Take an id from the queue, and keep it in the intermediate list if there is one."""
        self.queue[t] = self.queue[t] - 1
        if self.pops_by_move:
            self.intermediate[t] = ite(self.intermediate[t] > 0, 2, 1)

    def leave_intermediate(self, t: Task) -> None:
        """Take one copy of the id out of the intermediate list (LREM 1), if one is there."""
        if self.pops_by_move:
            self.intermediate[t] = ite(self.intermediate[t] > 1, 1, 0)

    def lose_redis_data(self) -> None:
        """Redis has nothing any more; processes keep what they have in memory."""
        for t in each(Task):
            self.queue[t] = 0
            self.intermediate[t] = 0
            self.status[t] = Status.NONE
            self.retries_left[t] = 0
            self.scheduled[t] = False
            self.failed[t] = False
            self.first_seen[t] = FirstSeen.NEVER
            self.leftover[t] = 0
            self.leftover_seen[t] = 0
            self.wip[t] = Entry.NONE
            self.lose_arguments(t)
        for w in each(Worker):
            self.entry[w] = Entry.NONE
            with when(self._slot_is_dead(w)):
                self.job[w] = None

    # Ends of an attempt.

    def becomes_idle(self, t: Task, w: Worker) -> None:
        """The worker is done with the job; an entry that is still there is nobody's now."""
        with when(self.entry[w] == Entry.SEEN):  # the pass that read it drops it in the end
            self.leftover_seen[t] = ite(self.leftover_seen[t] > 0, 2, 1)
        with when(self.entry[w].is_in(Entry.VALID, Entry.EXPIRED)):
            self.leftover[t] = ite(self.leftover[t] > 0, 2, 1)
        self.entry[w] = Entry.NONE
        self.job[w] = None
        self.forget(w)
        self.phase[w] = Phase.IDLE

    def worker_ends(self, w: Worker) -> None:
        """The worker's process is gone; a horse that still runs goes on as an orphan."""
        if not self.has_horses:
            self.machine_ends(w)
            return
        orphan = self.phase[w].is_in(*HORSE)
        with when(~orphan):
            self._forget_attempt(w)
        self.process[w] = Process.DEAD
        self.stop_requested[w] = False

    def machine_ends(self, w: Worker) -> None:
        """The worker's process and its horse are gone."""
        self._horse_ends(w)
        self._forget_attempt(w)
        self.process[w] = Process.DEAD
        self.stop_requested[w] = False

    def horse_dies(self, w: Worker) -> None:
        """The horse is gone without a normal exit, which only a living worker will notice.

        Where there is no horse, that is the end of the worker.
        """
        if not self.has_horses:
            self.machine_ends(w)
            return
        self._horse_ends(w)
        orphan = self.process[w] == Process.DEAD
        with when(orphan):
            self._forget_attempt(w)
        with when(~orphan):
            self.phase[w] = Phase.HORSE_DEAD

    def horse_is_done(self, w: Worker) -> None:
        """The horse has sent its last transaction and exits normally."""
        self._horse_ends(w)
        orphan = self.process[w] == Process.DEAD
        with when(orphan):
            self._forget_attempt(w)
        with when(~orphan):
            self.phase[w] = Phase.EXITING

    def _horse_ends(self, w: Worker) -> None:
        """What a horse had read itself is gone with it."""
        if self.rereads_job:
            self.reread[w] = 0

    def _forget_attempt(self, w: Worker) -> None:
        """No process is left of the attempt; its registry entry may be."""
        self.phase[w] = Phase.IDLE
        self.forget(w)
        with when(self.entry[w] == Entry.NONE):
            self.job[w] = None

    def _slot_is_dead(self, w: Worker) -> Bool:
        """Whether neither the worker nor a horse of it lives."""
        return (self.process[w] == Process.DEAD) & (self.phase[w] == Phase.IDLE)
