"""The producer's side of RQ: `Queue.enqueue`."""

from __future__ import annotations

from twice.model import action, fault, require
from twice.protocols.delivery import Task
from twice.protocols.rq_moves import RQMoves
from twice.protocols.rq_state import Producer, Status

ENQUEUE = "rq {version}: queue.py:enqueue_job"
PUSH = "rq {version}: queue.py:_enqueue_async_job"
RESEND = "redis-py 8.1.0: client.py:Pipeline.execute"


class EnqueueSteps(RQMoves):
    """A producer enqueues a job: one or two transactions or commands, then the reply.

    A reply that arrives, arrives before the job is popped: only the producer knows of it, so its
    time changes nothing. One that is lost leaves a resend behind, which may come at any time.
    """

    @action(source=ENQUEUE, by="producer", to="Redis", given=lambda m: m.names_queue)
    def name_queue(self, t: Task) -> None:
        """The producer adds the name of its queue to rq:queues."""
        require(self.producer[t] == Producer.NEW, self.redis_answers())
        self.producer[t] = Producer.QUEUE_NAMED

    @action(source=ENQUEUE, by="producer", to="Redis", given=lambda m: m.saves_apart)
    def save_job(self, t: Task) -> None:
        """The producer saves {t} as queued; its id is in no list yet."""
        require(self.producer[t] == Producer.NEW, self.redis_answers())
        self.producer[t] = Producer.SAVED
        self.status[t] = Status.QUEUED

    @action(source=PUSH, by="producer", to="Redis", given=lambda m: m.saves_apart)
    def push_id(self, t: Task) -> None:
        """The producer pushes the id of {t}, which it has saved."""
        require(self.producer[t] == Producer.SAVED, self.redis_answers())
        self.producer[t] = Producer.PUSHED
        self.queue[t] = self.one_copy_more(t)

    @action(source=PUSH, by="producer", to="Redis", given=lambda m: not m.saves_apart)
    def push(self, t: Task) -> None:
        """The producer saves {t} as queued and pushes its id, in one transaction."""
        require(self.producer[t] == self.pushes_from, self.redis_answers())
        self.producer[t] = Producer.PUSHED
        self.put_in_queue(t, self.retry_max)

    @action(source=PUSH, by="Redis", to="producer")
    def answer_push(self, t: Task) -> None:
        """Redis answers, and the producer knows that {t} is enqueued."""
        require(self.producer[t] == Producer.PUSHED, self.redis_answers())
        self.producer[t] = Producer.TOLD

    @action(source=RESEND, by="producer", to="Redis", given=lambda m: m.resends)
    def push_again(self, t: Task) -> None:
        """The producer's Redis client, having heard nothing, sends the push of {t} again."""
        require(self.producer[t] == Producer.RESENDING, self.redis_answers())
        if self.unique:
            require(self.status[t] == Status.NONE)
        self.producer[t] = Producer.PUSHED
        if self.saves_apart:
            self.queue[t] = self.one_copy_more(t)
        else:
            self.put_in_queue(t, self.retry_max)

    def hear_nothing(self, t: Task) -> None:
        """The reply is lost: the client will send again, or the caller gets an exception."""
        self.producer[t] = Producer.RESENDING if self.resends else Producer.GONE


class ProducerCrashes(EnqueueSteps):
    """A producer crashes in the middle of `enqueue`."""

    @fault(
        kind="producer_crash",
        source=ENQUEUE,
        by="environment",
        to="producer",
        given=lambda m: not m.pushes_at_once,
    )
    def crash_before_push(self, t: Task) -> None:
        """The producer crashes before it pushes {t}."""
        require(self.producer[t] == self.pushes_from)
        self.producer[t] = Producer.GONE

    @fault(kind="producer_crash", source=PUSH, by="environment", to="producer")
    def crash_before_reply(self, t: Task) -> None:
        """The producer crashes after it pushed {t}, before it hears the reply."""
        require(self.producer[t].is_in(Producer.PUSHED, Producer.RESENDING))
        self.producer[t] = Producer.GONE
