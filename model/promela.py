"""Export to Promela, the language of SPIN: the same ground actions for an independent checker.

One process chooses among all actions for ever; each is one indivisible step, so that SPIN stores
exactly the states that the explorer counts without symmetry. The faults used, by class, are counted
in variables of their own, as they are part of a state here too.

Generate the checker with ``spin -o2 -a``: without the option SPIN leaves variables that are only
written, such as a count that only a property reads, out of its states, and stores fewer.

References
----------
G. J. Holzmann, "The SPIN Model Checker", 2003.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from twice.model import terms
from twice.model.compiled import CompiledModel
from twice.model.errors import UsageError
from twice.model.grounding import GroundAction
from twice.model.layout import Cell
from twice.model.python_engine import belongs_to
from twice.model.regimes import Regime
from twice.model.rules import PropertyKind
from twice.model.terms import Term
from twice.model.transition_system import Property

_OPERATORS = {"and": "&&", "or": "||", "eq": "==", "lt": "<", "le": "<=", "add": "+", "sub": "-"}


def to_promela(model: CompiledModel, regime: Regime, invariant: Property | None = None) -> str:
    """A model under one fault regime as a complete Promela program.

    Parameters
    ----------
    model : CompiledModel
    regime : Regime
        The faults that may happen, and how many of each.
    invariant : Property, optional
        Asserted in every state; SPIN then stops at a violation.

    Raises
    ------
    UsageError
        For a property that is no invariant: what SPIN stores would no longer be the states.
    """
    if invariant and invariant.kind is not PropertyKind.INVARIANT:
        raise UsageError(f"`{invariant.name}` is no invariant, and only invariants are exported")
    return "\n".join(_Export(model, regime, invariant).lines()) + "\n"


class _Export:
    """Writes one program."""

    def __init__(self, model: CompiledModel, regime: Regime, invariant: Property | None) -> None:
        self._model = model
        self._budget = regime.classes()
        self._claim = f"assert({self.term(invariant.goal)})" if invariant else ""
        self._temporaries = 0

    def lines(self) -> Iterator[str]:
        """The program, line by line."""
        # SPIN knows no choice between nothing.
        steps = list(self._steps()) or ["  :: d_step { false -> skip }"]
        yield _comment(self._model.program.title)
        for cell in self._model.layout.cells:
            yield f"{_type(cell)} {_name(cell)} = {cell.initial}; {_comment(cell.label)}"
        for number, ((kind, _), most) in enumerate(self._budget.items()):
            yield f"{_holding(0, most)} used_{number} = 0; {_comment(f'faults: {kind}')}"
        if self._temporaries:
            yield f"hidden int {', '.join(f't{n}' for n in range(self._temporaries))};"
        yield "active proctype system() {"
        if self._claim:
            yield f"  {self._claim};"
        yield "end:"
        yield "  do"
        yield from steps
        yield "  od"
        yield "}"

    def _steps(self) -> Iterator[str]:
        own = belongs_to(None)
        for action in self._model.actions:
            label = self._model.labels[action.number]
            if own(label):
                yield self._step(action, "", "")
            for number, (fault, most) in enumerate(self._budget.items()):
                if belongs_to(fault)(label):
                    yield self._step(action, f"used_{number} < {most}", f"used_{number}++")

    def _step(self, action: GroundAction, budget: str, payment: str) -> str:
        """One action: its guard, its values worked out over the old state, its assignments."""
        guards = [budget] if budget else []
        guards += [self.term(guard) for guard in action.guards]
        computed: list[str] = []
        assigned: list[str] = []

        def keep(term: Term) -> str:
            if term.op == "const":
                return self.term(term)
            computed.append(f"t{len(computed)} = {self.term(term)}")
            return f"t{len(computed) - 1}"

        for condition, assignments in action.effects:
            chosen = "" if condition is terms.TRUE else keep(condition)
            for slot, value in assignments:
                name, kept = _name(self._model.layout.cells[slot]), keep(value)
                assigned.append(
                    f"{name} = " + (f"({chosen} -> {kept} : {name})" if chosen else kept)
                )
        self._temporaries = max(self._temporaries, len(computed))
        claim = [self._claim] if self._claim else []
        body = "; ".join([*computed, *assigned, *([payment] if payment else []), *claim]) or "skip"
        label = self._model.labels[action.number]
        said = f"{label.action}({', '.join(label.binding)})"
        return f"  :: d_step {{ {' && '.join(guards) or 'true'} -> {body} }} {_comment(said)}"

    def term(self, term: Term) -> str:
        """A ground term as an expression."""
        op, args = term
        if op == "const":
            return str(int(args[0]))
        if op == "slot":
            return _name(self._model.layout.cells[args[0]])
        if op == "not":
            return f"!({self.term(args[0])})"
        if op == "ite":
            chosen, yes, no = (self.term(arg) for arg in args)
            return f"({chosen} -> {yes} : {no})"
        return f"({f' {_OPERATORS[op]} '.join(self.term(arg) for arg in args)})"


def _name(cell: Cell) -> str:
    """The variable of a cell: its number tells it from others that are spelt alike."""
    members = "".join(f"_{member + 1}" for member in cell.members)
    return f"v{cell.slot}_{re.sub(r'[^0-9A-Za-z_]', '_', cell.variable)}{members}"


def _comment(said: str) -> str:
    return f"/* {said.replace('*/', '* /')} */"


def _type(cell: Cell) -> str:
    return _holding(cell.domain.low, cell.domain.high)


def _holding(low: int, high: int) -> str:
    """The smallest type that holds all numbers from one to another."""
    if low >= 0 and high <= 255:
        return "byte"
    return "short" if low >= -(1 << 15) and high < 1 << 15 else "int"
