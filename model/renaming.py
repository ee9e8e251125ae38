"""One renaming of the members of some sorts, applied to packed states.

Every part of a state takes few different values over a whole exploration, so each part is renamed
once per value and remembered; a state is then put together from remembered parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twice.model.domains import Elements
from twice.model.layout import Cell, Layout
from twice.model.sorts import Sort


class Memo(dict[int, int]):
    """A function over integers that computes each value once."""

    def __init__(self, compute: Callable[[int], int]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: int) -> int:
        value = self[key] = self._compute(key)
        return value


class Renamer:
    """Renames the members of some sorts as told, and orders those of one sort by their records.

    A member's record is what the state says of it: the cells it indexes, and which cells point to
    it. Equal records belong to members that nothing tells apart, so the order is free of choices.

    Parameters
    ----------
    layout : Layout
    renaming : mapping
        For each renamed sort, the new number of each member.
    by_record : Sort class, optional
        The sort to order by records.
    kept : bool
        Whether the first member of that sort keeps its place.
    """

    def __init__(
        self,
        layout: Layout,
        renaming: Mapping[type[Sort], tuple[int, ...]],
        by_record: type[Sort] | None,
        kept: bool,
    ) -> None:
        self._layout = layout
        self._renaming = renaming
        self._sort = by_record
        self._kept = int(kept)
        size = layout.scope[by_record] if by_record else 0
        self._variables = {cell.variable: layout.sorts[cell.variable] for cell in layout.cells}
        self._plain: list[tuple[Cell, Cell]] = []
        self._pointers: list[tuple[Cell, Cell]] = []
        self._records: list[list[tuple[Cell, int]]] = [[] for _ in range(size)]
        self._fields: dict[tuple[str, tuple[int, ...]], int] = {}
        self._bits = 0
        for cell in layout.cells:
            self._sort_out(cell)
        self._prepare(size)

    def _sort_out(self, cell: Cell) -> None:
        """Decide whether a cell belongs to a member's record, points to a member, or only moves."""
        sorts = self._variables[cell.variable]
        index = tuple(
            member
            if sort is self._sort
            else self._renaming[sort][member]
            if sort in self._renaming
            else member
            for sort, member in zip(sorts, cell.members, strict=True)
        )
        if self._sort in sorts:
            hole = sorts.index(self._sort)
            field = cell.variable, (*index[:hole], -1, *index[hole + 1 :])
            if field not in self._fields:
                self._fields[field] = self._bits
                self._bits += cell.domain.width
            self._records[cell.members[hole]].append((cell, self._fields[field]))
            return
        target = self._layout.cells[self._layout.slots[cell.variable, index]]
        points = isinstance(cell.domain, Elements) and cell.domain.kind is self._sort
        (self._pointers if points else self._plain).append((cell, target))

    def _prepare(self, size: int) -> None:
        self._plain_mask = sum(cell.mask for cell, _ in self._plain)
        self._moved = Memo(self._move)
        masks = [sum(cell.mask for cell, _ in record) for record in self._records]
        pointers = sum(cell.mask for cell, _ in self._pointers)
        self._keys = [
            (masks[member], Memo(self._record_of(member)), pointers, Memo(self._pointed_at(member)))
            for member in range(size)
        ]
        self._placed = [Memo(self._place_at(place)) for place in range(size)]

    def rename(self, state: int) -> int:
        """The renamed state."""
        result = self._moved[state & self._plain_mask]
        keys = [
            record[state & mask] | pointed[state & pointers]
            for mask, record, pointers, pointed in self._keys
        ]
        if self._kept:
            keys[1:] = sorted(keys[1:])
        else:
            keys.sort()
        for placed, key in zip(self._placed, keys, strict=True):
            result += placed[key]
        return result

    def _renamed_code(self, cell: Cell, code: int) -> int:
        order = self._renaming.get(cell.domain.kind)
        return order[code] if order and code < len(order) else code

    def _move(self, state: int) -> int:
        moved = sum(
            target.bits(self._renamed_code(cell, cell.code(state))) for cell, target in self._plain
        )
        # A pointer starts at nobody; the member it points to adds the rest, see _place_at.
        return moved + sum(target.bits(self._nobody(target)) for _, target in self._pointers)

    @staticmethod
    def _nobody(cell: Cell) -> int:
        return cell.domain.high

    def _record_of(self, member: int) -> Callable[[int], int]:
        fields = self._records[member]

        def record(state: int) -> int:
            return sum(
                (self._renamed_code(cell, cell.code(state)) - cell.domain.low) << shift
                for cell, shift in fields
            )

        return record

    def _pointed_at(self, member: int) -> Callable[[int], int]:
        ordered = sorted(self._pointers, key=lambda pair: pair[1].slot)

        def pointed(state: int) -> int:
            return sum(
                (cell.code(state) == member) << (self._bits + number)
                for number, (cell, _) in enumerate(ordered)
            )

        return pointed

    def _place_at(self, place: int) -> Callable[[int], int]:
        targets = []
        for (variable, index), shift in self._fields.items():
            cell = self._layout.cells[
                self._layout.slots[variable, tuple(place if i < 0 else i for i in index)]
            ]
            targets.append((shift, (1 << cell.domain.width) - 1, cell.offset))
        pointed = sorted((target for _, target in self._pointers), key=lambda cell: cell.slot)

        def placed(key: int) -> int:
            bits = sum((key >> shift & mask) << offset for shift, mask, offset in targets)
            for number, target in enumerate(pointed):
                if key >> (self._bits + number) & 1:
                    bits += target.bits(place) - target.bits(self._nobody(target))
            return bits

        return placed
