"""A job that depends on another, in RQ: where it is until it is pushed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from twice.model import Bool, Map, always_reachable, setting, when
from twice.protocols.delivery import Task
from twice.protocols.rq_arguments import Arguments
from twice.protocols.rq_settings import Version

if TYPE_CHECKING:
    from twice.model.program import Program


class Child(Enum):
    """Where the dependent of a job is."""

    DEFERRED = "deferred, in the dependents of its job"
    TAKEN = "deferred, taken out of the dependents"
    READY = "in ReadyJobRegistry"
    PUSHED = "pushed to the queue"


class Dependents(Arguments):
    """A job may have one dependent, registered before the job is popped, without allow_failure.

    It is followed until it is in its queue; from there it fares like any job. While its job is
    recorded as failed it waits, and that is told; deferred for ever otherwise, it is stuck.
    """

    dependent: bool = setting(False, "Whether another job depends on the job (depends_on).")

    child: Map[Task, Child] = Map(Child.DEFERRED, label="dependent")

    def program(self) -> Program:
        """The guarded commands; without a dependent, its variable is not there."""
        program = super().program()
        return program if self.dependent else program.without("child")

    @property
    def releases_first(self) -> bool:
        """Whether dependents are released before their job is recorded as finished (0.6)."""
        return self.dependent and self.version is Version.V0_6

    @property
    def releases_last(self) -> bool:
        """Whether dependents become ready with their job's end, and are pushed later (3.0)."""
        return self.dependent and self.version is Version.V3_0

    def is_waiting(self, t: Task) -> Bool:
        """Whether the dependent is still in the set of dependents."""
        return self.child[t] == Child.DEFERRED

    def release_with_commit(self, t: Task) -> None:
        """What the transaction of a success does with the dependent, if it is still there."""
        if self.dependent and not self.releases_first:
            with when(self.is_waiting(t)):
                self.child[t] = Child.READY if self.releases_last else Child.PUSHED

    @always_reachable(violation="stuck", given=lambda m: m.dependent)
    def dependent_is_never_stuck(self, t: Task) -> Bool:
        """The dependent of an accepted {t} can be pushed yet, or waits for {t}, which failed."""
        waits = self.is_waiting(t) & self.failure_recorded(t)
        return (self.child[t] == Child.PUSHED) | waits | ~self.accepted(t)
