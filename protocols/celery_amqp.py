"""Celery over AMQP (RabbitMQ): versions 5.7.0 and 5.6.0, and 3.1.23 of 2016."""

from __future__ import annotations

from twice.protocols.celery_amqp_broker import BrokerSteps
from twice.protocols.celery_amqp_connection import ConnectionLoss
from twice.protocols.celery_amqp_kills import ChildKills, PoisonSteps, WorkerKills
from twice.protocols.celery_amqp_life_cycle import LifeCycle
from twice.protocols.celery_amqp_limits import AckTimeout, Heartbeats, TimeLimits
from twice.protocols.celery_amqp_outage import BrokerKills, MemoryAlarms, QueueDeletions
from twice.protocols.celery_amqp_pool import BodySteps, StoreSteps
from twice.protocols.celery_amqp_producer import PublishFaults
from twice.protocols.celery_amqp_refusals import Refusals
from twice.protocols.celery_amqp_revoke import RevokeSteps
from twice.protocols.celery_amqp_shutdown import GroupSigterm
from twice.protocols.celery_amqp_times import Times
from twice.protocols.celery_amqp_verdict import VerdictSteps
from twice.protocols.celery_amqp_worker import FrameSteps, ReceiveSteps, ResultSteps


class CeleryAMQP(
    MemoryAlarms,
    QueueDeletions,
    BrokerKills,
    RevokeSteps,
    GroupSigterm,
    ConnectionLoss,
    PoisonSteps,
    WorkerKills,
    ChildKills,
    Heartbeats,
    AckTimeout,
    TimeLimits,
    VerdictSteps,
    StoreSteps,
    BodySteps,
    ResultSteps,
    FrameSteps,
    ReceiveSteps,
    BrokerSteps,
    PublishFaults,
    LifeCycle,
    Times,
    Refusals,
):
    """Celery over RabbitMQ: acknowledged early or late, by a parent that only hears of the run.

    An ack is four steps, and a process may die or a connection break between any two of them: the
    pool accepts, the main process hears that, its loop sends the ack, the broker takes it. With
    prefork the body starts right after the first. What a worker does with a message and what its
    pool does with the job are two things: after a lost connection the body goes on, while its
    message is somebody else's. A message is on disk some time after it is in the queue, and off it
    some time after it is acknowledged. Results are stored by the child before its parent hears of
    the end, or by the parent when the child is dead.

    A worker has one child, thread or greenlet; more of them are more workers, except that they
    share a connection. One that exits or dies is started again at once: a worker that takes nothing
    is the same as none. Times are compared when the model is built; the other steps may take any
    time.

    Left out, and why:

    - The order of a queue, and priorities: any ready message may be delivered next, which allows
      all that order allows.
    - Two copies of one task in the same worker outside its pool: another worker, or the same one
      later, takes the second. A third copy in the queue is not counted.
    - Retry numbers per message: a task has one count, shared by chains that have doubled, so such
      chains end sooner. No outcome asks how soon.
    - The moment between a closed channel (406) and its being read, over a connection that works.
      A lost connection may go unnoticed for as long as the worker does other things.
    - The other end first: a worker that notices a half-open connection before its broker does. The
      message is then only late, by the heartbeat.
    - Jobs written to a busy child (-O default, Celery 3.1): they wait there as they would in their
      parent, but for a lost connection, where a job written to an idle child shows the same.
    - What only delays: rate limits, worker_eta_task_limit, the smaller window after a
      reconnection, restarts of children that are due, retries of the connection.
    - What is asked for: expires, Ignore, Reject, chains, callbacks, chords.
    - Native delayed delivery, several queues, clusters, mirrored queues, a broker whose disk lies,
      a publish that is refused (nack, too large), power loss.
    - A machine that vanishes with its kernel's buffers: that is a lost ack, then a killed worker.
    """
