"""The main process of a worker: what it does with a message before and after its pool has it."""

from __future__ import annotations

from twice.model import Bool, action, exists, require, when
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_settings import Message
from twice.protocols.celery_amqp_state import CONNECTED, LEAVING, Held, Main, Phase, Result
from twice.protocols.delivery import Task, Worker

ETA = "celery 5.7.0: worker/consumer/consumer.py:Consumer.apply_eta_task"
UNKNOWN = "celery 5.7.0: worker/consumer/consumer.py:Consumer.on_unknown_task"
UNREADABLE = "celery 5.7.0: worker/consumer/consumer.py:Consumer.on_decode_error"
TO_POOL = "celery 5.7.0: worker/request.py:Request.execute_using_pool"
WRITE_JOB = "celery 5.7.0: concurrency/asynpool.py:AsynPool._write_job"
ACCEPTED = "celery 5.7.0: worker/request.py:Request.on_accepted"
SEND = "kombu 5.7.0: message.py:Message.ack_log_error"
REJECT = "kombu 5.7.0: message.py:Message.reject_log_error"
SUCCESS = "celery 5.7.0: worker/request.py:Request.on_success"
FAILURE = "celery 5.7.0: worker/request.py:Request.on_failure"
RETRY = "celery 5.7.0: worker/request.py:Request.on_retry"


class ReceiveSteps(Moves):
    """From the broker's delivery to the pool."""

    @action(source=ETA, by="{w}", given=lambda m: m.eta > 0 or m.counts_retries)
    def apply_eta(self, t: Task, w: Worker) -> None:
        """The ETA of {t} has come, and {w} reserves it for its pool."""
        require(self.held[t, w] == Held.ETA, self.main[w].is_in(Main.UP, Main.CUT))
        require(self.loop_turns(w))
        require(~self.somebody_hurries(t))
        self.held[t, w] = Held.RESERVED

    def somebody_hurries(self, t: Task) -> Bool:
        """Whether something about the task is under way that takes less time than any countdown.

        So an ETA does not come between a retry and the old message's ack, but a crash does.
        """
        saying = (Phase.RETRY_SENT, Phase.RETRY_STORED, Phase.READY_RETRIED, Phase.LOST_REPLACED)
        hurries = exists(Worker, lambda w: self.has_job(t, w, *saying) | self.answer_is_due(t, w))
        return hurries | (self.unwritten[t] > 0) | (self.undead[t] > 0)

    def answer_is_due(self, t: Task, w: Worker) -> Bool:
        """Whether an ack or reject is queued or on its way."""
        waits = (Held.NONE, Held.ETA, Held.RESERVED, Held.IN_POOL)
        return ~self.held[t, w].is_in(*waits)

    @action(source=WRITE_JOB, by="{w}", to="pool of {w}", given=lambda m: m.runs and not m.solo)
    def give_to_pool(self, t: Task, w: Worker) -> None:
        """{w} gives {t} to its pool, which is free."""
        self.takes_turn(t, w)
        self.phase[w] = Phase.WRITTEN
        self.job[w] = t
        self.held[t, w] = Held.IN_POOL

    @action(source=TO_POOL, by="{w}", given=lambda m: m.runs and m.solo)
    def run_inline(self, t: Task, w: Worker) -> None:
        """{w} runs {t} itself, and does nothing else until it is done; an early ack waits too."""
        self.takes_turn(t, w)
        self.phase[w] = Phase.ACCEPTED
        self.job[w] = t
        self.held[t, w] = Held.IN_POOL
        if self.early:
            self.answers(t, w, self.ack)

    def takes_turn(self, t: Task, w: Worker) -> None:
        """It is the turn of a reserved message that nobody has revoked."""
        working: tuple[Main, ...] = (Main.UP, Main.CUT)
        if self.runs_prefetched_in_shutdown:
            working = (*working, *LEAVING)
        require(self.held[t, w] == Held.RESERVED, ~self.revoked[t, w])
        require(self.main[w].is_in(*working), self.phase[w] == Phase.IDLE)

    @action(source=UNKNOWN, by="{w}", to="RabbitMQ", given=lambda m: not m.runs)
    def refuse_message(self, t: Task, w: Worker) -> None:
        """{w} cannot make sense of {t}: {message}. It gives the message up."""
        require(self.held[t, w] == Held.RESERVED, self.connected(w))
        unreadable = self.message is Message.UNDECODABLE
        self.held[t, w] = Held.ACK_SENT if unreadable else Held.DROP_SENT
        if self.message is Message.UNKNOWN_TASK:
            self.stores(t, Result.FAILURE)

    @action(
        source=ACCEPTED,
        by="pool of {w}",
        to="{w}",
        given=lambda m: m.early and m.prefork and m.runs,
    )
    def hear_accept(self, t: Task, w: Worker) -> None:
        """{w} hears that a child accepted {t}, and will ack it at the next turn of its loop."""
        require(self.held[t, w] == Held.IN_POOL, self.job[w] == t, ~self.ghost[w])
        require(~self.phase[w].is_in(Phase.IDLE, Phase.WRITTEN), self.loop_turns(w))
        self.answers(t, w, self.ack)


class FrameSteps(Moves):
    """Acks and rejects go out at the next turn of the loop; nobody waits for an answer."""

    @action(source=SEND, by="{w}", to="RabbitMQ", given=lambda m: m.frames_wait)
    def send_ack(self, t: Task, w: Worker) -> None:
        """{w} sends the ack of {t}."""
        self.sends(t, w, Held.ACK_QUEUED, Held.ACK_SENT)

    @action(source=REJECT, by="{w}", to="RabbitMQ", given=lambda m: m.frames_wait and m.may_requeue)
    def send_requeue(self, t: Task, w: Worker) -> None:
        """{w} rejects {t}, to be put into the queue again."""
        self.sends(t, w, Held.REQUEUE_QUEUED, Held.REQUEUE_SENT)

    @action(
        source=REJECT,
        by="{w}",
        to="RabbitMQ",
        given=lambda m: m.frames_wait and m.late and m.may_drop,
    )
    def send_drop(self, t: Task, w: Worker) -> None:
        """{w} rejects {t} for good."""
        self.sends(t, w, Held.DROP_QUEUED, Held.DROP_SENT)

    def sends(self, t: Task, w: Worker, queued: Held, sent: Held) -> None:
        """A frame leaves the worker's loop."""
        require(self.held[t, w] == queued, self.main[w].is_in(*CONNECTED), self.loop_turns(w))
        self.held[t, w] = sent


class ResultSteps(Moves):
    """The main process hears from its pool how a task ended, and decides on a late ack."""

    @action(source=SUCCESS, by="pool of {w}", to="{w}", given=lambda m: m.runs)
    def hear_success(self, t: Task, w: Worker) -> None:
        """{w} hears that {t} is done, and its pool is free."""
        self.hears(t, w, Phase.READY)
        self.job_is_over(t, w, self.ack)

    @action(
        source=FAILURE,
        by="pool of {w}",
        to="{w}",
        given=lambda m: m.runs and (m.fails or m.stores_results),
    )
    def hear_failure(self, t: Task, w: Worker) -> None:
        """{w} hears that {t} failed, and its pool is free."""
        self.hears(t, w, Phase.READY_FAILED)
        if self.memory_errors_kill:
            require(self.ghost[w])
        self.job_is_over(t, w, self.ack if self.acks_failures else self.drop)

    @action(source=RETRY, by="pool of {w}", to="{w}", given=lambda m: m.task_retries)
    def hear_retry(self, t: Task, w: Worker) -> None:
        """{w} hears that {t} published a retry of itself, and its pool is free."""
        self.hears(t, w, Phase.READY_RETRIED)
        self.job_is_over(t, w, self.ack)

    @action(source=FAILURE, by="pool of {w}", to="{w}", given=lambda m: m.task_retries)
    def hear_rejection(self, t: Task, w: Worker) -> None:
        """{w} hears that {t} could not publish its retry, and gives its message up."""
        self.hears(t, w, Phase.READY_REJECTED)
        if self.records_rejections:
            with when(~self.ghost[w]):
                self.stores(t, Result.FAILURE)
        self.job_is_over(t, w, self.drop)

    def hears(self, t: Task, w: Worker, said: Phase) -> None:
        """The pool's last word on its job arrives; its acceptance was heard before."""
        require(self.has_job(t, w, said), self.lives(w))
        if self.early and self.prefork:
            require((self.held[t, w] != Held.IN_POOL) | self.ghost[w])
