"""Successors of an array of states: a trie of guards evaluated on shrinking subsets."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from twice.model.array_rules import ArrayRule, array_rules
from twice.model.array_terms import ArrayTerms, States
from twice.model.grounding import GroundAction
from twice.model.guard_trie import TrieNode, guard_trie, required_code
from twice.model.interpreter import out_of_domain
from twice.model.layout import Layout

Origins = npt.NDArray[np.intp]
"""Places in the array of states that was given to be expanded."""

Emit = Callable[[Origins | None, States], None]
"""Receives the successors by one rule, and where they come from if that is asked for."""

_WORD = (1 << 64) - 1


class ArrayKernel:
    """Expands arrays of packed states by a fixed set of actions."""

    def __init__(
        self, actions: Iterable[GroundAction], layout: Layout, every: list[GroundAction]
    ) -> None:
        self._layout = layout
        self._terms = ArrayTerms(layout)
        self._every = every
        self._root: TrieNode[ArrayRule] = guard_trie(array_rules(actions, layout))

    def successors(self, states: States) -> list[States]:
        """The successors of all states, in pieces; a sorted input gives mostly sorted pieces."""
        pieces: list[States] = []
        self._walk(self._root, states, None, lambda _, after: pieces.append(after))
        return pieces

    def edges(self, states: States) -> list[tuple[Origins, States]]:
        """For each piece of successors, which of the states they come from."""
        pieces: list[tuple[Origins, States]] = []

        def emit(origins: Origins | None, after: States) -> None:
            assert origins is not None, "origins are handed down from the root"
            pieces.append((origins, after))

        self._walk(self._root, states, np.arange(states.size), emit)
        return pieces

    def _walk(
        self, node: TrieNode[ArrayRule], states: States, origins: Origins | None, emit: Emit
    ) -> None:
        if not states.size:
            return
        for rule in node.rules:
            emit(origins, self._apply(rule, states))
        for slot, members in node.by_slot().items():
            if slot is not None:
                cell = self._layout.cells[slot]
                field = states & np.uint64(cell.mask)
            for guard, child in members:
                if slot is None:
                    chosen = self._terms.condition(guard, states)
                else:
                    chosen = field == np.uint64(cell.bits(required_code(guard)))
                below = None if origins is None else origins[chosen]
                self._walk(child, states[chosen], below, emit)

    def _apply(self, rule: ArrayRule, states: States) -> States:
        if rule.outside:
            raise out_of_domain(self._every[rule.action], *rule.outside, self._layout)
        after = states & np.uint64(~rule.cleared & _WORD) if rule.cleared else states
        for slot, value in rule.computed:
            cell = self._layout.cells[slot]
            codes = self._terms.value(value, states)
            low, high = int(codes.min()), int(codes.max())
            if low < cell.domain.low or high > cell.domain.high:
                wrong = low if low < cell.domain.low else high
                raise out_of_domain(self._every[rule.action], slot, wrong, self._layout)
            after = after | ((codes - cell.domain.low).astype(np.uint64) << np.uint64(cell.offset))
        return after + np.uint64(rule.added & _WORD) if rule.added else after
