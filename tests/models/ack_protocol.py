"""The protocol of the design: deliver, run, acknowledge early or late; a worker is killed.

Two tasks, two workers and one kill: 308 states late and 135 early; 95 and 46 with symmetry. SPIN
and TLC count the same.
"""

from __future__ import annotations

from enum import Enum

from twice.model import (
    Bool,
    Map,
    Model,
    Regime,
    Sort,
    action,
    each,
    exists,
    fault,
    forall,
    invariant,
    require,
    when,
)


class Task(Sort):
    """A message and the work it stands for."""


class Worker(Sort):
    """A consumer process."""


class Status(Enum):
    """Where a message is."""

    READY = "ready"
    UNACKED = "unacked"
    ACKED = "acked"


TWO_AND_TWO = {Task: 2, Worker: 2}
ONE_KILL = Regime("one kill", {"worker_kill": 1})


class AckProtocol(Model):
    """Deliver, run and acknowledge tasks; a worker may be killed."""

    acks_late: bool = True

    status: Map[Task, Status] = Map(Status.READY)
    holder: Map[Task, Worker | None] = Map(None)
    done: Map[Task, bool] = Map(False)
    runs: Map[Task, int] = Map(0, within=range(3))
    alive: Map[Worker, bool] = Map(True)

    @action(source="broker: deliver", by="broker", to="{w}")
    def deliver(self, t: Task, w: Worker) -> None:
        """The broker hands {t} to {w}."""
        require(self.status[t] == Status.READY, self.alive[w])
        self.status[t] = Status.UNACKED
        self.holder[t] = w

    @action(by="{w}")
    def run(self, t: Task, w: Worker) -> None:
        """{w} runs the body of {t}."""
        require(self.holder[t] == w, ~self.done[t], self.runs[t] < 2)
        if not self.acks_late:
            require(self.status[t] == Status.ACKED)
        self.runs[t] += 1
        self.done[t] = True
        if not self.acks_late:
            self.holder[t] = None

    @action(by="{w}", to="broker")
    def ack(self, t: Task, w: Worker) -> None:
        """{w} acknowledges {t}."""
        require(self.holder[t] == w, self.status[t] == Status.UNACKED)
        if self.acks_late:
            require(self.done[t])
        self.status[t] = Status.ACKED
        if self.acks_late:
            self.holder[t] = None

    @fault(kind="worker_kill", by="environment", to="{w}")
    def kill(self, w: Worker) -> None:
        """{w} is killed; the broker takes back what it had not acknowledged."""
        require(self.alive[w])
        self.alive[w] = False
        for t in each(Task):
            with when(self.holder[t] == w):
                with when(self.status[t] == Status.UNACKED):
                    self.status[t] = Status.READY
                self.done[t] = False
                self.holder[t] = None

    @action(by="{w}")
    def restart(self, w: Worker) -> None:
        """{w} is started again."""
        require(~self.alive[w])
        self.alive[w] = True

    @invariant(violation="started_twice")
    def at_most_once(self) -> Bool:
        """No task runs twice."""
        return forall(Task, lambda t: self.runs[t] <= 1)

    @invariant(violation="lost")
    def never_lost(self) -> Bool:
        """No task leaves without having run."""
        return ~exists(Task, lambda t: self.gone(t) & (self.runs[t] == 0))

    def gone(self, t: Task) -> Bool:
        """Whether the broker has forgotten the task and no worker has it."""
        return (self.status[t] == Status.ACKED) & self.holder[t].is_none()
