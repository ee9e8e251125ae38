"""Replies of Redis that get lost: Redis has acted, and the client does not know."""

from __future__ import annotations

from twice.model import fault, require
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_horse import FAILURE, PREPARE, SUCCESS, HorseSteps
from twice.protocols.rq_intermediate_sweep import IntermediateSweepSteps
from twice.protocols.rq_producer import PUSH, EnqueueSteps
from twice.protocols.rq_scheduler import ENQUEUE_DUE, SchedulerSteps
from twice.protocols.rq_started_sweep import SWEEP
from twice.protocols.rq_state import HORSE, Entry, Phase, Producer
from twice.protocols.rq_time import HEARTBEAT
from twice.protocols.rq_worker import MONITOR, POP, READ, REGISTER


class UnheardEffects(EnqueueSteps, HorseSteps, SchedulerSteps, IntermediateSweepSteps):
    """What Redis does for a client that does not hear of it: the client stays where it is.

    A client that resends then does the same once more, by the ordinary action. All resent commands write the same
    values; only a push is there twice.
    """

    def push_unheard(self, t: Task) -> None:
        """The enqueueing transaction was done."""
        require(self.producer[t] == Producer.PUSHED, self.redis_answers())
        self.lose_answer_to_push(t)

    def pop_unheard(self, t: Task, w: Worker) -> None:
        """The id was popped; the worker will simply pop again."""
        require(self.phase[w] == Phase.IDLE, self.acts(w), ~self.stop_requested[w])
        require(self.queue[t] > 0, self.producer[t] != Producer.PUSHED, self.redis_answers())
        self.move_to_intermediate(t)

    def horse_retry_unheard(self, t: Task, w: Worker) -> None:
        """The horse's retry was pushed."""
        require(self.phase[w] == Phase.RAISED, self.job[w] == t, self.memory[w] > 0)
        require(self.horse_acts(w), self.redis_answers())
        self.put_in_queue(t, self.memory[w] - 1)
        self.entry[w] = Entry.NONE

    def worker_retry_unheard(self, t: Task, w: Worker) -> None:
        """The retry of the worker's verdict was pushed."""
        require(self.phase[w] == Phase.VERDICT, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.put_in_queue(t, self.memory[w] - 1)
        self.entry[w] = Entry.NONE

    def abandoned_retry_unheard(self, t: Task, w: Worker) -> None:
        """The retry of an abandoned job was pushed."""
        require(self.phase[w] == Phase.ABANDONED, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.push_abandoned(t, w)

    def stuck_retry_unheard(self, t: Task, w: Worker) -> None:
        """The retry of a job held stuck was pushed."""
        require(self.phase[w] == Phase.STUCK, self.job[w] == t, self.memory[w] > 0)
        require(self.acts(w), self.redis_answers())
        self.put_in_queue(t, self.memory[w] - 1)

    def due_push_unheard(self, t: Task) -> None:
        """The due job was pushed; the scheduler's next transaction takes it out of the registry again."""
        require(self.scheduled[t], self.redis_answers())
        self.put_in_queue(t, self.retries_left[t])

    def commit_unheard(self, t: Task, w: Worker) -> None:
        """The success was recorded; since the transaction watches a key, RQ itself does it again."""
        require(
            self.phase[w] == Phase.RETURNED,
            self.job[w] == t,
            self.horse_acts(w),
            self.redis_answers(),
        )
        self.write_success(t, w)


class LostReplies(UnheardEffects):
    """A reply is lost, the connection breaks, and Redis stays up."""

    @fault(kind="reply_lost", source=PUSH, by="environment", to="producer")
    def lose_reply_to_enqueue(self, t: Task) -> None:
        """The reply to the push of {t} is lost on its way to the producer."""
        self.push_unheard(t)

    @fault(kind="reply_lost", source=POP, by="environment", to="{w}")
    def lose_reply_to_pop(self, t: Task, w: Worker) -> None:
        """Redis pops {t} for {w}, and the reply is lost: {w} goes on waiting for a job."""
        self.pop_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=FAILURE,
        by="environment",
        to="horse of {w}",
        given=lambda m: m.resends and m.retries_at_once,
    )
    def lose_reply_to_retry_by_horse(self, t: Task, w: Worker) -> None:
        """The horse of {w} pushes {t} back to the queue, and the reply is lost: it will push again."""
        self.horse_retry_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=FAILURE,
        by="environment",
        to="{w}",
        given=lambda m: m.resends and m.retries_at_once,
    )
    def lose_reply_to_retry_by_worker(self, t: Task, w: Worker) -> None:
        """{w} pushes {t} back to the queue, and the reply is lost: it will push again."""
        self.worker_retry_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=SWEEP,
        by="environment",
        to="{w}",
        given=lambda m: m.resends and m.retries_at_once and m.maintenance,
    )
    def lose_reply_to_retry_abandoned(self, t: Task, w: Worker) -> None:
        """{w} pushes the abandoned {t} back to the queue, and the reply is lost: it will push again."""
        self.abandoned_retry_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=FAILURE,
        by="environment",
        to="{w}",
        given=lambda m: m.resends and m.retries_at_once and m.sweeps_intermediate,
    )
    def lose_reply_to_retry_stuck(self, t: Task, w: Worker) -> None:
        """{w} pushes {t}, which it holds stuck, back to the queue, and the reply is lost: it will push again."""
        self.stuck_retry_unheard(t, w)

    @fault(
        kind="reply_lost",
        source=ENQUEUE_DUE,
        by="environment",
        to="scheduler",
        given=lambda m: m.resends and m.has_scheduler,
    )
    def lose_reply_to_enqueue_due(self, t: Task) -> None:
        """The scheduler moves {t} to the queue, and the reply is lost: it will push again."""
        self.due_push_unheard(t)

    @fault(kind="reply_lost", source=SUCCESS, by="environment", to="horse of {w}")
    def lose_reply_to_commit(self, t: Task, w: Worker) -> None:
        """The horse of {w} records {t} as finished, and the reply is lost: it will record it again."""
        self.commit_unheard(t, w)


class UnresentCommands(LostReplies):
    """With redis-py 5 and older a lost reply is an exception in RQ."""

    @fault(
        kind="reply_lost", source=READ, by="environment", to="{w}", given=lambda m: not m.resends
    )
    def lose_reply_to_read(self, t: Task, w: Worker) -> None:
        """{w} does not get the hash of {t}, forgets the id it popped, and pops again."""
        require(self.phase[w] == Phase.POPPED, self.job[w] == t, self.acts(w))
        self.becomes_idle(t, w)

    @fault(
        kind="reply_lost",
        source=REGISTER,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends,
    )
    def lose_reply_to_registration(self, w: Worker) -> None:
        """{w} registers the execution, does not hear of it, and quits."""
        require(self.phase[w] == Phase.FETCHED, self.acts(w), self.redis_answers())
        self.entry[w] = Entry.VALID
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source=PREPARE,
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends,
    )
    def lose_reply_to_horse_registration(self, t: Task, w: Worker) -> None:
        """The horse of {w} sets {t} to started, does not hear of it, and takes that for a failure of the job."""
        require(
            self.phase[w] == Phase.FORKED,
            self.job[w] == t,
            self.horse_acts(w),
            self.redis_answers(),
        )
        self.mark_started(t)
        self.phase[w] = Phase.RAISED

    @fault(
        kind="reply_lost",
        source=HEARTBEAT,
        by="environment",
        to="{w}",
        given=lambda m: not m.resends,
    )
    def lose_reply_to_heartbeat(self, w: Worker) -> None:
        """{w} hears no answer to a heartbeat and quits; its horse goes on alone."""
        require(self.phase[w].is_in(*HORSE), self.acts(w), self.redis_answers())
        self.worker_ends(w)

    @fault(
        kind="reply_lost",
        source="rq 3.0.0: worker/base.py:handle_execution_ended",
        by="environment",
        to="horse of {w}",
        given=lambda m: not m.resends,
    )
    def lose_reply_after_body(self, w: Worker) -> None:
        """The horse of {w}, its job done, hears no answer to a heartbeat and takes that for a failure of the job."""
        require(self.phase[w] == Phase.RETURNED, self.horse_acts(w), self.redis_answers())
        self.phase[w] = Phase.RAISED

    @fault(
        kind="reply_lost", source=MONITOR, by="environment", to="{w}", given=lambda m: not m.resends
    )
    def lose_reply_to_status(self, w: Worker) -> None:
        """{w}, whose horse died, hears no answer when it asks for the status, and quits without a verdict."""
        require(self.phase[w] == Phase.HORSE_DEAD, self.acts(w), self.redis_answers())
        self.worker_ends(w)
