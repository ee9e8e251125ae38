"""The state of Celery over Redis: what is in Redis, and what producers, workers and children do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from twice.model import Bool, Expr, Map, Sort, Var, count, exists, forall
from twice.protocols.celery_redis_times import MOST_SWEEPS, Times
from twice.protocols.delivery import Task, Worker
from twice.protocols.durations import Duration

if TYPE_CHECKING:
    from twice.model.compiled import CompiledModel


class Message(Sort):
    """A message of a task, with its delivery tag, which stays the same for all its deliveries.

    A task has several where a publish is sent again with a new tag, or where it is retried.
    """


class Producer(Enum):
    """How far a call of `apply_async` has come."""

    NEW = "not called"
    RESENDING = "sends again"
    TOLD = "told: sent"
    GONE = "crashed, or told an error"


class Result(Enum):
    """The task's state in the result backend."""

    PENDING = "PENDING"
    SUCCESS = "SUCCESS"
    FAILURE = "FAILURE"
    RETRY = "RETRY"


class Binding(Enum):
    """The set in Redis that says which queue a named exchange leads to."""

    THERE = "there"
    GONE = "gone"
    AWAITED = "gone, and about to be declared again"


class Process(Enum):
    """A worker's main process."""

    UP = "up"
    CONNECTING = "connecting"
    RECONNECTING = "closing its lost connection"
    STOPPING = "stopping when its tasks are done"
    SOFT = "asleep before its cold shutdown"
    BROKEN = "stopping, cut off from Redis"
    FROZEN = "frozen"
    DEAD = "dead"


class Phase(Enum):
    """How far the pool of a worker is with the message it has: its child, thread or greenlet."""

    IDLE = "idle"
    ACCEPTED = "job accepted"
    CHECKED = "no stored SUCCESS seen"
    BODY = "body started"
    EFFECT = "body had its effect"
    RETURNED = "body returned"
    RAISED = "body raised"
    RETRY_SENT = "retry published"
    STORED = "result stored"
    # The child died or was killed; its parent acts.
    LOST = "child lost"
    LOST_REPLACED = "child lost, retry published"
    TIMED_OUT = "child killed at its time limit"
    REJECTED = "FAILURE stored, message to be put back"
    REQUEUED = "message put back, to be acknowledged"


MID_TASK = (Phase.BODY, Phase.EFFECT)
BEFORE_BODY = (Phase.ACCEPTED, Phase.CHECKED)
AFTER_BODY = (Phase.RETURNED, Phase.RAISED, Phase.RETRY_SENT)
IN_CHILD = (*BEFORE_BODY, *MID_TASK, *AFTER_BODY)
CHILD_GONE = (
    Phase.LOST,
    Phase.LOST_REPLACED,
    Phase.TIMED_OUT,
    Phase.REJECTED,
    Phase.REQUEUED,
)
IN_PARENT = (Phase.STORED, *CHILD_GONE)

ANY_NUMBER = 1_000_000
"""A prefetch window that no number of messages fills."""

LOOPING = (Process.UP, Process.CONNECTING, Process.RECONNECTING)
LEAVING = (Process.STOPPING, Process.SOFT, Process.BROKEN)


class State(Times):
    """The variables, and the questions asked of them.

    `held` counts the copies of a message in the memory of a main process that have not started:
    waiting for their ETA, or for a free child. A worker's pool has one slot: `phase`, `job`,
    `acked`, `detached` and `again` belong to it. There is at most one entry `unacked` per
    message, whoever made it: its owner is nowhere recorded, in Redis either.
    """

    producer: Map[Task, Producer] = Map(Producer.NEW)
    result: Map[Task, Result] = Map(Result.PENDING, label="state in the result backend")
    retries: Map[Task, int] = Map(0, within=range(4), label="retries")

    task: Map[Message, Task | None] = Map(None, label="task of")
    listed: Map[Message, int] = Map(0, within=range(3), label="copies on the list")
    unacked: Map[Message, bool] = Map(False, label="entry in unacked")
    marked: Map[Message, bool] = Map(False, label="marked redelivered")
    swept: Map[Message, int] = Map(0, within=range(MOST_SWEEPS + 1), label="sweeps before its ETA")
    fresh: Map[Message, Worker | None] = Map(None, label="first copy in")

    process: Map[Worker, Process] = Map(Process.UP, label="main process")
    leftover: Map[Worker, bool] = Map(False, label="BRPOP sent earlier")
    wire: Map[Worker, Message | None] = Map(None, label="popped, not saved")
    held: Map[tuple[Message, Worker], int] = Map(0, within=range(3), label="copies waiting")
    sweeps: Map[Worker, Message | None] = Map(None, label="about to restore")
    carried: Map[Worker, Message | None] = Map(None, label="taken out, not pushed")

    phase: Map[Worker, Phase] = Map(Phase.IDLE, label="pool")
    job: Map[Worker, Message | None] = Map(None, label="job in the pool")
    acked: Map[Worker, bool] = Map(False, label="acknowledged")
    detached: Map[Worker, bool] = Map(False, label="not its channel's any more")
    again: Map[Worker, bool] = Map(False, label="runs a redelivered copy")

    redis_away: Var[bool] = Var(False, label="Redis is away")
    binding: Var[Binding] = Var(Binding.THERE, label="binding of the queue")

    def compile(self, scope: Mapping[type[Sort], int]) -> CompiledModel:
        """The transition system; unless the scope says how many messages there are, enough."""
        enough = self.messages_per_task * scope.get(Task, 1)
        return super().compile({Message: enough, **scope})

    # What the outcomes are made of.

    def accepted(self, t: Task) -> Bool:
        """Whether `apply_async` returned."""
        return self.producer[t] == Producer.TOLD

    def failure_recorded(self, t: Task) -> Bool:
        """Whether the result backend says FAILURE."""
        return self.result[t] == Result.FAILURE

    def copy_left(self, t: Task) -> Bool:
        """Whether a message of the task is in Redis or in the memory of a process that lives."""
        return exists(Message, lambda m: (self.task[m] == t) & ~self.is_nowhere(m))

    def runs_now(self, t: Task) -> Expr[int]:
        """How many pools are inside the task's body."""
        return count(
            Worker,
            lambda w: (
                self.phase[w].is_in(*MID_TASK)
                & exists(Message, lambda m: (self.job[w] == m) & (self.task[m] == t))
            ),
        )

    def is_nowhere(self, m: Message) -> Bool:
        """Whether no copy of the message is left anywhere."""
        in_memory = exists(
            Worker,
            lambda w: (
                (self.wire[w] == m)
                | (self.held[m, w] > 0)
                | (self.job[w] == m)
                | (self.carried[w] == m)
            ),
        )
        return (self.listed[m] == 0) & ~self.unacked[m] & ~in_memory

    def is_unused(self, m: Message) -> Bool:
        """Whether no task has had this message."""
        return self.task[m].is_none()

    # Who can do what.

    def has_job(self, m: Message, w: Worker, *phases: Phase) -> Bool:
        """Whether the pool has the message, in one of these phases."""
        return (self.job[w] == m) & self.phase[w].is_in(*phases)

    def redis_answers(self) -> Bool:
        """Whether Redis can be reached."""
        return ~self.redis_away

    def loop_is_free(self, w: Worker) -> Bool:
        """Whether the main process is not busy with a sweep, or, with solo, with a body."""
        free = self.sweeps[w].is_none()
        if not self.restores_at_once:
            free = free & self.carried[w].is_none()
        return free & ~self.phase[w].is_in(*IN_CHILD) if self.solo else free

    def main_acts(self, w: Worker, *processes: Process) -> Bool:
        """Whether the main process, being in one of these states, can do something with Redis."""
        return self.process[w].is_in(*processes) & self.loop_is_free(w) & self.redis_answers()

    def hears_child(self, w: Worker) -> Bool:
        """Whether the main process learns now what became of its child."""
        working = self.main_acts(w, Process.UP, Process.STOPPING)
        return working | (self.process[w] == Process.BROKEN)

    def child_acts(self, w: Worker) -> Bool:
        """Whether a child of this worker would run, orphan or not."""
        return self.process[w] != Process.FROZEN

    def closes(self, w: Worker) -> Bool:
        """Whether the main process has nothing left to wait for and closes its channel."""
        return self.main_acts(w, Process.STOPPING) & (self.phase[w] == Phase.IDLE)

    def holds_nothing(self, w: Worker) -> Bool:
        """Whether no copy waits in the worker, and none is on its way through it."""
        waits = exists(Message, lambda m: self.held[m, w] > 0)
        return ~waits & self.carried[w].is_none()

    # Where a run is, for the points of faults.

    def waits(self, m: Message, w: Worker) -> Bool:
        """Whether a copy of the message waits in the worker."""
        return self.held[m, w] > 0

    def is_in_pool(self, w: Worker, *phases: Phase) -> Bool:
        """Whether the pool is in one of these phases, and no early ack is due any more."""
        reached = self.phase[w].is_in(*phases)
        return reached if self.acks_after_run else reached & self.acked[w]

    def nothing_is_popped(self) -> Bool:
        """Whether every message that was popped is saved."""
        return forall(Worker, lambda w: self.wire[w].is_none())

    def owes_early_ack(self, w: Worker) -> Bool:
        """Whether the pool accepted a job whose early ack has not reached Redis."""
        return (self.phase[w] != Phase.IDLE) & ~self.acked[w]

    # The prefetch window.

    def is_in_window(self, m: Message, w: Worker) -> Bool:
        """Whether the message takes a place in the worker's prefetch window.

        Two copies with one tag take one place. What waits for its ETA widens the window by as much
        as it takes.
        """
        running = (self.job[w] == m) & ~self.acked[w] & ~self.detached[w]
        return running if self.eta > 0 else running | (self.held[m, w] > 0)

    def has_credit(self, w: Worker) -> Bool:
        """Whether the worker may take another message."""
        taken = count(Message, lambda m: self.is_in_window(m, w))
        room = taken < (self.worker_prefetch_multiplier or ANY_NUMBER)
        if self.worker_disable_prefetch:
            room = room & (self.phase[w] == Phase.IDLE)
            if self.eta == 0:
                room = room & ~exists(Message, lambda m: self.held[m, w] > 0)
        return room

    def waits_in_brpop(self, w: Worker) -> Bool:
        """Whether a BRPOP of this worker is under way, so that Redis may hand it a message."""
        sent = (self.process[w] == Process.UP) & self.has_credit(w)
        return (sent | self.leftover[w]) & self.wire[w].is_none()

    # The age of what is unacknowledged.

    def overdue(self, m: Message) -> tuple[Bool, ...]:
        """The conditions under which the entry can be as old as the visibility timeout.

        Nobody refreshes an entry's age. So what its holders do with it decides: as long as one of
        them is about to get done in time, the entry is not that old; and between accept and start
        no time passes. Each sweep takes one
        visibility timeout off the wait for an ETA.
        """
        waits = exists(Worker, lambda w: (self.held[m, w] > 0) & self.process[w].is_in(*LOOPING))
        leaves = exists(Worker, lambda w: (self.held[m, w] > 0) & self.process[w].is_in(*LEAVING))
        runs = exists(Worker, lambda w: self.is_run_by(m, w) & ~self.phase[w].is_in(*BEFORE_BODY))
        starts = exists(Worker, lambda w: self.is_run_by(m, w) & self.phase[w].is_in(*BEFORE_BODY))
        to_be_acked = exists(Worker, lambda w: (self.job[w] == m) & ~self.acked[w])
        nobody = [
            self._unless_older(m, waits, self.held_to_start),
            self._unless_older(m, leaves, self.held_to_end),
            self._unless_older(m, starts, self.held_to_start),
            self._unless_older(m, runs, self.held_to_end),
        ]
        if not self.acks_after_run:
            nobody.append(self._unless_older(m, to_be_acked, self.held_to_start))
        return tuple(condition for condition in nobody if condition is not None)

    def is_run_by(self, m: Message, w: Worker) -> Bool:
        """Whether a pool that is not frozen has the message."""
        return (self.job[w] == m) & self.child_acts(w)

    def _unless_older(self, m: Message, holds: Bool, time: Duration) -> Bool | None:
        """The condition that nobody holds the message for no longer than the visibility timeout."""
        sweeps = self.sweeps_within(time)
        if sweeps is None:
            return None
        return ~holds if sweeps == 0 else ~holds | (self.swept[m] < sweeps)
