"""Mistakes in conditions: what Python decides by itself, and what only looks like a condition."""
# mypy: ignore-errors
# ruff: noqa: E712

from __future__ import annotations

from enum import Enum

from refusals import Mistakes

from twice.model import (
    Map,
    Model,
    Sort,
    Var,
    action,
    always_reachable,
    exists,
    forall,
    invariant,
    ite,
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
    ready: Map[Worker, bool] = Map(True)
    n: Var[int] = Var(0, within=range(4))


STATE = "depends on the state"


@refused("L101", reason=STATE, cure="(a == X) & (b == Y)")
def and_between_conditions():
    class Wrong(Queue):
        @action
        def act(self, t: Task, w: Worker) -> None:
            """{w} takes {t}."""
            require(self.status[t] == Status.READY and self.alive[w])  # <- L101

    return Wrong


@refused("L101", reason=STATE, cure="(a == X) & (b == Y)")
def and_in_a_condition_over_several_lines():
    class Wrong(Queue):
        @invariant
        def never(self):
            """Never."""
            return forall(
                Task,
                lambda t: self.status[t] == Status.READY and self.n < 2,  # <- L101
            )

    return Wrong


@refused("L102", reason=STATE, cure="(a == X) | (b == Y)")
def or_between_conditions():
    class Wrong(Queue):
        @action
        def act(self, t: Task, w: Worker) -> None:
            """{w} takes {t}."""
            require(self.status[t] == Status.READY or self.alive[w])  # <- L102

    return Wrong


@refused("L103", reason=STATE, cure="~(a == X)")
def not_on_a_condition():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            require(not self.alive[w])  # <- L103

    return Wrong


@refused("L104", reason=STATE, cure="x.is_in(a, b)")
def in_with_values():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.status[t] in (Status.READY, Status.ACKED))  # <- L104

    return Wrong


@refused("L104", reason=STATE, cure="x.is_in(a, b)")
def not_in_with_values():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.status[t] not in [Status.READY])  # <- L104

    return Wrong


@refused("L105", reason=STATE, cure="(0 < x) & (x < 3)")
def chained_comparison():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            require(0 < self.n < 3)  # <- L105

    return Wrong


@refused("L106", reason=STATE, cure="with when(condition):")
def if_on_the_state():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            if self.alive[w]:  # <- L106
                self.n += 1

    return Wrong


@refused("L106", reason=STATE, cure="with when(condition):")
def elif_on_the_state():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            if not self.acks_late:
                self.n = 0
            elif self.n == 2:  # <- L106
                self.n = 1

    return Wrong


@refused("L107", reason=STATE, cure="ite(condition, x, y)")
def if_expression_on_the_state():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            self.n = 1 if self.alive[w] else 0  # <- L107

    return Wrong


@refused("L108", reason=STATE, cure="one action per turn")
def while_on_the_state():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            while self.n < 3:  # <- L108
                self.n += 1

    return Wrong


@refused("L109", reason=STATE, cure="ite(a < b, b, a)")
def max_of_a_value():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It counts."""
            self.n = max(self.n, 1)  # <- L109

    return Wrong


@refused("L109", reason=STATE, cure="exists(Sort, ...)")
def any_of_conditions():
    class Wrong(Queue):
        @action
        def act(self, w: Worker, v: Worker) -> None:
            """{w} and {v} act."""
            require(any(self.alive[x] for x in (w, v)))  # <- L109

    return Wrong


@refused("L109", reason=STATE, cure="forall(Sort, ...)")
def bool_of_a_condition():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            alive = bool(self.alive[w])  # <- L109
            require(alive)

    return Wrong


@refused("L110", reason="plain False", cure="x.is_none()")
def is_none():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.holder[t] is None)  # <- L110

    return Wrong


@refused("L110", reason="plain True", cure="x.is_none()")
def is_not_none():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            with when(self.holder[t] is not None):  # <- L110
                self.n = 1

    return Wrong


@refused("L110", reason="settings are decided while the model is built", cure="Python's own `if`")
def setting_as_a_guard():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            require(self.acks_late)  # <- L110

    return Wrong


@refused("L110", reason="a condition of forall()", cure="x.is_in(a, b)")
def plain_value_in_a_quantifier():
    class Wrong(Queue):
        @invariant
        def never(self):
            """Never."""
            return forall(Task, lambda t: self.holder[t] is None)  # <- L110

    return Wrong


@refused("L110", reason="a condition of ite()", cure="x.is_none()")
def plain_value_in_ite():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            self.n = ite(self.acks_late, self.n, 0)  # <- L110

    return Wrong


@refused("L111", reason="bind tighter than a comparison", cure="(a == X) & (b == Y)")
def enum_joined_with_a_condition():
    class Wrong(Queue):
        @action
        def act(self, t: Task, w: Worker) -> None:
            """{w} takes {t}."""
            require(self.status[t] == Status.READY & self.alive[w])  # <- L111

    return Wrong


@refused("L111", reason="bind tighter than a comparison", cure="(a == X) & (b == Y)")
def number_joined_with_a_condition():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            require(self.n == 1 & self.alive[w])  # <- L111

    return Wrong


@refused("L111", reason="bind tighter than a comparison", cure="(a == X) & (b == Y)")
def condition_joined_with_a_value():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            require(self.alive[w] | self.n == 1)  # <- L111

    return Wrong


@refused("L111", reason="bind tighter than a comparison", cure="(a == X) & (b == Y)")
def conditions_compared_without_parentheses():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            require(self.alive[w] & self.ready[w] == False)  # <- L111

    return Wrong


@refused("L111", reason="bind tighter than a comparison", cure="(a == X) & (b == Y)")
def condition_compared_with_a_conjunction():
    class Wrong(Queue):
        @always_reachable
        def calm(self):
            """All is calm."""
            return exists(
                Worker,
                lambda w: self.alive[w] != self.ready[w] & (self.n == 1),  # <- L111
            )

    return Wrong
