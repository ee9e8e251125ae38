"""One id enqueued twice in RQ: whose arguments its hash has, and whose a process has in memory."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from twice.model import Bool, Map, always_reachable, implies, setting, when
from twice.protocols.delivery import Task, Worker
from twice.protocols.rq_state import Producer, RQState

if TYPE_CHECKING:
    from twice.model.program import Program


class Again(Enum):
    """How far a second call of `Queue.enqueue` with the same id has come."""

    NOT_CALLED = "not called"
    SAVED = "saved the job"
    TOLD = "told: enqueued"
    REFUSED = "told: there is one already"


class Call(Enum):
    """Which of the two calls gave the arguments."""

    FIRST = "the first call's"
    SECOND = "the second call's"


class OwnRun(Enum):
    """How far a run with the arguments of one call ever came."""

    NONE = "none started"
    STARTED = "started"
    COMPLETED = "completed"


class CallSettings(RQState):
    """Whether an id is enqueued twice, and what RQ does about it."""

    enqueued_twice: bool = setting(
        False, "Whether a second job is enqueued under the id of the first."
    )
    enqueued_again_within: float = setting(
        60, "The second call comes at most this long after the first.", unit="s", minimum=0
    )
    unique: bool = setting(False, "enqueue(unique=True): refused while the id has a hash; RQ 2.8.")
    result_ttl: float = setting(
        500,
        "How long `unique` knows a finished job; -1 is for ever.",
        unit="s",
        minimum=-1,
    )

    @property
    def hash_expires(self) -> bool:
        """Whether the second call may find that the first job's hash is gone already."""
        expires = self.unique and 0 <= self.result_ttl <= self.enqueued_again_within
        return self.enqueued_twice and expires

    @property
    def hash_may_be_missing(self) -> bool:
        """Whether an id may be somewhere and its hash nowhere."""
        return self.hash_expires or not self.redis_persistence


class Arguments(CallSettings):
    """The hash has the arguments of one call: every save writes all of it, arguments included.

    So a second call overwrites the arguments of the first, and an attempt that read the hash
    before writes the old ones back when it ends. Each call whose producer was told that its job is
    enqueued is owed a run with its own arguments; how often a body ran is counted by id.
    """

    again: Map[Task, Again] = Map(Again.NOT_CALLED, label="second enqueue")
    arguments: Map[Task, Call] = Map(Call.FIRST, label="arguments in the hash")
    carried: Map[Worker, Call] = Map(Call.FIRST, label="arguments in memory")
    first_run: Map[Task, OwnRun] = Map(OwnRun.NONE, label="runs with the first call's arguments")
    second_run: Map[Task, OwnRun] = Map(OwnRun.NONE, label="runs with the second call's arguments")

    def program(self) -> Program:
        """The guarded commands; without a second call, its variables are not there."""
        program = super().program()
        if self.enqueued_twice:
            return program
        return program.without("again", "arguments", "carried", "first_run", "second_run")

    # What the outcomes are made of.

    def accepted(self, t: Task) -> Bool:
        """Whether a call of `enqueue` returned."""
        first = super().accepted(t)
        return first | (self.again[t] == Again.TOLD) if self.enqueued_twice else first

    def settled(self, t: Task) -> Bool:
        """Whether each call that returned got its own run, or a failure is recorded."""
        if not self.enqueued_twice:
            return super().settled(t)
        return self.came_to(t, OwnRun.COMPLETED) | self.failure_recorded(t)

    def came_to(self, t: Task, *reached: OwnRun) -> Bool:
        """Whether each call that returned has had a run of its own that came so far."""
        first = implies(self.producer[t] == Producer.TOLD, self.first_run[t].is_in(*reached))
        second = implies(self.again[t] == Again.TOLD, self.second_run[t].is_in(*reached))
        return first & second

    @always_reachable(violation="failed", given=lambda m: m.enqueued_twice)
    def no_call_fails_for_good(self, t: Task) -> Bool:
        """Each call for {t} can still get its own run wherever a failure of {t} is recorded."""
        return self.came_to(t, OwnRun.COMPLETED) | ~self.failure_recorded(t)

    @always_reachable(violation="failed_unrun", given=lambda m: m.enqueued_twice)
    def no_call_fails_unrun(self, t: Task) -> Bool:
        """Each call for {t} has begun its own run, or can, wherever a failure is recorded."""
        begun = self.came_to(t, OwnRun.STARTED, OwnRun.COMPLETED)
        return begun | ~self.failure_recorded(t)

    # Moves.

    def remember(self, t: Task, w: Worker) -> None:
        """A process reads the hash, and keeps to what it read."""
        self.memory[w] = self.retries_left[t]
        if self.enqueued_twice:
            self.carried[w] = self.arguments[t]

    def forget(self, w: Worker) -> None:
        """The process has done with the job that it had read."""
        self.memory[w] = 0
        if self.enqueued_twice:
            self.carried[w] = Call.FIRST

    def save_arguments(self, t: Task, w: Worker) -> None:
        """A process saves the hash as it had read it."""
        if self.enqueued_twice:
            self.arguments[t] = self.carried[w]

    def lose_arguments(self, t: Task) -> None:
        """There is no hash any more."""
        if self.enqueued_twice:
            self.arguments[t] = Call.FIRST

    def note_start(self, t: Task, w: Worker) -> None:
        """A run of the body starts with the arguments that its process has."""
        if self.enqueued_twice:
            first = self.carried[w] == Call.FIRST
            with when(first & (self.first_run[t] == OwnRun.NONE)):
                self.first_run[t] = OwnRun.STARTED
            with when(~first & (self.second_run[t] == OwnRun.NONE)):
                self.second_run[t] = OwnRun.STARTED

    def note_completion(self, t: Task, w: Worker) -> None:
        """A run of the body completes with the arguments that its process has."""
        if self.enqueued_twice:
            with when(self.carried[w] == Call.FIRST):
                self.first_run[t] = OwnRun.COMPLETED
            with when(self.carried[w] == Call.SECOND):
                self.second_run[t] = OwnRun.COMPLETED
