"""Sorts: finite sets of interchangeable identities."""

from __future__ import annotations

from typing import NoReturn

from twice.model.errors import ModelError
from twice.model.expressions import Symbol, text
from twice.model.slips import caller
from twice.model.terms import Term


class Sort(Symbol):
    """A kind of things that differ only by identity: tasks, workers.

    Members are compared for equality, never ordered, and a model cannot name one of them. So any
    two members may be exchanged without changing a verdict, which makes symmetry reduction sound by
    construction (Murphi's scalarset). How many members there are is said when the model is
    compiled.

    Subclass it with a docstring; a parameter annotated with the subclass ranges over its members.

    References
    ----------
    C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996.
    """

    __slots__ = ()
    elements = True

    def __init__(self, term: Term) -> None:
        if not isinstance(term, Term):
            raise ModelError(
                "L205",
                f"`{type(self).__name__}({term!r})` names a member, and members have no names: "
                "any two of them can be exchanged",
                f"a parameter of the action, x: {type(self).__name__}",
                caller(),
            )
        super().__init__(term, type(self))

    def _unordered(self, _: object) -> NoReturn:
        raise ModelError(
            "L205",
            f"a number is needed, and `{text(self.term)}`, a {type(self).__name__} was given: "
            "members of a sort have no order",
            "a number of its own for each member; members are only compared with == and !=",
            caller(),
        )

    __lt__ = __le__ = __gt__ = __ge__ = _unordered

    @classmethod
    def noun(cls) -> str:
        """The word that stands before a member's number when people read it.

        >>> class Worker(Sort):
        ...     '''A consumer process.'''
        >>> Worker.noun()
        'worker'
        """
        return cls.__name__.lower()
