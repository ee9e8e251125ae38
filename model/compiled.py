"""`CompiledModel`: a model in one scope, as a transition system over packed states."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property

from twice.model import terms
from twice.model.errors import UsageError
from twice.model.expressions import text
from twice.model.grounder import Grounder
from twice.model.grounding import GroundAction, bindings, ground_commands
from twice.model.interpreter import bound_names, successors
from twice.model.layout import Layout, Scope, check_scope
from twice.model.names import check_names
from twice.model.program import Program, PropertyRule
from twice.model.python_source import PythonSource
from twice.model.rules import PropertyKind
from twice.model.sentences import fill
from twice.model.symmetry import Symmetry, symmetry
from twice.model.terms import Term
from twice.model.transition_system import (
    Condition,
    Expand,
    Label,
    Property,
    Transition,
    TransitionSystem,
)

_CLOSED = (PropertyKind.INVARIANT, PropertyKind.REACHABLE)
_LIVENESS = (PropertyKind.EVENTUALLY, PropertyKind.LEADS_TO)


class CompiledModel(TransitionSystem[int]):
    """The transition system of a model: states are integers that hold every cell in a few bits.

    Attributes
    ----------
    program : Program
        The guarded commands.
    layout : Layout
        Where each cell is.
    actions : list of GroundAction
        Every command for every choice of its parameters.
    properties : tuple of Property
        With conditions over the cells.
    """

    def __init__(self, program: Program, scope: Scope) -> None:
        check_scope(program, scope)
        self.program = program
        self.layout = Layout(program, scope)
        check_names(program, self.layout)
        self._grounder = Grounder(self.layout)
        self.actions = ground_commands(program.commands, self._grounder)
        self.labels = [self._label(action) for action in self.actions]
        self._selectors: dict[Term, Callable[[Iterable[int]], list[int]]] = {}
        self.properties = tuple(self._property(rule) for rule in program.properties)

    @cached_property
    def _source(self) -> PythonSource:
        return PythonSource(self.layout, self.actions)

    def initial_states(self) -> Sequence[int]:
        return [self.layout.initial]

    def transitions(self, state: int) -> Iterator[Transition[int]]:
        for action, codes in successors(self.actions, self.layout.unpack(state), self.layout):
            yield Transition(self.labels[action.number], self.layout.pack(codes))

    def describe(self, state: int) -> dict[str, str]:
        return self.layout.describe(state)

    def fault_kinds(self) -> Sequence[str]:
        kinds = dict.fromkeys(command.fault for command in self.program.commands)
        return [kind for kind in kinds if kind is not None]

    def fault_actions(self) -> dict[str, list[str]]:
        named: dict[str, list[str]] = {kind: [] for kind in self.fault_kinds()}
        for command in self.program.commands:
            if command.fault is not None:
                named[command.fault].append(command.name)
        return named

    def predicate(self, condition: Condition) -> Callable[[int], bool]:
        return self._source.predicate(condition)

    def select(self, condition: Condition) -> Callable[[Iterable[int]], list[int]]:
        if condition not in self._selectors:
            self._selectors[condition] = self._source.selector(condition)
        return self._selectors[condition]

    def expander(self, chosen: Callable[[Label], bool]) -> Expand[int]:
        return self._source.step(self.chosen(chosen))

    def chosen(self, chosen: Callable[[Label], bool]) -> list[GroundAction]:
        """The ground actions whose label is chosen."""
        return [action for action in self.actions if chosen(self.labels[action.number])]

    def canonical(self, properties: Sequence[Property]) -> Symmetry | None:
        for entry in properties:
            if entry.kind in _LIVENESS:
                raise UsageError(
                    f"`{entry.name}` is about fair runs, and symmetry would mix up whose turn "
                    "it is; check it with symmetry=False"
                )
        fixed = [sort for entry in properties for sort in entry.speaks_of]
        return symmetry(self.program, self.layout, fixed)

    def never_enabled(
        self,
        enabled: Callable[[Condition], bool],
        chosen: Callable[[Label], bool],
        taken: Collection[str],
    ) -> list[str]:
        guards: dict[str, list[Term]] = {}
        for action in self.chosen(chosen):
            if action.command.name not in taken:
                guards.setdefault(action.command.name, []).append(terms.conjoin(*action.guards))
        idle = {name for name, said in guards.items() if not enabled(terms.disjoin(*said))}
        possible = {action.command.name for action in self.actions}
        return [
            self._vacuous(
                name, "is never enabled" if name in possible else "has a guard that is always false"
            )
            for name in dict.fromkeys(command.name for command in self.program.commands)
            if name in idle or name not in possible
        ]

    def _vacuous(self, name: str, what: str) -> str:
        command = next(c for c in self.program.commands if c.name == name)
        written = ", ".join(text(guard.condition) for guard in command.guards) or "no guard"
        place = next((f" ({guard.place})" for guard in command.guards if guard.place), "")
        return f"`{name}` {what}: {written}{place}"

    def _label(self, action: GroundAction) -> Label:
        command, names = action.command, bound_names(action, self.layout)
        return Label(
            command.name,
            tuple(names.values()),
            fill(command.sentence, names),
            fill(command.source, names),
            fill(command.by, names),
            fill(command.to, names),
            command.fault,
            command.fair,
        )

    def _property(self, rule: PropertyRule) -> Property:
        """Ground a property: for all members, or for the first of each sort where runs matter.

        Members of a sort are interchangeable and all start alike, so what holds for the first holds
        for each.
        """
        ground = self._grounder.ground
        names = [parameter.name for parameter in rule.parameters]
        every = [dict(zip(names, b, strict=True)) for b in bindings(rule.parameters, self.layout)]
        sorts = tuple(parameter.kind for parameter in rule.parameters)
        if rule.kind in _CLOSED:
            join, word = (
                (terms.conjoin, "every")
                if rule.kind is PropertyKind.INVARIANT
                else (terms.disjoin, "some")
            )
            goal = join(*(ground(rule.goal, binding) for binding in every))
            nouns = {
                p.name: self.layout.nouns.get(p.kind, p.kind.__name__) for p in rule.parameters
            }
            any_name = {name: f"{word} {noun}" for name, noun in nouns.items()}
            return Property(
                rule.name, rule.kind, fill(rule.sentence, any_name), goal, violation=rule.violation
            )
        if len(set(sorts)) < len(sorts):
            raise UsageError(
                f"`{rule.name}` speaks of two members of one sort; only an invariant or a "
                "reachable condition can do that"
            )
        shown = {
            p.name: self.layout.member(p.kind, 0) if len(sorts) == 1 else p.name
            for p in rule.parameters
        }
        premise = None if rule.premise is None else ground(rule.premise, every[0])
        return Property(
            rule.name,
            rule.kind,
            fill(rule.sentence, shown),
            ground(rule.goal, every[0]),
            premise,
            rule.violation,
            rule.action,
            frozenset(self.layout.member(sort, 0) for sort in sorts),
            sorts,
        )
