"""Names that people read: each means one thing, since steps are told apart by them."""

from __future__ import annotations

from twice.model.domains import Members
from twice.model.errors import UsageError
from twice.model.layout import Layout
from twice.model.program import Program
from twice.model.sorts import Sort


def check_names(program: Program, layout: Layout) -> None:
    """Refuse a name that could mean two members of sorts, or two values of an enumeration.

    Raises
    ------
    UsageError
        For the first such name.
    """
    members: dict[str, type[Sort]] = {}
    for sort, size in layout.scope.items():
        for number in range(size):
            name = layout.member(sort, number)
            other = members.setdefault(name, sort)
            if other is not sort:
                raise UsageError(
                    f"`{name}` could be of {other.__name__} or of {sort.__name__}; "
                    "call the members of one of them by another noun"
                )
    for kind in program.enumerations:
        domain = Members(kind)
        values: dict[str, str] = {}
        for code in domain.codes:
            name, value = domain.label(code), str(domain.decode(code))
            meant = f"a {members[name].__name__}" if name in members else values.get(name)
            if meant:
                raise UsageError(
                    f"`{name}` could be {value} or {meant}; let {value} read differently"
                )
            values[name] = value
