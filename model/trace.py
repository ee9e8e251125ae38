"""Traces: runs of a system as people read them."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from twice.model.transition_system import Label, TransitionSystem

S = TypeVar("S")


class Change(NamedTuple):
    """A part of the state that a step changed: its name, its value before and after."""

    cell: str
    before: str
    after: str


class Step(NamedTuple, Generic[S]):
    """One step of a run.

    Attributes
    ----------
    label : Label
        What happened.
    state : object
        The state after it.
    changes : tuple of Change
        What it changed.
    """

    label: Label
    state: S
    changes: tuple[Change, ...]

    @property
    def action(self) -> str:
        """The action's name."""
        return self.label.action

    @property
    def sentence(self) -> str:
        """What happened, for people."""
        return self.label.sentence

    @property
    def source(self) -> str:
        """Where the real system does it."""
        return self.label.source

    @property
    def by(self) -> str:
        """Who did it."""
        return self.label.by

    @property
    def to(self) -> str:
        """To whom."""
        return self.label.to

    @property
    def fault(self) -> str | None:
        """The kind of fault it was, or None."""
        return self.label.fault


class Trace(NamedTuple, Generic[S]):
    """A run from the initial state.

    Attributes
    ----------
    start : object
        The initial state.
    initial : dict
        The initial state as people read it.
    steps : tuple of Step
    loop_from : int or None
        For a lasso: the number of the step after which the rest repeats for ever; the last step
        leads back there, see `returns_renamed`. A number equal to the number of steps means that
        the run stays in its last state.
    """

    start: S
    initial: dict[str, str]
    steps: tuple[Step[S], ...]
    loop_from: int | None = None

    @property
    def faults(self) -> int:
        """How many of the steps are faults."""
        return sum(step.fault is not None for step in self.steps)

    @property
    def returns_renamed(self) -> bool:
        """Whether the loop leads back to its first state only up to the names of members.

        Under symmetry it may: the next round is the same with other members, and after some rounds
        everybody is back.
        """
        return self.loop_from is not None and self.states[self.loop_from] != self.states[-1]

    @property
    def states(self) -> list[S]:
        """Every state of the run, the initial one first."""
        return [self.start, *(step.state for step in self.steps)]


def step_between(system: TransitionSystem[S], before: S, label: Label, after: S) -> Step[S]:
    """The step of a label between two states, with what it changed."""
    old, new = system.describe(before), system.describe(after)
    changes = tuple(
        Change(cell, old[cell], value) for cell, value in new.items() if value != old[cell]
    )
    return Step(label, after, changes)
