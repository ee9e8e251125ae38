"""Mistakes in declarations: variables, settings, parameters, sentences and properties."""
# mypy: ignore-errors
# ruff: noqa: D102, D102, D205, D400, D415, RUF100, F821

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
    eventually,
    fault,
    finitely_often,
    invariant,
    leads_to,
    part,
    require,
    setting,
)

MISTAKES = Mistakes()
refused = MISTAKES.refused


class Task(Sort):
    """A message."""


class Status(Enum):
    READY = "ready"
    ACKED = "acked"


class Queue(Model):
    """What the mistakes are made in."""

    acks_late: bool = True
    status: Map[Task, Status] = Map(Status.READY)
    n: Var[int] = Var(0, within=range(4))

    @action
    def deliver(self, t: Task) -> None:
        """{t} is delivered."""
        require(self.status[t] == Status.READY)
        self.status[t] = Status.ACKED

    @invariant
    def small(self):
        """The number is small."""
        return self.n < 3


@refused("L401", reason="no state variable the language knows", cure="Var[V] or Map[S, V]")
def text_in_the_state():
    class Wrong(Model):
        """Wrong."""

        name: Var[str] = Var("")  # <- L401

    return Wrong


@refused("L401", reason="no state variable the language knows", cure="`Sort | None`")
def optional_number():
    class Wrong(Model):
        """Wrong."""

        n: Var[int | None] = Var(None)  # <- L401

    return Wrong


@refused("L401", reason="no state variable the language knows", cure="with S, R sorts")
def map_from_an_enumeration():
    class Wrong(Model):
        """Wrong."""

        n: Map[Status, bool] = Map(False)  # <- L401

    return Wrong


@refused("L401", reason="`Map[bool]` in Wrong: Too few arguments", cure="a type")
def map_without_a_key():
    class Wrong(Model):
        """Wrong."""

        n: Map[bool] = Map(False)  # <- L401

    return Wrong


@refused("L401", reason="`Var[Task, bool]` in Wrong: Too many arguments", cure="a type")
def var_with_a_key():
    class Wrong(Model):
        """Wrong."""

        n: Var[Task, bool] = Var(False)  # <- L401

    return Wrong


@refused("L401", reason="`n` has no type", cure="n: Var[...] = ...")
def variable_without_a_type():
    class Wrong(Model):
        """Wrong."""

        n = Var(0, within=range(2))  # <- L401

    return Wrong


@refused("L401", reason="name 'Stauts' is not defined", cure="defined or imported above the class")
def misspelt_type():
    class Wrong(Model):
        """Wrong."""

        status: Var[Stauts] = Var(Status.READY)  # <- L401

    return Wrong


@refused("L401", reason="[] is no setting", cure="a bool, an int, a float, a str or an Enum member")
def list_as_a_setting():
    class Wrong(Model):
        """Wrong."""

        queues: list[str] = setting([])  # <- L401

    return Wrong


@refused("L402", reason="`n` counts without a bound", cure="within=range(3)")
def number_without_a_domain():
    class Wrong(Model):
        """Wrong."""

        n: Var[int] = Var(0)  # <- L402

    return Wrong


@refused("L402", reason="has no numbers one after another", cure="within=range(3)")
def number_with_an_empty_domain():
    class Wrong(Model):
        """Wrong."""

        n: Map[Task, int] = Map(0, within=range(0))  # <- L402

    return Wrong


@refused("L402", reason="has no numbers one after another", cure="within=range(3)")
def number_with_gaps_in_its_domain():
    class Wrong(Model):
        """Wrong."""

        n: Var[int] = Var(0, within=range(0, 10, 2))  # <- L402

    return Wrong


@refused("L403", reason="`n` cannot start as 5", cure="of range(0, 3)")
def initial_number_outside_the_domain():
    class Wrong(Model):
        """Wrong."""

        n: Var[int] = Var(5, within=range(3))  # <- L403

    return Wrong


@refused("L403", reason="cannot start as 'ready'", cure="a Status")
def initial_value_of_another_kind():
    class Wrong(Model):
        """Wrong."""

        status: Map[Task, Status] = Map("ready")  # <- L403

    return Wrong


@refused("L403", reason="cannot start as None", cure="a condition")
def initial_none_without_a_sort():
    class Wrong(Model):
        """Wrong."""

        flag: Var[bool] = Var(None)  # <- L403

    return Wrong


@refused("L403", reason="cannot start as None", cure="Task | None")
def sort_that_must_have_a_member():
    class Wrong(Model):
        """Wrong."""

        chosen: Var[Task] = Var(None)  # <- L403

    return Wrong


@refused(
    "L404", reason="`{task}` is no parameter of this rule; known names: acks_late, t", cure="{"
)
def sentence_with_an_unknown_name():
    class Wrong(Queue):
        @action  # <- L404
        def act(self, t: Task) -> None:
            """{task} goes."""

    return Wrong


@refused("L404", reason="`{worker}` is no parameter of this rule", cure="{parameter}")
def actor_with_an_unknown_name():
    class Wrong(Queue):
        @action(by="{worker}")  # <- L404
        def act(self, t: Task) -> None:
            """{t} goes."""

    return Wrong


@refused("L404", reason="`{version}` is no parameter of this rule", cure="{parameter}")
def source_with_an_unknown_name():
    class Wrong(Queue):
        @action(source="broker {version}: deliver")  # <- L404
        def act(self, t: Task) -> None:
            """{t} goes."""

    return Wrong


@refused("L404", reason="cannot be read", cure="{{")
def sentence_with_a_lone_brace():
    class Wrong(Queue):
        @action  # <- L404
        def act(self, t: Task) -> None:
            """{t} writes {"a": 1."""

    return Wrong


@refused("L405", reason="`k` of `act` ranges over <class 'int'>", cure="a Sort or an Enum")
def parameter_that_is_a_number():
    class Wrong(Queue):
        @action  # <- L405
        def act(self, k: int) -> None:
            """{k} is counted."""

    return Wrong


@refused("L405", reason="ranges over None", cure="a Sort or an Enum")
def parameter_without_a_type():
    class Wrong(Queue):
        @action  # <- L405
        def act(self, k) -> None:
            """{k} is counted."""

    return Wrong


@refused("L405", reason="`s` of `settled` ranges over an enumeration", cure="a Sort")
def enumeration_as_a_propertys_parameter():
    class Wrong(Queue):
        @always_reachable  # <- L405
        def settled(self, s: Status):
            """It can still settle."""
            return self.n == 1

    return Wrong


@refused("L406", reason="`act` has no docstring", cure="One sentence")
def action_without_a_sentence():
    class Wrong(Queue):
        @action  # <- L406
        def act(self, t: Task) -> None:
            self.status[t] = Status.READY

    return Wrong


@refused("L406", reason="`never` has no docstring", cure="One sentence")
def property_without_a_sentence():
    class Wrong(Queue):
        @invariant  # <- L406
        def never(self):
            return self.n == 1

    return Wrong


@refused("L407", reason="`never` returned None", cure="return a condition on the state")
def property_that_returns_nothing():
    class Wrong(Queue):
        @invariant  # <- L407
        def never(self):
            """Never."""

    return Wrong


@refused("L407", reason="`never` returned True", cure="return a condition on the state")
def property_that_returns_a_setting():
    class Wrong(Queue):
        @invariant  # <- L407
        def never(self):
            """Never."""
            return self.acks_late

    return Wrong


@refused("L407", reason="`never` returned (n == 1, n == 2)", cure="return a condition on the state")
def invariant_that_returns_two_conditions():
    class Wrong(Queue):
        @invariant  # <- L407
        def never(self):
            """Never."""
            return self.n == 1, self.n == 2

    return Wrong


@refused("L407", reason="`follows` returned n == 1", cure="return premise, conclusion")
def leads_to_with_one_condition():
    class Wrong(Queue):
        @leads_to  # <- L407
        def follows(self):
            """It follows."""
            return self.n == 1

    return Wrong


@refused("L407", reason="`calm` returned n", cure="return a condition on the state")
def property_that_returns_a_number():
    class Wrong(Queue):
        @eventually  # <- L407
        def calm(self):
            """It calms down."""
            return self.n

    return Wrong


@refused("L408", reason="`second.n` is declared twice", cure="another name")
def one_part_plugged_in_twice():
    class Body(Model):
        """A body."""

        n: Var[int] = Var(0, within=range(2))  # <- L408

    class Wrong(Model):
        """Wrong."""

        first: Body = part(Body)
        second: Body = part(Body)

    body = Body()
    return Wrong(first=body, second=body)


@refused("L408", reason="`settings` means something else in every model", cure="another name")
def variable_named_like_a_method_of_models():
    class Wrong(Model):  # <- L408
        """Wrong."""

        settings: Var[bool] = Var(False)

    return Wrong


@refused("L408", reason="`compile` means something else in every model", cure="another name")
def action_named_like_a_method_of_models():
    class Wrong(Queue):  # <- L408
        @action
        def compile(self) -> None:
            """It compiles."""

    return Wrong


@refused("L408", reason="`b` is read as `count`, and so is `a`", cure="another label")
def two_variables_that_read_alike():
    class Wrong(Model):
        """Wrong."""

        a: Var[bool] = Var(False, label="count")
        b: Var[bool] = Var(False, label="count")  # <- L408

    return Wrong


@refused("L409", reason="`no_end` speaks of `delivr`; did you mean `deliver`?", cure="an action")
def property_about_an_unknown_action():
    class Wrong(Queue):
        @finitely_often("delivr")  # <- L409
        def no_end(self):
            """It ends."""
            return self.n == 1

    return Wrong


@refused("L409", reason="`kill` is a fault", cure="an action")
def property_about_a_fault_without_end():
    class Wrong(Queue):
        @fault(kind="kill")
        def kill(self) -> None:
            """It dies."""

        @finitely_often("kill")  # <- L409
        def no_end(self):
            """It ends."""
            return self.n == 1

    return Wrong


@refused("L410", reason="`deliver` was an action, and here it is none", cure="@action above it")
def action_overridden_without_its_decorator():
    class Wrong(Queue):
        def deliver(self, t: Task) -> None:  # <- L410
            """{t} is delivered."""

    return Wrong


@refused("L410", reason="`small` was a property, and here it is none", cure="`small = None`")
def property_overridden_without_its_decorator():
    class Wrong(Queue):
        def small(self):  # <- L410
            """The number is small."""
            return self.n == 0

    return Wrong
