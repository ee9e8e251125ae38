"""One renaming of the members of some sorts: where it sends each cell, and each code.

The members of one further sort are not renamed but ordered by their records. A member's record is
what the state says of it: the cells it indexes, and which cells point to it. Equal records belong
to members that nothing tells apart, so the order is free of choices.
"""

from __future__ import annotations

from collections.abc import Mapping

from twice.model.domains import Elements
from twice.model.layout import Cell, Layout
from twice.model.sorts import Sort

KEY_BITS = 64
"""Bits of a key on arrays; a model with larger records stays in plain Python."""


class Renaming:
    """What becomes of every cell.

    Parameters
    ----------
    layout : Layout
    orders : mapping
        For each renamed sort, the new number of each member.
    by_record : Sort class, optional
        The sort whose members are ordered by their records.
    kept : bool
        Whether the first member of that sort keeps its place.

    Attributes
    ----------
    plain : list of pairs of Cell
        Cells that say nothing of the ordered sort, and where they go.
    pointers : list of pairs of Cell
        Cells whose value is a member of the ordered sort, and where they go; by target.
    records : list of lists
        For each member of the ordered sort, the cells of its record and their shifts in its key.
    places : list of lists
        For each member, the cells at its place, with the same shifts.
    width : int
        Bits of a key that hold the record; above them is one bit for each pointer.
    """

    def __init__(
        self,
        layout: Layout,
        orders: Mapping[type[Sort], tuple[int, ...]],
        by_record: type[Sort] | None,
        kept: bool,
    ) -> None:
        self._layout = layout
        self._orders = orders
        self.sort = by_record
        self.kept = int(kept)
        self.size = layout.scope[by_record] if by_record else 0
        self.plain: list[tuple[Cell, Cell]] = []
        self.pointers: list[tuple[Cell, Cell]] = []
        self.records: list[list[tuple[Cell, int]]] = [[] for _ in range(self.size)]
        self.places: list[list[tuple[Cell, int]]] = [[] for _ in range(self.size)]
        shifts = self._shifts()
        for cell in layout.cells:
            self._sort_out(cell, shifts)
        self.pointers.sort(key=lambda pair: pair[1].slot)

    def _shifts(self) -> dict[tuple[str, tuple[int, ...]], int]:
        """The shift of each field in a key, the same for every renaming."""
        shifts: dict[tuple[str, tuple[int, ...]], int] = {}
        self.width = 0
        for cell in self._layout.cells:
            field = self._field(cell, cell.members)
            if field and field not in shifts:
                shifts[field] = self.width
                self.width += cell.domain.width
        return shifts

    def _field(self, cell: Cell, members: tuple[int, ...]) -> tuple[str, tuple[int, ...]] | None:
        """A cell of a record without its member, or None for other cells."""
        sorts = self._layout.sorts[cell.variable]
        if self.sort not in sorts:
            return None
        hole = sorts.index(self.sort)
        return cell.variable, (*members[:hole], *members[hole + 1 :])

    def _sort_out(self, cell: Cell, shifts: dict[tuple[str, tuple[int, ...]], int]) -> None:
        sorts = self._layout.sorts[cell.variable]
        members = tuple(
            self._orders[sort][member] if sort in self._orders else member
            for sort, member in zip(sorts, cell.members, strict=True)
        )
        target = self._layout.cells[self._layout.slots[cell.variable, members]]
        field = self._field(cell, members)
        if field:
            member = cell.members[sorts.index(self.sort)] if self.sort else 0
            self.records[member].append((cell, shifts[field]))
            self.places[member].append((target, shifts[field]))
        elif isinstance(cell.domain, Elements) and cell.domain.kind is self.sort:
            self.pointers.append((cell, target))
        else:
            self.plain.append((cell, target))

    @property
    def key_width(self) -> int:
        """Bits of a key, pointers included."""
        return self.width + len(self.pointers)

    @property
    def is_identity(self) -> bool:
        """Whether every state stays as it is."""
        return self.sort is None and all(
            order == tuple(range(len(order))) for order in self._orders.values()
        )

    def order(self, cell: Cell) -> tuple[int, ...] | None:
        """The new number of each member that a cell's codes stand for, where they are renamed."""
        return self._orders.get(cell.domain.kind)

    def code(self, cell: Cell, code: int) -> int:
        """A code of a cell, renamed."""
        order = self.order(cell)
        return order[code] if order and code < len(order) else code


def nobody(pointer: Cell) -> int:
    """The code of a pointer that points to no member."""
    return pointer.domain.high
