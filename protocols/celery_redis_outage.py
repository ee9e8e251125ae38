"""Redis stops, and is back: with all its data or with none."""

from __future__ import annotations

from functools import partial

from twice.model import Bool, action, each, exists, fault, require, when
from twice.protocols.celery_redis_moves import ACK, Moves
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    BEFORE_BODY,
    IN_PARENT,
    MID_TASK,
    Binding,
    Message,
    Phase,
    Process,
)
from twice.protocols.delivery import Worker

STOP = "Redis 7.0: server.c:finishShutdown"
redis_restart = partial(fault, kind="redis_restart", source=STOP, by="environment", to="Redis")


class Outages(Moves):
    """What happens to all workers at once when Redis goes.

    A worker drops what waits in it; its runs go on. It tries once to give back what it holds, which
    fails, so that the entries stay. Kombu 5.7.0 with redis-py 8.1 fails worse: a worker that holds
    messages and waits in BRPOP meets an AttributeError and exits.
    """

    def drop_connections(self) -> None:
        """Every connection to Redis breaks, and Redis does not answer."""
        for w in each(Worker):
            exits = self.process[w].is_in(Process.STOPPING, Process.BROKEN)
            if self.stops_when_redis_goes:
                meets_error = self.holds_entries(w) & self.waits_in_brpop(w)
                exits = exits | ((self.process[w] == Process.UP) & meets_error)
            online = self.process[w].is_in(
                Process.UP, Process.CONNECTING, Process.RECONNECTING, Process.STOPPING
            )
            with when(exits):
                self.process[w] = Process.BROKEN
            with when(online & ~exits):
                self.process[w] = Process.UP
            with when(online):
                self.detached[w] = (self.phase[w] != Phase.IDLE) & ~self.acked[w]
                self.sweeps[w] = None
                self.carried[w] = None
            self.wire[w] = None
            self.leftover[w] = False
        self.drop_all_waiting()
        self.redis_away = True

    def drop_all_waiting(self) -> None:
        """Every worker with a connection forgets the copies that wait in it."""
        for m in each(Message):
            for w in each(Worker):
                with when(~self.process[w].is_in(Process.FROZEN, Process.SOFT)):
                    self.held[m, w] = 0
            if self.deduplicates:
                self.fresh[m] = None

    def holds_entries(self, w: Worker) -> Bool:
        """Whether some message is delivered to the worker and not acknowledged by it."""
        runs = (self.phase[w] != Phase.IDLE) & ~self.acked[w] & ~self.detached[w]
        return runs | exists(Message, lambda m: self.held[m, w] > 0)

    def lose_data(self) -> None:
        """Redis is empty."""
        for m in each(Message):
            self.listed[m] = 0
            self.unacked[m] = False
        if self.named_exchange:
            self.binding = Binding.GONE

    def stop_redis(self, *conditions: Bool) -> None:
        """Redis stops in this situation, with nothing popped and unsaved."""
        require(self.nothing_is_popped())
        self.stop_redis_now(*conditions)

    def stop_redis_now(self, *conditions: Bool) -> None:
        """Redis stops in this situation."""
        require(self.redis_answers(), *conditions)
        self.drop_connections()
        if self.loses_data_at_stop:
            self.lose_data()

    @action(source=STOP, by="environment", to="Redis")
    def return_redis(self) -> None:
        """Redis is back, and workers connect again."""
        require(self.redis_away)
        self.redis_away = False
        if self.named_exchange:
            with when(self.binding == Binding.GONE):
                self.binding = Binding.AWAITED

    @action(source=ACK, by="{w}", given=lambda m: m.acks_after_run)
    def fail_to_ack_late(self, w: Worker) -> None:
        """{w} fails to acknowledge what is done, for Redis is away; it will not try again."""
        require(self.redis_away, self.phase[w] == Phase.STORED, self.process[w] == Process.UP)
        self.release(w)

    @action(source=ACK, by="{w}", given=lambda m: not m.acks_after_run)
    def fail_to_ack_early(self, w: Worker) -> None:
        """{w} fails to acknowledge what its pool accepted, for Redis is away."""
        require(self.redis_away, self.phase[w] != Phase.IDLE, ~self.acked[w])
        require(self.process[w] == Process.UP)
        self.have_acked(w)


class Restarts(Outages):
    """Redis stops, and is back after a while, with what its persistence kept of an orderly stop."""

    @redis_restart()
    def stop_redis_while_queued(self, m: Message) -> None:
        """Redis stops while {m} is on its list."""
        self.stop_redis(self.listed[m] > 0)

    @redis_restart()
    def stop_redis_after_pop(self, m: Message, w: Worker) -> None:
        """Redis stops after it popped {m} for {w}, before {m} is saved."""
        self.stop_redis_now(self.wire[w] == m)

    @redis_restart()
    def stop_redis_while_prefetched(self, m: Message, w: Worker) -> None:
        """Redis stops while {m} waits in {w}."""
        self.stop_redis(self.waits(m, w))

    @redis_restart()
    def stop_redis_mid_task(self, w: Worker) -> None:
        """Redis stops before a body in the pool of {w} has ended."""
        self.stop_redis(self.is_in_pool(w, *BEFORE_BODY, *MID_TASK))

    @redis_restart()
    def stop_redis_after_body(self, w: Worker) -> None:
        """Redis stops after a body in the pool of {w} ended, before all that follows is done."""
        self.stop_redis(self.is_in_pool(w, *AFTER_BODY, *IN_PARENT))

    @redis_restart(given=lambda m: not m.acks_after_run)
    def stop_redis_before_early_ack(self, m: Message, w: Worker) -> None:
        """Redis stops after the pool of {w} accepted {m}, before the early ack of {m}."""
        self.stop_redis(self.job[w] == m, self.owes_early_ack(w))

    @redis_restart()
    def stop_redis_with_abandoned_entry(self, m: Message) -> None:
        """Redis stops while {m} is unacknowledged and no worker has it any more."""
        held = exists(Worker, lambda w: (self.held[m, w] > 0) | (self.job[w] == m))
        self.stop_redis(self.unacked[m], ~held)
