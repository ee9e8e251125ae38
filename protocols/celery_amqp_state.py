"""The state of Celery over AMQP: what producer, broker, workers and their pools know."""

from __future__ import annotations

from enum import Enum

from twice.model import Bool, Expr, Map, Var, count, exists
from twice.protocols.celery_amqp_features import Features
from twice.protocols.delivery import Task, Worker


class Producer(Enum):
    """How far a call of `apply_async` has come."""

    NEW = "not called"
    WAITING = "waits for the confirm"
    RESENDING = "publishes again"
    TOLD = "told: sent"
    GONE = "crashed, or told an error"


class Result(Enum):
    """The task's state in the result backend."""

    PENDING = "PENDING"
    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    RETRY = "RETRY"
    REVOKED = "REVOKED"


class Held(Enum):
    """What a worker's main process does with a message it received and the broker waits for."""

    NONE = "nothing"
    ETA = "waits for its ETA"
    RESERVED = "reserved"
    IN_POOL = "in the pool"
    ACK_QUEUED = "ack queued"
    ACK_SENT = "ack on its way"
    REQUEUE_QUEUED = "reject(requeue) queued"
    REQUEUE_SENT = "reject(requeue) on its way"
    DROP_QUEUED = "reject queued"
    DROP_SENT = "reject on its way"


class Main(Enum):
    """A worker's main process and its connection."""

    UP = "up"
    CUT = "connection gone, not noticed"
    REFUSED = "channel closed by the broker, not noticed"
    STOPPING = "stopping when its tasks are done"
    SOFT = "stopping within the soft timeout"
    ORPHANED = "dead, its child goes on"
    DEAD = "dead"


class Phase(Enum):
    """How far the pool of a worker is with the task it has: its child, thread or greenlet."""

    IDLE = "idle"
    WRITTEN = "job written"
    ACCEPTED = "job accepted"
    STARTED = "body started"
    EFFECT = "body had its effect"
    # The body ended.
    RETURNED = "body returned"
    STORED = "SUCCESS stored"
    READY = "says: done"
    RAISED = "body raised"
    FAILURE_STORED = "FAILURE stored"
    READY_FAILED = "says: failed"
    RETRY_SENT = "retry published"
    RETRY_STORED = "RETRY stored"
    READY_RETRIED = "says: to be retried"
    READY_REJECTED = "says: rejected"
    # The child died, or is about to; its parent acts.
    LOST = "child died"
    LOST_FOR_GOOD = "child died, no retry published"
    LOST_REPLACED = "child died, retry published"
    OVERDUE = "past its time limit"
    TERMINATED = "child killed by revoke"


CONNECTED = (Main.UP, Main.STOPPING, Main.SOFT)
"""A main process that is connected to the broker."""

UNAWARE = (Main.CUT, Main.REFUSED)
"""A main process whose channel is gone, and that has not noticed."""

LEAVING = (Main.STOPPING, Main.SOFT)
ALIVE = (*CONNECTED, *UNAWARE)

IN_BODY = (Phase.STARTED, Phase.EFFECT)
MID_TASK = (Phase.ACCEPTED, *IN_BODY)
AFTER_BODY = (Phase.RETURNED, Phase.RAISED)
AFTER_RESULT = (Phase.STORED, Phase.FAILURE_STORED)
AFTER_RETRY = (Phase.RETRY_SENT, Phase.RETRY_STORED)
SAID = (Phase.READY, Phase.READY_FAILED, Phase.READY_RETRIED, Phase.READY_REJECTED)
CHILD_ACTS = (Phase.WRITTEN, *MID_TASK, *AFTER_BODY, *AFTER_RESULT, *AFTER_RETRY)
CHILD_GONE = (Phase.LOST, Phase.LOST_FOR_GOOD, Phase.LOST_REPLACED, Phase.TERMINATED)


class State(Features):
    """The variables, and the questions asked of them.

    A worker's pool has one slot: `phase`, `job` and `ghost` belong to it. What the main process
    does with the message of a task is `held`, which is not the same: after a lost connection, a
    body goes on while its message is somebody else's. IN_POOL, the message is that of the job.
    """

    producer: Map[Task, Producer] = Map(Producer.NEW)
    sent: Map[Task, bool] = Map(False, label="in the producer's socket")
    ready: Map[Task, int] = Map(0, within=range(3), label="copies in the queue")
    redelivered: Map[Task, int] = Map(0, within=range(3), label="of them marked redelivered")
    unwritten: Map[Task, int] = Map(0, within=range(3), label="copies not yet on disk")
    undead: Map[Task, int] = Map(0, within=range(3), label="acknowledged, but still on disk")
    returns_counted: Map[Task, int] = Map(0, within=range(21), label="times taken back")
    dead_lettered: Map[Task, bool] = Map(False, label="parked by the dead letter exchange")
    retries: Map[Task, int] = Map(0, within=range(4), label="retries")
    result: Map[Task, Result] = Map(Result.PENDING, label="state in the result backend")
    withdrawn: Map[Task, bool] = Map(False, label="somebody asked to revoke it")

    held: Map[tuple[Task, Worker], Held] = Map(Held.NONE, label="message")
    again: Map[tuple[Task, Worker], bool] = Map(False, label="marked redelivered")
    revoked: Map[tuple[Task, Worker], bool] = Map(False, label="known as revoked")

    main: Map[Worker, Main] = Map(Main.UP, label="main process")
    phase: Map[Worker, Phase] = Map(Phase.IDLE, label="pool")
    job: Map[Worker, Task | None] = Map(None, label="job in the pool")
    ghost: Map[Worker, bool] = Map(False, label="job forgotten by its parent")

    queue_gone: Var[bool] = Var(False, label="queue deleted")
    alarm: Var[bool] = Var(False, label="memory alarm")
    culprit: Var[Task | None] = Var(None, label="poison")

    # What the outcomes are made of.

    def accepted(self, t: Task) -> Bool:
        """Whether `apply_async` returned, and nobody has revoked the task since."""
        return (self.producer[t] == Producer.TOLD) & ~self.withdrawn[t]

    def failure_recorded(self, t: Task) -> Bool:
        """Whether the result backend says FAILURE, or REVOKED."""
        return self.result[t].is_in(Result.FAILURE, Result.REVOKED)

    def copy_left(self, t: Task) -> Bool:
        """Whether the message is anywhere, or a pool still has the job."""
        at_broker = self.sent[t] | (self.ready[t] > 0) | self.dead_lettered[t]
        in_worker = exists(Worker, lambda w: (self.held[t, w] != Held.NONE) | (self.job[w] == t))
        return at_broker | in_worker

    def runs_now(self, t: Task) -> Expr[int]:
        """How many pools are inside the task's body."""
        inside = (*IN_BODY, Phase.OVERDUE)
        return count(Worker, lambda w: (self.job[w] == t) & self.phase[w].is_in(*inside))

    # Who knows and can do what.

    def connected(self, w: Worker) -> Bool:
        """Whether the broker counts the worker's messages as held by it."""
        return self.main[w].is_in(*CONNECTED)

    def unacked(self, t: Task, w: Worker) -> Bool:
        """Whether the broker waits for the worker to acknowledge a copy of the message."""
        return (self.held[t, w] != Held.NONE) & self.connected(w)

    def holders(self, t: Task) -> Expr[int]:
        """How many workers hold a copy of the message."""
        return count(Worker, lambda w: self.unacked(t, w))

    def copies(self, t: Task) -> Expr[int]:
        """How many copies of the message the broker has."""
        return self.ready[t] + self.holders(t)

    def in_pool(self, w: Worker) -> Bool:
        """Whether the worker still has the message of its pool's job to answer for."""
        return exists(Task, lambda t: self.held[t, w] == Held.IN_POOL)

    def has_job(self, t: Task, w: Worker, *phases: Phase) -> Bool:
        """Whether the pool has the task, in one of these phases."""
        return (self.job[w] == t) & self.phase[w].is_in(*phases)

    def ack_is_due(self, t: Task, w: Worker) -> Bool:
        """Whether the message has left the reserve and the broker has no answer yet."""
        return ~self.held[t, w].is_in(Held.NONE, Held.ETA, Held.RESERVED)

    def ack_is_unsent(self, t: Task, w: Worker) -> Bool:
        """Whether the message has left the reserve and no answer is on its way."""
        unsent = (Held.IN_POOL, Held.ACK_QUEUED, Held.REQUEUE_QUEUED, Held.DROP_QUEUED)
        return self.held[t, w].is_in(*unsent)

    def owes_nothing(self, w: Worker) -> Bool:
        """Whether every message the worker has waits for its turn, or has its answer on its way."""
        return ~exists(Task, lambda t: self.ack_is_unsent(t, w))

    def nothing_is_held(self) -> Bool:
        """Whether no worker has a message that the broker waits for."""
        return ~exists(Task, lambda t: self.holders(t) > 0)

    def nothing_is_sent(self) -> Bool:
        """Whether no producer has anything under way."""
        busy = (Producer.WAITING, Producer.RESENDING)
        return ~exists(Task, lambda t: self.sent[t] | self.producer[t].is_in(*busy))

    def lives(self, w: Worker) -> Bool:
        """Whether there is a main process."""
        return self.main[w].is_in(*ALIVE)

    def runs_unlimited(self, w: Worker) -> Bool:
        """Whether no main process watches the time limits of a child's job."""
        return self.ghost[w] | ~self.lives(w)

    def loop_turns(self, w: Worker) -> Bool:
        """Whether the main process gets to its loop: with solo only between two tasks."""
        return self.lives(w) & (self.phase[w] == Phase.IDLE) if self.solo else self.lives(w)
