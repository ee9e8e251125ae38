"""Ground actions in the form that suits arrays: guards, and then a constant added to the state.

Adding one constant to every state of a sorted array leaves it sorted, and sorted pieces merge
quickly. So an action is split into rules: one for each case of its conditional effects, and one for
each value of the cells that they read, as long as these are few. What then still depends on the
state is a cell cleared before the constant is added, or a value computed by array arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from twice.model import terms
from twice.model.array_terms import slots
from twice.model.grounding import Effect, GroundAction
from twice.model.guard_trie import compared_slot, required_code
from twice.model.interpreter import evaluate
from twice.model.layout import Layout
from twice.model.terms import Term
from twice.model.words import WordLayout

_MOST_CASES = 12
"""Cases of conditional effects, or values of the cells that effects read, that become rules of
their own; where there are more, the next values are computed instead."""


class Computed(NamedTuple):
    """A cell whose next value is array arithmetic over the old state."""

    slot: int
    value: Term


class ArrayRule(NamedTuple):
    """One case of an action.

    Attributes
    ----------
    action : int
        The number of the ground action.
    guards : tuple of Term
        All must hold.
    cleared : tuple of int
        For each word, bits set to zero first.
    added : tuple of int
        Added to each word, modulo the size of a word.
    computed : tuple of Computed
        Cells, among those cleared, filled in by arithmetic.
    outside : tuple or None
        The slot and the code, where this case would leave the domain of a cell.
    """

    action: int
    guards: tuple[Term, ...]
    cleared: tuple[int, ...]
    added: tuple[int, ...]
    computed: tuple[Computed, ...]
    outside: tuple[int, int] | None = None

    @property
    def on_key(self) -> bool:
        """Whether the rule changes the first word alone, by constants, and so the key as well."""
        return not self.computed and not any(self.cleared[1:]) and not any(self.added[1:])


def array_rules(
    actions: Iterable[GroundAction], layout: Layout, words: WordLayout
) -> Iterator[ArrayRule]:
    """All rules of some actions."""
    for action in actions:
        for guards, assigned in _cases(action.guards, action.effects):
            known = _known(guards, layout)
            if known is not None:
                yield from _by_value(action.number, guards, known, assigned, layout, words)


def _cases(
    guards: tuple[Term, ...], effects: tuple[Effect, ...]
) -> Iterator[tuple[tuple[Term, ...], dict[int, Term]]]:
    """Every choice of which conditional effects happen: its guards, and what is assigned.

    Where these would be many, there is one case, and a value says itself when it is assigned.
    """
    conditions = list(dict.fromkeys(e.condition for e in effects if e.condition is not terms.TRUE))
    if 1 << len(conditions) > _MOST_CASES:
        conditions = []
    for chosen in product((terms.TRUE, terms.FALSE), repeat=len(conditions)):
        happens = dict(zip(conditions, chosen, strict=True))
        more = (c if yes is terms.TRUE else terms.negate(c) for c, yes in happens.items())
        joined = terms.conjoin(*guards, *more)
        if joined is terms.FALSE:
            continue
        parts = joined.args if joined.op == "and" else () if joined is terms.TRUE else (joined,)
        assigned: dict[int, Term] = {}
        for condition, assignments in effects:
            when = happens.get(condition, condition)
            for slot, value in assignments if when is not terms.FALSE else ():
                before = assigned.get(slot, Term("slot", (slot,)))
                assigned[slot] = terms.choose(when, value, before)
        yield parts, assigned


def _known(guards: Iterable[Term], layout: Layout) -> dict[int, int] | None:
    """The codes that guards fix, or None where they contradict each other or a cell's domain."""
    known: dict[int, int] = {}
    for guard in guards:
        slot = compared_slot(guard)
        if slot is not None:
            code = required_code(guard)
            if known.setdefault(slot, code) != code or code not in layout.cells[slot].domain.codes:
                return None
    return known


def _by_value(
    action: int,
    guards: tuple[Term, ...],
    known: dict[int, int],
    assigned: dict[int, Term],
    layout: Layout,
    words: WordLayout,
) -> Iterator[ArrayRule]:
    """Split a case by the values of the cells that its effects read, where these are few."""
    read = sorted(
        set().union(*(slots(v) for v in assigned.values() if v.op != "const")) - set(known)
    )
    if (
        prod(layout.cells[s].domain.high - layout.cells[s].domain.low + 1 for s in read)
        > _MOST_CASES
    ):
        yield _rule(action, guards, known, assigned, layout, words)
        return
    domains = (range(layout.cells[s].domain.low, layout.cells[s].domain.high + 1) for s in read)
    for codes in product(*domains):
        all_known = {**known, **dict(zip(read, codes, strict=True))}
        decided = {slot: _decide(value, all_known) for slot, value in assigned.items()}
        more = tuple(_is(slot, code, layout) for slot, code in zip(read, codes, strict=True))
        if not any(_decide(guard, all_known) == terms.FALSE for guard in guards):
            yield _rule(action, guards + more, all_known, decided, layout, words)


def _is(slot: int, code: int, layout: Layout) -> Term:
    """The guard that a cell has a code, in the form that other guards have."""
    term = Term("slot", (slot,))
    if layout.cells[slot].domain.kind is bool:
        return term if code else terms.negate(term)
    return terms.equal(term, terms.const(code))


def _decide(term: Term, known: dict[int, int]) -> Term:
    """A term's constant, where it reads known cells only; else the term."""
    if term.op == "const" or not slots(term) <= known.keys():
        return term
    codes = tuple(known.get(slot, 0) for slot in range(max(known, default=-1) + 1))
    value = evaluate(term, codes)
    boolean = term.op in ("not", "and", "or", "eq", "lt", "le")
    return terms.const(bool(value)) if boolean else Term("const", (value,))


def _rule(
    action: int,
    guards: tuple[Term, ...],
    known: dict[int, int],
    assigned: dict[int, Term],
    layout: Layout,
    words: WordLayout,
) -> ArrayRule:
    cleared, added = [0] * words.number, [0] * words.number
    computed: list[Computed] = []
    outside = None
    for slot, value in assigned.items():
        placed = words.cells[slot]
        if value.op != "const":
            cleared[placed.word] |= placed.mask
            computed.append(Computed(slot, value))
            continue
        code = int(value.args[0])
        if code not in placed.cell.domain.codes:
            outside = slot, code
        elif slot in known:
            added[placed.word] += placed.bits(code) - placed.bits(known[slot])
        else:
            cleared[placed.word] |= placed.mask
            added[placed.word] += placed.bits(code)
    return ArrayRule(action, guards, tuple(cleared), tuple(added), tuple(computed), outside)
