"""The broker restarts, is killed before it wrote to disk, loses its queue, or stops reading."""

from __future__ import annotations

from twice.model import Bool, action, each, exists, fault, ite, require
from twice.protocols.celery_amqp_producer import PublishSteps
from twice.protocols.celery_amqp_state import MID_TASK, Producer
from twice.protocols.delivery import Task, Worker

DURABLE = "rabbitmq docs 4.2: queues.md, durability; publishers.md, message properties"
JOURNAL = "rabbitmq 3.10.8: rabbit_queue_index.erl, the journal"
UNSAFE = "rabbitmq docs 4.2: confirms.md, publisher confirms and data safety"
ROUTE = "rabbitmq docs 4.2: publishers.md, unroutable messages"
DELETED = "rabbitmq docs 4.2: consumer-cancel.md"
ALARM = "rabbitmq docs 4.2: alarms.md"


class BrokerRestarts(PublishSteps):
    """RabbitMQ stops in good order: all that can be written is, and all connections close."""

    def restarts(self) -> None:
        """What is meant to survive does, and what was held returns; the rest is gone."""
        if self.on_disk:
            self.every_connection_breaks()
            for t in each(Task):
                self.unwritten[t] = 0
                self.undead[t] = 0
        else:
            self.forgets_everything()
        self.producers_lose_connection()

    def forgets_everything(self) -> None:
        """No message survives."""
        self.frames_are_lost()
        for t in each(Task):
            self.ready[t] = 0
            self.redelivered[t] = 0
            self.unwritten[t] = 0
            self.undead[t] = 0

    def producers_lose_connection(self) -> None:
        """What producers had written and the broker had not read is gone."""
        for t in each(Task):
            self.producer_loses_connection(t)

    @fault(kind="broker_restart", source=DURABLE, by="environment", to="RabbitMQ")
    def restart_broker_while_published(self, t: Task) -> None:
        """RabbitMQ restarts while {t} is on its way from the producer, or not confirmed yet."""
        waits = self.producer[t].is_in(Producer.WAITING, Producer.RESENDING)
        require(self.sent[t] | waits)
        self.restarts()

    @fault(kind="broker_restart", source=DURABLE, by="environment", to="RabbitMQ")
    def restart_broker_with_message(self, t: Task) -> None:
        """RabbitMQ restarts while {t} is in its queue, and no worker holds anything."""
        require(self.ready[t] > 0, self.nothing_is_held(), self.nothing_is_sent())
        self.restarts()

    @fault(kind="broker_restart", source=DURABLE, by="environment", to="RabbitMQ")
    def restart_broker_while_held(self, t: Task, w: Worker) -> None:
        """RabbitMQ restarts while {t} waits in {w}, or is being acknowledged after its run."""
        require(self.unacked(t, w), ~self.runs_with_message(t, w))
        self.restarts()

    def runs_with_message(self, t: Task, w: Worker) -> Bool:
        """Whether the pool runs the task, and the broker waits for its message."""
        return self.has_job(t, w, *MID_TASK) & self.ack_is_due(t, w)

    @fault(
        kind="broker_restart",
        source=DURABLE,
        by="environment",
        to="RabbitMQ",
        given=lambda m: m.runs,
    )
    def restart_broker_before_ack(self, t: Task, w: Worker) -> None:
        """RabbitMQ restarts while {w} runs {t}, which is not acknowledged yet."""
        require(self.runs_with_message(t, w), self.connected(w))
        self.restarts()

    @fault(
        kind="broker_restart",
        source=DURABLE,
        by="environment",
        to="RabbitMQ",
        given=lambda m: m.runs,
    )
    def restart_broker_after_ack(self, t: Task, w: Worker) -> None:
        """RabbitMQ restarts while {w} runs {t}, and no worker holds anything."""
        require(self.has_job(t, w, *MID_TASK), self.connected(w))
        require(self.nothing_is_held(), self.nothing_is_sent())
        self.restarts()


class BrokerKills(BrokerRestarts):
    """RabbitMQ is killed (SIGKILL): what it had not written to disk never happened."""

    def is_killed(self) -> None:
        """The disk decides: what was not written is gone, what was not erased is back."""
        if not self.on_disk:
            self.forgets_everything()
        else:
            for t in each(Task):
                self.survives_kill(t)
            self.frames_are_lost()
        self.producers_lose_connection()

    def survives_kill(self, t: Task) -> None:
        """As many copies as the disk knows are in the queue, all marked redelivered."""
        written = self.copies(t) - self.unwritten[t] + self.undead[t]
        on_disk = ite(written < 0, 0, ite(written < 2, written, 2))
        self.ready[t] = on_disk
        if self.deduplicates:
            self.redelivered[t] = on_disk
        self.unwritten[t] = 0
        self.undead[t] = 0

    @fault(
        kind="broker_kill",
        source=UNSAFE,
        by="environment",
        to="RabbitMQ",
        given=lambda m: m.on_disk,
    )
    def kill_broker_before_write(self, t: Task) -> None:
        """RabbitMQ is killed before it wrote {t} to disk."""
        require(self.unwritten[t] > 0)
        self.is_killed()

    @fault(
        kind="broker_kill",
        source=JOURNAL,
        by="environment",
        to="RabbitMQ",
        given=lambda m: m.acks_reach_disk_later,
    )
    def kill_broker_before_forget(self, t: Task) -> None:
        """RabbitMQ is killed before it wrote to disk that {t} is acknowledged."""
        require(self.undead[t] > 0)
        self.is_killed()

    @fault(kind="broker_kill", source=DURABLE, by="environment", to="RabbitMQ")
    def kill_broker_with_message(self, t: Task) -> None:
        """RabbitMQ is killed while {t} is in its queue and on its disk, and nobody holds any."""
        require(self.ready[t] > 0, self.nothing_is_held(), self.nothing_is_sent())
        require(self.disk_is_up_to_date())
        self.is_killed()

    @fault(kind="broker_kill", source=DURABLE, by="environment", to="RabbitMQ")
    def kill_broker_while_held(self, t: Task) -> None:
        """RabbitMQ is killed when its disk is up to date about {t}, which a worker holds."""
        require(self.holders(t) > 0, self.unwritten[t] == 0, self.undead[t] == 0)
        self.is_killed()

    @fault(kind="broker_kill", source=UNSAFE, by="environment", to="RabbitMQ")
    def kill_broker_before_read(self, t: Task) -> None:
        """RabbitMQ is killed before it has read {t} from its producer; all else is on its disk."""
        require(self.sent[t], self.nothing_is_held(), self.disk_is_up_to_date())
        require(~exists(Task, self.is_unconfirmed))
        self.is_killed()

    @fault(
        kind="broker_kill",
        source=UNSAFE,
        by="environment",
        to="RabbitMQ",
        given=lambda m: m.confirm_publish,
    )
    def kill_broker_before_confirm(self, t: Task) -> None:
        """RabbitMQ is killed after it wrote {t} to disk, before its producer hears so."""
        require(self.is_unconfirmed(t), self.nothing_is_held(), self.disk_is_up_to_date())
        self.is_killed()

    def is_unconfirmed(self, t: Task) -> Bool:
        """Whether the message is not on its way any more, and its producer still waits."""
        return self.producer[t].is_in(Producer.WAITING, Producer.RESENDING) & ~self.sent[t]

    def disk_is_up_to_date(self) -> Bool:
        """Whether every message that the broker has is on its disk, and no other."""
        return ~exists(Task, lambda t: (self.unwritten[t] > 0) | (self.undead[t] > 0))


class QueueDeletions(PublishSteps):
    """The queue is deleted; whoever takes it for declared publishes to nowhere."""

    def queue_is_deleted(self) -> None:
        """The queue is gone, with every message in it or held from it; consumers are cancelled."""
        self.frames_are_lost()
        for t in each(Task):
            self.ready[t] = 0
            self.redelivered[t] = 0
            self.unwritten[t] = 0
            self.undead[t] = 0
        self.queue_gone = True

    @fault(kind="queue_deleted", source=ROUTE, by="environment", to="RabbitMQ")
    def delete_queue_before_publish(self, t: Task) -> None:
        """Somebody deletes the queue before {t} arrives there."""
        require((self.producer[t] == Producer.NEW) | self.sent[t], ~self.queue_gone)
        self.queue_is_deleted()

    @fault(kind="queue_deleted", source=DELETED, by="environment", to="RabbitMQ")
    def delete_queue_with_message(self, t: Task) -> None:
        """Somebody deletes the queue while {t} is in it or held from it."""
        require(self.copies(t) > 0, ~self.queue_gone)
        self.queue_is_deleted()

    @action(source=ROUTE, by="RabbitMQ")
    def drop_unroutable(self, t: Task) -> None:
        """RabbitMQ finds no queue for {t} and drops it; a confirm would come all the same."""
        require(self.sent[t], self.queue_gone)
        self.sent[t] = False


class MemoryAlarms(PublishSteps):
    """RabbitMQ is short of memory or disk: it stops reading from producers in silence."""

    @fault(kind="memory_alarm", source=ALARM, by="environment", to="RabbitMQ")
    def raise_alarm(self) -> None:
        """RabbitMQ is short of memory or disk, and stops reading from producers."""
        require(~self.alarm, exists(Task, self.is_published))
        self.alarm = True

    def is_published(self, t: Task) -> Bool:
        """Whether the task is yet to reach the broker; to all others an alarm means nothing."""
        return self.sent[t] | self.producer[t].is_in(Producer.NEW, Producer.RESENDING)

    @action(source=ALARM, by="RabbitMQ")
    def clear_alarm(self) -> None:
        """RabbitMQ has memory and disk again, and reads on."""
        require(self.alarm)
        self.alarm = False
