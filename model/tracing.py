"""The rule being traced: what `require`, assignments, `when` and `each` leave behind.

The body of a rule runs once, on symbolic values. Everything it writes down is over the state before
the step: a read after a write is answered by the written term, so the order of statements is gone
from the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from twice.model import terms
from twice.model.errors import ModelError, Place
from twice.model.expressions import Bool, condition
from twice.model.slips import caller
from twice.model.sorts import Sort
from twice.model.terms import Term

K = TypeVar("K", bound=Sort)


class Guard(NamedTuple):
    """A condition under which a rule is enabled, and the line that says so."""

    condition: Term
    place: Place | None


class Update(NamedTuple):
    """An assignment: the cell, its next value, when it happens, and for which members of `each`."""

    variable: str
    cell: tuple[Term, ...]
    value: Term
    condition: Term
    binders: tuple[tuple[str, type[Sort]], ...]
    place: Place | None


class Tracing:
    """What the body of one rule has left behind so far."""

    def __init__(self, *, writes: bool) -> None:
        self.writes = writes
        self.guards: list[Guard] = []
        self.updates: list[Update] = []
        self.conditions: list[Term] = []
        self.binders: list[tuple[str, type[Sort]]] = []
        self.bound = 0
        self.unentered: list[tuple[when, Place | None]] = []
        self.mistakes: list[ModelError] = []

    def fresh(self, sort: type[Sort]) -> str:
        """A name for a bound variable that no other has."""
        if not hasattr(sort, "elements"):
            raise ModelError(
                "L205",
                f"{getattr(sort, '__name__', sort)} is no sort, and each(), forall(), exists() and "
                "count() go over the members of a sort",
                "a class derived from Sort",
                caller(),
            )
        self.bound += 1
        return f"{sort.noun()}#{self.bound}"

    def read(self, variable: str, index: tuple[Term, ...]) -> Term:
        """The value of a cell here: what was last written to it, or its value before the step."""
        value = Term("cell", (variable, index))
        for update in self.updates:
            if update.variable == variable:
                written, new = self._seen_from(update, index)
                value = terms.choose(written, new, value)
        return value

    def _seen_from(self, update: Update, index: tuple[Term, ...]) -> tuple[Term, Term]:
        """Whether an earlier assignment wrote the cell at `index`, and what it wrote."""
        loops = {name for name, _ in update.binders}
        still_open = loops & {name for name, _ in self.binders}
        turn: dict[str, Term] = {}
        same = update.condition
        for written, asked in zip(update.cell, index, strict=True):
            if written.op != "bound" or written.args[0] not in loops:
                same = terms.conjoin(same, terms.equal(written, asked))
            elif written.args[0] in turn:  # one member twice, as in self.related[x, x]
                same = terms.conjoin(same, terms.equal(turn[written.args[0]], asked))
            elif written == asked:
                turn[written.args[0]] = asked
            elif written.args[0] in still_open:
                raise ModelError(
                    "L306",
                    f"inside each(), `{update.variable}` was written for the member of this turn "
                    "and is read for another: all turns happen at once, in no order",
                    "the read before the loop: x = self.... above `for`",
                    caller(),
                )
            else:
                turn[written.args[0]] = asked
        return terms.substitute(same, turn), terms.substitute(update.value, turn)

    def write(self, variable: str, index: tuple[Term, ...], value: Term) -> None:
        """Record an assignment to a cell."""
        if not self.writes:
            raise ModelError(
                "L307",
                f"`{variable}` is assigned inside a property, which only looks at a state",
                "an @action, with the assignment in it",
                caller(),
            )
        for name, sort in self.binders:
            if Term("bound", (name, sort)) not in index:
                raise ModelError(
                    "L305",
                    f"`{variable}` would be written once for every turn of each({sort.__name__})",
                    "an index with the member of the turn, or count(Sort, ...) for a total",
                    caller(),
                )
        here = terms.conjoin(*self.conditions)
        self.updates.append(Update(variable, index, value, here, tuple(self.binders), caller()))

    def finish(self) -> None:
        """Check that every block was entered and left as it should be."""
        for mistake in self.mistakes:
            raise mistake
        for _, place in self.unentered:
            raise ModelError(
                "L303",
                "this when() has no block, so it would change nothing",
                "`with when(condition):` and the assignments indented below it",
                place,
            )


def refuse_leftovers(term: Term, known: set[str], place: Place | None) -> None:
    """Refuse a term that speaks of a member whose loop or quantifier is over (L308)."""
    for name in terms.unbound(term):
        if name not in known:
            noun = name.partition("#")[0]
            raise ModelError(
                "L308",
                f"`{name}` is the {noun} of one turn, and belongs to each() or a quantifier "
                "that is over",
                "a parameter of the action for one member; forall(Sort, ...), exists(Sort, ...) or "
                "count(Sort, ...) for all",
                place,
            )


_active: list[Tracing] = []


@contextmanager
def tracing(*, writes: bool) -> Iterator[Tracing]:
    """Trace one rule: an action writes, a property only reads."""
    trace = Tracing(writes=writes)
    _active.append(trace)
    try:
        yield trace
        trace.finish()
    finally:
        _active.pop()


def current() -> Tracing:
    """The rule being traced.

    Raises
    ------
    ModelError
        L207, when no rule is being traced.
    """
    if not _active:
        raise ModelError(
            "L207",
            "the state exists only inside an action or a property",
            "this line inside a method marked @action, @fault or as a property",
            caller(),
        )
    return _active[-1]


def require(*conditions: Bool) -> None:
    """Enable the action only where every condition holds.

    Guards come first in a body: before any assignment, outside `when` and `each`.
    """
    trace = current()
    if trace.updates:
        raise ModelError(
            "L301",
            "a guard decides whether the action happens at all, so it may not follow an assignment",
            "require() at the top of the body",
            caller(),
        )
    if trace.conditions or trace.binders:
        raise ModelError(
            "L302",
            "a guard belongs to the whole action, not to a block of it",
            "require(implies(c, d)) or require(forall(Sort, ...)) at the top of the body",
            caller(),
        )
    place = caller()
    trace.guards.extend(Guard(condition(given, "a guard"), place) for given in conditions)


class when:  # reads as a keyword of the language
    """Make the assignments of a block conditional: ``with when(self.alive[w]): ...``."""

    def __init__(self, chosen: Bool) -> None:
        self._trace = current()
        self._condition = condition(chosen, "a condition of when()")
        self._trace.unentered.append((self, caller()))

    def __enter__(self) -> None:
        waiting = self._trace.unentered
        waiting[:] = [entry for entry in waiting if entry[0] is not self]
        self._trace.conditions.append(self._condition)

    def __exit__(self, *_: object) -> None:
        self._trace.conditions.pop()


def each(sort: type[K]) -> Iterator[K]:
    """Repeat a block for every member of a sort, all at once: ``for t in each(Task): ...``."""
    trace = current()
    name = trace.fresh(sort)
    place = caller()
    trace.binders.append((name, sort))
    try:
        yield sort(Term("bound", (name, sort)))
    except GeneratorExit:
        trace.mistakes.append(
            ModelError(
                "L304",
                f"`break` or `return` leaves each({sort.__name__}) before its block is complete",
                "`with when(condition):` around what only some members do",
                place,
            )
        )
        raise
    finally:
        trace.binders.pop()
