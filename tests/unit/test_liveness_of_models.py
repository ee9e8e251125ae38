"""Fair runs of models written in the language, in every back end."""

from __future__ import annotations

import pytest
from replay import assert_fewest_faults, assert_finding, itself

from twice.model import (
    NO_FAULTS,
    Bool,
    Map,
    Model,
    Regime,
    Sort,
    UsageError,
    Var,
    Verdict,
    action,
    always_reachable,
    check,
    count,
    eventually,
    fault,
    finitely_often,
    leads_to,
    require,
)

ENGINES = ("python", "numpy", "auto")


class Task(Sort):
    """A message."""


class Worker(Sort):
    """A consumer."""


class Machine(Model):
    """Tasks are done step by step while the power is on; somebody may switch it on again."""

    size: int = 4
    # Wide enough for more than one machine word.
    done: Map[Task, int] = Map(0, within=range(1 << 24))
    power: Var[bool] = Var(True)

    @action(fair="weak")
    def work(self, t: Task) -> None:
        """{t} moves on."""
        require(self.done[t] < self.size, self.power)
        self.done[t] += 1

    @fault(kind="outage")
    def fail(self) -> None:
        """The power fails."""
        require(self.power)
        self.power = False

    @action
    def restore(self) -> None:
        """Somebody restores the power."""
        require(~self.power)
        self.power = True

    @eventually
    def ends(self, t: Task) -> Bool:
        """{t} is done in the end."""
        return self.done[t] == self.size

    @leads_to
    def begun_ends(self, t: Task) -> tuple[Bool, Bool]:
        """Once {t} is begun it is done in the end."""
        return self.done[t] == 1, self.done[t] == self.size


OUTAGE = Regime("outage", {"outage": 1})


@pytest.mark.parametrize("engine", ENGINES)
def test_fairness_holds_without_a_fault_and_not_with_one(engine: str) -> None:
    model = Machine().compile({Task: 3})
    report = check(model, [NO_FAULTS, OUTAGE], symmetry=False, engine=engine)
    for name, steps in (("ends", 1), ("begun_ends", 2)):
        assert report.result(name, "none").verdict is Verdict.HOLDS
        result = report.result(name, "outage")
        assert (result.verdict, result.faults, result.steps) == (Verdict.VIOLATED, 1, steps)
        assert_finding(model, result)
        assert_fewest_faults(model, result, symmetry=False, engine=engine)


def test_fair_runs_are_refused_under_symmetry() -> None:
    with pytest.raises(UsageError, match=r"`ends` is about fair runs.*symmetry=False"):
        check(Machine().compile({Task: 2}))


def test_each_task_is_owed_fairness_on_its_own() -> None:
    class Greedy(Model):
        """One task can be worked on for ever."""

        on: Map[Task, bool] = Map(False)

        @action(fair="weak")
        def toggle(self, t: Task) -> None:
            """{t} toggles."""
            self.on[t] = ~self.on[t]

        @eventually
        def lit(self, t: Task) -> Bool:
            """{t} is lit."""
            return self.on[t]

    report = check(Greedy().compile({Task: 2}), symmetry=False)
    assert report.verdict is Verdict.HOLDS


class Passing(Model):
    """A task is handed from worker to worker."""

    holder: Map[Task, Worker | None] = Map(None)
    rounds: Map[Worker, bool] = Map(False)

    @action
    def take(self, t: Task, w: Worker) -> None:
        """{w} takes {t}."""
        require(self.holder[t].is_none())
        self.holder[t] = w

    @action
    def hand_over(self, t: Task, v: Worker, w: Worker) -> None:
        """{v} hands {t} to {w}."""
        require(self.holder[t] == v, v != w)
        self.holder[t] = w

    @action
    def mark(self, w: Worker) -> None:
        """{w} is marked."""
        require(~self.rounds[w])
        self.rounds[w] = True

    @finitely_often("hand_over", violation="loop")
    def settles(self, t: Task) -> Bool:
        """{t} stays with somebody in the end."""
        return ~self.holder[t].is_none()

    @always_reachable
    def few(self) -> Bool:
        """Nobody need be marked."""
        return count(Worker, lambda w: self.rounds[w]) == 0


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("engine", ["python", "numpy"])
def test_a_loop_of_a_reduced_search_is_a_run_that_comes_back_renamed(
    engine: str, symmetry: bool
) -> None:
    model = Passing().compile({Task: 2, Worker: 3})
    result = check(model, symmetry=symmetry, engine=engine, properties=["settles"]).results[0]
    assert result.verdict is Verdict.VIOLATED
    trace = result.trace
    assert trace is not None
    assert trace.loop_from is not None
    canonical = model.canonical([result.property]) if symmetry else None
    assert_finding(model, result, canonical or itself)
    assert trace.returns_renamed == symmetry
    loop = trace.steps[trace.loop_from :]
    assert {step.action for step in loop} == {"hand_over"}
    assert all("task 1" in step.label.binding for step in loop)


@pytest.mark.parametrize("engine", ["python", "numpy"])
def test_more_properties_than_a_machine_word_has_bits(engine: str) -> None:
    def can_be(number: int) -> object:
        def said(self: Model) -> Bool:
            """It can still be that number."""
            return self.n == number  # type: ignore[no-any-return]

        return always_reachable(said)

    class Climb(Model):
        """A number that only grows."""

        n: Var[int] = Var(0, within=range(100))

        @action
        def climb(self) -> None:
            """It grows."""
            require(self.n < 99)
            self.n += 1

    wanted = {f"p{number}": can_be(number) for number in range(30, 100)}
    many = type("Many", (Climb,), {"__doc__": "M.", "__module__": __name__, **wanted})
    report = check(many().compile({}), symmetry=False, engine=engine)
    assert [result.steps for result in report.results] == [*range(31, 100), 0]
