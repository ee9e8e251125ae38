"""Celery over Redis, through kombu's transport."""

from __future__ import annotations

from twice.protocols.celery_redis_close import ReconnectSteps
from twice.protocols.celery_redis_connection import ConnectionLosses, LostAcks
from twice.protocols.celery_redis_kills import ChildKills, Pauses, WorkerKills
from twice.protocols.celery_redis_life_cycle import LifeCycle
from twice.protocols.celery_redis_lost_child import PoisonSteps, TimeLimitSteps
from twice.protocols.celery_redis_memory import BackendLosses, Evictions, RefusedWrites
from twice.protocols.celery_redis_outage import Restarts
from twice.protocols.celery_redis_producer import PublishSteps
from twice.protocols.celery_redis_refusals import Refusals
from twice.protocols.celery_redis_retry import RetrySteps
from twice.protocols.celery_redis_rollback import Failovers, Rollbacks
from twice.protocols.celery_redis_run import AckSteps, RunSteps
from twice.protocols.celery_redis_signals import Signals
from twice.protocols.celery_redis_sweep import SweepSteps
from twice.protocols.celery_redis_take import TakeSteps


class CeleryRedis(
    BackendLosses,
    Evictions,
    RefusedWrites,
    Failovers,
    Rollbacks,
    Restarts,
    LostAcks,
    ConnectionLosses,
    Signals,
    Pauses,
    ChildKills,
    WorkerKills,
    PoisonSteps,
    RetrySteps,
    TimeLimitSteps,
    ReconnectSteps,
    SweepSteps,
    AckSteps,
    RunSteps,
    TakeSteps,
    PublishSteps,
    LifeCycle,
    Refusals,
):
    """Celery over Redis: popped, then saved; given back by age, whoever holds it by then.

    Redis pops a message for the BRPOP of a worker; the worker records it as unacknowledged; its
    pool accepts it and runs the body; the main process deletes the record, early or late. A worker
    dies, or its connection breaks, between any two of these steps. The record is kept under the
    delivery tag, which a message keeps for life: an ack, or a shutdown, finds whatever record is
    there. When a record is older than the visibility timeout, any worker's sweep moves it back to
    the list, even while its owner is well: nothing tells that a task still runs. A worker that was
    frozen, or whose message was swept away, goes on as if nothing had happened.

    Times are compared when the model is built (run, ETA, wait behind neighbours, visibility
    timeout, time limit, grace period); `bounds` tells how late something is that is only late. All
    else may take any time.

    Left out, and why:

    - The order of a list, priorities, several queues: any message may be popped next, which allows
      all that order allows. So the head (for a sweep) and the tail (for a reject) are one.
    - More than one child, thread or greenlet in a worker: they are more workers, except that they
      die together and share one sweep and one BRPOP.
    - Jobs written to a child and not accepted: they wait there as they would in the main process,
      also where a busy child has them (Celery 3.1).
    - What only delays: when sweeps come, the lock that a dead sweeper leaves behind, the limit of
      entries per sweep, BRPOP's timeout, health checks, the smaller window after a reconnection,
      delays between retries of the connection, restarts of children that are due.
    - A frozen worker that holds nothing, or a popped message unsaved; an idle connection that
      breaks.
    - Clocks that disagree: a sweep by a clock that is ahead is a shorter visibility timeout.
    - A dead host whose socket Redis still serves for up to a second, and that is killed: it is
      `worker_kill` after the pop.
    - What is asked for: revoke, expires, Ignore, Reject, chains, callbacks, chords; soft time
      limits.
    - Redis Cluster, and a replica that is promoted while the old master goes on: as `failover`.
    - Unknown tasks and messages that cannot be decoded: they are acknowledged or rejected unrun.
    """
