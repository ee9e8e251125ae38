"""Packed states as rows of bytes: how states get from one back end to another, and to files."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from twice.model.layout import Cell, Layout

ByteTable = npt.NDArray[np.uint8]
"""One row of bytes for each state, the lowest bits first."""


def row_size(layout: Layout) -> int:
    """Bytes of a row, a multiple of eight."""
    return 8 * (layout.width // 64 + 1)


def to_table(states: Iterable[int], layout: Layout) -> ByteTable:
    """The rows of packed states."""
    size = row_size(layout)
    every = b"".join(state.to_bytes(size, "little") for state in states)
    return np.frombuffer(every, np.uint8).reshape(-1, size)


def from_table(table: ByteTable) -> list[int]:
    """The packed states of rows."""
    return [int.from_bytes(row.tobytes(), "little") for row in table]


def field(table: ByteTable, cell: Cell) -> npt.NDArray[np.uint64]:
    """The bits of a cell in every state, moved down to bit 0."""
    first, shift = divmod(cell.offset, 8)
    bits = np.zeros(len(table), np.uint64)
    for byte in range((shift + cell.domain.width + 7) // 8):
        bits |= table[:, first + byte].astype(np.uint64) << np.uint64(8 * byte)
    return (bits >> np.uint64(shift)) & np.uint64((1 << cell.domain.width) - 1)


def put(table: ByteTable, cell: Cell, bits: npt.NDArray[np.uint64]) -> None:
    """Write the bits of a cell, given from bit 0 up, into rows where they are still zero."""
    first, shift = divmod(cell.offset, 8)
    moved = bits << np.uint64(shift)
    for byte in range((shift + cell.domain.width + 7) // 8):
        table[:, first + byte] |= (moved >> np.uint64(8 * byte)).astype(np.uint8)
