"""Symbolic values: what a rule's body sees in place of the state.

An `Expr` records what is done to it. Python decides `and`, `or`, `not`, `in`, `if` and chained
comparison by itself and would drop half of what was written; so asking an expression for its truth
value is refused, with the cure.
"""

from __future__ import annotations

from enum import Enum
from types import NoneType
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from twice.model import terms
from twice.model.errors import ModelError
from twice.model.slips import caller, explain_truth_value, joins_what_it_compares
from twice.model.terms import Term

V = TypeVar("V")


class Nobody(NamedTuple):
    """The constant None, where a member of the sort could stand."""

    sort: type

    def __repr__(self) -> str:
        return "None"


class Symbol:
    """Something that stands for a value of the state: a term and the kind of its values.

    The kind is `bool`, `int`, an `Enum` class or a `Sort` class. Every operator below leaves a
    term; none is decided.
    """

    __slots__ = ("kind", "term")

    def __init__(self, term: Term, kind: type) -> None:
        self.term = term
        self.kind = kind

    def __eq__(self, other: object) -> Expr[bool]:  # type: ignore[override]  # a condition, not a truth value
        left, right = comparable(self, other)
        return Expr(terms.equal(left, right), bool)

    def __ne__(self, other: object) -> Expr[bool]:  # type: ignore[override]  # a condition, not a truth value
        left, right = comparable(self, other)
        return Expr(terms.negate(terms.equal(left, right)), bool)

    def is_none(self) -> Expr[bool]:
        """Whether the value is None."""
        return self == None  # noqa: E711  # `is` cannot be overloaded

    def is_in(self, *options: object) -> Expr[bool]:
        """Whether the value is one of the options."""
        return Expr(terms.disjoin(*(lift(self == option, bool) for option in options)), bool)

    def __bool__(self) -> bool:
        raise explain_truth_value(text(self.term))

    def __repr__(self) -> str:
        return text(self.term)

    def _refuse(self, *_: object) -> NoReturn:
        raise ModelError(
            "L112",
            f"`{text(self.term)}` depends on the state: while the model is built it is no number, "
            "key or collection",
            "compare it with ==, or take it as a parameter of the action and require equality",
            caller(),
        )

    __index__ = __int__ = __float__ = __iter__ = __len__ = __contains__ = __getitem__ = _refuse
    __hash__ = _refuse  # a key would be compared by identity

    def _lacks(self, *_: object) -> NoReturn:
        raise ModelError(
            "L112",
            f"`{text(self.term)}` depends on the state, and the language lacks this operation",
            "numbers have + and - and comparisons, conditions have & | ~ and a != b; a table is "
            "written with ite(condition, x, y)",
            caller(),
        )

    __mul__ = __rmul__ = __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = _lacks
    __mod__ = __rmod__ = __pow__ = __rpow__ = __divmod__ = __rdivmod__ = _lacks
    __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _lacks
    __neg__ = __pos__ = __abs__ = __round__ = _lacks


class Expr(Symbol, Generic[V]):
    """A symbolic value of type ``V``.

    Numbers have ``+ - < <= > >=``; conditions have ``& | ~``; everything has ``==``, ``!=``,
    `is_in` and `is_none`.
    """

    __slots__ = ()

    def __add__(self: Expr[int], other: int | Expr[int]) -> Expr[int]:
        return Expr(terms.add(number(self), number(other)), int)

    def __radd__(self: Expr[int], other: int) -> Expr[int]:
        return Expr(terms.add(number(other), number(self)), int)

    def __sub__(self: Expr[int], other: int | Expr[int]) -> Expr[int]:
        return Expr(terms.subtract(number(self), number(other)), int)

    def __rsub__(self: Expr[int], other: int) -> Expr[int]:
        return Expr(terms.subtract(number(other), number(self)), int)

    def __lt__(self: Expr[int], other: int | Expr[int]) -> Expr[bool]:
        return Expr(terms.less(number(self), number(other)), bool)

    def __le__(self: Expr[int], other: int | Expr[int]) -> Expr[bool]:
        return Expr(terms.at_most(number(self), number(other)), bool)

    def __gt__(self: Expr[int], other: int | Expr[int]) -> Expr[bool]:
        return Expr(terms.less(number(other), number(self)), bool)

    def __ge__(self: Expr[int], other: int | Expr[int]) -> Expr[bool]:
        return Expr(terms.at_most(number(other), number(self)), bool)

    def __invert__(self: Expr[bool]) -> Expr[bool]:
        return Expr(terms.negate(condition(self)), bool)

    def __and__(self: Expr[bool], other: Expr[bool]) -> Expr[bool]:
        return Expr(terms.conjoin(_operand(self), _operand(other)), bool)

    def __or__(self: Expr[bool], other: Expr[bool]) -> Expr[bool]:
        return Expr(terms.disjoin(_operand(self), _operand(other)), bool)

    def __rand__(self, other: object) -> NoReturn:
        raise _precedence()

    __ror__ = __rand__


Bool = Expr[bool]
"""A condition on the state."""


def _precedence() -> ModelError:
    return ModelError(
        "L111",
        "`&` and `|` bind tighter than a comparison, so this joins a value with a condition",
        "parentheses around each comparison: (a == X) & (b == Y)",
        caller(),
    )


def _operand(value: object) -> Term:
    if not isinstance(value, Symbol) or value.kind is not bool:
        raise _precedence()
    return value.term


def condition(value: object, where: str = "a condition") -> Term:
    """The term of a condition; anything else is refused."""
    if isinstance(value, Symbol):
        if value.kind is bool:
            return value.term
        raise ModelError(
            "L205",
            f"`{text(value.term)}` is a {kind_name(value.kind)}, and {where} is needed",
            "a comparison, such as x == y",
            caller(),
        )
    raise ModelError(
        "L110",
        f"{where} on the state is needed, and what is written gave Python's plain {value!r}: "
        "`is`, `is not`, `in`, `not` and settings are decided while the model is built",
        "x.is_none(), x.is_in(a, b), ~x; for a setting use Python's own `if` around the line",
        caller(),
    )


def number(value: object) -> Term:
    """The term of a number; anything else is refused."""
    return lift(value, int)


def comparable(left: Symbol, right: object) -> tuple[Term, Term]:
    """The terms of two values of one kind."""
    terms_of_both = left.term, lift(right, left.kind)
    # `a & b == c` reads like two conditions and means (a & b) == c.
    if any(term.op in ("and", "or") for term in terms_of_both) and joins_what_it_compares():
        raise _precedence()
    return terms_of_both


def lift(value: object, kind: type) -> Term:
    """The term of a value of the given kind.

    Raises
    ------
    ModelError
        L205, when the value is of another kind.
    """
    if isinstance(value, Symbol):
        if value.kind is kind:
            return value.term
        given = f"`{text(value.term)}`, a {kind_name(value.kind)}"
    else:
        if type(value) is kind and (isinstance(value, (Enum, int))):
            return terms.const(value)
        if value is None and hasattr(kind, "elements"):
            return terms.const(Nobody(kind))
        shown = text(Term("const", (value,)))
        given = "None" if value is None else f"{shown}, a {type(value).__name__}"
    raise ModelError(
        "L205",
        f"a {kind_name(kind)} is needed, and {given} was given",
        f"a value of {kind_name(kind)}",
        caller(),
    )


def kind_name(kind: type) -> str:
    """The name of a kind of values, for messages."""
    if kind is NoneType:
        return "None"
    return {bool: "condition", int: "number"}.get(kind, kind.__name__)


_INFIX = {"eq": "==", "lt": "<", "le": "<=", "add": "+", "sub": "-", "and": "&", "or": "|"}


def text(term: Term) -> str:
    """A term as one would write it in a model.

    >>> text(terms.equal(Term("cell", ("status", ())), terms.const(2)))
    'status == 2'
    """
    op, args = term
    if op == "const":
        value: Any = args[0]
        return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)
    if op == "bound":
        return str(args[0])
    if op == "slot":
        return f"slot {args[0]}"
    if op == "cell":
        index = ", ".join(text(i) for i in args[1])
        return f"{args[0]}[{index}]" if index else str(args[0])
    if op == "not":
        inner = args[0]
        if inner.op == "eq":
            return f"{_operand_text(inner.args[0])} != {_operand_text(inner.args[1])}"
        return f"~{_operand_text(inner)}"
    if op == "ite":
        return f"ite({', '.join(text(a) for a in args)})"
    if op in ("forall", "exists", "count"):
        return f"{op}({args[1].__name__}, {args[0]}: {text(args[2])})"
    return f" {_INFIX[op]} ".join(_operand_text(a) for a in args)


def _operand_text(term: Term) -> str:
    written = text(term)
    return f"({written})" if term.op in _INFIX or term.op == "not" else written
