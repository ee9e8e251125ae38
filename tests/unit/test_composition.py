"""Models made of models: parts with state, actions and settings of their own."""

from __future__ import annotations

from enum import Enum

import pytest

from twice.model import (
    Bool,
    Map,
    Model,
    Regime,
    Sort,
    UsageError,
    Var,
    Verdict,
    action,
    check,
    fault,
    forall,
    invariant,
    part,
    reachable,
    require,
    setting,
)


class Task(Sort):
    """A message."""


class Worker(Sort):
    """A consumer."""


class Status(Enum):
    """Where a message is."""

    READY = "ready"
    RUNNING = "running"
    GONE = "gone"


class Body(Model):
    """The operation that a task is."""

    def effect(self, t: Task) -> None:
        """What one run does."""
        raise NotImplementedError

    def twice(self, t: Task) -> Bool:
        """Whether the effect happened more than once."""
        raise NotImplementedError


class Charge(Body):
    """A charge, done whenever the body runs; a person may give the money back."""

    limit: int = setting(2, "How often the card can be charged.", within=range(1, 4))

    charged: Map[Task, int] = Map(0, within=range(4))

    def effect(self, t: Task) -> None:
        """Charge the card."""
        self.charged[t] += 1

    def twice(self, t: Task) -> Bool:
        """Charged more than once."""
        return self.charged[t] > 1

    @action(by="person")
    def refund(self, t: Task) -> None:
        """Somebody notices that {t} was charged more than {limit} times."""
        require(self.charged[t] > self.limit)
        self.charged[t] = 1

    @invariant
    def within_limit(self) -> Bool:
        """No task is charged beyond its limit."""
        return forall(Task, lambda t: self.charged[t] <= self.limit)


class Stamp(Body):
    """An effect that may be repeated: the second time nothing happens."""

    stamped: Map[Task, bool] = Map(False)

    def effect(self, t: Task) -> None:
        """Stamp it."""
        self.stamped[t] = True

    def twice(self, t: Task) -> Bool:
        """Never."""
        return self.stamped[t] & ~self.stamped[t]


class Delivery(Model):
    """A delivery that knows nothing of what the task does."""

    limit: int = setting(1, "How often the card can be charged.", within=range(1, 4))
    body: Body = part(Charge)

    status: Map[Task, Status] = Map(Status.READY)

    @action
    def run(self, t: Task) -> None:
        """{t} runs."""
        require(self.status[t] == Status.READY)
        self.status[t] = Status.RUNNING
        self.body.effect(t)

    @action
    def settle(self, t: Task) -> None:
        """{t} is done."""
        require(self.status[t] == Status.RUNNING)
        self.status[t] = Status.GONE

    @fault(kind="crash")
    def crash(self, t: Task) -> None:
        """{t} is delivered again."""
        require(self.status[t] == Status.RUNNING)
        self.status[t] = Status.READY

    @invariant(violation="effect_twice")
    def once(self) -> Bool:
        """No effect happens twice."""
        return forall(Task, lambda t: ~self.body.twice(t))


ONE, TWO = Regime("one", {"crash": 1}), Regime("two", {"crash": 2})


def test_the_state_and_the_rules_of_a_part_belong_to_the_whole() -> None:
    program = Delivery().program()
    assert [variable.name for variable in program.variables] == ["status", "body.charged"]
    assert [command.name for command in program.commands] == [
        "run",
        "settle",
        "crash",
        "body.refund",
    ]
    assert [rule.name for rule in program.properties] == ["once", "body.within_limit"]
    assert program.sorts == (Task,)


def test_a_part_reads_its_own_state() -> None:
    model = Delivery().compile({Task: 1})
    report = check(model, [ONE])
    assert report.result("once").verdict is Verdict.VIOLATED
    trace = report.result("once").trace
    assert trace is not None
    cells = [change.cell for step in trace.steps for change in step.changes]
    assert "body.charged[task 1]" in cells


def test_another_part_of_the_same_interface_can_be_plugged_in() -> None:
    for body in (Stamp, Stamp()):
        model = Delivery(body=body).compile({Task: 2})
        assert check(model, [TWO]).verdict is Verdict.HOLDS


def test_the_whole_decides_a_setting_that_a_part_has_as_well() -> None:
    assert [(s.name, s.default) for s in Delivery.settings()] == [("limit", 1)]
    assert Delivery().limit == 1
    assert isinstance(Delivery().body, Charge)
    (refund,) = [c for c in Delivery(limit=3).program().commands if c.name == "body.refund"]
    assert refund.sentence == "Somebody notices that {t} was charged more than 3 times."


def test_a_setting_of_a_part_is_a_setting_of_the_whole() -> None:
    class Other(Model):
        """Without a limit of its own."""

        body: Charge = part(Charge)

    assert [entry.name for entry in Other.settings()] == ["limit"]
    assert Other().body.limit == 2
    assert Other(limit=3).body.limit == 3


def test_two_parts_of_one_model_keep_their_state_apart() -> None:
    class Two(Model):
        """Two cards."""

        first: Charge = part(Charge)
        second: Charge = part(Charge)

        @action
        def charge(self, t: Task) -> None:
            """Only the second card is charged."""
            require(self.second.charged[t] == 0)
            self.second.effect(t)

        @invariant
        def untouched(self) -> Bool:
            """The first card is not charged."""
            return forall(Task, lambda t: self.first.charged[t] == 0)

        @reachable
        def touched(self, t: Task) -> Bool:
            """The second card of {t} is charged."""
            return self.second.charged[t] == 1

    report = check(Two().compile({Task: 2}))
    assert report.result("untouched").verdict is Verdict.HOLDS
    assert report.result("touched").verdict is Verdict.HOLDS
    assert report.states == 3


def test_labels_of_parts_stay_apart() -> None:
    class Piece(Model):
        """A piece."""

        n: Var[bool] = Var(False, label="is done")

    class Two(Model):
        """Two pieces."""

        first: Piece = part(Piece)
        second: Piece = part(Piece)

    compiled = Two().compile({})
    assert list(compiled.describe(0)) == ["first.is done", "second.is done"]


def test_faults_of_parts_can_be_listed_and_chosen() -> None:
    class Fragile(Model):
        """It breaks."""

        broken: Var[bool] = Var(False)

        @fault(kind="break")
        def snap(self) -> None:
            """It snaps."""
            self.broken = True

    class Whole(Model):
        """It has a part that breaks."""

        piece: Fragile = part(Fragile)

        @invariant
        def whole(self) -> Bool:
            """It is whole."""
            return ~self.piece.broken

    assert Whole.fault_points() == {"break": {"piece.snap": "It snaps."}}
    compiled = Whole().compile({})
    regime = Regime("any", {"break": 1}, {"break": frozenset({"piece.snap"})})
    assert check(compiled, [regime]).verdict is Verdict.VIOLATED
    typo = Regime("any", {"break": 1}, {"break": frozenset({"snap"})})
    with pytest.raises(UsageError, match=r"no fault `snap` of kind `break` here"):
        check(compiled, [typo])
