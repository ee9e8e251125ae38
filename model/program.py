"""Guarded commands: what is left of a model once its rules were traced.

A `Program` is the one definition from which everything else comes: the generated successors,
traces, diagrams, exports. It still speaks of parameters and sorts; `twice.model.grounding` fixes
them for one scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple

from twice.model.rules import Fairness, PropertyKind
from twice.model.sorts import Sort
from twice.model.terms import Term, quantified
from twice.model.tracing import Guard, Update
from twice.model.variables import Declaration


class Parameter(NamedTuple):
    """A parameter of a rule: a name and the sort or enumeration it ranges over."""

    name: str
    kind: type


class Command(NamedTuple):
    """An action or a fault: when it is enabled, what it assigns, and what people read about it."""

    name: str
    parameters: tuple[Parameter, ...]
    guards: tuple[Guard, ...]
    updates: tuple[Update, ...]
    sentence: str
    source: str
    by: str
    to: str
    fair: Fairness
    fault: str | None


class PropertyRule(NamedTuple):
    """A property before grounding; only leads-to has a premise, only finitely-often an action."""

    name: str
    parameters: tuple[Parameter, ...]
    kind: PropertyKind
    goal: Term
    premise: Term | None
    action: str
    sentence: str
    violation: str


@dataclass(frozen=True)
class Program:
    """All guarded commands, variables and properties of a model with its settings fixed."""

    title: str
    variables: tuple[Declaration, ...]
    commands: tuple[Command, ...]
    properties: tuple[PropertyRule, ...]
    nouns: Mapping[type[Sort], str]

    @cached_property
    def sorts(self) -> tuple[type[Sort], ...]:
        """Every sort the program speaks of, in order of appearance."""
        found: dict[type[Any], None] = {}
        for variable in self.variables:
            found.update(dict.fromkeys(variable.sorts))
            if issubclass(variable.kind, Sort):
                found[variable.kind] = None
        parameters = [p for command in self.commands for p in command.parameters]
        parameters += [p for rule in self.properties for p in rule.parameters]
        found.update(dict.fromkeys(p.kind for p in parameters if issubclass(p.kind, Sort)))
        seen: set[int] = set()  # parts of the program, which stand in it more than once
        for term in self._terms():
            found.update(dict.fromkeys(sort for _, sort in quantified(term, seen)))
        return tuple(found)

    @cached_property
    def enumerations(self) -> tuple[type[Enum], ...]:
        """Every enumeration that a variable or a parameter ranges over."""
        kinds = [variable.kind for variable in self.variables]
        kinds += [p.kind for command in self.commands for p in command.parameters]
        return tuple(dict.fromkeys(kind for kind in kinds if issubclass(kind, Enum)))

    def without(self, *names: str) -> Program:
        """The same program without variables of these names, which none of its rules reads."""
        kept = (variable for variable in self.variables if variable.name not in names)
        return replace(self, variables=tuple(kept))

    def _terms(self) -> Iterator[Term]:
        for command in self.commands:
            yield from (guard.condition for guard in command.guards)
            for update in command.updates:
                yield from (update.condition, update.value)
        for rule in self.properties:
            yield from (rule.goal, *([rule.premise] if rule.premise else []))
