"""Replies of Redis that get lost: Redis has acted, and the client does not know."""

from __future__ import annotations

from twice.model import fault, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, PREPARE, SUCCESS, TwoPartFailureSteps
from twice.protocols.rq_intermediate_sweep import REMOVE, StuckJobSteps
from twice.protocols.rq_producer import PUSH, ProducerCrashes
from twice.protocols.rq_scheduler import DUE, SchedulerSteps
from twice.protocols.rq_started_sweep import SWEEP
from twice.protocols.rq_state import Phase, Producer
from twice.protocols.rq_worker import POP


class UnheardEffects(ProducerCrashes, TwoPartFailureSteps, SchedulerSteps, StuckJobSteps):
    """What Redis does for a client that does not hear of it: the client stays where it is.

    A client that resends does the same once more then, by the ordinary action. What is written
    twice is there once, but for a push, and for LREM, which takes another copy if one is there.
    """

    def push_unheard(self, t: Task) -> None:
        """The enqueueing transaction was done."""
        require(self.producer[t] == Producer.PUSHED, self.redis_answers())
        self.hear_nothing(t)

    def pop_unheard(self, t: Task, w: Worker) -> None:
        """The id was popped; the worker will simply pop again."""
        require(self.phase[w] == Phase.IDLE, self.acts(w), ~self.stop_requested[w])
        require(self.queue[t] > 0, self.producer[t] != Producer.PUSHED, self.redis_answers())
        self.leave_queue(t)

    def retry_by_horse_unheard(self, t: Task, w: Worker) -> None:
        """The horse's retry was pushed."""
        require(self.phase[w] == self.fails_from, self.job[w] == t, self.horse_memory(w) > 0)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_queue(t, self.horse_memory(w) - 1)
        self.save_arguments(t, w)
        self.remove_entry(t, w)

    def retry_by_worker_unheard(self, t: Task, w: Worker) -> None:
        """The retry of the worker's verdict was pushed."""
        require(self.phase[w] == Phase.VERDICT, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.put_back(t, w)
        self.remove_entry(t, w)

    def retry_abandoned_unheard(self, t: Task, w: Worker) -> None:
        """The retry of an abandoned job was pushed."""
        require(self.phase[w] == Phase.ABANDONED, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.push_abandoned(t, w)

    def retry_stuck_unheard(self, t: Task, w: Worker) -> None:
        """The retry of a job held stuck was pushed."""
        require(self.phase[w] == Phase.STUCK, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.put_back(t, w)

    def enqueue_due_unheard(self, t: Task) -> None:
        """The due job was pushed; that it left the registry matters only the second time."""
        require(self.scheduled[t], self.redis_answers(), ~self.somebody_hurries())
        self.put_in_queue(t, self.retries_left[t])

    def commit_unheard(self, t: Task, w: Worker) -> None:
        """The success was recorded; RQ itself repeats a transaction that watches a key."""
        require(self.phase[w] == self.commits_from, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_finished(t, w)


class LostReplies(UnheardEffects):
    """A reply is lost with its connection, and Redis stays up."""

    @fault(kind="reply_lost", source=PUSH, by="environment", to="producer")
    def lose_reply_to_enqueue(self, t: Task) -> None:
        """The reply to the push of {t} is lost on its way to the producer."""
        self.push_unheard(t)

    @fault(kind="reply_lost", source=POP, by="environment", to="{w}")
    def lose_reply_to_pop(self, t: Task, w: Worker) -> None:
        """Redis pops {t} for {w}, and the reply is lost: {w} goes on waiting for a job."""
        self.pop_unheard(t, w)

    @fault(kind="reply_lost", source=SUCCESS, by="environment", to="horse of {w}")
    def lose_reply_to_commit(self, t: Task, w: Worker) -> None:
        """The horse of {w} records {t} as finished, hears nothing, and will do it again."""
        self.commit_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=PREPARE,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.resends and m.pops_by_move,
    )
    def lose_reply_to_horse_registration(self, t: Task, w: Worker) -> None:
        """The horse of {w} registers {t}, hears nothing, and will do it again."""
        require(self.phase[w] == self.registers_from, self.job[w] == t)
        require(self.horse_acts(w), self.redis_answers())
        self.mark_started(t)

    @fault(
        kind="reply_lost",
        source=REMOVE,
        by="environment",
        to="{w}",
        given=lambda m: m.resends and m.sweeps_intermediate,
    )
    def lose_reply_to_removal(self, t: Task, w: Worker) -> None:
        """{w} takes {t} out of the intermediate list, hears nothing, and will do it again."""
        require(self.phase[w] == Phase.REMOVING, self.job[w] == t)
        require(self.acts(w), self.redis_answers())
        self.leave_intermediate(t)

    @fault(
        kind="reply_lost",
        source=FAILURE,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.resends_retries,
    )
    def lose_reply_to_retry_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} pushes {t} back to the queue, hears nothing, and will do it again."""
        self.retry_by_horse_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=FAILURE,
        by="environment",
        to="{w}",
        given=lambda m: m.resends_retries and m.has_horses,
    )
    def lose_reply_to_retry_by_worker(self, t: Task, w: Worker) -> None:
        """{w} pushes {t} back to the queue, hears nothing, and will do it again."""
        self.retry_by_worker_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=SWEEP,
        by="environment",
        to="{w}",
        given=lambda m: m.resends_retries and m.maintenance,
    )
    def lose_reply_to_retry_abandoned(self, t: Task, w: Worker) -> None:
        """{w} pushes the abandoned {t} back to the queue, hears nothing, and will do it again."""
        self.retry_abandoned_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=FAILURE,
        by="environment",
        to="{w}",
        given=lambda m: m.resends_retries and m.sweeps_intermediate,
    )
    def lose_reply_to_retry_stuck(self, t: Task, w: Worker) -> None:
        """{w} pushes {t}, held stuck, back to the queue, hears nothing, will do it again."""
        self.retry_stuck_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=DUE,
        by="environment",
        to="scheduler",
        given=lambda m: m.resends and m.has_scheduler,
    )
    def lose_reply_to_enqueue_due(self, t: Task) -> None:
        """The scheduler moves {t} to the queue, hears nothing, and will do it again."""
        self.enqueue_due_unheard(t)
