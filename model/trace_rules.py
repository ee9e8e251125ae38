"""From the methods of a model to guarded commands: each body runs once, on symbolic values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from opcode import opmap
from typing import Any

from twice.model.definition import Model, evaluate_annotation
from twice.model.errors import ModelError, Place, nearest
from twice.model.expressions import Expr, Symbol, condition
from twice.model.program import Command, Parameter, Program, PropertyRule
from twice.model.rules import ActionMark, PropertyKind, PropertyMark
from twice.model.sentences import check_placeholders, fill, sentence_of
from twice.model.sorts import Sort
from twice.model.terms import Term
from twice.model.tracing import tracing
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
    nouns: dict[type[Sort], str] = {}
    for prefix, piece in _pieces(model, ""):
        variables.extend(piece.variables.values())
        for name, mark in type(piece).rules().items():
            if mark.given is not None and not mark.given(piece):
                continue
            if isinstance(mark, ActionMark):
                commands.append(_command(piece, prefix, name, mark))
            else:
                properties.append(_property(piece, prefix, name, mark))
        nouns = {**piece.words, **nouns}
    _refuse_doubles([v.name for v in variables])
    actions = [command.name for command in commands]
    for rule in properties:
        if rule.action and rule.action not in actions:
            hint = nearest(rule.action, actions)
            raise ModelError(
                "L409", f"`{rule.name}` speaks of `{rule.action}`; {hint}", "the name of an action"
            )
    return Program(type(model).title(), tuple(variables), tuple(commands), tuple(properties), nouns)


def _pieces(model: Model, prefix: str) -> Iterator[tuple[str, Model]]:
    yield prefix, model
    for name, inner in model.parts.items():
        yield from _pieces(inner, f"{prefix}{name}.")


def _refuse_doubles(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ModelError("L408", f"`{name}` is declared twice", "another name for one of them")


def _command(model: Model, prefix: str, name: str, mark: ActionMark) -> Command:
    function = getattr(type(model), name)
    parameters = _parameters(type(model), function)
    shown = _Shown(model, function, parameters)
    _refuse_lost_comparison(function)
    with tracing(writes=True) as trace:
        function(model, *(_symbol(parameter) for parameter in parameters))
    return Command(
        prefix + name,
        parameters,
        tuple(trace.guards),
        tuple(trace.updates),
        shown.sentence,
        mark.source,
        shown.checked(mark.by),
        shown.checked(mark.to),
        mark.fair,
        mark.fault,
    )


def _property(model: Model, prefix: str, name: str, mark: PropertyMark) -> PropertyRule:
    function = getattr(type(model), name)
    parameters = _parameters(type(model), function)
    shown = _Shown(model, function, parameters)
    with tracing(writes=False):
        said = function(model, *(_symbol(parameter) for parameter in parameters))
    pair = said if isinstance(said, tuple) else (None, said)
    wanted = 2 if mark.kind is PropertyKind.LEADS_TO else 1
    if not all(isinstance(c, Symbol) for c in pair[-wanted:]) or len(pair) != 2:
        raise ModelError(
            "L407",
            f"`{name}` returned {said!r}, which is no condition on the state",
            "return premise, conclusion" if wanted == 2 else "return a condition on the state",
            Place(function.__code__.co_filename, function.__code__.co_firstlineno),
        )
    premise = condition(pair[0]) if wanted == 2 else None
    return PropertyRule(
        prefix + name,
        parameters,
        mark.kind,
        condition(pair[1]),
        premise,
        prefix + mark.action if mark.action else "",
        shown.sentence,
        mark.violation or name,
    )


class _Shown:
    """The texts of one rule, settings filled in, parameters left open."""

    def __init__(
        self, model: Model, function: Callable[..., Any], parameters: tuple[Parameter, ...]
    ) -> None:
        self._place = Place(function.__code__.co_filename, function.__code__.co_firstlineno)
        self._values = {p.name: "{" + p.name + "}" for p in parameters}
        self._values |= {
            s.name: s.show(model.values[s.name])
            for s in type(model).settings()
            if s.name in model.values
        }
        self.sentence = fill(sentence_of(function, self._values), self._values)

    def checked(self, written: str) -> str:
        """A text of the mark, its placeholders checked and its settings filled in."""
        check_placeholders(written, self._values, self._place)
        return fill(written, self._values)


def _parameters(owner: type[Model], function: Callable[..., Any]) -> tuple[Parameter, ...]:
    code = function.__code__
    found = []
    for name in code.co_varnames[1 : code.co_argcount]:
        written = function.__annotations__.get(name)
        kind = evaluate_annotation(written, owner, function.__globals__)
        if not (isinstance(kind, type) and issubclass(kind, (Sort, Enum))):
            raise ModelError(
                "L405",
                f"`{name}` of `{function.__name__}` ranges over {kind!r}, which is not finite",
                f"{name}: Task, with Task a Sort or an Enum",
                Place(code.co_filename, code.co_firstlineno),
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
            Place(function.__code__.co_filename, line or function.__code__.co_firstlineno),
        )
