"""What an exploration never put to the test is said, and nothing else is."""

from __future__ import annotations

import pytest

from twice.model import (
    Bool,
    Limits,
    Map,
    Model,
    Regime,
    Sort,
    Var,
    action,
    check,
    fault,
    leads_to,
    require,
)


class Task(Sort):
    """A message."""


class Half(Model):
    """Half of it never moves."""

    retries: int = 0

    n: Var[int] = Var(0, within=range(4))
    done: Map[Task, bool] = Map(False)

    @action
    def climb(self) -> None:
        """It climbs."""
        require(self.n < 2)
        self.n += 1

    @action
    def jump(self, t: Task) -> None:
        """{t} jumps."""
        require(self.n == 3, ~self.done[t])  # the guard that never holds
        self.done[t] = True

    @action
    def impossible(self, t: Task, u: Task) -> None:
        """{t} is {u} and is not."""
        require((t == u) & (t != u))

    @fault(kind="crash")
    def late_crash(self) -> None:
        """It crashes at three."""
        require(self.n == 3)
        self.n = 0

    @fault(kind="crash")
    def crash(self) -> None:
        """It crashes."""
        require(self.n > 0)
        self.n = 0

    @leads_to
    def answered(self) -> tuple[Bool, Bool]:
        """Three is followed by nought."""
        return self.n == 3, self.n == 0


CRASH = Regime("crash", {"crash": 1})
JUMP = "`jump` is never enabled: n == 3, ~done[t] (test_warnings.py:"
LATE = "`late_crash` is never enabled: n == 3 (test_warnings.py:"
ANSWERED = "`answered` is never exercised: its premise holds in no reachable state"


def starts(warnings: tuple[str, ...]) -> list[str]:
    """The warnings without the numbers of lines."""
    return [warning.partition(".py:")[0] + ".py:" * (".py:" in warning) for warning in warnings]


@pytest.mark.parametrize("engine", ["python", "numpy"])
def test_actions_faults_guards_and_premises_that_nothing_met(engine: str) -> None:
    model = Half().compile({Task: 2})
    report = check(model, [CRASH], symmetry=False, engine=engine)
    assert len(report.warnings) == 4
    assert starts(report.warnings)[0] == JUMP
    assert starts(report.warnings)[2:] == [LATE, ANSWERED]
    assert report.warnings[1].startswith("`impossible` has a guard that is always false: ")


def test_the_line_of_the_guard_is_named() -> None:
    report = check(Half().compile({Task: 1}), symmetry=False)
    with open(__file__, encoding="utf-8") as source:
        lines = source.read().split("\n")
    line = next(n for n, text in enumerate(lines, 1) if "# the guard that never holds" in text)
    assert f"(test_warnings.py:{line})" in report.warnings[0]


def test_faults_outside_every_regime_are_no_news() -> None:
    report = check(Half().compile({Task: 1}), symmetry=False)
    assert not [warning for warning in report.warnings if "crash" in warning]
    points = {"crash": frozenset({"crash"})}
    regime = Regime("crash", {"crash": 1}, points)
    report = check(Half().compile({Task: 1}), [regime], symmetry=False)
    assert not [warning for warning in report.warnings if "late_crash" in warning]


def test_a_search_that_was_stopped_says_nothing() -> None:
    report = check(Half().compile({Task: 1}), symmetry=False, limits=Limits(max_states=1))
    assert report.stopped
    assert report.warnings == ()


def test_symmetry_hides_no_action() -> None:
    class Pair(Model):
        """Only one pair of members can do it."""

        first: Var[Task | None] = Var(None)
        met: Map[Task, bool] = Map(False)

        @action
        def choose(self, t: Task) -> None:
            """{t} is chosen."""
            require(self.first.is_none())
            self.first = t

        @action
        def meet(self, t: Task, u: Task) -> None:
            """{t} meets {u}."""
            require(self.first == t, t != u, ~self.met[u])
            self.met[u] = True

    assert check(Pair().compile({Task: 3})).warnings == ()
