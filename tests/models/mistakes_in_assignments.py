"""Mistakes in what a rule does: names, indices, values."""
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
    knows: Map[tuple[Worker, Worker], bool] = Map(False)
    load: Map[Worker, int] = Map(0, within=range(4))
    n: Var[int] = Var(0, within=range(4))


@refused("L201", reason="did you mean `status`?", cure="one of the declared names")
def misspelt_variable_read():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.statsu[t] == Status.READY)  # <- L201

    return Wrong


@refused("L201", reason="did you mean `n`?", cure="one of the declared variables")
def misspelt_variable_assigned():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            self.nn = 1  # <- L201

    return Wrong


@refused("L201", reason="did you mean `acks_late`?", cure="one of the declared names")
def misspelt_setting():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            if self.ack_late:  # <- L201
                self.n = 1

    return Wrong


@refused("L202", reason="`alive` is indexed by Worker, not by Task", cure="a parameter of Worker")
def index_of_another_sort():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """{t} goes."""
            require(self.alive[t])  # <- L202

    return Wrong


@refused("L202", reason="not by number", cure="a parameter of Worker")
def index_by_number():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            require(self.alive[0])  # <- L202

    return Wrong


@refused("L202", reason="indexed by Worker, Worker, not by Worker", cure="a parameter of Worker")
def one_index_for_a_pair():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            self.knows[w] = True  # <- L202

    return Wrong


@refused(
    "L202", reason="`alive` is indexed by Worker, not by condition", cure="a parameter of Worker"
)
def index_by_a_condition():
    class Wrong(Queue):
        @action
        def act(self, w: Worker) -> None:
            """{w} acts."""
            require(self.alive[self.alive[w]])  # <- L202

    return Wrong


@refused(
    "L203", reason="the index `holder[t]` depends on the state", cure="require(holder[t] == x)"
)
def index_read_from_the_state():
    class Wrong(Queue):
        @action
        def act(self, t: Task) -> None:
            """The worker of {t} dies."""
            self.alive[self.holder[t]] = False  # <- L203

    return Wrong


@refused("L204", reason="assigned as a whole", cure="for x in each(Task)")
def whole_map_assigned():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All are ready."""
            self.status = Status.READY  # <- L204

    return Wrong


@refused("L204", reason="used as one value", cure="self.status[x]")
def whole_map_compared():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All are ready."""
            require(self.status == Status.READY)  # <- L204

    return Wrong


@refused("L204", reason="used as one value", cure="forall(Worker, lambda x: ...)")
def whole_map_as_a_condition():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All are alive."""
            if self.alive:  # <- L204
                self.n = 1

    return Wrong


@refused("L204", reason="used as one value", cure="forall(Task, lambda x: ...)")
def whole_map_looped_over():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """All go."""
            for t in self.status:  # <- L204
                self.n = 1

    return Wrong


@refused("L205", reason="a number is needed, and Status.READY", cure="a value of number")
def value_of_another_kind_assigned():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            self.n = Status.READY  # <- L205

    return Wrong


@refused("L205", reason="a number is needed, and True, a bool was given", cure="a value of number")
def truth_assigned_to_a_number():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            self.n = True  # <- L205

    return Wrong


@refused("L206", reason="fixed before the model is built", cure="acks_late: Var[...]")
def setting_assigned():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            self.acks_late = False  # <- L206

    return Wrong


@refused("L207", reason="only inside an action or a property", cure="marked @action")
def state_read_outside():
    model = Queue()
    return model.n  # <- L207


@refused("L207", reason="only inside an action or a property", cure="marked @action")
def state_assigned_outside():
    model = Queue()
    model.n = 1  # <- L207


@refused("L207", reason="only inside an action or a property", cure="marked @action")
def guard_outside():
    return require()  # <- L207


@refused("L208", reason="`n` cannot hold 4", cure="a value within range(0, 4)")
def constant_outside_the_domain():
    class Wrong(Queue):
        @action
        def act(self) -> None:
            """It acts."""
            self.n = 4  # <- L208

    return Wrong
