"""What the workers of a Dask cluster compute.

Each task is a pure function of its arguments: what a lost worker held is computed again on another
one, from the same arguments, with the same result.
"""

from __future__ import annotations

import sys
import threading
from importlib.metadata import version
from typing import NamedTuple

from twice.model import coded_states
from twice.model.coded_states import StateSet
from twice.model.compiled import CompiledModel
from twice.model.errors import UsageError
from twice.model.layers import Level
from twice.model.numpy_engine import NumpyEngine
from twice.model.transition_system import Condition
from twice.model.words import Words


class PieceEngine(NumpyEngine):
    """The NumPy engine, for sets of states that come from other processes."""

    def placed(self, states: StateSet) -> Level[int]:
        """A level of this process, its states in the order of the set."""
        return self.level(states.local(self._words))

    def coded(self, batch: Words) -> StateSet:
        """A batch of this process, for every process."""
        return coded_states.from_local(self._words, batch)


class SharedEngine:
    """An engine sent to the workers; each thread has its own, since engines number words.

    Parameters
    ----------
    made_by : str
        The version of twice that packed it.
    packed : bytes
        The pickled `PieceEngine`.

    Raises
    ------
    UsageError
        On a worker with another version of twice.
    """

    def __init__(self, made_by: str, packed: bytes) -> None:
        if made_by != version("twice"):
            raise UsageError(
                f"a worker of the Dask cluster has twice {version('twice')}, and {made_by} is what "
                "asks it; install one version on both"
            )
        self._given = made_by, packed
        self._local = threading.local()

    @property
    def own(self) -> PieceEngine:
        """The engine of the running thread."""
        import cloudpickle  # type: ignore[import-untyped]  # it has no types

        if not hasattr(self._local, "engine"):
            self._local.engine = cloudpickle.loads(self._given[1])
        engine: PieceEngine = self._local.engine
        return engine

    def __reduce__(self) -> tuple[type[SharedEngine], tuple[str, bytes]]:
        return SharedEngine, self._given


def packed(engine: PieceEngine, model: CompiledModel) -> tuple[str, bytes]:
    """What makes a `SharedEngine`.

    The sorts and enumerations of the model travel along, so that the workers need not have the
    module in which a user wrote it.
    """
    import cloudpickle

    program = model.program
    kinds: tuple[type, ...] = (*program.sorts, *program.enumerations)
    carried = [
        sys.modules[name]
        for name in {kind.__module__ for kind in kinds}
        if name in sys.modules and name.partition(".")[0] not in ("builtins", "twice")
    ]
    for module in carried:
        cloudpickle.register_pickle_by_value(module)
    try:
        return version("twice"), cloudpickle.dumps(engine)
    finally:
        for module in carried:
            cloudpickle.unregister_pickle_by_value(module)


class Outcome(NamedTuple):
    """What became of one part of a level.

    Attributes
    ----------
    expanded, transitions : int
        How many states it had, and how many transitions leave them.
    pieces : list of StateSet
        The successors, by owner.
    """

    expanded: int
    transitions: int
    pieces: list[StateSet]


class Asked(NamedTuple):
    """A condition that a state is wanted for, and whether it shall hold there or fail."""

    condition: Condition
    holding: bool


def successors(engine: SharedEngine, fault: int | None, states: StateSet, owners: int) -> Outcome:
    """Expand a part of a level by the system's own steps, or by one class of faults."""
    own = engine.own
    level = own.placed(states)
    if fault is None:
        found, transitions = own.expand(level, _go_on)
    else:
        found, transitions = own.strike(level, fault, _go_on)
    return Outcome(len(states), transitions, coded_states.split(own.coded(found), owners))


def _go_on() -> None:
    """Limits are looked at by whoever waits for the task."""


class Told(NamedTuple):
    """What the client is told of an `Outcome`: the pieces by their sizes."""

    expanded: int
    transitions: int
    sizes: list[int]


def told(outcome: Outcome) -> Told:
    """Sum up an outcome."""
    return Told(outcome.expanded, outcome.transitions, [len(piece) for piece in outcome.pieces])


def piece(outcome: Outcome, owner: int) -> StateSet:
    """The successors that one owner gets."""
    return outcome.pieces[owner]


def held(states: StateSet) -> StateSet:
    """States that the client sent."""
    return states


def fresh(pieces: list[StateSet], runs: list[StateSet]) -> StateSet:
    """The states of some pieces that are in none of the runs."""
    states = coded_states.union(pieces)
    for run in runs:
        states = coded_states.without(states, run)
    return coded_states.trimmed(states)


def merged(pieces: list[StateSet]) -> StateSet:
    """All states of some pieces."""
    return coded_states.union(pieces)


def first(
    engine: SharedEngine, asked: Asked, places: list[int], parts: list[StateSet]
) -> tuple[int, int] | None:
    """The least of the places whose part has such a state, and the least such state there."""
    own = engine.own
    for place, states in zip(places, parts, strict=True):
        found = own.pick(own.placed(states), asked.condition, holding=asked.holding)
        if found is not None:
            return place, found
    return None


def predecessor(
    engine: SharedEngine, fault: int | None, target: int, states: StateSet
) -> int | None:
    """The least state with the target among its successors."""
    return engine.own.predecessor(engine.own.placed(states), fault, target)
