"""Ground terms evaluated on a whole array of states at once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from twice.model.terms import Term
from twice.model.words import Columns, Placed, WordLayout, Words

Truths = npt.NDArray[np.bool_]
"""One truth value per state."""

Codes = npt.NDArray[np.int64]
"""One code per state."""


class ArrayTerms:
    """Evaluates conditions and values over the words of many states."""

    def __init__(self, layout: WordLayout) -> None:
        self.cells = layout.cells

    def words(self, terms: Iterable[Term]) -> set[int]:
        """The words that terms read."""
        return {self.cells[slot].word for term in terms for slot in slots(term)}

    def field(self, placed: Placed, columns: Columns) -> Words:
        """The bits of a cell, in place."""
        return columns[placed.word] & np.uint64(placed.mask)

    def condition(self, term: Term, columns: Columns) -> Truths:
        """Where the condition holds."""
        op, args = term
        if op == "const":
            return np.full(_size(columns), bool(args[0]))
        if op == "slot":
            truths: Truths = self.field(self.cells[args[0]], columns) != 0
            return truths
        if op == "not":
            return ~self.condition(args[0], columns)
        if op in ("and", "or"):
            join = np.logical_and if op == "and" else np.logical_or
            result = self.condition(args[0], columns)
            for arg in args[1:]:
                join(result, self.condition(arg, columns), out=result)
            return result
        if op == "ite":
            chosen, yes, no = (self.condition(a, columns) for a in args)
            return np.where(chosen, yes, no)
        if op == "eq" and args[0].op == "slot" and args[1].op == "const":
            placed, code = self.cells[args[0].args[0]], args[1].args[0]
            if code not in placed.cell.domain.codes:
                return np.zeros(_size(columns), np.bool_)
            same: Truths = self.field(placed, columns) == np.uint64(placed.bits(code))
            return same
        left, right = self.value(args[0], columns), self.value(args[1], columns)
        if op == "eq":
            return np.equal(left, right)
        return np.less(left, right) if op == "lt" else np.less_equal(left, right)

    def value(self, term: Term, columns: Columns) -> Codes:
        """The code of the value in each state."""
        op, args = term
        if op == "const":
            return np.full(_size(columns), int(args[0]), np.int64)
        if op == "slot":
            placed = self.cells[args[0]]
            field = self.field(placed, columns) >> np.uint64(placed.offset)
            codes: Codes = field.astype(np.int64) + placed.cell.domain.low
            return codes
        if op in ("add", "sub"):
            left, right = self.value(args[0], columns), self.value(args[1], columns)
            return left + right if op == "add" else left - right
        if op == "ite":
            chosen = self.condition(args[0], columns)
            return np.where(chosen, self.value(args[1], columns), self.value(args[2], columns))
        return self.condition(term, columns).astype(np.int64)


def _size(columns: Columns) -> int:
    return max(column.size for column in columns)


@lru_cache(maxsize=65_536)  # the rules of a model ask of the same terms again and again
def slots(term: Term) -> frozenset[int]:
    """The slots that a ground term reads."""
    if term.op == "slot":
        return frozenset(term.args)
    return frozenset().union(*(slots(a) for a in term.args if isinstance(a, Term)))
