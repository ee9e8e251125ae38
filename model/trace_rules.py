"""From the methods of a model to guarded commands: each body runs once, on symbolic values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from opcode import opmap
from typing import Any, get_args, get_origin

from twice.model.definition import Model, evaluate_annotation
from twice.model.errors import ModelError, Place, nearest
from twice.model.expressions import Expr, Symbol
from twice.model.program import Command, Parameter, Program, PropertyRule
from twice.model.rules import ActionMark, PropertyKind, PropertyMark
from twice.model.sentences import check_placeholders, fill_some, sentence_of
from twice.model.sorts import Sort
from twice.model.terms import Term
from twice.model.tracing import Tracing, refuse_leftovers, tracing
from twice.model.variables import Declaration

_LOST_COMPARISON = re.compile(
    re.escape(bytes([opmap["COMPARE_OP"]]))
    + re.escape(bytes([opmap["CACHE"]]))
    + b"*"
    + re.escape(bytes([opmap["POP_TOP"]]))
)


def trace_model(model: Model) -> Program:
    """Trace every rule of a model and of its parts.

    Raises
    ------
    ModelError
        For the first rule that cannot mean what it says.
    """
    variables: list[Declaration] = []
    commands: list[Command] = []
    properties: list[PropertyRule] = []
    places: list[Place] = []
    nouns: dict[type[Sort], str] = {}
    for prefix, piece in _pieces(model, ""):
        variables.extend(piece.variables.values())
        settings = _shown_settings(piece)
        for name, mark in type(piece).rules().items():
            if mark.given is not None and not mark.given(piece):
                continue
            if isinstance(mark, ActionMark):
                commands.append(_command(piece, settings, prefix, name, mark))
            else:
                properties.append(_property(piece, settings, prefix, name, mark))
                places.append(_place(getattr(type(piece), name)))
        nouns = {**piece.words, **nouns}
    _refuse_doubles(variables)
    for rule, place in zip(properties, places, strict=True):
        _check_action(rule, commands, place)
    return Program(type(model).title(), tuple(variables), tuple(commands), tuple(properties), nouns)


def _pieces(model: Model, prefix: str) -> Iterator[tuple[str, Model]]:
    yield prefix, model
    for name, inner in model.parts.items():
        yield from _pieces(inner, f"{prefix}{name}.")


def _refuse_doubles(variables: list[Declaration]) -> None:
    names: set[str] = set()
    labels: dict[str, str] = {}
    for variable in variables:
        if variable.name in names:
            raise ModelError(
                "L408",
                f"`{variable.name}` is declared twice",
                "another name for one of them, or a part of its own for each place",
                variable.place,
            )
        other = labels.get(variable.shown)
        if other is not None:
            raise ModelError(
                "L408",
                f"`{variable.name}` is read as `{variable.shown}`, and so is `{other}`",
                "another label for one of them",
                variable.place,
            )
        names.add(variable.name)
        labels[variable.shown] = variable.name


def _check_action(rule: PropertyRule, commands: list[Command], place: Place) -> None:
    if not rule.action:
        return
    command = next((c for c in commands if c.name == rule.action), None)
    if command is None:
        hint = nearest(rule.action, [c.name for c in commands if not c.fault])
        raise ModelError(
            "L409",
            f"`{rule.name}` speaks of `{rule.action}`; {hint}",
            "the name of an action",
            place,
        )
    if command.fault:
        raise ModelError(
            "L409",
            f"`{rule.name}` speaks of `{rule.action}`, and `{rule.action}` is a fault: its budget "
            "ends it on every run",
            "the name of an action of the system",
            place,
        )


def _place(function: Callable[..., Any]) -> Place:
    return Place(function.__code__.co_filename, function.__code__.co_firstlineno)


def _shown_settings(model: Model) -> dict[str, str]:
    return {
        entry.name: entry.show(model.values[entry.name])
        for entry in type(model).settings()
        if entry.name in model.values
    }


def _command(
    model: Model, settings: Mapping[str, str], prefix: str, name: str, mark: ActionMark
) -> Command:
    function = getattr(type(model), name)
    parameters = _parameters(type(model), function)
    shown = _Shown(settings, function, parameters)
    _refuse_lost_comparison(function)
    with tracing(writes=True) as trace:
        function(model, *(_symbol(parameter) for parameter in parameters))
    _check_leftovers(trace, parameters)
    return Command(
        prefix + name,
        parameters,
        tuple(trace.guards),
        tuple(trace.updates),
        shown.sentence,
        shown.checked(mark.source),
        shown.checked(mark.by),
        shown.checked(mark.to),
        mark.fair,
        mark.fault,
    )


def _check_leftovers(trace: Tracing, parameters: tuple[Parameter, ...]) -> None:
    known = {parameter.name for parameter in parameters}
    for guard in trace.guards:
        refuse_leftovers(guard.condition, known, guard.place)
    for update in trace.updates:
        here = known | {name for name, _ in update.binders}
        for term in (*update.cell, update.value, update.condition):
            refuse_leftovers(term, here, update.place)


def _property(
    model: Model, settings: Mapping[str, str], prefix: str, name: str, mark: PropertyMark
) -> PropertyRule:
    function = getattr(type(model), name)
    parameters = _parameters(type(model), function)
    shown = _Shown(settings, function, parameters)
    with tracing(writes=False):
        said = function(model, *(_symbol(parameter) for parameter in parameters))
    wanted = 2 if mark.kind is PropertyKind.LEADS_TO else 1
    pair = said if isinstance(said, tuple) else (said,)
    if len(pair) != wanted or not all(isinstance(c, Symbol) and c.kind is bool for c in pair):
        raise ModelError(
            "L407",
            f"`{name}` returned {said!r}, which is no condition on the state",
            "return premise, conclusion" if wanted == 2 else "return a condition on the state",
            _place(function),
        )
    names = {parameter.name for parameter in parameters}
    for said_of_state in pair:
        refuse_leftovers(said_of_state.term, names, _place(function))
    _refuse_enumerations(mark, function, parameters)
    return PropertyRule(
        prefix + name,
        parameters,
        mark.kind,
        pair[-1].term,
        pair[0].term if wanted == 2 else None,
        prefix + mark.action if mark.action else "",
        shown.sentence,
        mark.violation or name,
    )


def _refuse_enumerations(
    mark: PropertyMark, function: Callable[..., Any], parameters: tuple[Parameter, ...]
) -> None:
    """Refuse what is not alike: one member of a sort speaks for all, one of an enumeration not."""
    if mark.kind in (PropertyKind.INVARIANT, PropertyKind.REACHABLE):
        return
    for parameter in parameters:
        if issubclass(parameter.kind, Enum):
            raise ModelError(
                "L405",
                f"`{parameter.name}` of `{function.__name__}` ranges over an enumeration, and runs "
                "are looked at for one member at a time",
                "a Sort, or a property for each member of the enumeration",
                _place(function),
            )


class _Shown:
    """The texts of one rule, settings filled in, parameters left open."""

    def __init__(
        self,
        settings: Mapping[str, str],
        function: Callable[..., Any],
        parameters: tuple[Parameter, ...],
    ) -> None:
        self._place = _place(function)
        self._settings = settings
        self._known = {*self._settings, *(p.name for p in parameters)}
        self.sentence = fill_some(sentence_of(function, self._known), self._settings)

    def checked(self, written: str) -> str:
        """A text of the mark, its placeholders checked and its settings filled in."""
        check_placeholders(written, self._known, self._place)
        return fill_some(written, self._settings)


def _parameters(owner: type[Model], function: Callable[..., Any]) -> tuple[Parameter, ...]:
    code = function.__code__
    found = []
    for name in code.co_varnames[1 : code.co_argcount]:
        written = function.__annotations__.get(name)
        kind = evaluate_annotation(written, owner, function.__globals__, _place(function))
        if get_origin(kind) is Expr:  # `s: Expr[Status]` is what `s` is for a type checker
            (kind,) = get_args(kind)
        if not (isinstance(kind, type) and issubclass(kind, (Sort, Enum))):
            raise ModelError(
                "L405",
                f"`{name}` of `{function.__name__}` ranges over {kind!r}, which is not finite",
                f"{name}: Task, with Task a Sort or an Enum",
                _place(function),
            )
        found.append(Parameter(name, kind))
    return tuple(found)


def _symbol(parameter: Parameter) -> Symbol:
    term = Term("bound", (parameter.name, parameter.kind))
    if issubclass(parameter.kind, Sort):
        return parameter.kind(term)
    return Expr(term, parameter.kind)


def _refuse_lost_comparison(function: Callable[..., Any]) -> None:
    """Refuse `self.x[t] == v` as a statement: it was meant as an assignment."""
    lost = _LOST_COMPARISON.search(function.__code__.co_code[::2])
    if lost:
        line = list(function.__code__.co_positions())[lost.start()][0]
        raise ModelError(
            "L113",
            "the result of this comparison is thrown away",
            "`=` to assign, or require(...) to make it a guard",
            Place(function.__code__.co_filename, line) if line else _place(function),
        )
