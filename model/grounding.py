"""Grounding: guarded commands with every parameter, loop and quantifier fixed for one scope.

A ground term speaks only of slots of the layout and of integers. Everything a scope decides is
folded away here, so that the back ends that generate successors see nothing but guards and
assignments of single cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import reduce
from itertools import product
from typing import NamedTuple, cast

from twice.model import terms
from twice.model.expressions import Nobody
from twice.model.layout import Layout
from twice.model.program import Command, Parameter
from twice.model.sorts import Sort
from twice.model.terms import Term
from twice.model.tracing import Update

Environment = Mapping[str, int]
"""The code of every bound name."""


class Effect(NamedTuple):
    """Assignments that happen together where a condition over the old state holds."""

    condition: Term
    assignments: tuple[tuple[int, Term], ...]


class GroundAction(NamedTuple):
    """One command for one choice of its parameters.

    All guards must hold. Effects apply in order, each value over the old state, so that the last
    one wins. A value outside its cell's domain, where it happens, is the last one.
    """

    number: int
    command: Command
    binding: tuple[int, ...]
    guards: tuple[Term, ...]
    effects: tuple[Effect, ...]


def bindings(parameters: tuple[Parameter, ...], layout: Layout) -> Iterator[tuple[int, ...]]:
    """Every choice of parameters, as codes."""
    return product(*(range(_size(parameter.kind, layout)) for parameter in parameters))


def _size(kind: type, layout: Layout) -> int:
    return len(kind) if issubclass(kind, Enum) else layout.scope[cast(type[Sort], kind)]


def ground_commands(commands: tuple[Command, ...], layout: Layout) -> list[GroundAction]:
    """Every command for every choice of its parameters that its constant guards do not rule out."""
    actions: list[GroundAction] = []
    for command in commands:
        names = [parameter.name for parameter in command.parameters]
        for binding in bindings(command.parameters, layout):
            environment = dict(zip(names, binding, strict=True))
            guard = terms.conjoin(
                *(ground(g.condition, environment, layout) for g in command.guards)
            )
            if guard is terms.FALSE:
                continue
            guards = guard.args if guard.op == "and" else () if guard is terms.TRUE else (guard,)
            effects = tuple(_effects(command.updates, environment, layout))
            actions.append(GroundAction(len(actions), command, binding, guards, effects))
    return actions


def _effects(
    updates: tuple[Update, ...], environment: Environment, layout: Layout
) -> Iterator[Effect]:
    """The assignments in order, those of one condition together."""
    pending: Effect | None = None
    for condition, slot, value in _final(list(_assignments(updates, environment, layout)), layout):
        if pending and pending.condition == condition:
            pending = Effect(condition, (*pending.assignments, (slot, value)))
        else:
            if pending:
                yield pending
            pending = Effect(condition, ((slot, value),))
    if pending:
        yield pending


_Assignment = tuple[Term, int, Term]
"""When, to which slot, what."""


def _assignments(
    updates: tuple[Update, ...], environment: Environment, layout: Layout
) -> Iterator[_Assignment]:
    for update in updates:
        for inner in _turns(update, environment, layout):
            condition = ground(update.condition, inner, layout)
            if condition is not terms.FALSE:
                index = tuple(ground(i, inner, layout).args[0] for i in update.cell)
                slot = layout.slots[update.variable, index]
                yield condition, slot, ground(update.value, inner, layout)


def _final(assignments: list[_Assignment], layout: Layout) -> list[_Assignment]:
    """The assignments whose value may be the last one of its cell.

    Only the state after the whole step is looked at, so a value outside the domain that a later
    assignment replaces does no harm: such a one happens only where no later one does.
    """
    kept: list[_Assignment] = []
    later: dict[int, list[Term]] = {}
    for condition, slot, value in reversed(assignments):
        after = later.setdefault(slot, [])
        if terms.TRUE not in after and condition not in after:
            low, high = bounds(value, layout)
            domain = layout.cells[slot].domain
            fits = domain.low <= low and high <= domain.high
            alone = condition if fits else terms.conjoin(condition, *map(terms.negate, after))
            if alone is not terms.FALSE:
                kept.append((alone, slot, value))
        after.append(condition)
    return kept[::-1]


def _turns(update: Update, environment: Environment, layout: Layout) -> Iterator[Environment]:
    sizes = (range(layout.scope[sort]) for _, sort in update.binders)
    for members in product(*sizes):
        turn = zip((name for name, _ in update.binders), members, strict=True)
        yield {**environment, **dict(turn)}


def ground(term: Term, environment: Environment, layout: Layout) -> Term:
    """A term over slots and integers: names replaced, loops unrolled, constants folded."""
    op, args = term
    if op == "const":
        # An IntEnum's member is an int as well, and still a member.
        plain = type(args[0]) in (bool, int)
        return term if plain else terms.const(_code(args[0], layout))
    if op == "bound":
        return terms.const(environment[args[0]])
    if op == "cell":
        index = tuple(ground(i, environment, layout).args[0] for i in args[1])
        return Term("slot", (layout.slots[args[0], index],))
    if op in ("forall", "exists", "count"):
        name, sort, body = args
        each = [
            ground(body, {**environment, name: member}, layout)
            for member in range(layout.scope[sort])
        ]
        if op == "count":
            ones = (terms.choose(said, terms.const(1), terms.const(0)) for said in each)
            return reduce(terms.add, ones)
        return terms.conjoin(*each) if op == "forall" else terms.disjoin(*each)
    built = terms.rebuild(op, tuple(ground(a, environment, layout) for a in args))
    return terms.FALSE if _beyond(built, layout) else built


def _beyond(term: Term, layout: Layout) -> bool:
    """Whether a cell is compared with a code that its domain does not have."""
    if term.op != "eq" or term.args[0].op != "slot" or term.args[1].op != "const":
        return False
    domain = layout.cells[term.args[0].args[0]].domain
    return not domain.low <= term.args[1].args[0] <= domain.high


def _code(value: object, layout: Layout) -> int:
    if isinstance(value, Nobody):
        return layout.scope[value.sort]
    assert isinstance(value, Enum), "lift() admits no other constant"
    return list(type(value)).index(value)


def bounds(term: Term, layout: Layout) -> tuple[int, int]:
    """The smallest and the largest code that a ground term can have."""
    op, args = term
    if op == "const":
        return int(args[0]), int(args[0])
    if op == "slot":
        domain = layout.cells[args[0]].domain
        return domain.low, domain.high
    if op == "ite":
        (low, high), (other_low, other_high) = bounds(args[1], layout), bounds(args[2], layout)
        return min(low, other_low), max(high, other_high)
    if op in ("add", "sub"):
        (low, high), (other_low, other_high) = bounds(args[0], layout), bounds(args[1], layout)
        if op == "add":
            return low + other_low, high + other_high
        return low - other_high, high - other_low
    return 0, 1
