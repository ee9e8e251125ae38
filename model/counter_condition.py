"""Conditions on states in counter form, evaluated once for each record given the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from twice.model import terms
from twice.model.interpreter import evaluate
from twice.model.terms import Term

if TYPE_CHECKING:
    from twice.model.counter_system import CounterSystem

_ANY = -1
"""Stands for the members that a condition looks at in a way that cannot be taken apart."""


class CounterCondition:
    """A ground condition, taken apart into what it says of each free member and of the rest.

    Free members are interchangeable, so what a closed condition says of one it says of each.
    """

    def __init__(self, system: CounterSystem, condition: Term) -> None:
        self._system = system
        self._whole = condition
        self._negated = condition.op == "or"
        positive = terms.negate(condition) if self._negated else condition
        if self._negated:
            positive = terms.conjoin(*(terms.negate(part) for part in condition.args))
        parts = positive.args if positive.op == "and" else (positive,)
        self._of_rest: list[Term] = []
        self._of_member: list[Term] = []
        self._apart = True
        for part in parts:
            members = self._members(part)
            if not members:
                self._of_rest.append(part)
            elif len(members) > 1 or _ANY in members:
                self._apart = False
            elif members == {system.form.member}:
                self._of_member.append(part)
        self._known: dict[int, tuple[int, int]] = {}

    def _members(self, term: Term) -> set[int]:
        """The free members whose records a condition looks at."""
        form = self._system.form
        if term.op == "slot":
            return form.owners(term.args[0])
        if term.op == "eq" and term.args[0].op == "slot" and term.args[1].op == "const":
            pointed = form.pointed(term.args[0].args[0], term.args[1].args[0])
            if pointed is not None:
                return pointed
        return set().union(*(self._members(a) for a in term.args if isinstance(a, Term)))

    def select(self, states: Iterable[int]) -> list[int]:
        """The states that satisfy the condition."""
        return [state for state in states if self._holds(state)]

    def _holds(self, state: int) -> bool:
        system = self._system
        if not self._apart:
            codes = system.model.layout.unpack(system.decode(state))
            return bool(evaluate(self._whole, codes))
        rest = state & system.rest_bits
        covered, failing = self._known.get(rest) or self._begin(rest)
        if state & ~covered:
            failing = self._cover(rest, state)
        return bool(state & failing) == self._negated

    def _begin(self, rest: int) -> tuple[int, int]:
        """Nothing known of the records; a rest that fails by itself fails for all of them."""
        covered = self._system.rest_bits
        failing = 0
        if not self._true(rest, None):
            covered = failing = -1
        self._known[rest] = covered, failing
        return covered, failing

    def _cover(self, rest: int, state: int) -> int:
        """Find out which records of a state fail; the bits of all that are known to."""
        covered, failing = self._known[rest]
        for record, _ in self._system.counts(state):
            slot = self._system.slot(record)
            if not slot & covered:
                covered |= slot
                if not self._true(rest, record):
                    failing |= slot
        self._known[rest] = covered, failing
        return failing

    def _true(self, rest: int, record: int | None) -> bool:
        codes = self._system.model.layout.unpack(self._system.scene(rest, record))
        parts = self._of_rest if record is None else self._of_member
        return all(evaluate(part, codes) for part in parts)
