"""Mistakes in the order and the blocks of a rule: guards, `when`, `each`, leftovers."""
# mypy: ignore-errors
# ruff: noqa: B007

from __future__ import annotations

from enum import Enum

from refusals import Mistakes

from twice.model import (
    Map,
    Model,
    Sort,
    Var,
    action,
    count,
    each,
    forall,
    invariant,
    require,
    when,
)

MISTAKES = Mistakes()
refused = MISTAKES.refused


class Task(Sort):
    """A message."""


class Worker(Sort):
    """A consumer."""


class Status(Enum):
    READY = "ready"
    ACKED = "acked"


class Queue(Model):
    """What the mistakes are made in."""

    acks_late: bool = True
    status: Map[Task, Status] = Map(Status.READY)
    holder: Map[Task, Worker | None] = Map(None)
    alive: Map[Worker, bool] = Map(True)
    knows: Map[tuple[Worker, Worker], bool] = Map(False)
    load: Map[Worker, int] = Map(0, within=range(4))
    n: Var[int] = Var(0, within=range(4))


@refused("L301", reason="may not follow an assignment", cure="at the top of the body")
def guard_after_an_assignment():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            self.n = 1
            require(self.alive[w])  # <- L301

    return Wrong


@refused("L302", reason="belongs to the whole action", cure="require(implies(c, d))")
def guard_inside_when():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            with when(self.n == 0):
                require(self.alive[w])  # <- L302

    return Wrong


@refused("L302", reason="belongs to the whole action", cure="require(forall(Sort, ...))")
def guard_inside_each():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All act."""
            for w in each(Worker):
                require(self.alive[w])  # <- L302

    return Wrong


@refused("L303", reason="has no block", cure="`with when(condition):`")
def when_without_a_block():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            when(self.alive[w])  # <- L303
            self.n = 1

    return Wrong


@refused("L303", reason="has no block", cure="`with when(condition):`")
def when_without_a_block_before_another_with_one():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            when(self.alive[w])  # <- L303
            with when(self.n == 0):
                self.n = 1

    return Wrong


@refused("L304", reason="before its block is complete", cure="`with when(condition):`")
def loop_left_by_break():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All go."""
            for t in each(Task):  # <- L304
                self.holder[t] = None
                break

    return Wrong


@refused("L304", reason="before its block is complete", cure="`with when(condition):`")
def loop_left_by_return():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All go."""
            for t in each(Task):  # <- L304
                self.holder[t] = None
                return

    return Wrong


@refused("L304", reason="before its block is complete", cure="`with when(condition):`")
def only_one_member_taken_from_each():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """One goes."""
            self.holder[next(each(Task))] = None  # <- L304

    return Wrong


@refused("L305", reason="once for every turn of each(Task)", cure="count(Sort, ...)")
def counting_in_a_loop():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All go."""
            for t in each(Task):
                self.n += 1  # <- L305

    return Wrong


@refused("L305", reason="once for every turn of each(Task)", cure="the member of the turn")
def parameter_written_in_a_loop():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            for t in each(Task):
                with when(self.holder[t] == w):
                    self.alive[w] = False  # <- L305

    return Wrong


@refused("L306", reason="all turns happen at once", cure="the read before the loop")
def read_of_another_turns_write():
    class Wrong(Queue):
        @action
        def act(self, u: Task) -> None:
            """All follow {u}."""
            for t in each(Task):
                self.holder[t] = None
                self.status[t] = self.status[u]
                with when(self.status[u] == Status.READY):  # <- L306
                    self.status[t] = Status.ACKED

    return Wrong


@refused("L306", reason="all turns happen at once", cure="the read before the loop")
def count_of_what_other_turns_write():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All swap."""
            for w in each(Worker):
                self.alive[w] = ~self.alive[w]
                with when(count(Worker, lambda v: self.alive[v]) == 0):  # <- L306
                    self.alive[w] = True

    return Wrong


@refused("L307", reason="only looks at a state", cure="an @action")
def assignment_in_a_property():
    class Wrong(Queue):
        @invariant
        def never(self):
            """Never."""
            self.n = 1  # <- L307
            return self.n == 1

    return Wrong


@refused("L308", reason="belongs to each() or a quantifier that is over", cure="a parameter")
def member_used_after_its_loop():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All go."""
            for t in each(Task):
                self.holder[t] = None
            self.status[t] = Status.ACKED  # <- L308

    return Wrong


@refused("L308", reason="belongs to each() or a quantifier that is over", cure="a parameter")
def member_kept_as_a_value():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            self.holder[t] = list(each(Worker)).pop()  # <- L308

    return Wrong


@refused("L308", reason="belongs to each() or a quantifier that is over", cure="count(Sort, ...)")
def sum_over_members():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            require(sum(self.load[w] for w in each(Worker)) == 0)  # <- L308

    return Wrong


@refused("L308", reason="belongs to each() or a quantifier that is over", cure="forall(Sort, ...)")
def member_left_over_in_a_property():
    class Wrong(Queue):
        @invariant  # <- L308
        def never(self):
            """Never."""
            for w in each(Worker):
                pass
            return forall(Task, lambda t: self.holder[t] != w)

    return Wrong
