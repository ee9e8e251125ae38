"""`TransitionSystem`: all that search, traces and reports know of a model.

Models written in the language are compiled to one; a system written by hand is one as well, without
the extras (packed states, symmetry, export) that need the definition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from twice.model.errors import UsageError
from twice.model.rules import Fairness, PropertyKind

S = TypeVar("S")


class Label(NamedTuple):
    """What a transition is called, for people and for properties.

    Attributes
    ----------
    action : str
        The action's name.
    binding : tuple of str
        The parameters as people read them.
    sentence, source, by, to : str
        What happens, where it comes from, who does it, and to whom.
    fault : str or None
        The kind of fault it is, or None for a step of the system itself.
    fair : {"unfair", "weak", "strong"}
        Whether it may be postponed for ever.
    """

    action: str
    binding: tuple[str, ...] = ()
    sentence: str = ""
    source: str = ""
    by: str = ""
    to: str = ""
    fault: str | None = None
    fair: Fairness = "unfair"


class Transition(NamedTuple, Generic[S]):
    """One step: what it is called, and the state after it."""

    label: Label
    target: S


Condition = Any
"""A condition on states, in the form that the system itself compiles
(`TransitionSystem.predicate`).
"""


class Property(NamedTuple):
    """A property of a system.

    Attributes
    ----------
    name : str
    kind : PropertyKind
    sentence : str
        What it says, for people.
    goal : Condition
        The condition; for a leads-to property the conclusion.
    premise : Condition, optional
        Only for a leads-to property.
    violation : str
        The word for its violation.
    action : str
        Only for a finitely-often property: the action that must not happen without end.
    binding : frozenset of str
        Only for a finitely-often property: parameters with which the action counts, as people read
        them.
    speaks_of : tuple of Sort classes
        Sorts of which the property means the first member, whose identity a reduction must keep.
    """

    name: str
    kind: PropertyKind
    sentence: str
    goal: Condition
    premise: Condition = None
    violation: str = ""
    action: str = ""
    binding: frozenset[str] = frozenset()
    speaks_of: tuple[type, ...] = ()

    def counts(self, label: Label) -> bool:
        """Whether a transition takes the action that must not happen without end."""
        return label.action == self.action and self.binding <= set(label.binding)


class Expand(Protocol[S]):
    """Sends every successor of every state to `emit`, and calls `close` after each state."""

    def __call__(
        self,
        states: Iterable[S],
        emit: Callable[[S], object],
        close: Callable[[], object] | None = None,
        /,
    ) -> None: ...


class TransitionSystem(ABC, Generic[S]):
    """States, steps and properties.

    A state is any hashable value. The methods with a body may be overridden by something faster.
    """

    properties: Sequence[Property] = ()

    @abstractmethod
    def initial_states(self) -> Sequence[S]:
        """Where every run begins."""

    @abstractmethod
    def transitions(self, state: S) -> Iterable[Transition[S]]:
        """Every step from a state, faults included."""

    @abstractmethod
    def describe(self, state: S) -> Mapping[str, str]:
        """The parts of a state by name, as people read them."""

    def fault_kinds(self) -> Sequence[str]:
        """The kinds of faults the system has."""
        return ()

    def fault_actions(self) -> Mapping[str, Collection[str]] | None:
        """The names of all faults by kind, or None where they are not known in advance."""
        return None

    def predicate(self, condition: Condition) -> Callable[[S], bool]:
        """A function that says whether a state satisfies a condition."""
        given: Callable[[S], bool] = condition
        return given

    def select(self, condition: Condition) -> Callable[[Iterable[S]], list[S]]:
        """A function that selects the states that satisfy a condition."""
        holds = self.predicate(condition)
        return lambda states: [state for state in states if holds(state)]

    def expander(self, chosen: Callable[[Label], bool]) -> Expand[S]:
        """A function that expands states by the transitions whose label is chosen."""

        def expand(
            states: Iterable[S],
            emit: Callable[[S], object],
            close: Callable[[], object] | None = None,
        ) -> None:
            for state in states:
                for label, target in self.transitions(state):
                    if chosen(label):
                        emit(target)
                if close:
                    close()

        return expand

    def canonical(self, properties: Sequence[Property]) -> Callable[[S], S] | None:
        """A function from a state to the representative of its symmetry class, if there are any.

        Raises
        ------
        UsageError
            When the system cannot be reduced, or a property does not survive the reduction.
        """
        raise UsageError(
            "symmetry needs a model written in the language; check this system with symmetry=False"
        )

    def never_enabled(
        self,
        enabled: Callable[[Condition], bool],
        chosen: Callable[[Label], bool],
        taken: Collection[str],
    ) -> list[str]:
        """What is never enabled, one sentence each; only the language knows what could have been.

        Parameters
        ----------
        enabled
            Whether a condition holds in any explored state.
        chosen
            Selects the actions in question, by their labels.
        taken
            Names of actions that were seen enabled; the others may have been as well.
        """
        return []
