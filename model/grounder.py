"""Grounding of terms: names replaced, loops unrolled, constants folded, each once."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import reduce
from typing import NamedTuple

from twice.model import terms
from twice.model.expressions import Nobody
from twice.model.layout import Layout
from twice.model.terms import Term

Environment = Mapping[str, int]
"""The code of every bound name."""


class _Read(NamedTuple):
    """A term of a program, the first that is equal to it, and the names in it.

    The term is kept so that no other can take its place in memory.
    """

    term: Term
    first: Term
    names: tuple[str, ...]


class Grounder:
    """Grounds terms of one program in one scope.

    What a protocol computes from its state is written once and used in many rules: of the terms of
    a program nine in ten are equal to another. So equal terms are grounded once for each choice of
    the names in them, and equal ground terms are one object: they make a graph in which nothing
    stands twice, where the same terms as trees can be a hundred times as large.

    Parameters
    ----------
    layout : Layout
        Where each cell is.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        # By identity: to hash a term is to walk through it.
        self._read: dict[int, _Read] = {}
        self._first: dict[tuple[object, ...], Term] = {}
        self._done: dict[tuple[int, ...], Term] = {}
        self._known: dict[tuple[object, ...], Term] = {}
        self._unique: set[int] = set()
        self._codes: dict[type[Enum], dict[object, int]] = {}
        self.unique(terms.TRUE)
        self.unique(terms.FALSE)

    def ground(self, term: Term, environment: Environment) -> Term:
        """A term over slots and integers: names replaced, loops unrolled, constants folded."""
        _, first, names = self._read.get(id(term)) or self._reading(term)
        key = (id(first), *[environment[name] for name in names]) if names else (id(first),)
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = self.unique(self._grounded(first, environment))
        return found

    def _reading(self, term: Term) -> _Read:
        op, args = term
        parts = [self._read.get(id(part)) or self._reading(part) for part in terms.parts(term)]
        names: tuple[str, ...] = (args[0],) if op == "bound" else ()
        for _, _, more in parts:
            if more and more != names:
                names = tuple(dict.fromkeys(names + more))
        if op in terms.QUANTIFIERS:
            names = tuple(name for name in names if name != args[0])
        own = args[: len(args) - len(parts)] if op != "cell" else args[:1]
        kind = type(args[0]) if op == "const" else None  # the number 1 equals True
        first = self._first.setdefault((op, kind, own, *[id(f) for _, f, _ in parts]), term)
        read = self._read[id(term)] = _Read(term, first, names)
        return read

    def unique(self, term: Term) -> Term:
        """The one object for all ground terms that are equal."""
        if id(term) in self._unique:
            return term
        op, args = term
        key: tuple[object, ...]
        if op in ("const", "slot"):
            key = (op, type(args[0]), *args)  # the number 1 equals True, and is no condition
        else:
            args = tuple(map(self.unique, args))
            key = (op, *map(id, args))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = term if args is term.args else Term(op, args)
            self._unique.add(id(found))
        return found

    def _grounded(self, term: Term, environment: Environment) -> Term:
        op, args = term
        if op == "const":
            # An IntEnum's member is an int as well, and still a member.
            plain = type(args[0]) in (bool, int)
            return term if plain else terms.const(self._code(args[0]))
        if op == "bound":
            return terms.const(environment[args[0]])
        if op == "cell":
            index = tuple(self.ground(i, environment).args[0] for i in args[1])
            return Term("slot", (self.layout.slots[args[0], index],))
        if op in terms.QUANTIFIERS:
            name, sort, body = args
            each = [
                self.ground(body, {**environment, name: member})
                for member in range(self.layout.scope[sort])
            ]
            if op == "count":
                ones = (terms.choose(said, terms.const(1), terms.const(0)) for said in each)
                return reduce(terms.add, ones)
            return terms.conjoin(*each) if op == "forall" else terms.disjoin(*each)
        built = terms.rebuild(op, tuple([self.ground(a, environment) for a in args]))
        return terms.FALSE if self._beyond(built) else built

    def _beyond(self, term: Term) -> bool:
        """Whether a cell is compared with a code that its domain does not have."""
        if term.op != "eq" or term.args[0].op != "slot" or term.args[1].op != "const":
            return False
        domain = self.layout.cells[term.args[0].args[0]].domain
        return not domain.low <= term.args[1].args[0] <= domain.high

    def _code(self, value: object) -> int:
        if isinstance(value, Nobody):
            return self.layout.scope[value.sort]
        assert isinstance(value, Enum), "lift() admits no other constant"
        kind = type(value)
        if kind not in self._codes:
            self._codes[kind] = {member: code for code, member in enumerate(kind)}
        return self._codes[kind][value]
