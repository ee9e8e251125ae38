"""The settings of Celery over AMQP: Celery's own, RabbitMQ's, and the task's."""

from __future__ import annotations

from enum import Enum

from twice.model import setting
from twice.protocols.celery_settings import CeleryTask, CeleryWorker
from twice.protocols.delivery import Delivery


class Version(Enum):
    """A version of Celery, with the kombu, amqp and billiard of its day."""

    V5_7 = "5.7.0"
    V5_6 = "5.6.0"
    V3_1 = "3.1.23"


class RabbitMQ(Enum):
    """A version of the broker; what lies between two of them behaves like the earlier one."""

    V3_6 = "3.6"  # no consumer_timeout
    V3_10 = "3.10"
    V4_2 = "4.2"  # a delivery limit by default, classic queues of version 2 only
    V4_3 = "4.3"  # consumer_timeout for quorum queues only, by cancelling the consumer


class QueueType(Enum):
    """The type of the queue."""

    CLASSIC = "classic"
    QUORUM = "quorum"


class ResultBackend(Enum):
    """Where results are stored."""

    NONE = "none"
    KEY_VALUE = "key-value"  # Redis, files, memcached: since Celery 5 a stored SUCCESS stays
    DATABASE = "database"  # the last to write is right


class Message(Enum):
    """What a worker makes of the message."""

    GOOD = "good"
    UNKNOWN_TASK = "unknown task"
    REFUSED_CONTENT = "refused content type"
    UNDECODABLE = "undecodable"


class Poison(Enum):
    """What a run of the task may bring down, again and again."""

    NONE = "none"
    CHILD = "child"
    WORKER = "worker"
    MEMORY_ERROR = "MemoryError"


class WorkerSettings(CeleryWorker):
    """What a user configures on the worker's side, by the names of Celery."""

    version: Version = setting(Version.V5_7, "Celery's version, with the libraries of its day.")
    task_acks_on_failure_or_timeout: bool = setting(
        True, "With task_acks_late: acknowledge also after a failure or a time limit."
    )
    task_acks_on_failure: bool = setting(
        True, "The part of task_acks_on_failure_or_timeout that is about failures (5.7)."
    )
    task_acks_on_timeout: bool = setting(
        True, "The part of task_acks_on_failure_or_timeout that is about time limits (5.7)."
    )
    task_soft_time_limit: float = setting(
        0,
        "SoftTimeLimitExceeded is raised in a run after this time; 0 means no limit.",
        unit="s",
        minimum=0,
    )
    result_backend: ResultBackend = setting(
        ResultBackend.NONE, "Where results and failures are stored; by default nowhere."
    )
    result_backend_always_retry: bool = setting(
        False, "Try again, without end, when a result cannot be stored."
    )


class BrokerSettings(Delivery):
    """What a user configures between producer, broker and worker, by the names of each."""

    rabbitmq: RabbitMQ = setting(RabbitMQ.V3_10, "RabbitMQ's version.")
    task_default_queue_type: QueueType = setting(QueueType.CLASSIC, "The type of the queue.")
    classic_queue_version: int = setting(
        1,
        "How RabbitMQ 3 stores a classic queue; RabbitMQ 4 has only version 2.",
        within=range(1, 3),
    )
    queue_durable: bool = setting(True, "Whether the queue survives a restart of the broker.")
    task_default_delivery_mode: int = setting(
        2, "1: messages live in memory only; 2: they are written to disk.", within=range(1, 3)
    )
    x_delivery_limit: int = setting(
        0,
        "How often a quorum queue takes a message back; -1: any number, 0: RabbitMQ's own default "
        "(20 since 4.0).",
        within=range(-1, 21),
    )
    x_dead_letter_exchange: bool = setting(
        False, "Whether messages that are rejected or over the limit are parked, not dropped."
    )
    confirm_publish: bool = setting(
        False, "broker_transport_options['confirm_publish']: wait until the broker has the message."
    )
    broker_heartbeat: float = setting(
        120,
        "Heartbeat asked for by the worker; RabbitMQ asks for 60 s, the smaller counts; 0: off.",
        unit="s",
        minimum=0,
    )
    broker_channel_error_retry: bool = setting(
        False, "Connect again after a channel error, such as consumer_timeout, instead of exiting."
    )
    consumer_timeout: float = setting(
        1800,
        "RabbitMQ closes the channel of a message that is unacknowledged for so long; 0: never.",
        unit="s",
        minimum=0,
    )


class TaskSettings(CeleryTask):
    """What the body may do, and what a worker makes of its message."""

    task_retries: bool = setting(False, "Whether the task's body may call self.retry.")
    message: Message = setting(Message.GOOD, "What a worker makes of the message.")
    poison: Poison = setting(Poison.NONE, "What any run of one task may bring down.")
