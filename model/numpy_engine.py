"""The NumPy back end: sorted arrays of packed states, for spaces from some ten thousand up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import numpy as np

from twice.model import sorted_runs
from twice.model.array_closure import ArrayClosure
from twice.model.array_kernel import ArrayKernel
from twice.model.array_symmetry import ArraySymmetry
from twice.model.array_terms import ArrayTerms
from twice.model.byte_table import ByteTable
from twice.model.compiled import CompiledModel
from twice.model.cycles import shallowest_cycle
from twice.model.engine import Engine, Look
from twice.model.layers import Layer, Level
from twice.model.python_engine import belongs_to
from twice.model.regimes import FaultClass
from twice.model.sorted_runs import SortedRuns
from twice.model.spill import SPILLED, spill
from twice.model.symmetry import Symmetry
from twice.model.transition_system import Condition, Label, Property
from twice.model.words import WordLayout, Words

CHUNK = 131_072
"""Words expanded at once: what an expansion touches then stays in the cache."""


class NumpyEngine(Engine[int]):
    """Keeps a level as one sorted array of words, and successors not at all.

    Parameters
    ----------
    model : CompiledModel
    faults : sequence of FaultClass
    symmetry : Symmetry, optional
        Only representatives are kept.
    """

    name = "numpy"

    def __init__(
        self, model: CompiledModel, faults: Sequence[FaultClass], symmetry: Symmetry | None
    ) -> None:
        self._model = model
        self._words = WordLayout(model.layout)
        self._canonical = symmetry
        self._symmetry = ArraySymmetry(symmetry, self._words) if symmetry else None
        self._terms = ArrayTerms(self._words)
        self._own = self.kernel(belongs_to(None))
        self._faults = faults
        self._striking: dict[int, ArrayKernel] = {}

    def kernel(self, chosen: Callable[[Label], bool]) -> ArrayKernel:
        """Successors by the actions whose label is chosen."""
        model = self._model
        actions = model.chosen(chosen)
        return ArrayKernel(actions, model.layout, self._words, model.actions, self._symmetry)

    def batch(self, states: Iterable[int]) -> Words:
        return self._represented(sorted_runs.unique(self._words.pack(list(states))))

    def representative(self, state: int) -> int:
        return self._canonical(state) if self._canonical else state

    def to_table(self, batch: Words) -> ByteTable:
        return self._words.to_table(batch)

    def from_table(self, table: ByteTable) -> Words:
        return self._represented(sorted_runs.unique(self._words.from_table(table)))

    def retire(self, layer: Layer[int]) -> None:
        if layer.size * 8 >= SPILLED:
            with suppress(OSError):  # without room for the file, it stays in memory
                spill(layer)

    def union(self, pieces: Sequence[Words]) -> Words:
        return sorted_runs.union(pieces)

    def known(self) -> SortedRuns:
        return SortedRuns()

    def learn(self, known: SortedRuns, batch: Words) -> Words:
        return known.learn(batch)

    def batch_of(self, level: Level[int]) -> Words:
        states: Words = level.states
        return states

    def level(self, batch: Words) -> Level[int]:
        return Level(batch)

    def states(self, level: Level[int]) -> Iterable[int]:
        return (self._words.unpack(key) for key in level.states.tolist())

    def expand(self, level: Level[int], look: Look) -> tuple[Words, int]:
        return self._successors(self._own, level, look)

    def strike(self, level: Level[int], fault: int, look: Look) -> tuple[Words, int]:
        return self._successors(self._fault(fault), level, look)

    def _fault(self, number: int) -> ArrayKernel:
        """The steps of a class of faults, worked out when they are first needed."""
        if number not in self._striking:
            self._striking[number] = self.kernel(belongs_to(self._faults[number]))
        return self._striking[number]

    def _successors(self, kernel: ArrayKernel, level: Level[int], look: Look) -> tuple[Words, int]:
        pieces: list[Words] = []
        number = 0
        for chunk in _chunks(level.states):
            found = kernel.successors(chunk)
            number += found.size
            pieces.append(self._represented(sorted_runs.unique(found)))
            look()
        return sorted_runs.union(pieces), number

    def _represented(self, states: Words) -> Words:
        """The representatives of states, sorted, without repeats."""
        if self._symmetry is None or not states.size:
            return states
        return sorted_runs.unique(self._symmetry.representatives(states))

    def pick(self, level: Level[int], condition: Condition, *, holding: bool) -> int | None:
        for chunk in _chunks(level.states):
            truths = self._terms.condition(condition, self._words.columns(chunk))
            found = chunk[truths if holding else ~truths]
            if found.size:
                return self._words.unpack(int(found[0]))
        return None

    def predecessor(self, level: Level[int], fault: int | None, target: int) -> int | None:
        kernel = self._own if fault is None else self._fault(fault)

        key = self._words.pack([target])[0]

        def reaches(states: Words) -> bool:
            after = kernel.representatives(kernel.successors(states))
            return bool((after == key).any())

        for chunk in _chunks(level.states):
            if reaches(chunk):
                while chunk.size > 1:
                    half = chunk.size // 2
                    chunk = chunk[:half] if reaches(chunk[:half]) else chunk[half:]
                return self._words.unpack(int(chunk[0]))
        return None

    def cannot_reach(
        self, layer: Layer[int], goals: Sequence[Condition]
    ) -> list[tuple[int, int] | None]:
        return self._closure(layer).cannot_reach(goals)

    def endless(self, layer: Layer[int], entry: Property) -> tuple[int, list[int]] | None:
        closure = self._closure(layer)
        sources, targets = closure.core(closure.where(entry.goal))
        if not sources.size:
            return None
        graph: dict[int, list[int]] = {}
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
            graph.setdefault(source, []).append(target)
        places = np.unique(sources)
        edges = [
            (source, target)
            for origins, after in closure.edges(places, self.kernel(entry.counts))
            for source, target in zip(places[origins].tolist(), after.tolist(), strict=True)
            if target in graph
        ]
        depths = {p: depth for depth, places in closure.levels.items() for p in places.tolist()}
        found = shallowest_cycle(graph, edges, depths)
        return found and (found[0], [closure.state(place) for place in found[1]])

    def _closure(self, layer: Layer[int]) -> ArrayClosure:
        return ArrayClosure(layer, self._own, self._terms, self._words)


def _chunks(states: Words) -> Iterable[Words]:
    return (states[start : start + CHUNK] for start in range(0, states.size, CHUNK))
