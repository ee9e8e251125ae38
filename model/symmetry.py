"""Symmetry: states that differ only by the names of members of a sort are one.

Members of a sort cannot be named in a model, so exchanging two of them everywhere maps runs to
runs. A state is replaced by the representative of its orbit. For one sort the representative is
found by sorting: each member's record (everything the state says of it) moves as a whole. For the
others every renaming is tried, and the smallest result counts. A sort whose members are related to
each other (a map from it to itself, or over pairs of it) cannot be sorted by records, and is always
renamed.

Members that a property speaks of keep their names: they are the first of their sort, and are left
in place.

References
----------
C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations, product
from math import factorial, prod

from twice.model.errors import UsageError
from twice.model.layout import Layout
from twice.model.program import Program
from twice.model.renamer import Memo, Renamer
from twice.model.renaming import Renaming
from twice.model.sorts import Sort

_MOST_RENAMINGS = 5_040
"""Renamings tried per state; beyond it the reduction costs more than it saves."""


class Symmetry:
    """The exchange of members of some sorts, as a function from a packed state to a representative.

    Attributes
    ----------
    renamings : list of Renaming
        The representative is the smallest of the states they give.
    ordered : Sort class or None
        The sort whose members are ordered by their records rather than renamed.
    free : int
        How many of its members may change places.
    kept : frozenset of Sort classes
        The sorts whose first member keeps its name.
    """

    def __init__(self, renamings: list[Renaming], kept: frozenset[type[Sort]]) -> None:
        self.renamings = renamings
        self.kept = kept
        self.ordered = renamings[0].sort
        self.free = renamings[0].size - renamings[0].kept
        self._renamers = [Renamer(renaming) for renaming in renamings if not renaming.is_identity]
        self._keeps = len(self._renamers) < len(renamings)
        self._representatives = Memo(self._smallest)

    def __call__(self, state: int) -> int:
        """The representative of a state."""
        return self._representatives[state]

    def _smallest(self, state: int) -> int:
        renamed = [renamer.rename(state) for renamer in self._renamers]
        return min(*renamed, state) if self._keeps else min(renamed)


def symmetry(program: Program, layout: Layout, fixed: Iterable[type[Sort]]) -> Symmetry | None:
    """The symmetry of a model in one scope; None where no member can change its place.

    Parameters
    ----------
    program, layout
        The model and its cells.
    fixed
        Sorts whose first member keeps its name.

    Raises
    ------
    UsageError
        When the sorts are too large to try every renaming.
    """
    kept = frozenset(fixed)
    free = {
        sort: size - (sort in kept)
        for sort, size in layout.scope.items()
        if size - (sort in kept) > 1
    }
    if not free:
        return None
    sortable = [sort for sort in free if not _related_to_itself(program, sort)]
    by_record = max(sortable, key=lambda sort: free[sort], default=None)
    renamed = [sort for sort in free if sort is not by_record]
    number = prod(factorial(free[sort]) for sort in renamed)
    if number > _MOST_RENAMINGS:
        names = ", ".join(f"{layout.scope[sort]} of {sort.__name__}" for sort in renamed)
        raise UsageError(
            f"symmetry would try {number:,} renamings for every state ({names}); "
            "use fewer members, or check without symmetry"
        )
    choices = [
        [
            (*range(sort in kept), *(n + (sort in kept) for n in order))
            for order in permutations(range(free[sort]))
        ]
        for sort in renamed
    ]
    return Symmetry(
        [
            Renaming(layout, dict(zip(renamed, orders, strict=True)), by_record, by_record in kept)
            for orders in product(*choices)
        ],
        kept,
    )


def _related_to_itself(program: Program, sort: type[Sort]) -> bool:
    return any((*variable.sorts, variable.kind).count(sort) > 1 for variable in program.variables)
