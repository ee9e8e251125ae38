"""Actions whose effect depends on how the language is read: one model, many small rules."""

from __future__ import annotations

from enum import Enum, IntEnum

from twice.model import (
    Bool,
    Expr,
    Map,
    Model,
    Sort,
    Var,
    action,
    count,
    each,
    exists,
    fault,
    forall,
    implies,
    invariant,
    ite,
    require,
    when,
)


class Task(Sort):
    """A message."""


class Worker(Sort):
    """A consumer."""


class Status(Enum):
    """Where a message is."""

    READY = "ready"
    TAKEN = "taken"
    GONE = "gone"


class Level(IntEnum):
    """Numbers that are no codes."""

    LOW = 10
    HIGH = 30


class Reading(Model):
    """Order of statements, loops, conditions and parameters."""

    n: Var[int] = Var(0, within=range(-2, 5))
    m: Var[int] = Var(0, within=range(-2, 5))
    flag: Var[bool] = Var(False)
    level: Var[Level] = Var(Level.LOW)
    status: Map[Task, Status] = Map(Status.READY)
    owner: Map[Task, Worker | None] = Map(None)
    load: Map[Worker, int] = Map(0, within=range(4))
    up: Map[Worker, bool] = Map(True)
    sent: Map[tuple[Task, Worker], bool] = Map(False)
    knows: Map[tuple[Worker, Worker], bool] = Map(False)

    @action
    def read_after_write(self) -> None:
        """The second assignment sees the first."""
        self.n = self.n + 1
        self.m = self.n + 1

    @action
    def swap(self) -> None:
        """A value kept in a Python variable is the old one."""
        before = self.n
        self.n = self.m
        self.m = before

    @action
    def last_write_wins(self) -> None:
        """Only the last value stays."""
        self.n = 1
        self.n = 2

    @action
    def augmented(self) -> None:
        """It counts up, and down by a condition's number."""
        self.n += 2
        self.n -= 1

    @action
    def alias(self, t: Task, u: Task) -> None:
        """{t} is taken, and {u} is looked at, which may be the same."""
        self.status[t] = Status.TAKEN
        self.flag = self.status[u] == Status.TAKEN

    @action
    def alias_overwritten(self, t: Task, u: Task) -> None:
        """{t} is taken and then {u} is gone."""
        self.status[t] = Status.TAKEN
        self.status[u] = Status.GONE

    @action
    def alias_of_pairs(self, v: Worker, w: Worker) -> None:
        """{v} hears of {w}; does {w} know {v}?"""
        self.knows[v, w] = True
        self.flag = self.knows[w, v]

    @action
    def conditional(self) -> None:
        """Read after a write that happened only under a condition."""
        with when(self.flag):
            self.n = 3
        self.m = self.n

    @action
    def nested(self, t: Task) -> None:
        """The inner condition sees what the outer block wrote."""
        with when(self.status[t] == Status.READY):
            self.status[t] = Status.TAKEN
            with when((self.status[t] == Status.TAKEN) & self.flag):
                self.n = 1
            with when(self.status[t] == Status.READY):
                self.n = 4
        with when(self.status[t] == Status.TAKEN):
            self.m = 1

    @action
    def condition_is_read_once(self) -> None:
        """A block is entered by what held before it."""
        with when(self.n == 0):
            self.n = 1
            self.m = 1

    @action
    def for_all(self, w: Worker) -> None:
        """Whatever {w} owns is ready again."""
        for t in each(Task):
            with when(self.owner[t] == w):
                self.status[t] = Status.READY
                self.owner[t] = None

    @action
    def read_after_loop(self, t: Task) -> None:
        """All are taken but by condition; then {t} is looked at."""
        for u in each(Task):
            with when(self.owner[u].is_none()):
                self.status[u] = Status.TAKEN
        self.flag = self.status[t] == Status.TAKEN

    @action
    def quantified_after_loop(self) -> None:
        """All are taken; then all are looked at."""
        for u in each(Task):
            self.status[u] = ite(self.owner[u].is_none(), Status.TAKEN, Status.GONE)
        self.n = count(Task, lambda t: self.status[t] == Status.TAKEN)

    @action
    def all_at_once(self) -> None:
        """Each worker turns over by what all were before."""
        for w in each(Worker):
            others = count(Worker, lambda v: self.up[v])
            self.up[w] = others == 1

    @action
    def pairs(self) -> None:
        """Everything is sent to everyone who is up."""
        for t in each(Task):
            for w in each(Worker):
                with when(self.up[w] & (self.status[t] == Status.READY)):
                    self.sent[t, w] = True

    @action
    def half_a_pair(self, w: Worker) -> None:
        """Everything is sent to {w}, and what was sent is counted."""
        for t in each(Task):
            self.sent[t, w] = ~self.sent[t, w]
        self.n = count(Task, lambda t: self.sent[t, w])

    @action
    def diagonal(self, v: Worker, w: Worker) -> None:
        """Everybody knows themselves; does {v} know {w}?"""
        for u in each(Worker):
            self.knows[u, u] = True
        self.flag = self.knows[v, w]

    @action
    def two_loops(self) -> None:
        """The second loop sees what the first wrote."""
        for w in each(Worker):
            self.load[w] = ite(self.up[w], 1, 0)
        for v in each(Worker):
            self.load[v] += ite(self.load[v] == 1, 2, 0)

    @action
    def transposed(self) -> None:
        """Written in both directions, one after the other."""
        for v in each(Worker):
            for w in each(Worker):
                self.knows[v, w] = self.up[v]
                self.knows[w, v] = ~self.up[v]

    @action
    def choice_of_conditions(self) -> None:
        """A choice between conditions chooses again."""
        chosen = ite(self.flag, self.n == 1, self.m == 1)
        self.n = ite(chosen, 2, 3)
        self.flag = ite(chosen, self.flag, self.m == 0)

    @action
    def guarded_by_a_choice(self) -> None:
        """A choice between conditions is a guard."""
        require(ite(self.flag, self.n == 1, self.m == 1))

    @action
    def by_member(self, s: Expr[Status]) -> None:
        """All become {s}."""
        require(s != Status.READY)
        for t in each(Task):
            self.status[t] = s

    @action
    def raise_level(self, to: Expr[Level]) -> None:
        """The level becomes {to}."""
        require(self.level != to)
        self.level = to
        self.n = ite(self.level == Level.HIGH, 4, 0)

    @action
    def truths(self) -> None:
        """Conditions are values as well."""
        self.flag = (self.n == 1) == (self.m == 1)

    @action
    def handed_over(self, t: Task, u: Task) -> None:
        """{u} goes to whoever has {t}."""
        require(~self.owner[t].is_none(), t != u)
        self.owner[u] = self.owner[t]

    @action
    def by_helper(self, t: Task) -> None:
        """A method called by a rule is part of it."""
        self.take(t)
        self.flag = self.taken(t)

    @fault(kind="crash", by="{w}")
    def crash(self, w: Worker) -> None:
        """{w} crashes."""
        require(self.up[w])
        self.up[w] = False

    def take(self, t: Task) -> None:
        """The message is taken."""
        self.status[t] = Status.TAKEN

    def taken(self, t: Task) -> Bool:
        """Whether the message is taken."""
        return self.status[t] == Status.TAKEN

    @invariant
    def everybody_is_up(self) -> Bool:
        """All workers are up."""
        return forall(Worker, lambda w: self.up[w])

    @invariant
    def somebody_sends(self) -> Bool:
        """Some worker was sent everything."""
        return exists(Worker, lambda w: forall(Task, lambda t: self.sent[t, w]))

    @invariant
    def ready_are_unowned(self, t: Task) -> Bool:
        """{t} has no owner while it is ready."""
        return implies(self.status[t] == Status.READY, self.owner[t].is_none())

    @invariant
    def small(self) -> Bool:
        """The sum is small, and the level low."""
        return (self.n + self.m <= 3) & (1 - self.n > -3) & (self.level == Level.LOW)

    @invariant
    def few_loads(self) -> Bool:
        """At most one worker is loaded more than the number says."""
        return count(Worker, lambda w: self.load[w] > self.n) < 2

    @invariant
    def listed(self, t: Task) -> Bool:
        """{t} is in some place that counts."""
        return self.status[t].is_in(Status.READY, Status.GONE) | ~self.flag
