"""Sorts: finite sets of interchangeable identities."""

from __future__ import annotations

from twice.model.expressions import Symbol
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
        super().__init__(term, type(self))

    @classmethod
    def noun(cls) -> str:
        """The word that stands before a member's number when people read it.

        >>> class Worker(Sort):
        ...     '''A consumer process.'''
        >>> Worker.noun()
        'worker'
        """
        return cls.__name__.lower()
