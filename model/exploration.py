"""Exploration: every reachable state, by fewest faults first and then by fewest steps.

The states with the same faults used form a layer. Steps of the system stay in a layer and faults
lead to a later one, so a layer that is closed never changes again. Inside a layer the search goes
level by level, a level being the states at one number of steps from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from twice.model.counter_form import NotCountable
from twice.model.engine import Batch, Engine
from twice.model.engine_choice import EngineChoice
from twice.model.interruption import INTERRUPTED, interruption
from twice.model.layers import Layer
from twice.model.limits import LimitReached, Limits, Progress, Watch
from twice.model.regimes import FaultLattice, Regime, Usage, check_points
from twice.model.transition_system import Property, TransitionSystem

S = TypeVar("S")


@dataclass
class StateSpace(Generic[S]):
    """What an exploration found.

    Attributes
    ----------
    system : TransitionSystem
    lattice : FaultLattice
        The combinations of faults looked at.
    engine : Engine
        Answers questions about the layers.
    canonical : callable, optional
        The representative of a state, where symmetry was used.
    layers : dict
        The layers by faults used; a layer that was not begun is missing.
    transitions : int
        Steps taken, those to states already known included.
    stopped : str
        Why the exploration ended early; empty where it is complete.
    """

    system: TransitionSystem[S]
    lattice: FaultLattice
    engine: Engine[S]
    canonical: Callable[[S], S] | None = None
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


def explore(
    system: TransitionSystem[S],
    regimes: Sequence[Regime],
    properties: Sequence[Property] = (),
    *,
    symmetry: bool = True,
    engine: str = "auto",
    cluster: Any = None,
    limits: Limits | None = None,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
    resume: Path | None = None,
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
    engine : {"auto", "python", "numpy", "counter", "dask"}
        The back end; "auto" begins in plain Python, or counts the members of a large sort, and
        moves over to NumPy when the space has grown; "dask" spreads a large space over a cluster.
    cluster : str or distributed.Client, optional
        Only for "dask": the address of a scheduler, or a client. By default what Dask itself would
        take, or else processes on this machine.
    limits : Limits, optional
        When to stop early; the space then says why.
    progress : callable, optional
        Called now and then with what was covered.
    checkpoint : Path, optional
        Where to save an exploration that stops early.
    resume : Path, optional
        A checkpoint to go on from.

    Raises
    ------
    UsageError
        For a fault, or a kind of faults, that the system does not have, and where symmetry is asked
        for and would be unsound.
    DomainError
        When an action assigns a value outside its variable's domain.
    """
    lattice = FaultLattice(regimes, system.fault_kinds())
    faults = system.fault_actions()
    if faults is not None:
        check_points(regimes, faults)
    canonical = system.canonical(properties) if symmetry else None
    choice = EngineChoice(engine, system, lattice.classes, canonical, cluster)
    watch = Watch(limits or Limits(), progress)

    def run(first: Engine[S]) -> StateSpace[S]:
        space = StateSpace(system, lattice, first, canonical)
        search = _Search(space, choice, watch)
        if resume:
            from twice.model.checkpoint import load

            load(resume, space, search.seeds)
        search.run()
        if space.stopped and checkpoint:
            from twice.model.checkpoint import save

            save(checkpoint, space, search.seeds)
        return space

    try:
        return run(choice.first())
    except NotCountable as reason:
        return run(choice.instead(reason))


class _Search(Generic[S]):
    """Closes one layer after another."""

    def __init__(self, space: StateSpace[S], choice: EngineChoice[S], watch: Watch) -> None:
        self._space = space
        self._choice = choice
        self._watch = watch
        self.seeds: dict[Usage, dict[int, list[Batch]]] = {u: {} for u in space.lattice.usages}
        starts = space.engine.batch(space.system.initial_states())
        self.seeds[space.lattice.usages[0]][0] = [starts]

    def run(self) -> None:
        """Close every layer, fewest faults first, or say in the space why it ended early."""
        try:
            self._size = self._space.size
            with interruption() as self._interrupted:
                for usage in self._space.lattice.usages:
                    layer = self._space.layers.setdefault(usage, Layer(usage))
                    if not layer.closed:
                        self._close(layer)
                        layer.closed = True
                        self._space.engine.retire(layer)
        except LimitReached as reached:
            self._space.stopped = str(reached)

    def _close(self, layer: Layer[S]) -> None:
        self._learn_anew(layer)
        found: list[Batch] = []
        depth = 0
        if layer.levels:  # it was begun before, and its last level is to be expanded again
            depth = max(layer.levels)
            found = self._expand(layer, depth)
            depth += 1
        while found or self.seeds[layer.usage]:
            # The engine, and with it the sets, may have changed on the last level.
            engine, seeds = self._space.engine, self.seeds[layer.usage]
            if not found:
                depth = min(seeds)
            batch = engine.union(found + seeds.pop(depth, []))
            frontier = engine.learn(self._known, batch)
            found = []
            if len(frontier):
                layer.levels[depth] = engine.level(frontier)
                self._size += len(frontier)
                found = self._move_over(layer, self._expand(layer, depth), len(frontier))
            depth += 1

    def _learn_anew(self, layer: Layer[S]) -> None:
        """Know the states of a layer, and only these."""
        engine = self._space.engine
        self._known = engine.known()
        for level in layer.levels.values():
            engine.learn(self._known, engine.batch_of(level))

    def _expand(self, layer: Layer[S], depth: int) -> list[Batch]:
        """The successors of a level in its layer; those by faults become seeds of later layers."""
        level = layer.levels[depth]

        def look() -> None:
            if self._interrupted():
                raise LimitReached(INTERRUPTED)
            self._watch.look(self._size, len(level.states), depth, sum(layer.usage))

        lattice = self._space.lattice
        later = [lattice.after(layer.usage, number) for number in range(len(lattice.classes))]
        faults = [number for number, more in enumerate(later) if more is not None]
        try:
            own, *struck = self._space.engine.successors(level, faults, look)
        except KeyboardInterrupt:  # the level is known, and will be expanded again
            raise LimitReached(INTERRUPTED) from None
        self._space.transitions += sum(taken for _, taken in [own, *struck])
        for fault, (batch, _) in zip(faults, struck, strict=True):
            more = later[fault]
            if more is not None and len(batch):
                self.seeds[more].setdefault(depth + 1, []).append(batch)
        return [own[0]] if len(own[0]) else []

    def _move_over(self, layer: Layer[S], found: list[Batch], frontier: int) -> list[Batch]:
        """Go on in a faster back end, once the space has grown enough to pay for the move."""
        engine = self._choice.larger(self._size, frontier)
        if engine is None:
            return found
        before, after = self._space.engine, engine

        def moved(batch: Batch) -> Batch:
            return after.from_table(before.to_table(batch))

        for begun in self._space.layers.values():
            for depth, level in begun.levels.items():
                begun.levels[depth] = engine.level(moved(before.batch_of(level)))
        self.seeds = {
            usage: {depth: [moved(b) for b in batches] for depth, batches in seeds.items()}
            for usage, seeds in self.seeds.items()
        }
        self._space.engine = engine
        self._learn_anew(layer)
        return [moved(batch) for batch in found]
