"""Exploration: every reachable state, by fewest faults first and then by fewest steps.

The states with the same faults used form a layer. Steps of the system stay in a layer and faults
lead to a later one, so a layer that is closed never changes again. Inside a layer the search goes
level by level, a level being the states at one number of steps from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from twice.model.limits import LimitReached, Limits, Progress, Watch
from twice.model.regimes import FaultClass, FaultLattice, Regime, Usage
from twice.model.transition_system import Expand, Label, Property, TransitionSystem

S = TypeVar("S")

_CHUNK = 4096
"""States expanded between two looks at the limits."""


@dataclass
class Level(Generic[S]):
    """States at one depth of a layer, with the successors of each by steps of the system.

    The successors of ``states[i]`` are ``targets[ends[i - 1]:ends[i]]``.
    """

    states: list[S]
    targets: list[S] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def successors(self) -> Iterator[tuple[S, list[S]]]:
        """Each state with its successors."""
        start = 0
        for state, end in zip(self.states, self.ends, strict=True):
            yield state, self.targets[start:end]
            start = end


@dataclass
class Layer(Generic[S]):
    """All states with the same faults used.

    Attributes
    ----------
    usage : Usage
        Faults used, by class.
    levels : dict
        The levels by depth, counted in steps from the start, faults included.
    closed : bool
        Whether every state was expanded, so that no other can be reached.
    """

    usage: Usage
    levels: dict[int, Level[S]] = field(default_factory=dict)
    closed: bool = False

    @property
    def size(self) -> int:
        """Number of distinct states."""
        return sum(len(level.states) for level in self.levels.values())


@dataclass
class StateSpace(Generic[S]):
    """What an exploration found.

    Attributes
    ----------
    system : TransitionSystem
    lattice : FaultLattice
        The combinations of faults looked at.
    layers : dict
        The layers by faults used; a layer that was not begun is missing.
    canonical : callable or None
        The representative of a state, where symmetry was used.
    transitions : int
        Steps taken, those to states already known included.
    stopped : str
        Why the exploration ended early; empty where it is complete.
    """

    system: TransitionSystem[S]
    lattice: FaultLattice
    canonical: Callable[[S], S] | None
    layers: dict[Usage, Layer[S]] = field(default_factory=dict)
    transitions: int = 0
    stopped: str = ""

    @property
    def size(self) -> int:
        """Number of distinct states, the faults used being part of a state."""
        return sum(layer.size for layer in self.layers.values())

    @property
    def depth(self) -> int:
        """The largest number of steps on a shortest path."""
        return max((depth for layer in self.layers.values() for depth in layer.levels), default=0)

    def within(self, regime: Regime) -> list[Layer[S]]:
        """The layers of a regime that were begun, fewest faults first."""
        return [self.layers[usage] for usage in self.lattice.within(regime) if usage in self.layers]

    def closed(self, regime: Regime) -> bool:
        """Whether every state of a regime was reached."""
        usages = self.lattice.within(regime)
        return all(usage in self.layers and self.layers[usage].closed for usage in usages)

    def expander(self, fault: FaultClass | None) -> Expand[S]:
        """Expand by the system's own steps, or by one class of faults, to representatives."""
        return self.renamed(self.system.expander(_belongs_to(fault)))

    def renamed(self, expand: Expand[S]) -> Expand[S]:
        """The same expansion, to the representatives of the successors."""
        canonical = self.canonical
        if canonical is None:
            return expand

        def expand_renamed(
            states: Iterable[S],
            emit: Callable[[S], object],
            close: Callable[[], object] | None = None,
        ) -> None:
            expand(states, lambda target: emit(canonical(target)), close)

        return expand_renamed


def _belongs_to(fault: FaultClass | None) -> Callable[[Label], bool]:
    if fault is None:
        return lambda label: label.fault is None
    kind, points = fault
    return lambda label: label.fault == kind and (points is None or label.action in points)


def explore(
    system: TransitionSystem[S],
    regimes: Sequence[Regime],
    properties: Sequence[Property] = (),
    *,
    symmetry: bool = True,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> StateSpace[S]:
    """Reach every state of a system under every regime.

    Parameters
    ----------
    system : TransitionSystem
    regimes : sequence of Regime
    properties : sequence of Property
        What will be asked of the space: a reduction must be sound for them.
    symmetry : bool
        Identify states that differ only by the names of members of a sort.
    limits : Limits, optional
        When to stop early; the space then says why.
    progress : callable, optional
        Called now and then with what was covered.

    Raises
    ------
    UsageError
        For a fault kind the system does not have, and where symmetry is asked for and would be
        unsound.
    DomainError
        When an action assigns a value outside its variable's domain.
    """
    lattice = FaultLattice(regimes, system.fault_kinds())
    space = StateSpace(system, lattice, system.canonical(properties) if symmetry else None)
    search = _Search(space, Watch(limits or Limits(), progress))
    try:
        search.run()
    except LimitReached as reached:
        space.stopped = str(reached)
    except KeyboardInterrupt:
        space.stopped = "it was interrupted"
    return space


class _Search(Generic[S]):
    """Closes one layer after another."""

    def __init__(self, space: StateSpace[S], watch: Watch) -> None:
        self._space = space
        self._watch = watch
        self._own = space.expander(None)
        self._faults = [space.expander(fault) for fault in space.lattice.classes]
        self._seeds: dict[Usage, dict[int, set[S]]] = {usage: {} for usage in space.lattice.usages}
        starts = space.system.initial_states()
        canonical = space.canonical
        first = space.lattice.usages[0]
        self._seeds[first][0] = set(map(canonical, starts)) if canonical else set(starts)

    def run(self) -> None:
        """Close every layer, fewest faults first."""
        for usage in self._space.lattice.usages:
            layer = self._space.layers[usage] = Layer(usage)
            self._close(layer, self._seeds.pop(usage))
            layer.closed = True

    def _close(self, layer: Layer[S], seeds: dict[int, set[S]]) -> None:
        targets_of = [self._space.lattice.after(layer.usage, n) for n in range(len(self._faults))]
        known: set[S] = set()
        frontier: set[S] = set()
        depth = 0
        while frontier or seeds:
            if not frontier:
                depth = min(seeds)
            frontier |= seeds.pop(depth, set()) - known
            known |= frontier
            level = Level(list(frontier))
            if level.states:
                layer.levels[depth] = level
            frontier = self._expand(level, depth, sum(layer.usage)) - known
            for number, target in enumerate(targets_of):
                if target is not None:
                    self._strike(number, level, self._seeds[target].setdefault(depth + 1, set()))
            depth += 1

    def _expand(self, level: Level[S], depth: int, faults: int) -> set[S]:
        targets, ends = level.targets, level.ends
        for start in range(0, len(level.states), _CHUNK):
            chunk = level.states[start : start + _CHUNK]
            self._own(chunk, targets.append, lambda: ends.append(len(targets)))
            self._watch.look(self._space.size, len(level.states), depth, faults)
        self._space.transitions += len(targets)
        return set(targets)

    def _strike(self, number: int, level: Level[S], struck: set[S]) -> None:
        found: list[S] = []
        self._faults[number](level.states, found.append)
        self._space.transitions += len(found)
        struck.update(found)
