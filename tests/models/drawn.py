"""Small graphs drawn by hand, as transition systems: no language, no symmetry, nothing packed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from twice.model import Label, Property, PropertyKind, Transition, TransitionSystem

Condition = Callable[[str], bool]


class Drawn(TransitionSystem[str]):
    """A graph with one letter for each state.

    Parameters
    ----------
    edges
        ``"ab"`` is an unfair step from a to b; ``"ab go"`` is one by the action ``go``, and
        ``"ab go/1"`` by that action for a parameter.
    weak, strong
        Actions that are fair.
    faults
        The kind of each action that is a fault.
    start
        The initial states.
    """

    def __init__(
        self,
        edges: Iterable[str],
        *properties: Property,
        weak: Sequence[str] = (),
        strong: Sequence[str] = (),
        faults: Mapping[str, str] | None = None,
        start: str = "a",
    ) -> None:
        self.properties = properties
        self._faults = dict(faults or {})
        self._start = start
        self._steps: dict[str, list[Transition[str]]] = {}
        for edge in edges:
            ends, _, named = edge.partition(" ")
            action, *binding = named.split("/")
            label = Label(
                action or "step",
                tuple(binding),
                sentence=f"It does {named or 'a step'}.",
                fault=self._faults.get(action),
                fair="weak" if action in weak else "strong" if action in strong else "unfair",
            )
            self._steps.setdefault(ends[0], []).append(Transition(label, ends[1]))

    def initial_states(self) -> Sequence[str]:
        """The states to start from."""
        return list(self._start)

    def transitions(self, state: str) -> Iterable[Transition[str]]:
        """The edges out of a state, as they were drawn."""
        return self._steps.get(state, [])

    def describe(self, state: str) -> Mapping[str, str]:
        """The letter."""
        return {"at": state}

    def fault_kinds(self) -> Sequence[str]:
        """The kinds of faults that were drawn."""
        return list(dict.fromkeys(self._faults.values()))


def among(letters: str) -> Condition:
    """Being in one of some states."""
    return lambda state: state in letters


def prop(
    kind: PropertyKind, goal: str, premise: str | None = None, *, action: str = ""
) -> Property:
    """A property about being in one of some states."""
    given = None if premise is None else among(premise)
    return Property("p", kind, f"It is {kind.value}.", among(goal), given, "broken", action)
