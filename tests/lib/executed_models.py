"""Recipes executed on plain values, statement by statement: what a model ought to mean.

Nothing of the package is used but the order of a state's cells. In a loop every turn starts from
the state before the loop and sees its own writes; then the writes of all turns take effect, those
of an earlier statement before those of a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

from recipes import COLOURS, ActionRecipe, Colour, Declared, Ops, Path, PropertyRecipe, Recipe, Walk
from written_models import parameter_names

from twice.model.layout import Layout

State = dict[tuple[str, tuple[int, ...]], Any]
"""The value of each cell; a member of a sort is its number."""


class Write(NamedTuple):
    """An assignment that happened."""

    at: Path
    cell: tuple[str, tuple[int, ...]]
    value: Any


class Executed(Ops):
    """Works a recipe's parts out in one state."""

    def __init__(self, state: State, scope: dict[str, int], names: dict[str, Any]) -> None:
        self.state = dict(state)
        self._scope = scope
        self._names = names
        self._active = True
        self._log: list[Write] = []

    def constant(self, value: Any) -> Any:
        return value

    def member(self, name: str) -> Any:
        return self._names[name]

    def _cell(self, variable: Declared, index: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
        return variable.name, tuple(self._names[name] for name in index)

    def read(self, variable: Declared, index: tuple[str, ...]) -> Any:
        return self.state[self._cell(variable, index)]

    def equal(self, left: Any, right: Any) -> Any:
        return left == right

    def less(self, left: Any, right: Any) -> Any:
        return left < right

    def at_most(self, left: Any, right: Any) -> Any:
        return left <= right

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def subtract(self, left: Any, right: Any) -> Any:
        return left - right

    def negate(self, condition: Any) -> Any:
        return not condition

    def both(self, left: Any, right: Any) -> Any:
        return left and right

    def either(self, left: Any, right: Any) -> Any:
        return left or right

    def choose(self, condition: Any, yes: Any, no: Any) -> Any:
        return yes if condition else no

    def over(self, op: str, sort: str, name: str, body: Callable[[], Any]) -> Any:
        said = []
        for member in range(self._scope[sort]):
            self._names[name] = member
            said.append(bool(body()))
        return sum(said) if op == "count" else all(said) if op == "forall" else any(said)

    def assign(self, variable: Declared, index: tuple[str, ...], value: Any, at: Path) -> None:
        if self._active:
            cell = self._cell(variable, index)
            self.state[cell] = value
            self._log.append(Write(at, cell, value))

    def when(self, condition: Any, block: Callable[[], None]) -> None:
        before = self._active
        self._active = before and bool(condition)
        block()
        self._active = before

    def each(self, sort: str, name: str, block: Callable[[], None]) -> None:
        before, log = dict(self.state), self._log
        written: list[Write] = []
        for member in range(self._scope[sort]):
            self.state, self._log = dict(before), []
            self._names[name] = member
            block()
            written += self._log
        self.state, self._log = before, log
        written.sort(key=lambda write: write.at)
        for write in written:
            self.state[write.cell] = write.value
        self._log += written


class ExecutedModel:
    """A recipe as a machine over plain states.

    Parameters
    ----------
    recipe
    layout
        The cells of the compiled model, in whose order states are given.
    """

    def __init__(self, recipe: Recipe, layout: Layout) -> None:
        self._recipe = recipe
        self._cells = [(cell.variable, cell.members) for cell in layout.cells]
        self._domains = [cell.domain for cell in layout.cells]
        self._scope = dict(zip(("A", "B"), recipe.scope, strict=True))

    def unpack(self, layout: Layout, state: int) -> State:
        """A packed state as plain values."""
        codes = layout.unpack(state)
        decoded = (domain.decode(code) for domain, code in zip(self._domains, codes, strict=True))
        return dict(zip(self._cells, decoded, strict=True))

    def values(self, state: State) -> tuple[Any, ...]:
        """A state's values in the order of the cells."""
        return tuple(state[cell] for cell in self._cells)

    def _bindings(self, parameters: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        choices: dict[str, list[Any]] = {sort: list(range(n)) for sort, n in self._scope.items()}
        choices["Colour"] = COLOURS
        names = parameter_names(parameters)
        for binding in product(*(choices[kind] for _, kind in names)):
            yield dict(zip((name for name, _ in names), binding, strict=True))

    def successors(self, state: State) -> list[tuple[str, tuple[str, ...], tuple[Any, ...]]]:
        """Every enabled action with its parameters as people read them, and the state after."""
        found = []
        for number, rule in enumerate(self._recipe.actions):
            for binding in self._bindings(rule.parameters):
                after = self._step(state, rule, binding)
                if after is not None:
                    said = tuple(
                        _shown(kind, binding[name])
                        for name, kind in parameter_names(rule.parameters)
                    )
                    found.append((f"act{number}", said, self.values(after)))
        return found

    def _step(self, state: State, rule: ActionRecipe, binding: dict[str, Any]) -> State | None:
        ops = Executed(state, self._scope, dict(binding))
        walk = Walk(self._recipe, ops, parameter_names(rule.parameters))
        if not all(bool(walk.condition(guard)) for guard in rule.guards):
            return None
        walk.block(rule.body)
        return ops.state

    def holds(self, state: State, entry: PropertyRecipe) -> bool:
        """Whether the condition of a property holds: for all, some, or the first members."""
        said = []
        for binding in self._bindings(entry.parameters):
            ops = Executed(state, self._scope, dict(binding))
            walk = Walk(self._recipe, ops, parameter_names(entry.parameters))
            said.append(bool(walk.condition(entry.goal)))
        if entry.kind == "invariant":
            return all(said)
        return any(said) if entry.kind == "reachable" else said[0]


def _shown(kind: str, value: Any) -> str:
    return str(value.value) if isinstance(value, Colour) else f"{kind.lower()} {value + 1}"
