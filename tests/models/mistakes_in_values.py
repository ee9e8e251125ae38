"""Mistakes in values: arithmetic the language lacks, values of another kind, lost comparisons."""
# mypy: ignore-errors
# ruff: noqa: E712, B015

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
    implies,
    invariant,
    require,
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
    ready: Map[Worker, bool] = Map(True)
    n: Var[int] = Var(0, within=range(4))


@refused("L112", reason="no number, key or collection", cure="compare it with ==")
def value_as_a_number():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            for _ in range(self.n):  # <- L112
                pass

    return Wrong


@refused("L112", reason="no number, key or collection", cure="a parameter of the action")
def value_as_a_key():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            points = {Status.READY: 1, Status.ACKED: 2}
            self.n = points[self.status[t]]  # <- L112

    return Wrong


@refused("L112", reason="no number, key or collection", cure="compare it with ==")
def value_looped_over():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            for _ in self.holder[t]:  # <- L112
                pass

    return Wrong


@refused("L112", reason="no number, key or collection", cure="compare it with ==")
def value_searched_in():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(Status.READY in self.status[t])  # <- L112

    return Wrong


@refused("L112", reason="no number, key or collection", cure="compare it with ==")
def value_indexed():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.holder[t][t] == 1)  # <- L112

    return Wrong


@refused("L112", reason="`n` depends on the state", cure="+ and -")
def product_of_values():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It doubles."""
            self.n = self.n * 2  # <- L112

    return Wrong


@refused("L112", reason="`n + 1` depends on the state", cure="+ and -")
def remainder_of_a_value():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It turns."""
            self.n = (self.n + 1) % 4  # <- L112

    return Wrong


@refused("L112", reason="depends on the state", cure="a != b")
def exclusive_or_of_conditions():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            require(self.alive[w] ^ self.ready[w])  # <- L112

    return Wrong


@refused("L113", reason="thrown away", cure="`=` to assign")
def comparison_instead_of_assignment():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.status[t] == Status.READY)
            self.status[t] == Status.ACKED  # <- L113

    return Wrong


@refused("L113", reason="thrown away", cure="require(...)")
def comparison_of_numbers_thrown_away():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            self.n < 3  # <- L113
            self.n += 1

    return Wrong


@refused(
    "L205", reason="a Status is needed, and 'READY', a str was given", cure="a value of Status"
)
def text_compared_with_an_enumeration():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.status[t] == "READY")  # <- L205

    return Wrong


@refused("L205", reason="a number is needed, and True, a bool was given", cure="a value of number")
def truth_compared_with_a_number():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            require(self.n == True)  # <- L205

    return Wrong


@refused("L205", reason="a Worker is needed, and `t`, a Task was given", cure="a value of Worker")
def member_of_another_sort():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            self.holder[t] = t  # <- L205

    return Wrong


@refused("L205", reason="a guard is needed", cure="a comparison")
def number_as_a_guard():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            require(self.n)  # <- L205

    return Wrong


@refused("L205", reason="a condition is needed", cure="a comparison")
def implication_from_a_number():
    class Wrong(Queue):
        @invariant
        def never(self):
            """Never."""
            return implies(self.n, self.n == 1)  # <- L205

    return Wrong


@refused("L205", reason="a number is needed, and `t`, a Task was given", cure="only compared")
def order_of_members():
    class Wrong(Queue):
        @action
        def act(self, t: Task, u: Task) -> None:
            """{t} overtakes {u}."""
            require(t < u)  # <- L205

    return Wrong


@refused("L205", reason="no names", cure="a parameter of the action")
def member_by_number():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            self.holder[t] = Worker(0)  # <- L205

    return Wrong


@refused("L205", reason="a number is needed, and None was given", cure="a value of number")
def none_where_a_number_stands():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            require(self.n.is_none())  # <- L205

    return Wrong


@refused("L205", reason="Status is no sort", cure="a class derived from Sort")
def loop_over_an_enumeration():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            for _ in each(Status):  # <- L205
                pass

    return Wrong


@refused("L205", reason="Status is no sort", cure="a class derived from Sort")
def count_over_an_enumeration():
    class Wrong(Queue):
        @invariant
        def never(self):
            """Never."""
            return count(Status, lambda s: self.n == 1) == 1  # <- L205

    return Wrong
