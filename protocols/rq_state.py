"""The state of RQ: what is in Redis, and what producers, workers and horses are doing."""

from __future__ import annotations

from enum import Enum

from twice.model import Bool, Expr, Map, Var, count, exists, ite
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_features import RQFeatures


class Producer(Enum):
    """How far a call of `Queue.enqueue` has come."""

    NEW = "not called"
    QUEUE_NAMED = "named the queue"
    SAVED = "saved the job"
    PUSHED = "waits for the reply"
    RESENDING = "sends again"
    TOLD = "told: enqueued"
    GONE = "crashed, or told an error"


class Status(Enum):
    """The field `status` of the job's hash."""

    NONE = "no hash"
    QUEUED = "queued"
    STARTED = "started"
    SCHEDULED = "scheduled"
    FINISHED = "finished"
    FAILED = "failed"


class FirstSeen(Enum):
    """The key `first_seen`: since when maintenance knows an id of the intermediate list."""

    NEVER = "never"
    RECENTLY = "less than a minute ago"
    LONG_AGO = "more than a minute ago"


class Entry(Enum):
    """An execution's entry in the StartedJobRegistry (`rq:wip`): its score against the clock."""

    NONE = "none"
    VALID = "valid"
    EXPIRED = "expired"
    SEEN = "expired, and seen by a pass"


class Process(Enum):
    """Whether a worker's process acts. A horse acts unless its worker is FROZEN."""

    RUNNING = "running"
    PAUSED = "paused"
    FROZEN = "paused, with its job"
    OVERDUE = "about to kill its overdue horse"
    DEAD = "dead"


class Phase(Enum):
    """How far a worker and its horse are with a job, or a worker with a maintenance pass."""

    IDLE = "idle"
    # The worker alone.
    POPPED = "has popped an id"
    FETCHED = "has read the job"
    TAKEN_UP = "is busy with the job"
    REGISTERED = "has registered the execution"
    # The horse acts, its worker waits.
    FORKED = "horse forked"
    HORSE_READ = "horse has read the job"
    HORSE_READY = "job set to started"
    BODY = "body started"
    EFFECT = "body had its effect"
    RETURNED = "body returned"
    RAISED = "body failed"
    RETURNED_RENEWED = "body returned, entry renewed"
    RAISED_RENEWED = "body failed, entry renewed"
    RELEASING = "releases a dependent"
    HORSE_FAILING = "horse said: failed"
    HORSE_SCHEDULING = "said: scheduled"
    HORSE_LISTED = "listed the retry"
    EXITING = "done with the job"
    # The worker alone, its horse having died.
    HORSE_DEAD = "horse died"
    VERDICT = "worker saw no final status"
    VERDICT_SCHEDULING = "worker said: scheduled"
    VERDICT_LISTED = "worker listed the retry"
    # Maintenance: the StartedJobRegistry.
    SAW_EXPIRED = "sees an expired entry"
    ABANDONED = "holds the job abandoned"
    ABANDONED_FAILING = "maintenance said: failed"
    ABANDONED_FAILED = "maintenance listed the failure"
    ABANDONED_SCHEDULING = "maintenance said: scheduled"
    ABANDONED_LISTED = "maintenance listed the retry"
    DROPPING = "drops the entry"
    # Maintenance: the intermediate list.
    SAW_INTERMEDIATE = "sees an intermediate id"
    LOOKED_UP = "has read that job"
    STUCK = "holds that job stuck"
    STUCK_SCHEDULING = "said of that job: scheduled"
    STUCK_LISTED = "listed the retry of that job"
    REMOVING = "removes the intermediate id"


AFTER_POP = (Phase.POPPED, Phase.FETCHED)
UNREGISTERED = (*AFTER_POP, Phase.TAKEN_UP)
MID_JOB = (Phase.BODY, Phase.EFFECT)
RETURNED = (Phase.RETURNED, Phase.RETURNED_RENEWED)
RAISED = (Phase.RAISED, Phase.RAISED_RENEWED)
AFTER_BODY = (
    *RETURNED,
    *RAISED,
    Phase.RELEASING,
    Phase.HORSE_FAILING,
    Phase.HORSE_SCHEDULING,
    Phase.HORSE_LISTED,
)
STARTING = (Phase.FORKED, Phase.HORSE_READ)
BEFORE_BODY = (*STARTING, Phase.HORSE_READY)
HORSE = (*BEFORE_BODY, *MID_JOB, *AFTER_BODY)
VERDICT = (Phase.HORSE_DEAD, Phase.VERDICT, Phase.VERDICT_SCHEDULING, Phase.VERDICT_LISTED)
BUSY = (Phase.TAKEN_UP, Phase.REGISTERED, *HORSE, Phase.EXITING, *VERDICT)
STARTED_SWEEP = (
    Phase.SAW_EXPIRED,
    Phase.ABANDONED,
    Phase.ABANDONED_FAILING,
    Phase.ABANDONED_FAILED,
    Phase.ABANDONED_SCHEDULING,
    Phase.ABANDONED_LISTED,
    Phase.DROPPING,
)
INTERMEDIATE_SWEEP = (
    Phase.SAW_INTERMEDIATE,
    Phase.LOOKED_UP,
    Phase.STUCK,
    Phase.STUCK_SCHEDULING,
    Phase.STUCK_LISTED,
    Phase.REMOVING,
)
MAINTENANCE = (*STARTED_SWEEP, *INTERMEDIATE_SWEEP)


class RQState(RQFeatures):
    """The variables, and the questions asked of them.

    A worker's slot holds one attempt at a time: `phase`, `job`, `memory` and `entry` belong to it.
    When the worker is dead and its horse gone, the slot keeps `job` only as long as the attempt's
    registry entry is there. In a maintenance pass `job` and `memory` are those looked at. Where all
    attempts of a job share one registry entry, that is `wip`, and `entry` and the leftovers stay
    as they are.
    """

    producer: Map[Task, Producer] = Map(Producer.NEW)
    queue: Map[Task, int] = Map(0, within=range(3), label="copies in the queue")
    intermediate: Map[Task, int] = Map(0, within=range(3), label="copies in the intermediate list")
    status: Map[Task, Status] = Map(Status.NONE)
    retries_left: Map[Task, int] = Map(0, within=range(4), label="retries_left")
    scheduled: Map[Task, bool] = Map(False, label="in ScheduledJobRegistry")
    failed: Map[Task, bool] = Map(False, label="in FailedJobRegistry")
    first_seen: Map[Task, FirstSeen] = Map(FirstSeen.NEVER, label="first_seen")
    leftover: Map[Task, int] = Map(0, within=range(3), label="entries nobody waits for")
    leftover_seen: Map[Task, int] = Map(0, within=range(3), label="such entries seen by a pass")
    wip: Map[Task, Entry] = Map(Entry.NONE, label="one entry in StartedJobRegistry")
    late_push: Map[Task, int] = Map(0, within=range(5), label="push a paused scheduler owes")

    process: Map[Worker, Process] = Map(Process.RUNNING)
    stop_requested: Map[Worker, bool] = Map(False)
    phase: Map[Worker, Phase] = Map(Phase.IDLE)
    job: Map[Worker, Task | None] = Map(None)
    memory: Map[Worker, int] = Map(0, within=range(4), label="retries_left in memory")
    reread: Map[Worker, int] = Map(0, within=range(4), label="retries_left in the horse's memory")
    entry: Map[Worker, Entry] = Map(Entry.NONE, label="entry in StartedJobRegistry")

    redis_away: Var[bool] = Var(False, label="Redis is away")

    # What the outcomes are made of.

    def accepted(self, t: Task) -> Bool:
        """Whether `enqueue` returned."""
        return self.producer[t] == Producer.TOLD

    def failure_recorded(self, t: Task) -> Bool:
        """Whether the job is in the FailedJobRegistry; its status was set with it."""
        return self.failed[t]

    def copy_left(self, t: Task) -> Bool:
        """Whether the id is in a list, in a registry that is read, or in a process's memory."""
        in_redis = (self.queue[t] > 0) | (self.intermediate[t] > 0) | self.scheduled[t]
        held = exists(Worker, lambda w: self.job[w] == t) | (self.late_push[t] > 0)
        return in_redis | held | self.has_leftover(t)

    def runs_now(self, t: Task) -> Expr[int]:
        """How many horses are inside the job's function."""
        return count(Worker, lambda w: (self.job[w] == t) & self.phase[w].is_in(*MID_JOB))

    # Where a step begins that other versions begin elsewhere.

    @property
    def commits_from(self) -> Phase:
        """How far a horse is when it records the success of its job."""
        return Phase.RETURNED_RENEWED if self.renews_at_end else Phase.RETURNED

    @property
    def fails_from(self) -> Phase:
        """How far a horse is when it records the failure of its job."""
        return Phase.RAISED_RENEWED if self.renews_at_end else Phase.RAISED

    @property
    def pushes_from(self) -> Producer:
        """How far a producer is when it pushes the id."""
        if self.saves_apart:
            return Producer.SAVED
        return Producer.NEW if self.pushes_at_once else Producer.QUEUE_NAMED

    @property
    def gives_up_from(self) -> Phase:
        """How far a maintenance pass is when it records a failure together with the entry's end."""
        return Phase.ABANDONED_FAILING if self.says_failed_first else Phase.ABANDONED

    @property
    def forks_from(self) -> Phase:
        """How far a worker is when it forks a horse."""
        return Phase.TAKEN_UP if self.entry_by_job else Phase.REGISTERED

    @property
    def registers_from(self) -> Phase:
        """How far a horse is when it registers, or a worker that runs the job itself."""
        if not self.has_horses:
            return self.forks_from
        return Phase.HORSE_READ if self.rereads_job else Phase.FORKED

    def horse_memory(self, w: Worker) -> Expr[int]:
        """The retries left that a horse goes by: its worker's, unless it read the job again."""
        return self.reread[w] if self.rereads_job else self.memory[w]

    # Who can act.

    def acts(self, w: Worker) -> Bool:
        """Whether the worker's process runs."""
        return self.process[w] == Process.RUNNING

    def horse_acts(self, w: Worker) -> Bool:
        """Whether a horse of this worker would run, orphan or not; or the worker in its place."""
        return self.process[w] != Process.FROZEN if self.has_horses else self.acts(w)

    def redis_answers(self) -> Bool:
        """Whether Redis can be reached."""
        return ~self.redis_away

    def begins_pass(self, w: Worker) -> Bool:
        """Whether the worker runs and gets the lock of maintenance.

        The lock of a worker that died or is paused in a pass is gone after 899 s, which is only a
        matter of time. Before there was a lock, passes took no notice of each other.
        """
        if not self.locks_maintenance:
            return self.acts(w) & self.redis_answers()
        locked = exists(Worker, lambda v: self.acts(v) & self.phase[v].is_in(*MAINTENANCE))
        return self.acts(w) & ~locked & self.redis_answers()

    def has_entry(self, t: Task) -> Bool:
        """Whether any execution of the job is in the StartedJobRegistry."""
        held = exists(Worker, lambda w: (self.job[w] == t) & (self.entry[w] != Entry.NONE))
        return held | self.has_leftover(t)

    def has_leftover(self, t: Task) -> Bool:
        """Whether the job has an entry that no worker's slot knows of."""
        if self.entry_by_job:
            return self.wip[t] != Entry.NONE
        return (self.leftover[t] > 0) | (self.leftover_seen[t] > 0)

    def has_expired_entry(self, t: Task) -> Bool:
        """Whether any execution of the job has expired; a leftover sooner or later has."""
        if self.entry_by_job:
            return self.wip[t].is_in(Entry.EXPIRED, Entry.SEEN)
        expired = exists(Worker, lambda w: (self.job[w] == t) & self.is_expired(w))
        return expired | self.has_leftover(t)

    def is_expired(self, w: Worker) -> Bool:
        """Whether the entry of the worker's attempt has expired."""
        return self.entry[w].is_in(Entry.EXPIRED, Entry.SEEN)

    def seen_entries(self, t: Task) -> Expr[int]:
        """How many expired executions of the job a maintenance pass has seen."""
        if self.entry_by_job:
            return ite(self.wip[t] == Entry.SEEN, 1, 0)
        held = count(Worker, lambda w: (self.job[w] == t) & (self.entry[w] == Entry.SEEN))
        return held + self.leftover_seen[t]

    def somebody_hurries(self) -> Bool:
        """Whether a process is between two steps that take milliseconds: no minute can pass."""
        worker_steps = (*UNREGISTERED, Phase.REGISTERED, Phase.EXITING, *VERDICT, *MAINTENANCE)
        horse_steps = (*BEFORE_BODY, *AFTER_BODY)
        return exists(
            Worker,
            lambda w: (
                (self.acts(w) & self.phase[w].is_in(*worker_steps))
                | (self.horse_acts(w) & self.phase[w].is_in(*horse_steps))
            ),
        )
