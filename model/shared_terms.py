"""What several terms have in common: it is worked out once, and then named."""

from __future__ import annotations

from collections.abc import Iterable

from twice.model import terms
from twice.model.terms import Term


def shared_terms(wholes: Iterable[Term]) -> list[Term]:
    """The terms that occur more than once in others, parts before wholes.

    Occurrences of one object are counted, as `Grounder` leaves them. Comparing one cell is not
    worth a name.
    """
    times: dict[int, int] = {}
    found: list[Term] = []

    def visit(term: Term) -> None:
        while term.op == "not":  # as short as a name
            term = term.args[0]
        times[id(term)] = times.get(id(term), 0) + 1
        if times[id(term)] == 1:
            for part in terms.parts(term):
                visit(part)
            found.append(term)

    for whole in wholes:
        visit(whole)
    return [term for term in found if times[id(term)] > 1 and not _is_small(term)]


def _is_small(term: Term) -> bool:
    """Whether a term looks at no more than one cell."""
    if term.op == "eq":
        return term.args[1].op == "const" and _is_small(term.args[0])
    return term.op in ("const", "slot")
