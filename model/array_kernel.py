"""Successors of an array of states: a trie of guards evaluated on shrinking subsets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twice.model.array_rules import ArrayRule, array_rules
from twice.model.array_symmetry import ArraySymmetry
from twice.model.array_terms import ArrayTerms, Truths
from twice.model.grounding import GroundAction
from twice.model.guard_trie import TrieNode, guard_trie, required_code
from twice.model.interpreter import out_of_domain
from twice.model.layout import Layout
from twice.model.terms import Term
from twice.model.words import Columns, Placed, WordLayout, Words

Origins = npt.NDArray[np.intp]
"""Places in the array of states that was given to be expanded."""

Emit = Callable[[Origins | None, Words], None]
"""Receives the keys of successors by one rule, and where they come from if that is asked for."""

_ALL = (1 << 64) - 1
_NOTHING = np.empty(0, np.uint64)


@dataclass(frozen=True)
class _Node:
    """Rules enabled here, tests that lead on, and the words that anything below looks at."""

    rules: tuple[ArrayRule, ...]
    switches: tuple[tuple[Placed, tuple[tuple[np.uint64, _Node], ...]], ...]
    tests: tuple[tuple[Term, _Node], ...]
    words: frozenset[int]


class ArrayKernel:
    """Expands arrays of states by a fixed set of actions.

    Parameters
    ----------
    actions : iterable of GroundAction
    layout, words
        Where cells lie in a state, and in its words.
    every : list of GroundAction
        All actions of the model by number; errors are named from them.
    symmetry : ArraySymmetry, optional
        What replaces states by their representatives.
    """

    def __init__(
        self,
        actions: Iterable[GroundAction],
        layout: Layout,
        words: WordLayout,
        every: list[GroundAction],
        symmetry: ArraySymmetry | None = None,
    ) -> None:
        self._layout = layout
        self._words = words
        self._terms = ArrayTerms(words)
        self._every = every
        self._symmetry = symmetry
        self._root = self._node(guard_trie(array_rules(actions, layout, words)))

    def _node(self, node: TrieNode[ArrayRule]) -> _Node:
        switches = []
        tests: list[tuple[Term, _Node]] = []
        for slot, members in node.by_slot().items():
            below = [(guard, self._node(child)) for guard, child in members]
            if slot is None:
                tests += below
            else:
                placed = self._words.cells[slot]
                cases = tuple(
                    (np.uint64(placed.bits(required_code(guard))), child) for guard, child in below
                )
                switches.append((placed, cases))
        read = self._terms.words(guard for guard, _ in tests)
        read |= {placed.word for placed, _ in switches}
        for rule in node.rules:
            if not rule.on_key:
                read |= set(range(self._words.number))
        children = [child for _, cases in switches for _, child in cases]
        children += [child for _, child in tests]
        words = frozenset(read.union(*(child.words for child in children)))
        return _Node(tuple(node.rules), tuple(switches), tuple(tests), words)

    def successors(self, keys: Words) -> Words:
        """All successors, with repeats; pieces of them are sorted if the states are."""
        pieces: list[Words] = []
        self._walk(self._root, self._words.columns(keys), keys, None, lambda _, k: pieces.append(k))
        return np.concatenate(pieces) if pieces else _NOTHING

    def representatives(self, keys: Words) -> Words:
        """The same states, or what represents them where symmetry is used."""
        return self._symmetry.representatives(keys) if self._symmetry and keys.size else keys

    def edges(self, keys: Words) -> tuple[Origins, Words]:
        """Which of the states the successors come from, and the successors, piece after piece."""
        origins: list[Origins] = []
        pieces: list[Words] = []

        def emit(places: Origins | None, after: Words) -> None:
            assert places is not None, "places are handed down from the root"
            origins.append(places)
            pieces.append(after)

        columns = self._words.columns(keys)
        self._walk(self._root, columns, keys, np.arange(keys.size), emit)
        if not pieces:
            return np.empty(0, np.intp), _NOTHING
        return np.concatenate(origins), self.representatives(np.concatenate(pieces))

    def _walk(
        self, node: _Node, columns: Columns, keys: Words, origins: Origins | None, emit: Emit
    ) -> None:
        if not keys.size:
            return
        for rule in node.rules:
            emit(origins, self._apply(rule, columns, keys))

        def descend(child: _Node, chosen: Truths) -> None:
            subset = [
                column[chosen] if word in child.words else _NOTHING
                for word, column in enumerate(columns)
            ]
            below = None if origins is None else origins[chosen]
            alone = len(columns) == 1 and subset[0] is not _NOTHING
            self._walk(child, subset, subset[0] if alone else keys[chosen], below, emit)

        for placed, cases in node.switches:
            field = self._terms.field(placed, columns)
            for bits, child in cases:
                descend(child, field == bits)
        for guard, child in node.tests:
            descend(child, self._terms.condition(guard, columns))

    def _apply(self, rule: ArrayRule, columns: Columns, keys: Words) -> Words:
        if rule.outside:
            raise out_of_domain(self._every[rule.action], *rule.outside, self._layout)
        if rule.on_key:
            after = keys & np.uint64(~rule.cleared[0] & _ALL) if rule.cleared[0] else keys
            return after + np.uint64(rule.added[0] & _ALL) if rule.added[0] else after
        changed = [
            (column & np.uint64(~cleared & _ALL)) + np.uint64(added & _ALL)
            for column, cleared, added in zip(columns, rule.cleared, rule.added, strict=True)
        ]
        for slot, value in rule.computed:
            placed = self._words.cells[slot]
            codes = self._terms.value(value, columns)
            low, high = int(codes.min()), int(codes.max())
            domain = placed.cell.domain
            if low < domain.low or high > domain.high:
                wrong = low if low < domain.low else high
                raise out_of_domain(self._every[rule.action], slot, wrong, self._layout)
            shifted = (codes - domain.low).astype(np.uint64) << np.uint64(placed.offset)
            changed[placed.word] |= shifted
        return self._words.keys(changed)
