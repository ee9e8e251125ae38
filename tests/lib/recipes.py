"""Random models as plain data, and the walk over them that gives the data a meaning.

A recipe says neither how a condition is written in the language nor how it is worked out: the walk
calls an `Ops` for that. One `Ops` writes a model (`written_models`), another executes the recipe on
plain values (`executed_models`), and the two must agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from twice.model import Sort


class A(Sort):
    """Things of one kind."""


class B(Sort):
    """Things of another kind."""


class Colour(Enum):
    """Three values."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


SORTS = {"A": A, "B": B}
COLOURS = list(Colour)
NUMBERS = range(-1, 3)

NOTHING = object()
"""There is no such variable to read; None is the value of one that holds no member."""

Kind = str
"""``int``, ``bool``, ``Colour``, ``A`` or ``B`` (or None)."""

Path = tuple[int, ...]
"""The place of a statement in a recipe; paths sort as statements follow each other."""


class Declared(NamedTuple):
    """A state variable: the sorts that index it, and the kind of its values."""

    name: str
    sorts: tuple[str, ...]
    kind: Kind


VARIABLES = tuple(
    Declared(f"{kind.lower()}_{''.join(sorts)}".rstrip("_").lower(), sorts, kind)
    for sorts in ((), ("A",), ("B",), ("A", "B"), ("A", "A"), ("B", "A"))
    for kind in ("int", "bool", "Colour", "A", "B")
)


class ActionRecipe(NamedTuple):
    """An action or a fault: sorts (or ``Colour``) of its parameters, guards, statements."""

    parameters: tuple[str, ...]
    guards: tuple[Any, ...]
    body: tuple[Any, ...]
    fault: bool


class PropertyRecipe(NamedTuple):
    """A property: its kind, the sorts of its parameters, its condition, the action it is about."""

    kind: str
    parameters: tuple[str, ...]
    goal: Any
    action: int


class Recipe(NamedTuple):
    """A model."""

    variables: tuple[Declared, ...]
    actions: tuple[ActionRecipe, ...]
    properties: tuple[PropertyRecipe, ...]
    scope: tuple[int, int]


class Ops(ABC):
    """What a recipe's parts become: terms of the language, or values."""

    @abstractmethod
    def constant(self, value: Any) -> Any: ...
    @abstractmethod
    def read(self, variable: Declared, index: tuple[str, ...]) -> Any: ...
    @abstractmethod
    def member(self, name: str) -> Any: ...
    @abstractmethod
    def equal(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def less(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def at_most(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def add(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def subtract(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def negate(self, condition: Any) -> Any: ...
    @abstractmethod
    def both(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def either(self, left: Any, right: Any) -> Any: ...
    @abstractmethod
    def choose(self, condition: Any, yes: Any, no: Any) -> Any: ...
    @abstractmethod
    def over(self, op: str, sort: str, name: str, body: Callable[[], Any]) -> Any: ...
    @abstractmethod
    def assign(self, variable: Declared, index: tuple[str, ...], value: Any, at: Path) -> None: ...
    @abstractmethod
    def when(self, condition: Any, block: Callable[[], None]) -> None: ...
    @abstractmethod
    def each(self, sort: str, name: str, block: Callable[[], None]) -> None: ...


class Walk:
    """Carries out one rule of a recipe.

    Choices are numbers, taken modulo what there is to choose from; where there is nothing, a
    constant is taken. A variable that a loop has written is read in that loop only at the index of
    the write: the language refuses the rest.
    """

    def __init__(self, recipe: Recipe, ops: Ops, names: list[tuple[str, str]]) -> None:
        self._variables = recipe.variables
        self._ops = ops
        self._names = names
        self._loops: list[str] = []
        self._written: dict[str, set[tuple[str, ...]]] = {}
        self._fresh = 0

    # Choices.

    def _name(self, sort: str, choice: int) -> str | None:
        known = [name for name, kind in self._names if kind == sort]
        return known[choice % len(known)] if known else None

    def _index(self, variable: Declared, choices: tuple[int, int]) -> tuple[str, ...] | None:
        index = [self._name(s, c) for s, c in zip(variable.sorts, choices, strict=False)]
        return None if None in index else tuple(name for name in index if name is not None)

    def _read(self, kind: Kind, choice: int, at: tuple[int, int]) -> Any:
        known = [v for v in self._variables if v.kind == kind]
        if not known:
            return NOTHING
        variable = known[choice % len(known)]
        index = self._index(variable, at)
        written = self._written.get(variable.name, set())
        if index is None or not written <= {index}:
            return NOTHING
        return self._ops.read(variable, index)

    # Conditions and values.

    def condition(self, recipe: Any) -> Any:
        """A condition on the state."""
        ops, (op, *args) = self._ops, recipe
        if op == "bool":
            read = self._read("bool", args[0], args[1])
            return self._some_condition() if read is NOTHING else read
        if op == "colour":
            return ops.equal(self._colour(args[0]), ops.constant(COLOURS[args[1] % 3]))
        if op == "colours":
            return ops.equal(self._colour(args[0]), self._colour(args[1]))
        if op == "member":
            return self._member_condition(*args)
        if op in ("eq", "lt", "le"):
            compare = {"eq": ops.equal, "lt": ops.less, "le": ops.at_most}[op]
            return compare(self.number(args[0]), self.number(args[1]))
        if op == "not":
            return ops.negate(self.condition(args[0]))
        if op in ("and", "or"):
            join = ops.both if op == "and" else ops.either
            return join(self.condition(args[0]), self.condition(args[1]))
        if op == "ite":
            return ops.choose(*(self.condition(arg) for arg in args))
        return self._over(op, args[0], args[1])

    def _some_condition(self) -> Any:
        zero = self._ops.constant(0)
        return self._ops.equal(zero, zero)

    def _over(self, op: str, sort: str, body: Any) -> Any:
        self._fresh += 1
        name = f"q{self._fresh}"

        def said() -> Any:
            self._names.append((name, sort))
            try:
                return self.condition(body)
            finally:
                self._names.pop()

        return self._ops.over(op, sort, name, said)

    def _member_condition(self, sort: str, choice: int, at: tuple[int, int], other: int) -> Any:
        value = self._read(sort, choice, at)
        if value is NOTHING:
            name = self._name(sort, choice)
            if name is None:
                return self._some_condition()
            value = self._ops.member(name)
        return self._ops.equal(value, self._member(sort, other, at))

    def _member(self, sort: str, choice: int, at: tuple[int, int]) -> Any:
        """A member, or none, as a value."""
        name = self._name(sort, choice)
        if choice % 3 == 0 or name is None:
            return self._ops.constant(None)
        if choice % 3 == 1:
            read = self._read(sort, choice, at)
            return self._ops.constant(None) if read is NOTHING else read
        return self._ops.member(name)

    def number(self, recipe: Any) -> Any:
        """A number."""
        ops, (op, *args) = self._ops, recipe
        if op == "const":
            return ops.constant(args[0])
        if op == "read":
            read = self._read("int", args[0], args[1])
            return ops.constant(1) if read is NOTHING else read
        if op in ("add", "sub"):
            join = ops.add if op == "add" else ops.subtract
            return join(self.number(args[0]), self.number(args[1]))
        if op == "ite":
            chosen = self.condition(args[0])
            return ops.choose(chosen, self.number(args[1]), self.number(args[2]))
        return self._over("count", args[0], args[1])

    def _colour(self, recipe: Any) -> Any:
        op, *args = recipe
        if op == "read":
            read = self._read("Colour", args[0], args[1])
            return self._ops.constant(Colour.RED) if read is NOTHING else read
        if op == "ite":
            chosen = self.condition(args[0])
            return self._ops.choose(chosen, self._colour(args[1]), self._colour(args[2]))
        if op == "parameter":
            name = self._name("Colour", args[0])
            return self._ops.constant(Colour.BLUE) if name is None else self._ops.member(name)
        return self._ops.constant(COLOURS[args[0] % 3])

    def _within(self, number: Any) -> Any:
        """The number, kept in the domain by hand."""
        ops, low, high = self._ops, NUMBERS[0], NUMBERS[-1]
        above = ops.choose(ops.less(ops.constant(high), number), ops.constant(high), number)
        return ops.choose(ops.less(number, ops.constant(low)), ops.constant(low), above)

    # Statements.

    def block(self, recipes: tuple[Any, ...], at: Path = ()) -> None:
        """Statements, one after the other."""
        for number, (op, *args) in enumerate(recipes):
            here = (*at, number)
            if op == "assign":
                self._assign(args[0], args[1], args[2], here)
            elif op == "when":
                condition = self.condition(args[0])
                self._ops.when(condition, partial(self.block, args[1], here))
            else:
                self._each(args[0], args[1], here)

    def _each(self, sort: str, body: tuple[Any, ...], at: Path) -> None:
        self._fresh += 1
        name = f"e{self._fresh}"
        before = {variable: set(index) for variable, index in self._written.items()}
        fresh = self._fresh

        def turn() -> None:
            # Every turn begins with what was known before the loop.
            self._written = {variable: set(index) for variable, index in before.items()}
            self._fresh = fresh
            self._names.append((name, sort))
            self._loops.append(name)
            try:
                self.block(body, at)
            finally:
                self._names.pop()
                self._loops.pop()

        self._ops.each(sort, name, turn)
        if not self._loops:
            self._written = {}

    def _assign(self, choice: int, at: tuple[int, int], value: dict[str, Any], path: Path) -> None:
        variable = self._variables[choice % len(self._variables)]
        index = self._index(variable, at)
        if index is None or not set(self._loops) <= set(index):
            return
        written = self._value(variable.kind, value, at)
        self._ops.assign(variable, index, written, path)
        if self._loops:
            self._written.setdefault(variable.name, set()).add(index)

    def _value(self, kind: Kind, value: dict[str, Any], at: tuple[int, int]) -> Any:
        if kind == "int":
            return self._within(self.number(value["number"]))
        if kind == "bool":
            return self.condition(value["condition"])
        if kind == "Colour":
            return self._colour(value["colour"])
        return self._member(kind, value["member"], at)
