"""A worker's connection to Redis breaks, with Redis alive; or a single ack is lost on it."""

from __future__ import annotations

from functools import partial

from twice.model import Bool, fault, require
from twice.protocols.celery_redis_moves import ACK, APPEND, LOOP, Moves
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    BEFORE_BODY,
    IN_PARENT,
    MID_TASK,
    Message,
    Phase,
    Process,
)
from twice.protocols.delivery import Worker

ON_ERROR = "celery 5.7.0: worker/consumer/consumer.py:Consumer.on_connection_error_after_connected"
connection_loss = partial(
    fault, kind="connection_loss", source=ON_ERROR, by="environment", to="{w}"
)
ack_lost = partial(fault, kind="ack_lost", source=ACK, by="environment", to="{w}")


class ConnectionLosses(Moves):
    """TCP is cut: by a load balancer, `CLIENT KILL`, a network that is away for a moment."""

    def cut(self, w: Worker, *conditions: Bool) -> None:
        """The worker's connections break in its work, at this point."""
        require(self.process[w] == Process.UP, self.redis_answers(), *conditions)
        if self.acks_before_start:
            require(~self.owes_early_ack(w))
        self.lose_connection(w)

    @fault(kind="connection_loss", source=LOOP, by="environment", to="{w}")
    def lose_reply_to_pop(self, m: Message, w: Worker) -> None:
        """The connection of {w} breaks after Redis popped {m} for it, before {m} is saved."""
        self.cut(w, self.wire[w] == m)

    @fault(
        kind="connection_loss",
        source=APPEND,
        by="environment",
        to="{w}",
        given=lambda m: m.ack_emulation,
    )
    def lose_reply_to_save(self, m: Message, w: Worker) -> None:
        """{w} records {m} as unacknowledged, hears nothing of it, and does not start it."""
        require(self.loop_is_free(w))
        self.cut(w, self.wire[w] == m)
        self.save_entry(m)

    @connection_loss()
    def lose_connection_prefetched(self, m: Message, w: Worker) -> None:
        """The connection of {w} breaks while {m} waits in it."""
        self.cut(w, self.wire[w].is_none(), self.waits(m, w))

    @connection_loss()
    def lose_connection_mid_task(self, w: Worker) -> None:
        """The connection of {w} breaks before a body in its pool has ended."""
        self.cut(w, self.wire[w].is_none(), self.is_in_pool(w, *BEFORE_BODY, *MID_TASK))

    @connection_loss()
    def lose_connection_after_body(self, w: Worker) -> None:
        """The connection of {w} breaks after a body in its pool ended, before the ack."""
        self.cut(w, self.wire[w].is_none(), self.is_in_pool(w, *AFTER_BODY, *IN_PARENT))

    @connection_loss(given=lambda m: not (m.acks_after_run or m.acks_before_start))
    def lose_connection_before_early_ack(self, m: Message, w: Worker) -> None:
        """The connection of {w} breaks after its pool accepted {m}, before the early ack of {m}."""
        self.cut(w, self.wire[w].is_none(), self.job[w] == m, self.owes_early_ack(w))

    @connection_loss(given=lambda m: not m.restores_at_once)
    def lose_connection_in_restore(self, m: Message, w: Worker) -> None:
        """The connection of {w} breaks after it took {m} out of unacked, before it pushed {m}."""
        self.cut(w, self.carried[w] == m)

    @fault(kind="connection_loss", source=LOOP, by="environment", to="{w}")
    def lose_last_reply(self, m: Message, w: Worker) -> None:
        """The connection of {w}, in its shutdown, breaks, and {m}, popped last, is never read."""
        require(self.process[w].is_in(Process.STOPPING, Process.SOFT), self.wire[w] == m)
        self.wire[w] = None


class LostAcks(Moves):
    """The request of an ack is lost: "Couldn't ack" is logged, and it is never sent again.

    That only its reply is lost, changes nothing. The tag is still among those that the channel
    would give back when it is closed; here it waits for a sweep, which only comes later.
    """

    @ack_lost(given=lambda m: m.ack_emulation and not m.acks_after_run)
    def lose_early_ack(self, m: Message, w: Worker) -> None:
        """The early ack of {m} by {w} does not reach Redis, and is not sent again."""
        self.require_early_ack(m, w)
        self.have_acked(w)

    @ack_lost(given=lambda m: m.ack_emulation and m.acks_after_run)
    def lose_late_ack(self, m: Message, w: Worker) -> None:
        """The late ack of {m} by {w} does not reach Redis, and is not sent again."""
        require(self.has_job(m, w, Phase.STORED))
        require(self.main_acts(w, Process.UP, Process.STOPPING))
        self.release(w)
