"""The layout: which bits of a packed state hold which cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import product
from typing import cast

from twice.model.domains import Domain, Elements, Members, Numbers, Truth
from twice.model.errors import UsageError, nearest
from twice.model.program import Program
from twice.model.sorts import Sort
from twice.model.variables import Declaration

MOST_BITS = 8_192
"""Bits of a state: wider ones are never explored, and Python writes out no longer number."""

Scope = Mapping[type[Sort], int]
"""How many members each sort has."""


class Cell:
    """One variable at one index: its number, its values, and its bits from `offset` on.

    Attributes
    ----------
    mask : int
        The bits of the cell, in place.
    """

    __slots__ = (
        "domain",
        "initial",
        "label",
        "low",
        "mask",
        "members",
        "offset",
        "slot",
        "variable",
    )

    def __init__(
        self,
        slot: int,
        variable: str,
        members: tuple[int, ...],
        domain: Domain,
        offset: int,
        initial: int,
        label: str,
    ) -> None:
        self.slot = slot
        self.variable = variable
        self.members = members
        self.domain = domain
        self.offset = offset
        self.initial = initial
        self.label = label
        self.low = domain.low
        self.mask = ((1 << domain.width) - 1) << offset

    def code(self, state: int) -> int:
        """The code this cell has in a packed state."""
        return ((state & self.mask) >> self.offset) + self.low

    def bits(self, code: int) -> int:
        """A code as bits in place."""
        return (code - self.low) << self.offset


class Layout:
    """All cells of a program in one scope, packed one after another from the lowest bit.

    Attributes
    ----------
    cells : tuple of Cell
        In the order of declaration.
    slots : dict
        The number of a cell by its variable and index.
    sorts : dict
        The sorts that index a variable, by its name.
    width : int
        Bits of a state.
    initial : int
        The packed initial state.
    """

    def __init__(self, program: Program, scope: Scope) -> None:
        self.scope = dict(scope)
        self.nouns = {sort: program.nouns.get(sort, sort.noun()) for sort in scope}
        cells: list[Cell] = []
        offset = 0
        for variable in program.variables:
            domain = self._domain(variable)
            for index in product(*(range(scope[sort]) for sort in variable.sorts)):
                initial = domain.encode(variable.initial)
                label = self._label(variable, index)
                cells.append(Cell(len(cells), variable.name, index, domain, offset, initial, label))
                offset += domain.width
        if offset > MOST_BITS:
            raise UsageError(
                f"a state would take {offset:,} bits in this scope, and at most {MOST_BITS:,} can "
                "be explored; use fewer members"
            )
        self.cells = tuple(cells)
        self.slots = {(cell.variable, cell.members): cell.slot for cell in cells}
        self.sorts = {variable.name: variable.sorts for variable in program.variables}
        self.width = offset
        self.initial = self.pack(cell.initial for cell in cells)

    def _domain(self, variable: Declaration) -> Domain:
        kind = variable.kind
        if kind is bool:
            return Truth()
        if kind is int:
            assert variable.within is not None, "checked where the variable is declared"
            return Numbers(variable.within)
        if issubclass(kind, Enum):
            return Members(kind)
        sort = cast(type[Sort], kind)
        return Elements(sort, self.scope[sort], optional=variable.optional, noun=self.nouns[sort])

    def _label(self, variable: Declaration, index: tuple[int, ...]) -> str:
        if not index:
            return variable.shown
        members = zip(variable.sorts, index, strict=True)
        return (
            f"{variable.shown}[{', '.join(self.member(sort, number) for sort, number in members)}]"
        )

    def member(self, sort: type[Sort], number: int) -> str:
        """What people call a member of a sort, its number counted from 0."""
        return f"{self.nouns[sort]} {number + 1}"

    def pack(self, codes: Iterable[int]) -> int:
        """One state from the codes of all cells, in order."""
        return sum(cell.bits(code) for cell, code in zip(self.cells, codes, strict=True))

    def unpack(self, state: int) -> tuple[int, ...]:
        """The codes of all cells of a state, in order."""
        return tuple(cell.code(state) for cell in self.cells)

    def describe(self, state: int) -> dict[str, str]:
        """Every cell of a state as people read it."""
        return {cell.label: cell.domain.label(cell.code(state)) for cell in self.cells}


def check_scope(program: Program, scope: Scope) -> None:
    """Refuse a scope that does not fit the program's sorts.

    Raises
    ------
    UsageError
        For a sort that is missing, unknown, or has no member.
    """
    known = {sort.__name__ for sort in program.sorts}
    for sort in program.sorts:
        if sort not in scope:
            raise UsageError(
                f"the scope does not say how many members {sort.__name__} has; "
                f"add {sort.__name__}: 1"
            )
    for sort, size in scope.items():
        if sort not in program.sorts:
            raise UsageError(
                f"`{sort.__name__}` is no sort of this model; {nearest(sort.__name__, known)}"
            )
        if type(size) is not int or size < 1:
            raise UsageError(
                f"{sort.__name__} cannot have {size!r} members; give a whole number from 1 up"
            )
