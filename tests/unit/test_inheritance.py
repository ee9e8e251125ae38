"""Models derived from models: mixins, overridden rules, rules taken out."""

from __future__ import annotations

import pytest

from twice.model import (
    Bool,
    Model,
    ModelError,
    Var,
    Verdict,
    action,
    check,
    invariant,
    require,
)


class Base(Model):
    """A lamp."""

    on: Var[bool] = Var(False)

    @action
    def switch_on(self) -> None:
        """Somebody switches it on."""
        require(~self.on)
        self.on = True

    @invariant
    def dark(self) -> Bool:
        """It is dark."""
        return ~self.on


class Timed(Model):
    """Something with a timer."""

    ticks: Var[int] = Var(0, within=range(3))

    @action
    def tick(self) -> None:
        """The timer ticks."""
        require(self.ticks < 2)
        self.ticks += 1


def test_mixins_bring_their_variables_and_rules() -> None:
    class Lamp(Timed, Base):
        """A lamp with a timer."""

        @action
        def switch_on(self) -> None:
            """The timer switches it on."""
            require(self.ticks == 2)
            super().switch_on()

    program = Lamp().program()
    assert {variable.name for variable in program.variables} == {"on", "ticks"}
    result = check(Lamp().compile({})).result("dark")
    assert result.trace is not None
    assert [step.sentence for step in result.trace.steps] == [
        "The timer ticks.",
        "The timer ticks.",
        "The timer switches it on.",
    ]


def test_a_mixin_need_not_be_a_model() -> None:
    class Plain:
        """Rules and state without a base class."""

        count: Var[int] = Var(0, within=range(2))

        @action
        def once(self) -> None:
            """It counts."""
            require(self.count == 0)
            self.count = 1

    class Lamp(Plain, Base):
        """A lamp that counts."""

    assert check(Lamp().compile({})).states == 4


def test_an_overridden_action_replaces_the_first() -> None:
    class Broken(Base):
        """It cannot be switched on."""

        @action
        def switch_on(self) -> None:
            """Somebody tries."""
            require(self.on)

    report = check(Broken().compile({}))
    assert report.verdict is Verdict.HOLDS
    assert report.warnings[0].startswith("`switch_on` is never enabled: on (test_inheritance.py:")


def test_a_rule_can_be_taken_out() -> None:
    class Unlit(Base):
        """Without a switch."""

        switch_on = None  # type: ignore[assignment]

    assert Unlit().program().commands == ()


def test_a_variable_can_begin_otherwise_in_a_subclass() -> None:
    class Lit(Base):
        """A lamp that is on."""

        on: Var[bool] = Var(True)

    result = check(Lit().compile({})).result("dark")
    assert (result.verdict, result.steps) == (Verdict.VIOLATED, 0)


def test_rules_exist_only_under_the_settings_they_are_given_for() -> None:
    class Optional(Base):
        """A lamp with a switch, or without."""

        wired: bool = True

        @action(given=lambda model: model.wired)
        def switch_on(self) -> None:
            """Somebody switches it on."""
            require(~self.on)
            self.on = True

        @invariant(given=lambda model: not model.wired)
        def always_dark(self) -> Bool:
            """It stays dark."""
            return ~self.on

        dark = None  # type: ignore[assignment]

    assert check(Optional().compile({})).results == ()
    report = check(Optional(wired=False).compile({}))
    assert report.result("always_dark").verdict is Verdict.HOLDS
    assert report.states == 1


def test_an_error_in_a_propertys_helper_is_shown_as_it_is() -> None:
    class Helped(Base):
        """It asks a Python property."""

        @property
        def bright(self) -> Bool:
            """Whether it is on."""
            return self.on and self.on

        @invariant
        def never_bright(self) -> Bool:
            """It is never bright."""
            return ~self.bright

    with pytest.raises(ModelError) as caught:
        Helped().program()
    assert caught.value.code == "L101"
