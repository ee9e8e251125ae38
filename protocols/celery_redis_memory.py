"""Redis without memory, by its policy refusing or evicting; and a result backend that is down."""

from __future__ import annotations

from twice.model import each, exists, fault, require
from twice.protocols.celery_redis_moves import ACK, APPEND, PUT, TRACE, Moves
from twice.protocols.celery_redis_state import (
    Binding,
    Message,
    Phase,
    Process,
    Producer,
)
from twice.protocols.delivery import Task, Worker

EVICT = "Redis 7.0: evict.c:performEvictions"


class RefusedWrites(Moves):
    """Redis is full, and refuses what would use more memory, and every MULTI; but BRPOP is served.

    A worker that is refused meets an unrecoverable error and exits. A supervisor starts it again,
    to lose the next message.
    """

    @fault(
        kind="memory_full",
        source=PUT,
        by="Redis",
        to="producer",
        given=lambda m: not m.evicts_anything,
    )
    def refuse_publish(self, t: Task) -> None:
        """Redis, full, refuses the publish of {t}, and the producer gets an OperationalError."""
        require(self.producer[t] == Producer.NEW, self.redis_answers())
        self.producer[t] = Producer.GONE

    @fault(
        kind="memory_full",
        source=APPEND,
        by="Redis",
        to="{w}",
        given=lambda m: not m.evicts_anything and m.ack_emulation,
    )
    def refuse_save(self, m: Message, w: Worker) -> None:
        """Redis, full, refuses to record {m}, which it has popped for {w}: {w} exits."""
        require(self.wire[w] == m, self.main_acts(w, Process.UP))
        self.stop_cut_off(w)

    @fault(
        kind="memory_full",
        source=ACK,
        by="Redis",
        to="{w}",
        given=lambda m: not m.evicts_anything and m.ack_emulation and m.acks_after_run,
    )
    def refuse_late_ack(self, m: Message, w: Worker) -> None:
        """Redis, full, refuses the late ack of {m}: {w} exits."""
        require(self.has_job(m, w, Phase.STORED), self.main_acts(w, Process.UP))
        self.release(w)
        self.stop_cut_off(w)

    @fault(
        kind="memory_full",
        source=ACK,
        by="Redis",
        to="{w}",
        given=lambda m: not m.evicts_anything and m.ack_emulation and not m.acks_after_run,
    )
    def refuse_early_ack(self, m: Message, w: Worker) -> None:
        """Redis, full, refuses the early ack of {m}: {w} exits when its pool is done."""
        self.require_early_ack(m, w)
        require(self.process[w] == Process.UP)
        self.have_acked(w)
        self.stop_cut_off(w)


class Evictions(Moves):
    """Redis is full, and evicts keys: a queue is one, and all unacknowledged messages are one."""

    @fault(
        kind="eviction",
        source=EVICT,
        by="Redis",
        given=lambda m: m.evicts_anything,
    )
    def evict_list(self) -> None:
        """Redis, full, evicts the list of the queue, with every message on it."""
        require(exists(Message, lambda m: self.listed[m] > 0))
        for m in each(Message):
            self.listed[m] = 0

    @fault(
        kind="eviction",
        source=EVICT,
        by="Redis",
        given=lambda m: m.evicts_anything and m.ack_emulation,
    )
    def evict_unacked(self) -> None:
        """Redis, full, evicts the hash of the unacknowledged messages."""
        require(exists(Message, lambda m: self.unacked[m]))
        for m in each(Message):
            self.unacked[m] = False

    @fault(
        kind="eviction",
        source=EVICT,
        by="Redis",
        given=lambda m: m.evicts_anything and m.named_exchange,
    )
    def evict_binding(self) -> None:
        """Redis, full, evicts the binding of the named exchange."""
        require(self.binding == Binding.THERE)
        self.binding = Binding.GONE


class BackendLosses(Moves):
    """The result backend is down, while Redis, the broker, is not."""

    @fault(
        kind="backend_down",
        source=TRACE,
        by="pool of {w}",
        to="result backend",
        given=lambda m: m.stores_results,
    )
    def lose_result(self, m: Message, w: Worker) -> None:
        """The pool of {w} cannot store the result of {m}, which is acknowledged all the same."""
        require(self.has_job(m, w, Phase.RETURNED, Phase.RAISED), self.child_acts(w))
        self.end_run(w)
