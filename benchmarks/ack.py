"""The benchmark protocol `ack`: deliver, run and acknowledge tasks while workers crash.

Small enough for any checker and rich enough to grow: its numbers of states are agreed by SPIN, TLC
and several other programs, so that speed and memory are compared on equal work.
"""

from __future__ import annotations

from enum import Enum

from twice.model import Bool, Map, Model, Sort, action, fault, forall, invariant, ite, require, when


class Task(Sort):
    """A message and the work it stands for."""


class Worker(Sort):
    """A consumer process."""


class Loc(Enum):
    """Where a message is."""

    NEW = "new"
    READY = "ready"
    UNACKED = "unacked"
    GONE = "gone"


class Phase(Enum):
    """How far a worker is with the task it holds."""

    IDLE = "idle"
    GOT = "got"
    RUNNING = "running"
    DONE = "done"


class Ack(Model):
    """Deliver, run and acknowledge; early or late.

    Late, a worker acknowledges after the run. Early, it acknowledges before the start, and a step
    of its own makes it free after the run. Crashes are bounded by the budget of the check.
    """

    acks_late: bool = True

    loc: Map[Task, Loc] = Map(Loc.NEW)
    execs: Map[Task, int] = Map(0, within=range(3))
    effects: Map[Task, int] = Map(0, within=range(3))
    owner: Map[Task, Worker | None] = Map(None)
    phase: Map[Worker, Phase] = Map(Phase.IDLE)
    holds: Map[Worker, Task | None] = Map(None)

    @action(by="producer")
    def publish(self, t: Task) -> None:
        """The producer publishes {t}."""
        require(self.loc[t] == Loc.NEW)
        self.loc[t] = Loc.READY

    @action(by="broker", to="{w}")
    def deliver(self, t: Task, w: Worker) -> None:
        """The broker delivers {t} to {w}."""
        require(self.loc[t] == Loc.READY, self.phase[w] == Phase.IDLE)
        self.loc[t] = Loc.UNACKED
        self.owner[t] = w
        self.phase[w] = Phase.GOT
        self.holds[w] = t

    @action(by="{w}")
    def start(self, t: Task, w: Worker) -> None:
        """{w} starts {t}."""
        require(self.phase[w] == Phase.GOT, self.holds[w] == t)
        if not self.acks_late:
            require(self.loc[t] == Loc.GONE)
        self.phase[w] = Phase.RUNNING
        self.execs[t] = ite(self.execs[t] < 2, self.execs[t] + 1, 2)

    @action(by="{w}")
    def finish(self, t: Task, w: Worker) -> None:
        """{w} finishes {t}, whose effect has happened."""
        require(self.phase[w] == Phase.RUNNING, self.holds[w] == t)
        self.phase[w] = Phase.DONE
        self.effects[t] = ite(self.effects[t] < 2, self.effects[t] + 1, 2)

    @action(by="{w}", to="broker")
    def ack(self, t: Task, w: Worker) -> None:
        """{w} acknowledges {t}."""
        if self.acks_late:
            require(self.phase[w] == Phase.DONE, self.holds[w] == t)
            self._release(w)
        else:
            require(self.phase[w] == Phase.GOT, self.holds[w] == t, self.loc[t] == Loc.UNACKED)
        self.loc[t] = Loc.GONE
        self.owner[t] = None

    @action(by="{w}", given=lambda model: not model.acks_late)
    def free(self, w: Worker) -> None:
        """{w} is free again."""
        require(self.phase[w] == Phase.DONE)
        self._release(w)

    @fault(kind="crash", by="{w}")
    def crash(self, t: Task, w: Worker) -> None:
        """{w} crashes; the broker takes {t} back unless it was acknowledged."""
        require(self.phase[w] != Phase.IDLE, self.holds[w] == t)
        self._release(w)
        with when(self.loc[t] == Loc.UNACKED):
            self.loc[t] = Loc.READY
            self.owner[t] = None

    def _release(self, w: Worker) -> None:
        self.phase[w] = Phase.IDLE
        self.holds[w] = None

    @invariant(violation="started_twice")
    def starts_at_most_once(self) -> Bool:
        """No task starts twice."""
        return forall(Task, lambda t: self.execs[t] <= 1)

    @invariant(violation="lost")
    def goes_only_after_its_effect(self) -> Bool:
        """No task is gone without its effect while nobody works on it."""
        return forall(Task, lambda t: (self.loc[t] != Loc.GONE) | (self.effects[t] > 0))
