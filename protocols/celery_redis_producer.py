"""The producer's side of Celery over Redis: `apply_async` is one LPUSH and its reply."""

from __future__ import annotations

from twice.model import action, fault, require
from twice.protocols.celery_redis_moves import PUT, Moves
from twice.protocols.celery_redis_state import Message, Producer
from twice.protocols.delivery import Task

RETRY = "kombu 5.7.0: connection.py:Connection.ensure"


class PublishSteps(Moves):
    """A producer publishes a task.

    That the reply comes later than the push is seen by nobody, unless the reply is lost or the
    producer crashes before it; so each of the three is one step. A repeated publish is heard.
    """

    @action(source=PUT, by="producer", to="Redis")
    def publish(self, t: Task, m: Message) -> None:
        """The producer pushes {m} of {t} to its list (LPUSH), and hears that it is there."""
        self.require_first_send(t, m)
        self.first_send(t, m)
        self.producer[t] = Producer.TOLD

    @fault(kind="reply_lost", source=PUT, by="environment", to="producer")
    def lose_reply_to_publish(self, t: Task, m: Message) -> None:
        """The producer pushes {m} of {t} to its list; the connection breaks before the reply."""
        self.require_first_send(t, m)
        self.first_send(t, m)
        repeats = self.task_publish_retry or self.retry_on_timeout
        self.producer[t] = Producer.RESENDING if repeats else Producer.GONE

    @action(source=RETRY, by="producer", to="Redis", given=lambda m: m.publishes_twice)
    def publish_again(self, t: Task, m: Message) -> None:
        """The producer publishes {t} again: {m} has the same task id and another delivery tag."""
        require(self.producer[t] == Producer.RESENDING, self.is_unused(m), self.redis_answers())
        self.first_send(t, m)
        self.producer[t] = Producer.TOLD

    @action(
        source="redis-py 8.1.0: client.py:Redis.execute_command",
        by="producer",
        to="Redis",
        given=lambda m: m.retry_on_timeout,
    )
    def replay_push(self, t: Task, m: Message) -> None:
        """The producer's redis-py sends the push of {m} again: same task id, same delivery tag."""
        require(self.producer[t] == Producer.RESENDING, self.task[m] == t, self.redis_answers())
        self.push(m)
        self.producer[t] = Producer.TOLD

    @fault(kind="producer_crash", source=PUT, by="environment", to="producer")
    def crash_before_publish(self, t: Task) -> None:
        """The producer crashes before it publishes {t}."""
        require(self.producer[t] == Producer.NEW)
        self.producer[t] = Producer.GONE

    @fault(kind="producer_crash", source=PUT, by="environment", to="producer")
    def crash_after_publish(self, t: Task, m: Message) -> None:
        """The producer pushes {m} of {t} to its list, and crashes before it knows."""
        self.require_first_send(t, m)
        self.first_send(t, m)
        self.producer[t] = Producer.GONE

    def require_first_send(self, t: Task, m: Message) -> None:
        """The producer has not published yet."""
        require(self.producer[t] == Producer.NEW, self.is_unused(m), self.redis_answers())
