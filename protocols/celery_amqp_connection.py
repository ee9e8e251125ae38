"""A worker's connection breaks while the worker lives: at every point, and what it does then."""

from __future__ import annotations

from twice.model import Bool, action, fault, require
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_state import (
    AFTER_BODY,
    AFTER_RESULT,
    AFTER_RETRY,
    CHILD_GONE,
    MID_TASK,
    SAID,
    UNAWARE,
    Held,
    Main,
    Phase,
    Result,
)
from twice.protocols.delivery import Task, Worker

CLOSED = "rabbitmq docs 4.2: confirms.md, automatic requeueing"
NOTICE = "celery 5.7.0: worker/consumer/consumer.py:Consumer.on_connection_error_after_connected"
LEAVE = "celery 5.7.0: worker/consumer/consumer.py:Consumer.start, channel_errors"
CANCEL = "celery 5.7.0: worker/request.py:Request.cancel"
FRAME = "amqp 5.4.2: channel.py:Channel.basic_ack"


class ConnectionLoss(Moves):
    """The broker notices at once and takes back; the worker may go on for a moment."""

    def cut(self, t: Task, w: Worker, condition: Bool) -> None:
        """The broker loses the connection of the worker."""
        require(condition, self.connected(w))
        self.connection_breaks(w)

    @fault(kind="connection_loss", source=CLOSED, by="environment", to="{w}")
    def cut_waiting(self, t: Task, w: Worker) -> None:
        """The connection of {w} breaks while {t} waits in it."""
        self.cut(t, w, self.held[t, w].is_in(Held.ETA, Held.RESERVED))

    @fault(
        kind="connection_loss",
        source=CLOSED,
        by="environment",
        to="{w}",
        given=lambda m: m.runs and not m.solo,
    )
    def cut_before_accept(self, t: Task, w: Worker) -> None:
        """The connection of {w} breaks after it gave {t} to its pool, which has not accepted it."""
        self.cut(t, w, self.has_job(t, w, Phase.WRITTEN))

    @fault(
        kind="connection_loss",
        source=CLOSED,
        by="environment",
        to="{w}",
        given=lambda m: m.runs,
    )
    def cut_before_ack(self, t: Task, w: Worker) -> None:
        """The connection of {w} breaks while it runs {t}, which is not acknowledged yet."""
        self.cut(t, w, self.has_job(t, w, *MID_TASK) & self.ack_is_due(t, w))

    @fault(
        kind="connection_loss",
        source=CLOSED,
        by="environment",
        to="{w}",
        given=lambda m: m.runs and m.early,
    )
    def cut_after_ack(self, t: Task, w: Worker) -> None:
        """The connection of {w} breaks while it runs {t}, which is acknowledged."""
        self.cut(t, w, self.has_job(t, w, *MID_TASK) & ~self.ack_is_due(t, w))

    @fault(
        kind="connection_loss",
        source=CLOSED,
        by="environment",
        to="{w}",
        given=lambda m: m.runs,
    )
    def cut_after_body(self, t: Task, w: Worker) -> None:
        """The connection of {w} breaks after the body of {t} ended, before it is acknowledged."""
        over = (*AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY, *SAID, *CHILD_GONE, Phase.OVERDUE)
        ended = self.has_job(t, w, *over) | (self.phase[w] == Phase.IDLE)
        self.cut(t, w, ended & self.ack_is_due(t, w))

    @fault(kind="ack_lost", source=FRAME, by="environment", to="{w}")
    def lose_ack(self, t: Task, w: Worker) -> None:
        """The ack of {t} is lost on its way, and then the connection of {w} breaks."""
        self.cut(t, w, self.held[t, w] == Held.ACK_SENT)

    @action(source=NOTICE, by="{w}", to="RabbitMQ")
    def reconnect(self, w: Worker) -> None:
        """{w} notices the lost connection, connects again, and forgets all but what runs."""
        require(self.main[w].is_in(*self.reconnecting), self.loop_turns(w))
        if self.cancels_on_loss:
            require(~self.runs_unacked(w))
        self.notices_loss(w, Main.UP)
        self.queue_gone = False

    @action(source=LEAVE, by="{w}", given=lambda m: m.exits_at_ack_timeout and m.may_be_refused)
    def leave_after_refusal(self, w: Worker) -> None:
        """{w} finds its channel closed (406) and gives up, once its running task has ended."""
        require(self.main[w] == Main.REFUSED, self.loop_turns(w))
        self.notices_loss(w, Main.STOPPING)

    @action(
        source=CANCEL,
        by="{w}",
        to="pool of {w}",
        given=lambda m: m.runs and m.cancels_on_loss,
    )
    def cancel_unacked(self, t: Task, w: Worker) -> None:
        """{w} notices the lost connection, cancels {t}, which it runs, and connects again."""
        require(self.main[w].is_in(*self.reconnecting), self.has_job(t, w, *self.cancelled))
        require(self.held[t, w] == Held.IN_POOL)
        self.stores(t, Result.RETRY)
        self.notices_loss(w, Main.UP)
        self.frees_slot(w)
        self.queue_gone = False

    @property
    def reconnecting(self) -> tuple[Main, ...]:
        """A main process that will connect again when it notices."""
        return (Main.CUT,) if self.exits_at_ack_timeout else UNAWARE

    @property
    def cancelled(self) -> tuple[Phase, ...]:
        """The phases of a job that a worker cancels with its child."""
        return (*MID_TASK, *AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY)

    def runs_unacked(self, w: Worker) -> Bool:
        """Whether the pool has an accepted job whose message is the worker's."""
        return self.phase[w].is_in(*self.cancelled) & self.in_pool(w)
