"""A second job under the id of the first: RQ asks whether there is one only if told to."""

from __future__ import annotations

from twice.model import Bool, action, require
from twice.protocols.delivery import Task
from twice.protocols.rq_arguments import Again, Call
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_producer import ENQUEUE, PUSH
from twice.protocols.rq_state import Producer, Status

UNIQUE = "rq {version}: scripts.py:save_unique_job"
EXPIRE = "rq {version}: job.py:cleanup"


class SecondCalls(RQMoves):
    """The caller enqueues again once its first call is over, whatever it was told.

    Without `unique` the hash is overwritten and the id is in the list once more. With it, one
    script refuses or saves and pushes; a hash that is left of a finished or failed job counts too.
    The second call meets no fault of its own: none makes possible what is not possible anyway.
    """

    @action(
        source=ENQUEUE,
        by="producer",
        to="Redis",
        given=lambda m: m.enqueued_twice and m.saves_apart,
    )
    def save_second_job(self, t: Task) -> None:
        """The producer saves a second job as {t}, over the first, and has not pushed it yet."""
        require(self.is_called_again(t), self.redis_answers())
        self.again[t] = Again.SAVED
        self.status[t] = Status.QUEUED
        self.arguments[t] = Call.SECOND

    @action(
        source=PUSH,
        by="producer",
        to="Redis",
        given=lambda m: m.enqueued_twice and m.saves_apart,
    )
    def push_second_id(self, t: Task) -> None:
        """The producer pushes the id of {t} for the second job, and is told: enqueued."""
        require(self.again[t] == Again.SAVED, self.redis_answers())
        self.again[t] = Again.TOLD
        self.queue[t] = self.one_copy_more(t)

    @action(
        source=PUSH,
        by="producer",
        to="Redis",
        given=lambda m: m.enqueued_twice and not m.saves_apart and not m.unique,
    )
    def enqueue_second_job(self, t: Task) -> None:
        """The producer saves a second job as {t}, over the first, and pushes the id again."""
        require(self.is_called_again(t), self.redis_answers())
        self._enqueue_again(t)

    @action(
        source=UNIQUE,
        by="producer",
        to="Redis",
        given=lambda m: m.enqueued_twice and m.unique,
    )
    def refuse_second_job(self, t: Task) -> None:
        """The producer enqueues a second job as {t}: there is one, and it is refused."""
        require(self.is_called_again(t), self.status[t] != Status.NONE, self.redis_answers())
        self.again[t] = Again.REFUSED

    @action(
        source=UNIQUE,
        by="producer",
        to="Redis",
        given=lambda m: m.enqueued_twice and m.unique,
    )
    def accept_second_job(self, t: Task) -> None:
        """The producer enqueues a second job as {t}, of which no hash is left."""
        require(self.is_called_again(t), self.status[t] == Status.NONE, self.redis_answers())
        self._enqueue_again(t)

    @action(source=EXPIRE, by="environment", to="Redis", given=lambda m: m.hash_expires)
    def expire_result(self, t: Task) -> None:
        """The {result_ttl} s of the finished {t} are over, and its hash expires."""
        require(self.status[t] == Status.FINISHED, self.again[t] == Again.NOT_CALLED)
        require(~self.somebody_hurries())
        self.status[t] = Status.NONE
        self.retries_left[t] = 0
        self.lose_arguments(t)

    @action(source=UNIQUE, by="producer", to="Redis", given=lambda m: m.unique and m.resends)
    def refuse_resend(self, t: Task) -> None:
        """The client sends the push of {t} again: there is one, and its caller gets an error."""
        require(self.producer[t] == Producer.RESENDING, self.status[t] != Status.NONE)
        require(self.redis_answers())
        self.producer[t] = Producer.GONE

    def is_called_again(self, t: Task) -> Bool:
        """Whether the second call may begin: the first has returned, or raised."""
        over = self.producer[t].is_in(Producer.TOLD, Producer.GONE)
        return over & (self.again[t] == Again.NOT_CALLED)

    def _enqueue_again(self, t: Task) -> None:
        self.again[t] = Again.TOLD
        self.put_in_queue(t, self.retry_max)
        self.arguments[t] = Call.SECOND
