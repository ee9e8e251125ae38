"""The Dask back end: the same search, its states spread over the workers of a cluster.

Each state has an owner, found from the state alone. A level is one sorted set per owner; expanding
it sends every successor to its owner, who drops what was known. All sets are futures that never
change, so Dask can compute again what was lost with a worker, and the client compares the sizes it
is told with those it was told before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from twice.model import coded_states, dask_tasks
from twice.model.byte_table import ByteTable
from twice.model.coded_states import StateSet
from twice.model.compiled import CompiledModel
from twice.model.dask_client import Client
from twice.model.dask_cluster import Cluster, EngineLost, Future
from twice.model.dask_tasks import Asked, PieceEngine, Told
from twice.model.engine import Engine, Look
from twice.model.layers import Layer, Level
from twice.model.regimes import FaultClass
from twice.model.symmetry import Symmetry
from twice.model.transition_system import Condition, Property
from twice.model.words import Words

_GROWTH = 2
"""A run is merged into the one before it unless that is so many times longer."""


@dataclass(frozen=True)
class Spread:
    """A set of states by owner.

    Attributes
    ----------
    parts : list of list of Future
        For each owner the sets it has; a level has at most one for each.
    sizes : list of int
        States of each owner; before they were learned, one that is in two sets counts twice.
    """

    parts: list[list[Future]]
    sizes: list[int]

    def __len__(self) -> int:
        return sum(self.sizes)


@dataclass(frozen=True)
class Run:
    """A part of what an owner knows."""

    states: Future
    size: int


class DaskEngine(Engine[int]):
    """Spreads levels over a cluster, where a `NumpyEngine` per worker thread expands them.

    Parameters
    ----------
    model, faults, symmetry
        See `NumpyEngine`.
    cluster : str, distributed.Client or None
        See `twice.model.dask_client.client`.
    """

    name = "dask"

    def __init__(
        self,
        model: CompiledModel,
        faults: Sequence[FaultClass],
        symmetry: Symmetry | None,
        cluster: str | Client | None = None,
    ) -> None:
        self._fresh_engine = partial(PieceEngine, model, faults, symmetry)
        self._here = self._fresh_engine()
        self._cluster = Cluster(cluster)
        self._owners = self._cluster.parts
        self._shared = self._cluster.submit(
            dask_tasks.SharedEngine, *dask_tasks.packed(self._here, model)
        )

    def batch(self, states: Iterable[int]) -> Spread:
        return self._sent(self._here.batch(states))

    def _sent(self, batch: Words) -> Spread:
        """A set of this process, sent to the owners of its states."""
        pieces = coded_states.split(self._here.coded(batch), self._owners)
        return Spread(
            [
                [self._cluster.submit(dask_tasks.held, piece)] if len(piece) else []
                for owner, piece in enumerate(pieces)
            ],
            [len(piece) for piece in pieces],
        )

    def _brought(self, batch: Spread) -> StateSet:
        """A set that is not empty, brought to this process."""
        tasks = [states for part in batch.parts for states in part]
        return coded_states.union(self._cluster.results(tasks))

    def representative(self, state: int) -> int:
        return self._here.representative(state)

    def to_table(self, batch: Spread) -> ByteTable:
        return self._here.to_table(self._here.batch_of(self._here.placed(self._brought(batch))))

    def from_table(self, table: ByteTable) -> Spread:
        return self._sent(self._here.from_table(table))

    def batch_of(self, level: Level[int]) -> Spread:
        states: Spread = level.states
        return states

    def union(self, pieces: Sequence[Spread]) -> Spread:
        owners = range(self._owners)
        return Spread(
            [[states for piece in pieces for states in piece.parts[owner]] for owner in owners],
            [sum(piece.sizes[owner] for piece in pieces) for owner in owners],
        )

    def known(self) -> list[list[Run]]:
        return [[] for _ in range(self._owners)]

    def learn(self, known: list[list[Run]], batch: Spread) -> Spread:
        submit = self._cluster.submit
        found = {
            owner: submit(dask_tasks.fresh, part, [run.states for run in known[owner]])
            for owner, part in enumerate(batch.parts)
            if part
        }
        told = self._cluster.results([submit(len, states) for owner, states in found.items()])
        sizes = [0] * self._owners
        for owner, size in zip(found, told, strict=True):
            sizes[owner] = size
            if size:
                self._add(known[owner], Run(found[owner], size))
        return Spread([[found[o]] if sizes[o] else [] for o in range(self._owners)], sizes)

    def _add(self, runs: list[Run], run: Run) -> None:
        runs.append(run)
        while len(runs) > 1 and runs[-2].size < _GROWTH * runs[-1].size:
            last, before = runs.pop(), runs.pop()
            both = [before.states, last.states]
            merged = self._cluster.submit(dask_tasks.merged, both)
            runs.append(Run(merged, before.size + last.size))

    def level(self, batch: Spread) -> Level[int]:
        return Level(batch)

    def states(self, level: Level[int]) -> Iterable[int]:
        return self._here.states(self._here.placed(self._brought(level.states)))

    def expand(self, level: Level[int], look: Look) -> tuple[Spread, int]:
        return self.successors(level, [], look)[0]

    def strike(self, level: Level[int], fault: int, look: Look) -> tuple[Spread, int]:
        return self._found(level.states, [self._begin(level.states, fault)], look)[0]

    def successors(
        self, level: Level[int], faults: Sequence[int], look: Look
    ) -> list[tuple[Spread, int]]:
        begun = [self._begin(level.states, fault) for fault in (None, *faults)]
        return self._found(level.states, begun, look)

    def _begin(self, level: Spread, fault: int | None) -> dict[int, Future]:
        """Tasks that expand a level, by the owners of its parts."""
        return {
            owner: self._cluster.submit(
                dask_tasks.successors, self._shared, fault, part[0], self._owners
            )
            for owner, part in enumerate(level.parts)
            if part
        }

    def _found(
        self, level: Spread, begun: Sequence[dict[int, Future]], look: Look
    ) -> list[tuple[Spread, int]]:
        """For each expansion its successors by owner, and the number of transitions."""
        tasks = [
            self._cluster.submit(dask_tasks.told, outcome)
            for outcomes in begun
            for owner, outcome in outcomes.items()
        ]
        told = iter(self._cluster.results(tasks, look))
        look()
        return [
            self._handed_over(level, outcomes, list(islice(told, len(outcomes))))
            for outcomes in begun
        ]

    def _handed_over(
        self, level: Spread, outcomes: dict[int, Future], told: Sequence[Told]
    ) -> tuple[Spread, int]:
        found = Spread([[] for _ in range(self._owners)], [0] * self._owners)
        for (owner, outcome), (expanded, _, sizes) in zip(outcomes.items(), told, strict=True):
            if expanded != level.sizes[owner]:
                raise EngineLost(
                    f"a part of a level had {level.sizes[owner]:,} states, and {expanded:,} when a "
                    "worker of the Dask cluster computed it again, so there is no answer"
                )
            for target, size in enumerate(sizes):
                if size:
                    piece = self._cluster.submit(dask_tasks.piece, outcome, target)
                    found.parts[target].append(piece)
                    found.sizes[target] += size
        return found, sum(taken for _, taken, _ in told)

    def pick(self, level: Level[int], condition: Condition, *, holding: bool) -> int | None:
        found = self.first([level], condition, holding=holding)
        return found and found[1]

    def first(
        self, levels: Sequence[Level[int]], condition: Condition, *, holding: bool
    ) -> tuple[int, int] | None:
        asked = Asked(condition, holding)
        tasks = []
        for owner in range(self._owners):
            parts = [(place, level.states.parts[owner]) for place, level in enumerate(levels)]
            places = [place for place, part in parts if part]
            sets = [part[0] for _, part in parts if part]
            if sets:
                tasks.append(
                    self._cluster.submit(dask_tasks.first, self._shared, asked, places, sets)
                )
        return min((found for found in self._cluster.results(tasks) if found), default=None)

    def predecessor(self, level: Level[int], fault: int | None, target: int) -> int | None:
        tasks = [
            self._cluster.submit(dask_tasks.predecessor, self._shared, fault, target, part[0])
            for owner, part in enumerate(level.states.parts)
            if part
        ]
        return min(
            (found for found in self._cluster.results(tasks) if found is not None), default=None
        )

    def cannot_reach(
        self, layer: Layer[int], goals: Sequence[Condition]
    ) -> list[tuple[int, int] | None]:
        engine, here = self._gathered(layer)
        return engine.cannot_reach(here, goals)

    def endless(self, layer: Layer[int], entry: Property) -> tuple[int, list[int]] | None:
        engine, here = self._gathered(layer)
        return engine.endless(here, entry)

    def _gathered(self, layer: Layer[int]) -> tuple[PieceEngine, Layer[int]]:
        """A layer in the memory of this process, with an engine that knows its states."""
        sets = {depth: self._brought(level.states) for depth, level in layer.levels.items()}
        engine = self._fresh_engine()
        engine.placed(coded_states.union(list(sets.values())))  # numbers them in their order
        levels = {depth: engine.placed(states) for depth, states in sets.items()}
        return engine, Layer(layer.usage, levels, layer.closed)
