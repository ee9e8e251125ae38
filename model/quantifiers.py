"""Conditions and counts over all members of a sort, and the choice between two values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, overload

from twice.model import terms
from twice.model.expressions import Bool, Expr, Symbol, condition, lift
from twice.model.sorts import Sort
from twice.model.terms import Term
from twice.model.tracing import current

K = TypeVar("K", bound=Sort)
V = TypeVar("V")


def _quantify(op: str, sort: type[K], body: Callable[[K], Bool]) -> Term:
    name = current().fresh(sort)
    said = condition(body(sort(Term("bound", (name, sort)))), f"a condition of {op}()")
    if said.op == "const" and op != "count":
        return said
    return Term(op, (name, sort, said))


def forall(sort: type[K], body: Callable[[K], Bool]) -> Bool:
    """Whether the condition holds for every member of the sort."""
    return Expr(_quantify("forall", sort, body), bool)


def exists(sort: type[K], body: Callable[[K], Bool]) -> Bool:
    """Whether the condition holds for some member of the sort."""
    return Expr(_quantify("exists", sort, body), bool)


def count(sort: type[K], body: Callable[[K], Bool]) -> Expr[int]:
    """For how many members of the sort the condition holds."""
    return Expr(_quantify("count", sort, body), int)


def implies(premise: Bool, conclusion: Bool) -> Bool:
    """Whether the conclusion holds wherever the premise does."""
    return Expr(terms.disjoin(terms.negate(condition(premise)), condition(conclusion)), bool)


@overload
def ite(chosen: Bool, yes: Expr[V] | V, no: Expr[V]) -> Expr[V]: ...
@overload
def ite(chosen: Bool, yes: Expr[V], no: Expr[V] | V) -> Expr[V]: ...
@overload
def ite(chosen: Bool, yes: V, no: V) -> Expr[V]: ...
def ite(chosen: Bool, yes: object, no: object) -> object:
    """One value where the condition holds, another elsewhere: ``ite(a < b, a, b)``."""
    symbol = yes if isinstance(yes, Symbol) else no
    kind = symbol.kind if isinstance(symbol, Symbol) else type(no if yes is None else yes)
    branches = lift(yes, kind), lift(no, kind)
    return Expr(terms.choose(condition(chosen, "a condition of ite()"), *branches), kind)
