"""Values outside their domain: found while exploring, told in full, the same in every back end."""

from __future__ import annotations

import pytest
from stepping import Stepper, engines

from twice.model import Model, UsageError, Var, action, check, ite, require, when
from twice.model.interpreter import DomainError


class Counter(Model):
    """A number that goes up and down."""

    n: Var[int] = Var(0, within=range(-2, 5))
    flag: Var[bool] = Var(False)

    @action
    def climb(self) -> None:
        """It climbs by two."""
        self.n += 2

    @action
    def up_and_down(self) -> None:
        """It climbs by two and falls by one."""
        require(self.n >= 0)
        self.n += 2
        self.n -= 1

    @action
    def up_unless(self) -> None:
        """It climbs by three, or is set to zero."""
        require(self.n > 0)
        self.n += 3
        with when(self.flag):
            self.n = 0

    @action
    def clamped(self) -> None:
        """It climbs as far as it goes."""
        require(self.n < -1)
        self.n = ite(self.n < 3, self.n + 2, 4)


def test_an_assignment_outside_the_domain_is_told_with_cell_value_and_sentence() -> None:
    class Climber(Model):
        """A number that goes up."""

        n: Var[int] = Var(3, within=range(-2, 5))

        @action
        def climb(self) -> None:
            """It climbs by {step}."""
            self.n += 2

        step: int = 2

    model = Climber().compile({})
    told = (
        r"`n` would become 5, outside -2 to 4, when \"It climbs by 2\.\" Nothing is clamped: "
        r"widen within= or write the bound by hand, ite\(x < 4, x \+ 1, x\)"
    )
    with pytest.raises(DomainError, match=told):
        list(model.transitions(model.initial_states()[0]))
    for name in ("python", "numpy"):
        with pytest.raises(UsageError, match=told):
            check(model, engine=name, symmetry=False)


@pytest.mark.parametrize(
    ("n", "flag", "action", "changes"),
    [
        # Only the value after the whole step counts.
        ("3", "no", "up_and_down", {"n": "4"}),
        ("4", "yes", "up_unless", {"n": "0"}),
        ("-2", "no", "clamped", {"n": "0"}),
        ("1", "no", "up_unless", {"n": "4"}),
    ],
)
def test_a_value_that_does_not_stay_need_not_fit(
    n: str, flag: str, action: str, changes: dict[str, str]
) -> None:
    class Alone(Counter):
        """Without the other actions."""

    for name in ("climb", "up_and_down", "up_unless", "clamped"):
        if name != action:
            setattr(Alone, name, None)
    assert Stepper(Alone()).step({"n": n, "flag": flag}, action) == changes


def test_a_value_that_stays_must_fit() -> None:
    class Alone(Counter):
        """Only the action that is set to zero under a condition."""

        climb = None  # type: ignore[assignment]
        up_and_down = None  # type: ignore[assignment]
        clamped = None  # type: ignore[assignment]

    stepper = Stepper(Alone())
    state = stepper.state({"n": "2", "flag": "no"})
    for engine in engines(stepper.model):
        with pytest.raises(DomainError, match="`n` would become 5"):
            engine.expand(engine.level(engine.batch([state])), lambda: None)
    with pytest.raises(DomainError, match="`n` would become 5"):
        list(stepper.model.transitions(state))


def test_a_limit_the_guards_keep_is_no_error() -> None:
    class Guarded(Counter):
        """Climbs only where there is room."""

        up_unless = None  # type: ignore[assignment]

        @action
        def climb(self) -> None:
            """It climbs by two."""
            require(self.n < 3)
            self.n += 2

        @action
        def up_and_down(self) -> None:
            """It falls back."""
            require(self.n >= 3)
            self.n = -2

    report = check(Guarded().compile({}))
    assert report.states == 4
    assert report.closed
