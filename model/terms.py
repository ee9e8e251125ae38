"""Terms: what guards and assignments say, as immutable trees.

A term is built while a rule is traced (over symbolic parameters) and again when it is grounded
(over the cells of one scope). The constructors below fold constants, so a term never holds a part
that is decided already.

Operations and their arguments:

=============  =============================================================
``const``      a Python value: bool, int, `Enum` member or None; after grounding always an int
``bound``      name, kind: a parameter, or the variable of `each` and of a quantifier
``cell``       name of a state variable, tuple of index terms
``slot``       number of a cell in the layout (only after grounding)
``not``        one condition
``and`` ``or`` conditions
``eq``         two values of one kind
``lt`` ``le``  two numbers
``add`` ``sub``  two numbers
``ite``        condition, value, other value
``forall`` ``exists`` ``count``  name of the bound variable, its sort, condition
=============  =============================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Term(NamedTuple):
    """An operation and its arguments; compared by structure."""

    op: str
    args: tuple[Any, ...]


TRUE = Term("const", (True,))
FALSE = Term("const", (False,))


def const(value: object) -> Term:
    """A constant."""
    if value is True:
        return TRUE
    if value is False:
        return FALSE
    return Term("const", (value,))


def is_const(term: Term) -> bool:
    """Whether the term is a constant."""
    return term.op == "const"


def negate(term: Term) -> Term:
    """The opposite of a condition."""
    if term.op == "const":
        return FALSE if term.args[0] else TRUE
    if term.op == "not":
        inner: Term = term.args[0]
        return inner
    return Term("not", (term,))


def conjoin(*terms: Term) -> Term:
    """All of the conditions; nested conjunctions become one."""
    return _join("and", terms, neutral=TRUE, absorbing=FALSE)


def disjoin(*terms: Term) -> Term:
    """Any of the conditions; nested disjunctions become one."""
    return _join("or", terms, neutral=FALSE, absorbing=TRUE)


def _join(op: str, terms: tuple[Term, ...], neutral: Term, absorbing: Term) -> Term:
    parts: dict[Term, None] = {}
    for term in terms:
        if term.op == "const":
            if bool(term.args[0]) == absorbing.args[0]:
                return absorbing
        elif term.op == op:
            parts.update(dict.fromkeys(term.args))
        else:
            parts[term] = None
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else Term(op, tuple(parts))


def equal(left: Term, right: Term) -> Term:
    """Whether two values are the same."""
    if left == right:
        return TRUE
    if left.op == "const":
        if right.op == "const":
            return FALSE
        left, right = right, left
    if right.op == "const" and isinstance(right.args[0], bool):
        return left if right.args[0] else negate(left)
    if left.op == "ite" and right.op == "const":
        condition, yes, no = left.args
        if is_const(yes) or is_const(no):
            return choose(condition, equal(yes, right), equal(no, right))
    return Term("eq", (left, right))


def less(left: Term, right: Term) -> Term:
    """Whether the first number is smaller."""
    if left.op == right.op == "const":
        return const(left.args[0] < right.args[0])
    return Term("lt", (left, right))


def at_most(left: Term, right: Term) -> Term:
    """Whether the first number is smaller or the same."""
    if left.op == right.op == "const":
        return const(left.args[0] <= right.args[0])
    return Term("le", (left, right))


def add(left: Term, right: Term) -> Term:
    """The sum of two numbers."""
    if left.op == right.op == "const":
        return const(left.args[0] + right.args[0])
    if right == const(0):
        return left
    return right if left == const(0) else Term("add", (left, right))


def subtract(left: Term, right: Term) -> Term:
    """The difference of two numbers."""
    if left.op == right.op == "const":
        return const(left.args[0] - right.args[0])
    return left if right == const(0) else Term("sub", (left, right))


def choose(condition: Term, yes: Term, no: Term) -> Term:
    """One value where the condition holds, another elsewhere."""
    if condition.op == "const":
        return yes if condition.args[0] else no
    if yes == no:
        return yes
    # By identity: the number 1 equals True in Python, and is no condition.
    if yes is TRUE:
        return disjoin(condition, no)
    if no is FALSE:
        return conjoin(condition, yes)
    if yes is FALSE:
        return conjoin(negate(condition), no)
    if no is TRUE:
        return disjoin(negate(condition), yes)
    return Term("ite", (condition, yes, no))


QUANTIFIERS = ("forall", "exists", "count")
"""The operations that bind a name."""

_REBUILD: dict[str, Callable[..., Term]] = {
    "not": negate,
    "and": conjoin,
    "or": disjoin,
    "eq": equal,
    "lt": less,
    "le": at_most,
    "add": add,
    "sub": subtract,
    "ite": choose,
}


def rebuild(op: str, args: tuple[Term, ...]) -> Term:
    """Apply an operation to new arguments, folding what is decided."""
    return _REBUILD[op](*args)


def substitute(term: Term, binding: Mapping[str, Term]) -> Term:
    """Replace bound variables by terms.

    >>> number = Term("bound", ("number", int))
    >>> substitute(equal(number, const(1)), {"number": const(1)}) is TRUE
    True
    """
    if not binding:
        return term
    op, args = term
    if op == "bound":
        return binding.get(args[0], term)
    if op in ("const", "slot"):
        return term
    if op == "cell":
        return Term(op, (args[0], tuple(substitute(i, binding) for i in args[1])))
    if op in QUANTIFIERS:
        return Term(op, (args[0], args[1], substitute(args[2], binding)))
    return rebuild(op, tuple(substitute(a, binding) for a in args))


def quantified(term: Term, seen: set[int]) -> list[tuple[str, Any]]:
    """The name and the sort of every quantifier in a term, but for the parts seen before."""
    found: list[tuple[str, Any]] = []
    waiting = [term]
    while waiting:
        here = waiting.pop()
        if id(here) not in seen:
            seen.add(id(here))
            if here.op in QUANTIFIERS:
                found.append((here.args[0], here.args[1]))
            waiting += reversed(parts(here))
    return found


def unbound(term: Term) -> list[str]:
    """The names in a term that no quantifier of it binds.

    >>> unbound(equal(Term("bound", ("number", int)), const(1)))
    ['number']
    """
    found: list[str] = []
    _collect(term, (), found)
    return found


def _collect(term: Term, own: tuple[str, ...], found: list[str]) -> None:
    if term.op == "bound":
        if term.args[0] not in own:
            found.append(term.args[0])
    elif term.op in QUANTIFIERS:
        _collect(term.args[2], (*own, term.args[0]), found)
    else:
        for part in parts(term):
            _collect(part, own, found)


def parts(term: Term) -> Sequence[Term]:
    """The terms right below a term."""
    op, args = term
    if op in ("const", "slot", "bound"):
        return ()
    if op in QUANTIFIERS:
        return args[2:]
    inner: Sequence[Term] = args[1] if op == "cell" else args
    return inner
