"""Grounding: guarded commands with every parameter, loop and quantifier fixed for one scope.

A ground term speaks only of slots of the layout and of integers. Everything a scope decides is
folded away here, so that the back ends that generate successors see nothing but guards and
assignments of single cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import product
from typing import NamedTuple, cast

from twice.model import terms
from twice.model.grounder import Environment, Grounder
from twice.model.layout import Layout
from twice.model.program import Command, Parameter
from twice.model.sorts import Sort
from twice.model.terms import Term
from twice.model.tracing import Update


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


def ground_commands(commands: tuple[Command, ...], grounder: Grounder) -> list[GroundAction]:
    """Every command for every choice of its parameters that its constant guards do not rule out."""
    ground, layout = grounder.ground, grounder.layout
    actions: list[GroundAction] = []
    for command in commands:
        names = [parameter.name for parameter in command.parameters]
        for binding in bindings(command.parameters, layout):
            environment = dict(zip(names, binding, strict=True))
            guard = terms.conjoin(*(ground(g.condition, environment) for g in command.guards))
            if guard is terms.FALSE:
                continue
            guards = guard.args if guard.op == "and" else () if guard is terms.TRUE else (guard,)
            effects = tuple(_effects(command.updates, environment, grounder))
            actions.append(GroundAction(len(actions), command, binding, guards, effects))
    return actions


def _effects(
    updates: tuple[Update, ...], environment: Environment, grounder: Grounder
) -> Iterator[Effect]:
    """The assignments in order, those of one condition together."""
    pending: Effect | None = None
    for condition, slot, value in _final(
        list(_assignments(updates, environment, grounder)), grounder
    ):
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
    updates: tuple[Update, ...], environment: Environment, grounder: Grounder
) -> Iterator[_Assignment]:
    ground, layout = grounder.ground, grounder.layout
    for update in updates:
        for inner in _turns(update, environment, layout):
            condition = ground(update.condition, inner)
            if condition is not terms.FALSE:
                index = tuple(ground(i, inner).args[0] for i in update.cell)
                slot = layout.slots[update.variable, index]
                yield condition, slot, ground(update.value, inner)


def _final(assignments: list[_Assignment], grounder: Grounder) -> list[_Assignment]:
    """The assignments whose value may be the last one of its cell.

    Only the state after the whole step is looked at, so a value outside the domain that a later
    assignment replaces does no harm: such a one happens only where no later one does.
    """
    layout = grounder.layout
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
                kept.append((grounder.unique(alone), slot, value))
        after.append(condition)
    return kept[::-1]


def _turns(update: Update, environment: Environment, layout: Layout) -> Iterator[Environment]:
    if not update.binders:
        yield environment
        return
    sizes = (range(layout.scope[sort]) for _, sort in update.binders)
    for members in product(*sizes):
        turn = zip((name for name, _ in update.binders), members, strict=True)
        yield {**environment, **dict(turn)}


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
