"""The broker's side of Celery over AMQP: writing to disk, delivering, taking acks and rejects."""

from __future__ import annotations

from twice.model import Bool, action, count, ite, require
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_state import Held, Main
from twice.protocols.delivery import Task, Worker

WRITE = "rabbitmq docs 4.2: confirms.md, publisher confirms and data safety"
FORGET = "rabbitmq 3.10.8: rabbit_queue_index.erl:ack"
DELIVER = "rabbitmq docs 4.2: consumers.md, consumer prefetch"
RECEIVE = "celery 5.7.0: worker/consumer/consumer.py:Consumer.create_task_handler"
TAKE = "rabbitmq docs 4.2: confirms.md, consumer acknowledgements"
LIMIT = "rabbitmq docs 4.2: quorum-queues.md, poison message handling"


class BrokerSteps(Moves):
    """What RabbitMQ does by itself, in any order: no message of a queue comes before another."""

    @action(source=WRITE, by="RabbitMQ", given=lambda m: m.on_disk)
    def write(self, t: Task) -> None:
        """RabbitMQ writes {t} to disk."""
        require(self.unwritten[t] > 0)
        self.unwritten[t] = 0

    @action(source=FORGET, by="RabbitMQ", given=lambda m: m.acks_reach_disk_later)
    def forget(self, t: Task) -> None:
        """RabbitMQ writes to disk that {t} is gone."""
        require(self.undead[t] > 0)
        self.undead[t] = 0

    @action(source=DELIVER, by="RabbitMQ", to="{w}")
    def deliver(self, t: Task, w: Worker) -> None:
        """RabbitMQ delivers {t} to {w}, which reserves it."""
        require(self.ready[t] > 0, self.takes(t, w))
        if self.deduplicates:
            require(self.ready[t] > self.redelivered[t])
        self.ready[t] = self.ready[t] - 1
        self.is_received(t, w)

    @action(source=DELIVER, by="RabbitMQ", to="{w}", given=lambda m: m.deduplicates)
    def deliver_again(self, t: Task, w: Worker) -> None:
        """RabbitMQ delivers {t} to {w}, marked as redelivered."""
        require(self.redelivered[t] > 0, self.takes(t, w))
        self.ready[t] = self.ready[t] - 1
        self.redelivered[t] = self.redelivered[t] - 1
        self.again[t, w] = True
        self.is_received(t, w)

    def takes(self, t: Task, w: Worker) -> Bool:
        """Whether the worker consumes, and its window has room for one more."""
        room = (self.main[w] == Main.UP) & (self.held[t, w] == Held.NONE)
        window = self.worker_prefetch_multiplier
        if window == 0:
            return room
        free = (Held.NONE,) if self.window_is_static else (Held.NONE, Held.ETA)
        return room & (count(Task, lambda u: ~self.held[u, w].is_in(*free)) < window)

    def is_received(self, t: Task, w: Worker) -> None:
        """The worker keeps the message until its ETA, or for its pool."""
        self.held[t, w] = Held.RESERVED
        if self.eta > 0:
            self.held[t, w] = Held.ETA
        elif self.counts_retries and self.default_retry_delay > 0:
            self.held[t, w] = ite(self.retries[t] > 0, Held.ETA, Held.RESERVED)

    @action(source=TAKE, by="RabbitMQ")
    def take_ack(self, t: Task, w: Worker) -> None:
        """RabbitMQ takes the ack of {w} and forgets {t}."""
        require(self.held[t, w] == Held.ACK_SENT)
        self.leaves_queue(t)
        self.forgets_message(t, w)

    @action(source=TAKE, by="RabbitMQ", given=lambda m: m.may_requeue)
    def take_requeue(self, t: Task, w: Worker) -> None:
        """RabbitMQ takes the reject of {w} and has {t} in the queue again."""
        require(self.held[t, w] == Held.REQUEUE_SENT)
        self.returns(t)
        self.forgets_message(t, w)

    @action(source=TAKE, by="RabbitMQ", given=lambda m: m.may_drop)
    def take_drop(self, t: Task, w: Worker) -> None:
        """RabbitMQ takes the reject of {w} and gives {t} up."""
        require(self.held[t, w] == Held.DROP_SENT)
        self.is_dropped(t)
        self.forgets_message(t, w)
