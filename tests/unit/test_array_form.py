"""What arrays of words cannot hold or compute is left to plain Python, and said."""

from __future__ import annotations

import pytest
from stepping import Stepper, assert_back_ends_agree

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
    count,
    each,
    engine_choice,
    explore,
    forall,
    invariant,
    ite,
    require,
    when,
)
from twice.model.array_rules import array_rules
from twice.model.compiled import CompiledModel
from twice.model.interpreter import DomainError
from twice.model.words import WordLayout


def far(first: int, values: int) -> CompiledModel:
    """Two counters that begin at a number and go to the end of its range."""

    class Far(Model):
        """Counters."""

        one: Var[int] = Var(first, within=range(first, first + values))
        two: Var[int] = Var(first, within=range(first, first + values))

        @action
        def count_one(self) -> None:
            """One goes on."""
            require(self.one < first + 2)
            self.one += 1

        @action
        def count_two(self) -> None:
            """Two goes on."""
            require(self.two < first + 2)
            self.two += 1

        @invariant
        def together(self) -> Bool:
            """Their sum keeps its sign."""
            return self.one + self.two > 0

    return Far().compile({})


@pytest.mark.parametrize("engine", ["numpy", "dask"])
@pytest.mark.parametrize(
    ("first", "values", "reason"),
    [
        (1 << 62, 5, "numbers may leave the 64 bits"),  # each fits; a sum does not
        (1 << 64, 5, "numbers may leave the 64 bits"),
        (1, 1 << 37, "one can have more than 68,719,476,736 values"),
    ],
)
def test_it_is_refused_where_it_was_asked_for(
    engine: str, first: int, values: int, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        check(far(first, values), engine=engine)


@pytest.mark.parametrize(("first", "values"), [(1 << 62, 5), (1 << 64, 5), (1, 1 << 37)])
def test_otherwise_plain_python_goes_on(
    monkeypatch: pytest.MonkeyPatch, first: int, values: int
) -> None:
    monkeypatch.setattr(engine_choice, "OUTGROWN", 0)
    monkeypatch.setattr(engine_choice, "WIDE", 0)
    space = explore(far(first, values), [Regime("none")])
    assert (space.engine.name, space.size) == ("python", 9)
    assert check(far(first, values)).result("together", "none").verdict is Verdict.HOLDS


def test_the_widest_that_fits_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cells of 36 bits take two words; their sum stays below 2 ** 63."""
    model = far((1 << 62) - (1 << 36), 1 << 36)
    assert WordLayout(model.layout).number == 2
    monkeypatch.setattr(engine_choice, "OUTGROWN", 0)
    monkeypatch.setattr(engine_choice, "WIDE", 0)
    for engine in ("python", "numpy", "auto"):
        report = check(model, engine=engine)
        assert (report.states, report.transitions) == (9, 12)
        assert report.result("together", "none").verdict is Verdict.HOLDS


class Lamp(Sort):
    """Something that is on or off."""


class Row(Model):
    """Lamps, and how often each was seen: once, or again."""

    on: Map[Lamp, bool] = Map(False)
    seen: Map[Lamp, int] = Map(0, within=range(3))

    @action
    def light(self, lamp: Lamp) -> None:
        """{lamp} changes."""
        self.on[lamp] = ~self.on[lamp]

    @action
    def look(self) -> None:
        """Every lamp that is on is seen; what was seen of the others is forgotten."""
        for lamp in each(Lamp):
            with when(self.on[lamp]):
                self.seen[lamp] += 1
            with when(~self.on[lamp]):
                self.seen[lamp] = 0

    @invariant
    def new(self) -> Bool:
        """No lamp was seen again."""
        return forall(Lamp, lambda lamp: self.seen[lamp] < 2)


def test_many_conditional_effects_are_computed_and_not_multiplied_out() -> None:
    """Twenty conditions have a million cases."""
    row = Stepper(Row(), {Lamp: 20})
    words = WordLayout(row.model.layout)
    assert len(list(array_rules(row.model.actions, row.model.layout, words))) == 41
    before = {f"on[lamp {n}]": "yes" for n in (1, 2, 20)}
    before |= {"seen[lamp 2]": "1", "seen[lamp 3]": "2"}
    after = {"seen[lamp 1]": "1", "seen[lamp 2]": "2", "seen[lamp 3]": "0", "seen[lamp 20]": "1"}
    assert row.step(before, "look") == after


def test_a_computed_value_outside_its_domain_is_an_error() -> None:
    for engine in ("python", "numpy"):
        with pytest.raises(DomainError, match="would become 3, outside 0 to 2"):
            explore(Row().compile({Lamp: 5}), [Regime("none")], engine=engine)


def test_terms_that_are_nested_too_deeply_are_refused() -> None:
    """A count is a sum of one term for each member."""

    class Hall(Row):
        """A row with an end."""

        @invariant
        def half(self) -> Bool:
            """Half of the lamps are off."""
            return count(Lamp, lambda lamp: self.on[lamp]) < 400

    with pytest.raises(UsageError, match="its terms are nested too deeply"):
        check(Hall().compile({Lamp: 800}), engine="numpy")


class Doubtful(Model):
    """Guards with a number that no cell can have, found only when they are grounded."""

    chosen: Var[bool] = Var(False)
    one: Var[int] = Var(0, within=range(3))
    two: Var[int] = Var(0, within=range(3))

    @action
    def never(self, a: Lamp, b: Lamp) -> None:
        """{a} and {b} never do this."""
        require(ite(self.chosen, self.one, ite(a == b, 2, self.two)) == -1)
        self.one = 1

    @action
    def choose(self, number: Lamp) -> None:
        """{number} chooses."""
        require((self.two == 1) | (ite(self.chosen, self.one, ite(number == number, 5, 0)) != 7))
        self.chosen = ~self.chosen

    @invariant
    def nothing_happens(self) -> Bool:
        """No number changes."""
        return self.one == 0


def test_a_number_that_a_cell_cannot_have_is_never_there() -> None:
    model = Doubtful().compile({Lamp: 2})
    for state in range(1 << model.layout.width):
        if all(cell.code(state) <= cell.domain.high for cell in model.layout.cells):
            assert_back_ends_agree(model, state)
    for engine in ("python", "numpy"):
        report = check(model, engine=engine)
        assert (report.states, report.result("nothing_happens", "none").verdict) == (
            2,
            Verdict.HOLDS,
        )
