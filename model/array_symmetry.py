"""Symmetry on arrays: the representatives of many states at once.

It finds the same representatives as `twice.model.renamer`: the records of all members become one
key each, a sorting network orders the keys of every state, and the ordered keys are put back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from twice.model.layout import Cell
from twice.model.renaming import Renaming, nobody
from twice.model.symmetry import Symmetry
from twice.model.words import Columns, Placed, WordLayout, Words


class _Shift(NamedTuple):
    """Bits of a word moved by one distance: cells that keep their distance move together."""

    word: int
    mask: int
    left: int

    def take(self, columns: Columns) -> Words:
        """The bits, moved."""
        bits = columns[self.word] & np.uint64(self.mask)
        if self.left > 0:
            return bits << np.uint64(self.left)
        return bits >> np.uint64(-self.left) if self.left else bits


class ArraySymmetry:
    """The representatives of states given by their keys."""

    def __init__(self, symmetry: Symmetry, words: WordLayout) -> None:
        self._words = words
        self._renamers = [ArrayRenamer(renaming, words) for renaming in symmetry.renamings]

    def representatives(self, keys: Words) -> Words:
        """The key of each state's representative: the smallest of its renamings."""
        columns = self._words.columns(keys)
        first, *others = self._renamers
        best = first.rename(columns)
        for renamer in others:
            best = _smaller(best, renamer.rename(columns))
        return self._words.keys(best)


def _smaller(one: list[Words], other: list[Words]) -> list[Words]:
    """State by state the smaller of two, the last word counting most."""
    takes = np.zeros(one[0].size, np.bool_)
    for a, b in zip(one, other, strict=True):
        takes = (b < a) | ((b == a) & takes)
    return [np.where(takes, b, a) for a, b in zip(one, other, strict=True)]


class ArrayRenamer:
    """Applies one renaming to the words of many states."""

    def __init__(self, renaming: Renaming, words: WordLayout) -> None:
        self._renaming = renaming
        self._words = words
        placed = words.cells
        self._plain = self._moves((cell, placed[target.slot]) for cell, target in renaming.plain)
        self._records = [
            self._moves((cell, _in_key(cell, shift)) for cell, shift in record)
            for record in renaming.records
        ]
        self._places = [self._places_of(member) for member in range(renaming.size)]

    def _moves(self, cells: Iterable[tuple[Cell, Placed]]) -> _Moves:
        """How cells get to their places, cells with one distance at once."""
        masks: dict[tuple[int, int, int], int] = defaultdict(int)
        looked_up = []
        for cell, target in cells:
            source = self._words.cells[cell.slot]
            order = self._renaming.order(cell)
            if order:
                codes = [self._renaming.code(cell, code) for code in cell.domain.codes]
                table = np.array([target.bits(code) for code in codes], np.uint64)
                looked_up.append((source, target.word, table))
            else:
                masks[source.word, target.word, target.offset - source.offset] |= source.mask
        shifts = [(to, _Shift(word, mask, left)) for (word, to, left), mask in masks.items()]
        return _Moves(shifts, looked_up)

    def _places_of(self, member: int) -> list[tuple[int, _Shift]]:
        """How a key is put back at a member's place."""
        masks: dict[tuple[int, int], int] = defaultdict(int)
        for cell, shift in self._renaming.places[member]:
            placed = self._words.cells[cell.slot]
            masks[placed.word, placed.offset - shift] |= _in_key(cell, shift).mask
        return [(word, _Shift(0, mask, left)) for (word, left), mask in masks.items()]

    def rename(self, columns: Columns) -> list[Words]:
        """The words of the renamed states."""
        result = [np.zeros(columns[0].size, np.uint64) for _ in columns]
        self._plain.apply(columns, result)
        keys = self._ordered(self._keys(columns))
        for key, shifts in zip(keys, self._places, strict=True):
            for word, shift in shifts:
                result[word] |= shift.take([key])
        for number, (_, target) in enumerate(self._renaming.pointers):
            placed = self._words.cells[target.slot]
            result[placed.word] |= self._pointer(number, target, keys) << np.uint64(placed.offset)
        return result

    def _keys(self, columns: Columns) -> list[Words]:
        """The key of every member: its record, and above it a bit for each pointer to it."""
        keys: list[Words] = []
        for moves in self._records:
            alone = [np.zeros(columns[0].size, np.uint64)]
            moves.apply(columns, alone)
            keys += alone
        for number, (cell, _) in enumerate(self._renaming.pointers):
            placed = self._words.cells[cell.slot]
            field = columns[placed.word] & np.uint64(placed.mask)
            bit = np.uint64(1 << (self._renaming.width + number))
            for member, key in enumerate(keys):
                key[field == np.uint64(placed.bits(member))] |= bit
        return keys

    def _ordered(self, keys: list[Words]) -> list[Words]:
        """The keys of each state in ascending order, a kept first member left where it is."""
        free = keys[self._renaming.kept :]
        for low, high in _network(len(free)):
            smaller = np.minimum(free[low], free[high])
            free[high] = np.maximum(free[low], free[high])
            free[low] = smaller
        return keys[: self._renaming.kept] + free

    def _pointer(self, number: int, target: Cell, keys: Sequence[Words]) -> Words:
        """The code of a pointer: the place of the member that has its bit, or nobody."""
        bit = np.uint64(self._renaming.width + number)
        code = np.full(keys[0].size, nobody(target), np.uint64)
        for place, key in enumerate(keys):
            code[(key >> bit) & np.uint64(1) != 0] = place
        return code


class _Moves(NamedTuple):
    """Bits moved by shifts, and cells whose codes are renamed by a table of bits in place."""

    shifts: list[tuple[int, _Shift]]
    looked_up: list[tuple[Placed, int, Words]]

    def apply(self, columns: Columns, result: list[Words]) -> None:
        """Add the moved bits to the words of the result."""
        for word, shift in self.shifts:
            result[word] |= shift.take(columns)
        for source, word, table in self.looked_up:
            field = (columns[source.word] & np.uint64(source.mask)) >> np.uint64(source.offset)
            result[word] |= table[field.astype(np.intp)]


def _in_key(cell: Cell, shift: int) -> Placed:
    return Placed(cell, 0, shift)


def _network(size: int) -> Iterator[tuple[int, int]]:
    """Comparisons that sort any values: Batcher's merge exchange.

    References
    ----------
    D. E. Knuth, "The Art of Computer Programming", volume 3, section 5.2.2, algorithm M.
    """
    step = top = 1 << max((size - 1).bit_length() - 1, 0)
    while step > 0 and size > 1:
        width, remainder, distance = top, 0, step
        while True:
            for low in range(size - distance):
                if low & step == remainder:
                    yield low, low + distance
            if width == step:
                break
            distance = width - step
            width >>= 1
            remainder = step
        step >>= 1
