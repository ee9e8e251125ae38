"""The producer's side of Celery over AMQP: `apply_async`, with and without confirms."""

from __future__ import annotations

from twice.model import action, fault, ite, require
from twice.protocols.celery_amqp_moves import Moves
from twice.protocols.celery_amqp_state import Producer
from twice.protocols.delivery import Task

PUBLISH = "amqp 5.4.2: channel.py:Channel._basic_publish"
CONFIRM = "amqp 5.4.2: channel.py:Channel.basic_publish_confirm"
ENSURE = "kombu 5.7.0: connection.py:Connection.ensure"
ROUTE = "rabbitmq docs 4.2: publishers.md, unroutable messages"
CONFIRMED = "rabbitmq docs 4.2: confirms.md, when publishes are confirmed"
ALARM = "rabbitmq docs 4.2: alarms.md"


class PublishSteps(Moves):
    """A producer publishes, the broker takes the message in, and says so only if asked to.

    The producer has published before on this connection, so it takes the queue for declared.
    """

    @action(source=PUBLISH, by="producer", to="RabbitMQ", given=lambda m: not m.confirm_publish)
    def publish(self, t: Task) -> None:
        """The producer writes {t} into its socket, and apply_async returns as if it were sent."""
        require(self.producer[t] == Producer.NEW)
        self.producer[t] = Producer.TOLD
        self.sent[t] = True

    @action(source=PUBLISH, by="producer", to="RabbitMQ", given=lambda m: m.confirm_publish)
    def publish_and_wait(self, t: Task) -> None:
        """The producer writes {t} into its socket and waits for the broker's confirm."""
        require(self.producer[t] == Producer.NEW)
        self.producer[t] = Producer.WAITING
        self.sent[t] = True

    @action(source=CONFIRMED, by="RabbitMQ")
    def enqueue(self, t: Task) -> None:
        """RabbitMQ reads {t} and puts it into the queue."""
        require(self.sent[t], ~self.queue_gone, ~self.alarm)
        self.sent[t] = False
        self.enters_queue(t)

    @action(source=CONFIRMED, by="RabbitMQ", to="producer", given=lambda m: m.confirm_publish)
    def confirm(self, t: Task) -> None:
        """RabbitMQ confirms {t}, having it as safe as it was asked to, and apply_async returns."""
        require(self.producer[t] == Producer.WAITING, ~self.sent[t], self.unwritten[t] == 0)
        self.producer[t] = Producer.TOLD

    @action(
        source=ENSURE,
        by="producer",
        to="RabbitMQ",
        given=lambda m: m.confirm_publish and m.task_publish_retry,
    )
    def publish_again(self, t: Task) -> None:
        """The producer connects again and publishes {t} once more, under the same id."""
        require(self.producer[t] == Producer.RESENDING)
        self.producer[t] = Producer.WAITING
        self.sent[t] = True

    def producer_loses_connection(self, t: Task) -> None:
        """What was in the producer's socket is gone; one that waits for a confirm notices."""
        self.sent[t] = False
        if self.confirm_publish:
            waiting = self.producer[t] == Producer.WAITING
            then = Producer.RESENDING if self.task_publish_retry else Producer.GONE
            self.producer[t] = ite(waiting, then, self.producer[t])


class PublishFaults(PublishSteps):
    """What can go wrong before the broker has the message, or before the producer knows."""

    @fault(kind="producer_crash", source=PUBLISH, by="environment", to="producer")
    def crash_before_publish(self, t: Task) -> None:
        """The producer crashes before it publishes {t}; nobody is told anything."""
        require(self.producer[t] == Producer.NEW)
        self.producer[t] = Producer.GONE

    @fault(
        kind="producer_crash",
        source=CONFIRM,
        by="environment",
        to="producer",
        given=lambda m: m.confirm_publish,
    )
    def crash_before_confirm(self, t: Task) -> None:
        """The producer crashes while it waits for the confirm of {t}."""
        require(self.producer[t].is_in(Producer.WAITING, Producer.RESENDING))
        self.producer[t] = Producer.GONE

    @fault(
        kind="producer_crash",
        source=ALARM,
        by="environment",
        to="producer",
        given=lambda m: not m.confirm_publish,
    )
    def end_with_unread_publish(self, t: Task) -> None:
        """The producer crashes, or just exits, while RabbitMQ does not read {t} from its socket."""
        require(self.sent[t], self.alarm)
        self.sent[t] = False

    @fault(kind="connection_loss", source=PUBLISH, by="environment", to="producer")
    def cut_producer(self, t: Task) -> None:
        """The producer's connection breaks while {t} is still on its way to RabbitMQ."""
        require(self.sent[t])
        self.producer_loses_connection(t)

    @fault(
        kind="confirm_lost",
        source=CONFIRM,
        by="environment",
        to="producer",
        given=lambda m: m.confirm_publish,
    )
    def lose_confirm(self, t: Task) -> None:
        """The producer's connection breaks after RabbitMQ stored {t}, before it hears so."""
        require(self.producer[t] == Producer.WAITING, ~self.sent[t], self.unwritten[t] == 0)
        self.producer_loses_connection(t)

    @fault(kind="publish_error", source=ENSURE, by="environment", to="producer")
    def raise_at_publish(self, t: Task) -> None:
        """RabbitMQ cannot be reached, and apply_async raises OperationalError for {t}."""
        require(self.producer[t].is_in(Producer.NEW, Producer.RESENDING))
        self.producer[t] = Producer.GONE
