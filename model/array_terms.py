"""Ground terms evaluated on a whole array of packed states at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twice.model.layout import Layout
from twice.model.terms import Term

States = npt.NDArray[np.uint64]
"""Packed states, one word each."""

Truths = npt.NDArray[np.bool_]
"""One truth value per state."""

Codes = npt.NDArray[np.int64]
"""One code per state."""


class ArrayTerms:
    """Evaluates conditions and values over arrays of states of one layout."""

    def __init__(self, layout: Layout) -> None:
        self._cells = layout.cells

    def condition(self, term: Term, states: States) -> Truths:
        """Where the condition holds."""
        op, args = term
        if op == "const":
            return np.full(states.size, bool(args[0]))
        if op == "slot":
            set_bits: Truths = (states & np.uint64(self._cells[args[0]].mask)) != 0
            return set_bits
        if op == "not":
            return ~self.condition(args[0], states)
        if op in ("and", "or"):
            join = np.logical_and if op == "and" else np.logical_or
            result = self.condition(args[0], states)
            for arg in args[1:]:
                join(result, self.condition(arg, states), out=result)
            return result
        if op == "ite":
            chosen, yes, no = (self.condition(a, states) for a in args)
            return np.where(chosen, yes, no)
        if op == "eq" and args[0].op == "slot" and args[1].op == "const":
            cell = self._cells[args[0].args[0]]
            same: Truths = (states & np.uint64(cell.mask)) == np.uint64(cell.bits(args[1].args[0]))
            return same
        left, right = self.value(args[0], states), self.value(args[1], states)
        truths: Truths = (
            left == right if op == "eq" else left < right if op == "lt" else left <= right
        )
        return truths

    def value(self, term: Term, states: States) -> Codes:
        """The code of the value in each state."""
        op, args = term
        if op == "const":
            return np.full(states.size, int(args[0]), np.int64)
        if op == "slot":
            cell = self._cells[args[0]]
            field = (states & np.uint64(cell.mask)) >> np.uint64(cell.offset)
            codes: Codes = field.astype(np.int64) + cell.domain.low
            return codes
        if op in ("add", "sub"):
            left, right = self.value(args[0], states), self.value(args[1], states)
            return left + right if op == "add" else left - right
        if op == "ite":
            chosen = self.condition(args[0], states)
            return np.where(chosen, self.value(args[1], states), self.value(args[2], states))
        return self.condition(term, states).astype(np.int64)
