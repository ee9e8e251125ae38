"""Ground terms as Python source over a packed state ``s``."""

from __future__ import annotations

from twice.model.guard_trie import compared_slot, required_code
from twice.model.layout import Layout
from twice.model.terms import Term

_NUMBERS = ("add", "sub", "ite")
"""Operations whose name stands for a code; that of any other for a truth value."""


class PythonTerms:
    """Writes conditions and values over the bits of a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._names: dict[int, str] = {}

    def named(self, term: Term, name: str) -> str:
        """An assignment of a term to a name, which from now on is written for it."""
        written = self.value(term) if term.op in _NUMBERS else self.condition(term)
        self._names[id(term)] = name
        return f"{name} = {written}"

    def condition(self, term: Term) -> str:
        """An expression whose truth value is the condition; not always a bool."""
        if id(term) in self._names:
            return self._names[id(term)]
        op, args = term
        if op == "const":
            return str(bool(args[0]))
        if op == "slot":
            return f"s & {self.layout.cells[args[0]].mask}"
        if op == "not":
            inner: Term = args[0]
            return self._compared(inner, negated=True) or f"not ({self.condition(inner)})"
        if op == "or":
            return " or ".join(f"({said})" for said in self._alternatives(args))
        if op == "and":
            return " and ".join(f"({self.condition(a)})" for a in args)
        if op == "ite":
            chosen, yes, no = (self.condition(a) for a in args)
            return f"(({yes}) if ({chosen}) else ({no}))"
        if op == "eq":
            return (
                self._compared(term, negated=False)
                or f"{self.value(args[0])} == {self.value(args[1])}"
            )
        return f"{self.value(args[0])} {'<' if op == 'lt' else '<='} {self.value(args[1])}"

    def _alternatives(self, conditions: tuple[Term, ...]) -> list[str]:
        """The conditions of a disjunction; several values of one cell are one test for a set."""
        values: dict[object, list[Term]] = {}
        for place, condition in enumerate(conditions):
            slot = None if id(condition) in self._names else compared_slot(condition)
            values.setdefault(("other", place) if slot is None else slot, []).append(condition)
        return [
            self._within(alike) if len(alike) > 1 else self.condition(alike[0])
            for alike in values.values()
        ]

    def _within(self, comparisons: list[Term]) -> str:
        slot = compared_slot(comparisons[0])
        assert slot is not None, "they compare one cell"
        cell = self.layout.cells[slot]
        codes = {required_code(comparison) for comparison in comparisons}
        possible = [code for code in codes if cell.domain.low <= code <= cell.domain.high]
        values = ", ".join(str(cell.bits(code)) for code in sorted(possible))
        return f"s & {cell.mask} in {{{values}}}" if values else "False"

    def _compared(self, term: Term, *, negated: bool) -> str:
        """A cell compared with a constant, in place; empty where the term is no such comparison."""
        if term.op != "eq" or term.args[0].op != "slot" or term.args[1].op != "const":
            return ""
        cell = self.layout.cells[term.args[0].args[0]]
        code = term.args[1].args[0]
        if not cell.domain.low <= code <= cell.domain.high:
            return str(negated)
        bits = cell.bits(code)
        if bits == 0:
            return f"s & {cell.mask}" if negated else f"not s & {cell.mask}"
        if bits == cell.mask and cell.domain.width == 1:
            return f"not s & {cell.mask}" if negated else f"s & {cell.mask}"
        return f"(s & {cell.mask}) {'!=' if negated else '=='} {bits}"

    def value(self, term: Term) -> str:
        """An expression for the code of the value, safe inside any operator."""
        op, args = term
        if id(term) in self._names and op in _NUMBERS:
            return self._names[id(term)]
        if op == "const":
            return str(int(args[0]))
        if op == "slot":
            cell = self.layout.cells[args[0]]
            field = f"(s >> {cell.offset} & {cell.mask >> cell.offset})"
            return f"({field} + {cell.domain.low})" if cell.domain.low else field
        if op in ("add", "sub"):
            return f"({self.value(args[0])} {'+' if op == 'add' else '-'} {self.value(args[1])})"
        if op == "ite":
            return (
                f"({self.value(args[1])} if {self.condition(args[0])} else {self.value(args[2])})"
            )
        return f"(1 if {self.condition(term)} else 0)"
