"""State variables: `Var` is one value, `Map` one per member of a sort or per pair of members."""

from __future__ import annotations

from enum import Enum
from types import NoneType, UnionType
from typing import Any, Generic, NoReturn, TypeVar, Union, cast, get_args, get_origin, overload

from twice.model.errors import ModelError
from twice.model.expressions import Expr, Nobody, Symbol, kind_name, lift, text
from twice.model.slips import caller
from twice.model.sorts import Sort
from twice.model.terms import Term
from twice.model.tracing import current

K = TypeVar("K")
V = TypeVar("V")


class Declaration:
    """What `Var` and `Map` share: a name, an index, a kind of values and the initial one.

    Attributes
    ----------
    name : str
        The full name, with the name of the part before it.
    sorts : tuple of Sort classes
        What indexes the variable; empty for a `Var`.
    kind : type
        `bool`, `int`, an `Enum` class or a `Sort` class.
    optional : bool
        Whether None is a value (of a `Sort`).
    place : Place or None
        Where it is declared.
    """

    def __init__(self, initial: object, *, within: range | None = None, label: str = "") -> None:
        self.initial = initial
        self.within = within
        self.label = label
        self.name = ""
        self.sorts: tuple[type[Sort], ...] = ()
        self.kind: type = NoneType
        self.optional = False
        self.place = caller()

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @property
    def shown(self) -> str:
        """What people read for it."""
        return self.label or self.name.replace("_", " ")

    def bind(self, prefix: str, annotation: object) -> Declaration:
        """A copy for one model, with its full name and what its annotation says."""
        label = prefix + self.label if self.label else ""
        bound = type(self)(self.initial, within=self.within, label=label)
        bound.name, bound.place = prefix + self.name, self.place
        bound._annotate(annotation)
        return bound

    def _annotate(self, annotation: object) -> None:
        *keys, value = get_args(annotation) or (None,)
        if keys and isinstance(self, Map):
            key = keys[0]
            self.sorts = tuple(get_args(key)) if get_origin(key) is tuple else (key,)
        if get_origin(value) in (Union, UnionType):
            options = [option for option in get_args(value) if option is not NoneType]
            self.optional = len(options) < len(get_args(value))
            value = options[0] if len(options) == 1 else value
        known = _is_kind(value, *((Sort,) if self.optional else (bool, int, Enum, Sort)))
        indexed = all(_is_kind(sort, Sort) for sort in self.sorts)
        if not known or not indexed or len(keys) != isinstance(self, Map):
            raise ModelError(
                "L401",
                f"`{self.name}: {annotation}` is no state variable the language knows",
                "Var[V] or Map[S, V] or Map[tuple[S, R], V], with S, R sorts and V bool, int, an "
                "Enum or `Sort | None`",
                self.place,
            )
        self.kind = cast(type, value)
        self._check_initial()

    def _check_initial(self) -> None:
        if self.kind is int:
            if self.within is None:
                raise ModelError(
                    "L402",
                    f"`{self.name}` counts without a bound",
                    f"within=range(3) in the line of `{self.name}`",
                    self.place,
                )
            if not self.within or self.within.step != 1:
                raise ModelError(
                    "L402",
                    f"`{self.name}` has no numbers one after another within {self.within}",
                    f"within=range(3) in the line of `{self.name}`",
                    self.place,
                )
            fits = type(self.initial) is int and self.initial in self.within
            cure = f"an initial number of {self.within}"
        elif issubclass(self.kind, Sort):
            fits = self.optional and self.initial is None
            cure = f"`{self.kind.__name__} | None`, starting as None: members have no names"
        else:
            fits = type(self.initial) is self.kind
            cure = f"an initial value that is a {kind_name(self.kind)}"
        if not fits:
            shown = text(Term("const", (self.initial,)))
            raise ModelError("L403", f"`{self.name}` cannot start as {shown}", cure, self.place)

    def _value(self, value: object) -> Term:
        term = lift(value, self.kind)
        if term.op == "const":
            literal = term.args[0]
            outside = self.kind is int and self.within is not None and literal not in self.within
            if outside or (isinstance(literal, Nobody) and not self.optional):
                raise ModelError(
                    "L208",
                    f"`{self.name}` cannot hold {literal!r}",
                    f"a value within {self.within}"
                    if outside
                    else f"`{kind_name(self.kind)} | None` as its type",
                    caller(),
                )
        return term

    def _symbol(self, index: tuple[Term, ...]) -> Any:
        return Expr(current().read(self.name, index), self.kind)


def _is_kind(value: object, *kinds: type) -> bool:
    return isinstance(value, type) and issubclass(value, kinds)


class Var(Declaration, Generic[V]):
    """One value of the state: ``paused: Var[bool] = Var(False)``.

    Parameters
    ----------
    initial
        The value in the initial state.
    within : range, optional
        The domain of a number. An assignment outside it is an error found while exploring, never
        clamped.
    label : str, optional
        What people read instead of the variable's name.
    """

    def __init__(self, initial: V, *, within: range | None = None, label: str = "") -> None:
        super().__init__(initial, within=within, label=label)

    @overload
    def __get__(self, obj: None, owner: type) -> Var[V]: ...
    @overload
    def __get__(self, obj: object, owner: type) -> Expr[V]: ...
    def __get__(self, obj: Any, owner: type) -> Any:
        return self if obj is None else obj.variables[self.name]._symbol(())

    def __set__(self, obj: Any, value: V | Expr[V]) -> None:
        variable = obj.variables[self.name]
        current().write(variable.name, (), variable._value(value))


class Map(Declaration, Generic[K, V]):
    """One value per member of a sort: ``status: Map[Task, Status] = Map(Status.READY)``.

    Parameters
    ----------
    initial
        The value of every cell in the initial state.
    within : range, optional
        The domain of numbers. An assignment outside it is an error found while exploring, never
        clamped.
    label : str, optional
        What people read instead of the variable's name.
    """

    def __init__(self, initial: V, *, within: range | None = None, label: str = "") -> None:
        super().__init__(initial, within=within, label=label)

    def __get__(self, obj: Any, owner: type) -> Map[K, V]:
        return self if obj is None else cast("Map[K, V]", obj.variables[self.name])

    def __set__(self, obj: Any, value: object) -> None:
        variable = obj.variables[self.name]
        index = variable.sorts[0].__name__
        raise ModelError(
            "L204",
            f"`{variable.name}` is a map, one value per {index}, and was assigned as a whole",
            f"self.{variable.name}[x] = ..., inside `for x in each({index}):` for all of them",
            caller(),
        )

    def _index(self, key: object) -> tuple[Term, ...]:
        keys = key if isinstance(key, tuple) else (key,)
        expected = ", ".join(sort.__name__ for sort in self.sorts)
        given = [k.kind if isinstance(k, Symbol) else type(k) for k in keys]
        if tuple(given) != self.sorts:
            shown = ", ".join(kind_name(kind) for kind in given)
            raise ModelError(
                "L202",
                f"`{self.name}` is indexed by {expected}, not by {shown}",
                f"self.{self.name}[x] with a parameter of {expected}",
                caller(),
            )
        index = tuple(cast(Symbol, k).term for k in keys)
        for term in index:
            if term.op != "bound":
                raise ModelError(
                    "L203",
                    f"the index `{text(term)}` depends on the state (and may be None)",
                    f"a parameter x of the action, and require({text(term)} == x)",
                    caller(),
                )
        return index

    def __getitem__(self, key: K) -> Expr[V]:
        return cast("Expr[V]", self._symbol(self._index(key)))

    def __setitem__(self, key: K, value: V | Expr[V]) -> None:
        index = self._index(key)
        current().write(self.name, index, self._value(value))

    def __bool__(self) -> NoReturn:
        self._whole()

    def __eq__(self, other: object) -> bool:
        if other is not self:
            self._whole()
        return True

    def __hash__(self) -> int:
        return id(self)

    def __iter__(self) -> NoReturn:
        self._whole()

    def _whole(self) -> NoReturn:
        index = self.sorts[0].__name__ if self.sorts else "Sort"
        raise ModelError(
            "L204",
            f"`{self.name}` is a map, one value per {index}, and was used as one value",
            f"self.{self.name}[x], or forall({index}, lambda x: ...)",
            caller(),
        )
