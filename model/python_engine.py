"""The plain Python back end: sets of states, for spaces up to some ten thousand states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from twice.model.closure import cannot_reach, least
from twice.model.cycles import endless
from twice.model.engine import Engine, Look
from twice.model.errors import UsageError
from twice.model.layers import Layer, Level
from twice.model.regimes import FaultClass
from twice.model.transition_system import Condition, Expand, Label, Property

if TYPE_CHECKING:
    from twice.model.byte_table import ByteTable
    from twice.model.layout import Layout

S = TypeVar("S")

_CHUNK = 4096
"""States expanded between two looks at the limits."""


def belongs_to(fault: FaultClass | None) -> Callable[[Label], bool]:
    """Whether a label is a step of the system itself, or a fault of the class."""
    if fault is None:
        return lambda label: label.fault is None
    kind, points = fault
    return lambda label: label.fault == kind and (points is None or label.action in points)


class Expandable(Protocol[S]):
    """What this engine needs of a system."""

    def expander(self, chosen: Callable[[Label], bool]) -> Expand[S]:
        """Expand states by the transitions whose label is chosen."""

    def select(self, condition: Condition) -> Callable[[Iterable[S]], list[S]]:
        """Select the states that satisfy a condition."""


class PythonEngine(Engine[S]):
    """Keeps states in Python's sets, and the successors of each for questions about runs.

    Parameters
    ----------
    system : Expandable
        A transition system, hand-written or compiled, or one in counter form.
    faults : sequence of FaultClass
    canonical : callable or None
        The representative of a state, where symmetry is used.
    """

    name = "python"

    def __init__(
        self,
        system: Expandable[S],
        faults: Sequence[FaultClass],
        canonical: Callable[[S], S] | None,
    ) -> None:
        self.system = system
        self._canonical = canonical
        self._counted: dict[str, Expand[S]] = {}
        self._own = system.expander(belongs_to(None))
        self._faults = [system.expander(belongs_to(fault)) for fault in faults]

    def _successors(self, expand: Expand[S], states: Iterable[S]) -> tuple[list[S], list[int]]:
        """The representatives of all successors, and where those of each state end."""
        found: list[S] = []
        ends: list[int] = []
        expand(states, found.append, lambda: ends.append(len(found)))
        return (list(map(self._canonical, found)) if self._canonical else found), ends

    def batch(self, states: Iterable[S]) -> set[S]:
        return set(map(self.representative, states))

    def representative(self, state: S) -> S:
        return self._canonical(state) if self._canonical else state

    def to_table(self, batch: Iterable[S]) -> ByteTable:
        from twice.model.byte_table import to_table

        return to_table(cast("Iterable[int]", batch), self._layout())

    def from_table(self, table: ByteTable) -> set[S]:
        from twice.model.byte_table import from_table

        return self.batch(cast("list[S]", from_table(table)))

    def _layout(self) -> Layout:
        """The layout of a model's states.

        Raises
        ------
        UsageError
            For a hand-written system, which has none.
        """
        layout = getattr(self.system, "layout", None)
        if layout is None:
            raise UsageError(
                "only the states of a model written in the language can be saved; "
                "explore this system without a checkpoint"
            )
        return cast("Layout", layout)

    def union(self, pieces: Sequence[set[S]]) -> set[S]:
        return set().union(*pieces)

    def known(self) -> set[S]:
        return set()

    def learn(self, known: set[S], batch: set[S]) -> set[S]:
        new = batch - known
        known |= new
        return new

    def batch_of(self, level: Level[S]) -> set[S]:
        return set(level.states)

    def level(self, batch: set[S]) -> Level[S]:
        return Level(list(batch))

    def states(self, level: Level[S]) -> Iterable[S]:
        states: list[S] = level.states
        return states

    def expand(self, level: Level[S], look: Look) -> tuple[set[S], int]:
        for start in range(0, len(level.states), _CHUNK):
            found, ends = self._successors(self._own, level.states[start : start + _CHUNK])
            before = len(level.targets)
            level.targets += found
            level.ends += [before + end for end in ends] if before else ends
            look()
        return set(level.targets), len(level.targets)

    def strike(self, level: Level[S], fault: int, look: Look) -> tuple[set[S], int]:
        found, _ = self._successors(self._faults[fault], level.states)
        look()
        return set(found), len(found)

    def taken(self) -> set[str]:
        # Only generated steps take note, see GeneratedStep.
        return {name for step in (self._own, *self._faults) for name in getattr(step, "taken", ())}

    def pick(self, level: Level[S], condition: Condition, *, holding: bool) -> S | None:
        found = self.system.select(condition)(level.states)
        if not holding:
            found = (
                list(set(level.states).difference(found)) if len(found) < len(level.states) else []
            )
        return least(found) if found else None

    def predecessor(self, level: Level[S], fault: int | None, target: S) -> S | None:
        expand = self._own if fault is None else self._faults[fault]
        traced = Level(level.states, *self._successors(expand, level.states))
        found = [state for state, after in traced.successors() if target in after]
        return least(found) if found else None

    def _traced(self, layer: Layer[S]) -> Layer[S]:
        """The layer, with the successors of levels that were read from a file worked out."""
        for level in layer.levels.values():
            if len(level.ends) < len(level.states):
                level.targets.clear()
                level.ends.clear()
                self.expand(level, lambda: None)
        return layer

    def cannot_reach(
        self, layer: Layer[S], goals: Sequence[Condition]
    ) -> list[tuple[int, S] | None]:
        return cannot_reach(self._traced(layer), [self.system.select(goal) for goal in goals])

    def endless(self, layer: Layer[S], entry: Property) -> tuple[int, list[S]] | None:
        if entry.name not in self._counted:  # one for all layers
            self._counted[entry.name] = self.system.expander(entry.counts)
        counted = self._counted[entry.name]

        def after(state: S) -> list[S]:
            return self._successors(counted, [state])[0]

        return endless(self._traced(layer), self.system.select(entry.goal), after)
