"""Recipes written in the modelling language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recipes import (
    NUMBERS,
    SORTS,
    A,
    ActionRecipe,
    B,
    Colour,
    Declared,
    Ops,
    Path,
    PropertyRecipe,
    Recipe,
    Walk,
)

from twice.model import (
    Map,
    Model,
    Sort,
    Var,
    action,
    always_reachable,
    count,
    each,
    exists,
    fault,
    finitely_often,
    forall,
    invariant,
    ite,
    reachable,
    require,
    when,
)
from twice.model.compiled import CompiledModel
from twice.model.expressions import Expr, Symbol
from twice.model.terms import const


class Written(Ops):
    """Writes a recipe's parts as one would by hand."""

    def __init__(self, model: Model, names: dict[str, Any]) -> None:
        self._model = model
        self._names = names

    def constant(self, value: Any) -> Any:
        return value

    def member(self, name: str) -> Any:
        return self._names[name]

    def read(self, variable: Declared, index: tuple[str, ...]) -> Any:
        held = getattr(self._model, variable.name)
        return held[self._key(index)] if index else held

    def _key(self, index: tuple[str, ...]) -> Any:
        key = tuple(self._names[name] for name in index)
        return key[0] if len(key) == 1 else key

    def equal(self, left: Any, right: Any) -> Any:
        return _symbolic(left == right)

    def less(self, left: Any, right: Any) -> Any:
        return _symbolic(left < right)

    def at_most(self, left: Any, right: Any) -> Any:
        return _symbolic(left <= right)

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def subtract(self, left: Any, right: Any) -> Any:
        return left - right

    def negate(self, condition: Any) -> Any:
        return ~condition

    def both(self, left: Any, right: Any) -> Any:
        return left & right

    def either(self, left: Any, right: Any) -> Any:
        return left | right

    def choose(self, condition: Any, yes: Any, no: Any) -> Any:
        return ite(condition, yes, no)

    def over(self, op: str, sort: str, name: str, body: Callable[[], Any]) -> Any:
        def said(member: Any) -> Any:
            self._names[name] = member
            return body()

        quantifier: Any = {"forall": forall, "exists": exists, "count": count}[op]
        return quantifier(SORTS[sort], said)

    def assign(self, variable: Declared, index: tuple[str, ...], value: Any, at: Path) -> None:
        if index:
            getattr(self._model, variable.name)[self._key(index)] = value
        else:
            setattr(self._model, variable.name, value)

    def when(self, condition: Any, block: Callable[[], None]) -> None:
        with when(condition):
            block()

    def each(self, sort: str, name: str, block: Callable[[], None]) -> None:
        for member in each(SORTS[sort]):
            self._names[name] = member
            block()


def _symbolic(said: Any) -> Any:
    """A condition, also where both sides were plain values and Python has decided."""
    return said if isinstance(said, Symbol) else Expr(const(said), bool)


def written(recipe: Recipe) -> CompiledModel:
    """The model of a recipe, compiled for the recipe's scope."""
    names: dict[str, Any] = {"__module__": __name__, "__doc__": "A model.", "__annotations__": {}}
    for variable in recipe.variables:
        kind = {"int": int, "bool": bool, "Colour": Colour, "A": A | None, "B": B | None}
        value: Any = kind[variable.kind]
        first = {"int": 0, "bool": False, "Colour": Colour.RED}.get(variable.kind)
        within = NUMBERS if variable.kind == "int" else None
        sorts = tuple(SORTS[sort] for sort in variable.sorts)
        if sorts:
            key: Any = sorts[0] if len(sorts) == 1 else tuple.__class_getitem__(sorts)
            names[variable.name] = Map(first, within=within)
            names["__annotations__"][variable.name] = Map[key, value]
        else:
            names[variable.name] = Var(first, within=within)
            names["__annotations__"][variable.name] = Var[value]
    for number, rule in enumerate(recipe.actions):
        body = _rule(_action_body(recipe, rule), rule.parameters)
        mark: Any = fault(kind=f"kind{number % 2}") if rule.fault else action
        names[f"act{number}"] = mark(body)
    own = [number for number, rule in enumerate(recipe.actions) if not rule.fault]
    for number, entry in enumerate(recipe.properties):
        marks: dict[str, Any] = {
            "invariant": invariant,
            "reachable": reachable,
            "always_reachable": always_reachable,
            "finitely_often": finitely_often(f"act{own[entry.action % len(own)]}"),
        }
        said = _rule(_property_body(recipe, entry), entry.parameters)
        names[f"prop{number}"] = marks[entry.kind](said)
    model: Model = type("Random", (Model,), names)()
    sizes: dict[type[Sort], int] = dict(zip((A, B), recipe.scope, strict=True))
    return model.compile({sort: sizes[sort] for sort in model.program().sorts})


Body = Callable[[Model, tuple[Any, ...]], Any]


def _action_body(recipe: Recipe, rule: ActionRecipe) -> Body:
    def body(model: Model, members: tuple[Any, ...]) -> None:
        names = parameter_names(rule.parameters)
        ops = Written(model, dict(zip((name for name, _ in names), members, strict=True)))
        walk = Walk(recipe, ops, names)
        for guard in rule.guards:
            require(walk.condition(guard))
        walk.block(rule.body)

    return body


def _property_body(recipe: Recipe, entry: PropertyRecipe) -> Body:
    def body(model: Model, members: tuple[Any, ...]) -> Any:
        names = parameter_names(entry.parameters)
        ops = Written(model, dict(zip((name for name, _ in names), members, strict=True)))
        return Walk(recipe, ops, names).condition(entry.goal)

    return body


def parameter_names(parameters: tuple[str, ...]) -> list[tuple[str, str]]:
    """The parameters of a rule with their sorts."""
    return list(zip(("x", "y"), parameters, strict=False))


def _rule(body: Body, parameters: tuple[str, ...]) -> Any:
    """A method with as many parameters as there are."""

    def none(self: Any) -> Any:
        """Nothing is chosen."""
        return body(self, ())

    def one(self: Any, x: Any) -> Any:
        """It is about {x}."""
        return body(self, (x,))

    def two(self: Any, x: Any, y: Any) -> Any:
        """It is about {x} and {y}."""
        return body(self, (x, y))

    method: Any = (none, one, two)[len(parameters)]
    kinds = {**SORTS, "Colour": Colour}
    method.__annotations__ = {name: kinds[kind] for name, kind in parameter_names(parameters)}
    return method
