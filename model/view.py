"""A state as Python values: what a projection or a person at a prompt looks at."""

from __future__ import annotations

from typing import Any

from twice.model.errors import UsageError, nearest
from twice.model.layout import Layout


class View:
    """The variables of one packed state by name.

    ``view["phase"]`` is the value of a `Var`, and for a `Map` a dict from the number of a member
    (from 0; a tuple for a map over pairs) to its value. Enumerations give their members, a member
    of a sort its number, or None.
    """

    def __init__(self, layout: Layout, state: int) -> None:
        self._layout = layout
        self._state = state

    def __getitem__(self, variable: str) -> Any:
        cells = [cell for cell in self._layout.cells if cell.variable == variable]
        if not cells:
            raise UsageError(f"there is no `{variable}`; {nearest(variable, self._layout.sorts)}")
        values = {cell.members: cell.domain.decode(cell.code(self._state)) for cell in cells}
        if not self._layout.sorts[variable]:
            return values[()]
        return {members[0] if len(members) == 1 else members: v for members, v in values.items()}
