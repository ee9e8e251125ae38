"""States wider than one word: words, and one exact key per state.

A set of states is a sorted array, and only whole words sort quickly. So a state that needs several
words is known by a key of one word: the lower bits hold its first cells as they are, the upper bits
a number that stands for the rest. The rest takes few different values; each is numbered when it is
first met, and found again in a table. No two states share a key: nothing is hashed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from twice.model.array_form import LOW_BITS, NUMBER_BITS, WORD
from twice.model.byte_table import ByteTable, field, put, row_size, to_table
from twice.model.errors import UsageError
from twice.model.layout import Cell, Layout

Words = npt.NDArray[np.uint64]
"""One word for each of several states: a key, or some of the cells."""

Columns = Sequence[Words]
"""All the words of several states."""


class Placed:
    """Where a cell lies in the words of a state."""

    def __init__(self, cell: Cell, word: int, offset: int) -> None:
        self.cell = cell
        self.word = word
        self.offset = offset
        self.mask = ((1 << cell.domain.width) - 1) << offset

    def bits(self, code: int) -> int:
        """A code in place."""
        return (code - self.cell.domain.low) << self.offset


class WordLayout:
    """The words of a layout's states.

    Attributes
    ----------
    cells : tuple of Placed
        By slot.
    number : int
        How many words a state has.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.cells = tuple(self._place())
        self.number = self.cells[-1].word + 1 if self.cells else 1
        self._tables = [Numbering() for _ in range(self.number - 1)]

    def _place(self) -> list[Placed]:
        """Fill words in the order of the cells; all but the last leave room for a number."""
        placed: list[Placed] = []
        word = offset = 0
        left = self._layout.width
        for cell in self._layout.cells:
            room = WORD if left + offset <= WORD else LOW_BITS
            if offset + cell.domain.width > room:
                word, offset = word + 1, 0
            placed.append(Placed(cell, word, offset))
            offset += cell.domain.width
            left -= cell.domain.width
        return placed

    def keys(self, columns: Columns) -> Words:
        """The keys of states given by their words."""
        key = columns[-1]
        for word in range(self.number - 2, -1, -1):
            numbers = self._tables[word].numbers(key)
            key = columns[word] | (numbers << np.uint64(LOW_BITS))
        return key

    def columns(self, keys: Words) -> Columns:
        """The words of states given by their keys."""
        columns: list[Words] = []
        for table in self._tables:
            columns.append(keys & np.uint64((1 << LOW_BITS) - 1))
            keys = table.values(keys >> np.uint64(LOW_BITS))
        return [*columns, keys]

    def pack(self, states: Sequence[int]) -> Words:
        """The keys of states packed by the layout."""
        if self.number == 1:
            return np.fromiter(states, np.uint64, len(states))
        return self.from_table(to_table(states, self._layout))

    def from_table(self, table: ByteTable) -> Words:
        """The keys of states given as rows of bytes."""
        columns = [np.zeros(len(table), np.uint64) for _ in range(self.number)]
        for placed in self.cells:
            columns[placed.word] |= field(table, placed.cell) << np.uint64(placed.offset)
        return self.keys(columns)

    def to_table(self, keys: Words) -> ByteTable:
        """The rows of bytes of states given by their keys."""
        table = np.zeros((keys.size, row_size(self._layout)), np.uint8)
        columns = self.columns(keys)
        for placed in self.cells:
            bits = (columns[placed.word] & np.uint64(placed.mask)) >> np.uint64(placed.offset)
            put(table, placed.cell, bits)
        return table

    def unpack(self, key: int) -> int:
        """The state, packed by the layout, of one key."""
        words = [int(column[0]) for column in self.columns(np.array([key], np.uint64))]
        return sum(
            ((words[placed.word] & placed.mask) >> placed.offset) << placed.cell.offset
            for placed in self.cells
        )


class Numbering:
    """Numbers distinct words in the order in which they are first met."""

    def __init__(self) -> None:
        self._sorted = np.empty(0, np.uint64)
        self._number_of = np.empty(0, np.uint64)
        self._values = np.empty(0, np.uint64)

    def numbers(self, words: Words) -> Words:
        """The numbers of words, new ones for those never met.

        Raises
        ------
        UsageError
            When there are more different words than a number has room for.
        """
        if not words.size:
            return words
        distinct = np.sort(words, kind="stable")
        distinct = distinct[np.concatenate(([True], distinct[1:] != distinct[:-1]))]
        place = np.searchsorted(self._sorted, distinct)
        new = distinct
        if self._sorted.size:
            place[place == self._sorted.size] = 0
            new = distinct[self._sorted[place] != distinct]
        if new.size:
            self._add(new)
        numbers: Words = self._number_of[np.searchsorted(self._sorted, words)]
        return numbers

    def _add(self, new: Words) -> None:
        first = self._values.size
        if first + new.size > 1 << NUMBER_BITS:
            raise UsageError(
                "the states of this model take too many different values beyond their first "
                f"{LOW_BITS} bits for the numpy engine; use engine=python"
            )
        self._values = np.concatenate([self._values, new])
        numbers = np.arange(first, first + new.size, dtype=np.uint64)
        merged = np.concatenate([self._sorted, new])
        order = np.argsort(merged, kind="stable")
        self._sorted = merged[order]
        self._number_of = np.concatenate([self._number_of, numbers])[order]

    def values(self, numbers: Words) -> Words:
        """The words that numbers stand for."""
        return self._values[numbers.astype(np.intp)]
