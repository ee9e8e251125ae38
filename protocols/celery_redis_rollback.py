"""Redis is back with data from a moment ago: from its disk, or from a replica that takes over."""

from __future__ import annotations

from functools import partial

from twice.model import Bool, each, exists, fault, require, when
from twice.protocols.celery_redis_outage import Outages
from twice.protocols.celery_redis_state import (
    AFTER_BODY,
    BEFORE_BODY,
    IN_PARENT,
    MID_TASK,
    Message,
    Process,
)
from twice.protocols.delivery import Task, Worker

LOAD = "Redis 7.0: rdb.c:rdbLoad"
FAILOVER = "Redis 7.0: replication.c:replicationUnsetMaster"
DEMOTION = "Redis 7.0: blocked.c:disconnectAllBlockedClients"
redis_rollback = partial(fault, kind="redis_rollback", source=LOAD, by="environment", to="Redis")
failover = partial(fault, kind="failover", source=DEMOTION, by="environment", to="Redis")
failover_too_early = partial(fault, kind="failover", source=FAILOVER, by="environment", to="Redis")


class OlderData(Outages):
    """What Redis had acknowledged, and has not any more.

    One message is taken back, to before its publish, its delivery, or its ack; other messages are
    taken back in runs of their own.
    """

    def was_published(self, m: Message) -> Bool:
        """Whether the message is in Redis."""
        return (self.listed[m] > 0) | self.unacked[m]

    def was_taken(self, m: Message) -> Bool:
        """Whether the message was on its list, and is not now."""
        return ~self.is_unused(m) & (self.listed[m] == 0)

    def was_acked(self, m: Message) -> Bool:
        """Whether the message had an entry, and has none now: it was started."""
        started = exists(Task, lambda t: (self.task[m] == t) & self.started(t))
        return started & (self.listed[m] == 0) & ~self.unacked[m]

    def forget_publish(self, m: Message) -> None:
        """The message was never there."""
        self.listed[m] = 0
        self.unacked[m] = False

    def forget_take(self, m: Message) -> None:
        """The message is still on its list, not marked as redelivered, whoever took it since."""
        self.listed[m] = 1
        self.unacked[m] = False
        self.marked[m] = False


class Rollbacks(OlderData):
    """Redis crashes, and loads its last snapshot, or a log that lacks the last second."""

    def crash(self, condition: Bool) -> None:
        """Redis goes down in this situation."""
        require(self.redis_answers(), condition)
        self.drop_connections()

    @redis_rollback(given=lambda m: m.may_come_back_older)
    def roll_back_publish(self, m: Message) -> None:
        """Redis crashes, and comes back as it was before {m} was published."""
        self.crash(self.was_published(m))
        self.forget_publish(m)

    @redis_rollback(given=lambda m: m.may_come_back_older)
    def roll_back_take(self, m: Message) -> None:
        """Redis crashes, and comes back as it was before {m} was taken."""
        self.crash(self.was_taken(m))
        self.forget_take(m)

    @redis_rollback(given=lambda m: m.may_come_back_older and m.ack_emulation)
    def roll_back_ack(self, m: Message) -> None:
        """Redis crashes, and comes back as it was before {m} was acknowledged."""
        self.crash(self.was_acked(m))
        self.unacked[m] = True


class Failovers(OlderData):
    """A replica becomes the master; what was not copied to it yet is gone.

    The old master unblocks its clients, which every worker in BRPOP takes for an unrecoverable
    error; acks that still go to it are refused.
    """

    def promote(self, *conditions: Bool) -> None:
        """All workers meet the error, with nothing popped and unsaved."""
        require(self.nothing_is_popped())
        self.promote_now(*conditions)

    def promote_now(self, *conditions: Bool) -> None:
        """All workers meet the error, and nothing of theirs reaches Redis any more."""
        require(self.redis_answers(), *conditions)
        for w in each(Worker):
            with when(~self.process[w].is_in(Process.DEAD, Process.FROZEN)):
                self.process[w] = Process.BROKEN
                self.sweeps[w] = None
                self.carried[w] = None
            self.wire[w] = None
            self.leftover[w] = False
        self.drop_all_waiting()

    @failover(given=lambda m: m.redis_replica)
    def fail_over_after_pop(self, m: Message, w: Worker) -> None:
        """The master is demoted after it popped {m} for {w}, before {m} is saved."""
        self.promote_now(self.wire[w] == m)

    @failover(given=lambda m: m.redis_replica)
    def fail_over_while_prefetched(self, m: Message, w: Worker) -> None:
        """The master is demoted while {m} waits in {w}."""
        self.promote(self.waits(m, w))

    @failover(given=lambda m: m.redis_replica)
    def fail_over_mid_task(self, w: Worker) -> None:
        """The master is demoted before a body in the pool of {w} has ended."""
        self.promote(self.is_in_pool(w, *BEFORE_BODY, *MID_TASK))

    @failover(given=lambda m: m.redis_replica)
    def fail_over_after_body(self, w: Worker) -> None:
        """The master is demoted after a body in the pool of {w} ended, before the ack."""
        self.promote(self.is_in_pool(w, *AFTER_BODY, *IN_PARENT))

    @failover(given=lambda m: m.redis_replica and not m.acks_after_run)
    def fail_over_before_early_ack(self, m: Message, w: Worker) -> None:
        """The master is demoted after the pool of {w} accepted {m}, before the early ack of {m}."""
        self.promote(self.job[w] == m, self.owes_early_ack(w))

    @failover_too_early(given=lambda m: m.redis_replica)
    def fail_over_before_publish_is_copied(self, m: Message) -> None:
        """A replica takes over that has not heard of {m}."""
        self.promote_now(self.was_published(m))
        self.forget_publish(m)

    @failover_too_early(given=lambda m: m.redis_replica)
    def fail_over_before_take_is_copied(self, m: Message) -> None:
        """A replica takes over that still has {m} on its list."""
        self.promote_now(self.was_taken(m))
        self.forget_take(m)

    @failover_too_early(given=lambda m: m.redis_replica and m.ack_emulation)
    def fail_over_before_ack_is_copied(self, m: Message) -> None:
        """A replica takes over that still has {m} among the unacknowledged ones."""
        self.promote_now(self.was_acked(m))
        self.unacked[m] = True
