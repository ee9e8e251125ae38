"""A renaming applied to packed states, one at a time.

Every part of a state takes few different values over a whole exploration, so each part is renamed
once per value and remembered; a state is then put together from remembered parts.
"""

from __future__ import annotations

from collections.abc import Callable

from twice.model.layout import Cell
from twice.model.renaming import Renaming, nobody

_PART = 10
"""Bits from which a part is large enough: few parts to look up, with few values each."""


class Memo(dict[int, int]):
    """A function over integers that computes each value once."""

    def __init__(self, compute: Callable[[int], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: int) -> int:
        value = self[key] = self._compute(key)
        return value


class Renamer:
    """Renames packed states."""

    def __init__(self, renaming: Renaming) -> None:
        self._renaming = renaming
        # A pointer starts at nobody; the member it points to adds the rest, see _place_at.
        self._nobody = sum(target.bits(nobody(target)) for _, target in renaming.pointers)
        self._moved = [
            (sum(cell.mask for cell, _ in part), Memo(self._move(part)))
            for part in _parts(renaming.plain)
        ]
        pointers = sum(cell.mask for cell, _ in renaming.pointers)
        self._keys = [
            (
                sum(cell.mask for cell, _ in renaming.records[member]),
                Memo(self._record_of(member)),
                pointers,
                Memo(self._pointed_at(member)),
            )
            for member in range(renaming.size)
        ]
        self._placed = [Memo(self._place_at(place)) for place in range(renaming.size)]

    def rename(self, state: int) -> int:
        """The renamed state."""
        result = self._nobody
        for mask, moved in self._moved:
            result += moved[state & mask]
        keys = [
            record[state & mask] | pointed[state & pointers]
            for mask, record, pointers, pointed in self._keys
        ]
        if self._renaming.kept:
            keys[1:] = sorted(keys[1:])
        else:
            keys.sort()
        for placed, key in zip(self._placed, keys, strict=True):
            result += placed[key]
        return result

    def _move(self, part: list[tuple[Cell, Cell]]) -> Callable[[int], int]:
        renaming = self._renaming

        def moved(state: int) -> int:
            return sum(target.bits(renaming.code(cell, cell.code(state))) for cell, target in part)

        return moved

    def _record_of(self, member: int) -> Callable[[int], int]:
        renaming = self._renaming

        def record(state: int) -> int:
            return sum(
                (renaming.code(cell, cell.code(state)) - cell.domain.low) << shift
                for cell, shift in renaming.records[member]
            )

        return record

    def _pointed_at(self, member: int) -> Callable[[int], int]:
        renaming = self._renaming

        def pointed(state: int) -> int:
            return sum(
                (cell.code(state) == member) << (renaming.width + number)
                for number, (cell, _) in enumerate(renaming.pointers)
            )

        return pointed

    def _place_at(self, place: int) -> Callable[[int], int]:
        renaming = self._renaming

        def placed(key: int) -> int:
            bits = sum(
                (key >> shift & (cell.mask >> cell.offset)) << cell.offset
                for cell, shift in renaming.places[place]
            )
            for number, (_, target) in enumerate(renaming.pointers):
                if key >> (renaming.width + number) & 1:
                    bits += target.bits(place) - target.bits(nobody(target))
            return bits

        return placed


def _parts(pairs: list[tuple[Cell, Cell]]) -> list[list[tuple[Cell, Cell]]]:
    """Cells side by side, in parts of a few bits."""
    parts: list[list[tuple[Cell, Cell]]] = [[]]
    for pair in pairs:
        if sum(cell.domain.width for cell, _ in parts[-1]) >= _PART:
            parts.append([])
        parts[-1].append(pair)
    return parts
