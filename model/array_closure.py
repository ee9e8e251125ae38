"""Questions about runs inside one layer, answered on arrays.

All states of the layer form one sorted array, and a state is spoken of by its place in it.
Successors are computed anew whenever they are needed: that is cheaper than keeping several places
per state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from twice.model import sorted_runs
from twice.model.array_kernel import ArrayKernel
from twice.model.array_terms import ArrayTerms, Truths
from twice.model.layers import Layer
from twice.model.transition_system import Condition
from twice.model.words import WordLayout

Places = npt.NDArray[np.intp]
"""Places in the array of all states."""

_CHUNK = 131_072

_GOALS = 63
"""Goals closed together: each is a bit of a word, and one bit more has to fit."""


class ArrayClosure:
    """The graph of one closed layer by the system's own steps.

    Parameters
    ----------
    layer : Layer
    kernel : ArrayKernel
        The system's own steps.
    terms : ArrayTerms
    words : WordLayout
    """

    def __init__(
        self, layer: Layer[int], kernel: ArrayKernel, terms: ArrayTerms, words: WordLayout
    ) -> None:
        self._kernel = kernel
        self._terms = terms
        self._words = words
        self.states = sorted_runs.union([level.states for level in layer.levels.values()])
        self.levels = {
            depth: np.searchsorted(self.states, level.states)
            for depth, level in layer.levels.items()
        }

    def state(self, place: int) -> int:
        """The state at a place, packed by the layout."""
        return self._words.unpack(int(self.states[place]))

    def where(self, condition: Condition) -> Truths:
        """In which of all states the condition holds."""
        truths = np.empty(self.states.size, np.bool_)
        for start in range(0, truths.size, _CHUNK):
            part = slice(start, start + _CHUNK)
            truths[part] = self._terms.condition(condition, self._words.columns(self.states[part]))
        return truths

    def edges(
        self, places: Places, kernel: ArrayKernel | None = None
    ) -> Iterator[tuple[Places, Places]]:
        """Edges in pieces: from which of the given places, ascending, and to which place.

        All edges of a source are in one piece.
        """
        for start in range(0, places.size, _CHUNK):
            chunk = places[start : start + _CHUNK]
            origins, after = (kernel or self._kernel).edges(self.states[chunk])
            targets = np.searchsorted(self.states, after)
            order = np.argsort(origins, kind="stable")
            yield start + origins[order], targets[order]

    def cannot_reach(self, goals: Sequence[Condition]) -> list[tuple[int, int] | None]:
        """For each goal a shallowest state from which no state satisfying it can be reached.

        Each state carries one bit for each goal it can reach, and takes over the bits of its
        successors, from the deepest level up, until nothing changes.
        """
        if len(goals) > _GOALS:
            return [*self.cannot_reach(goals[:_GOALS]), *self.cannot_reach(goals[_GOALS:])]
        bits = np.zeros(self.states.size, np.uint64)
        for number, goal in enumerate(goals):
            bits[self.where(goal)] |= np.uint64(1 << number)
        complete = np.uint64((1 << len(goals)) - 1)
        slices = _slices(self.levels[depth] for depth in sorted(self.levels, reverse=True))
        changed = True
        while changed:
            changed = False
            for levels in slices:
                unsettled = [places[bits[places] != complete] for places in levels]
                places = np.concatenate(unsettled)
                before = bits[places]
                ends = np.cumsum([level.size for level in unsettled])
                for origins, targets in self.edges(places):
                    for low, high in pairwise([0, *np.searchsorted(origins, ends).tolist()]):
                        _take_over(bits, places[origins[low:high]], targets[low:high])
                changed |= bool((bits[places] != before).any())
        return [self._shallowest(bits, np.uint64(1 << number)) for number in range(len(goals))]

    def _shallowest(self, bits: npt.NDArray[np.uint64], bit: np.uint64) -> tuple[int, int] | None:
        for depth, places in self.levels.items():
            stuck = places[(bits[places] & bit) == 0]
            if stuck.size:
                return depth, self.state(int(stuck[0]))
        return None

    def core(self, inside: Truths) -> tuple[Places, Places]:
        """The edges left when states without successors or predecessors are dropped repeatedly.

        Parameters
        ----------
        inside
            The states to look at; edges to others are left out.
        """
        places = np.flatnonzero(inside)
        pieces = [
            (places[origins[inside[targets]]], targets[inside[targets]])
            for origins, targets in self.edges(places)
        ]
        if not pieces:
            return np.empty(0, np.intp), np.empty(0, np.intp)
        sources = np.concatenate([piece for piece, _ in pieces])
        targets = np.concatenate([piece for _, piece in pieces])
        while sources.size:
            continues = np.zeros(self.states.size, np.bool_)
            continues[sources] = True
            reached = np.zeros(self.states.size, np.bool_)
            reached[targets] = True
            kept = reached[sources] & continues[targets]
            if kept.all():
                break
            sources, targets = sources[kept], targets[kept]
        return sources, targets


def _slices(levels: Iterable[Places]) -> list[list[Places]]:
    """Levels in their order, as many together as fit in a chunk: they are expanded at once."""
    slices: list[list[Places]] = []
    room = 0
    for places in levels:
        if places.size > room:
            slices.append([])
            room = _CHUNK
        slices[-1].append(places)
        room -= places.size
    return slices


def _take_over(bits: npt.NDArray[np.uint64], sources: Places, targets: Places) -> None:
    """Add to the bits of every source, whose edges are together, those of its targets."""
    if sources.size:
        firsts = np.flatnonzero(np.diff(sources, prepend=-1))
        bits[sources[firsts]] |= np.bitwise_or.reduceat(bits[targets], firsts)
