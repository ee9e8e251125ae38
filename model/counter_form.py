"""Counter form: many interchangeable members as counts of their records.

Where no action looks at two members of a sort at once, it does not matter which members have which
records, only how many have each. A state is then a number for the rest of the state and a count for
every record, and equal members are expanded once. This keeps scopes of fifty tasks within reach.

References
----------
E. A. Emerson and R. J. Trefler, "From asymmetry to full symmetry", 1999 (generic representatives).
"""

from __future__ import annotations

from collections.abc import Iterator

from twice.model.compiled import CompiledModel
from twice.model.program import Program
from twice.model.renaming import Renaming, nobody
from twice.model.sorts import Sort
from twice.model.terms import Term

FEWEST = 3
"""Free members needed: one with the record in question, one for any other, and one to gain by."""


class NotCountable(Exception):  # the end of an attempt, not a fault of anybody's
    """A model looks at two members at once, so that counts do not determine its steps."""


def obstacle(program: Program, sort: type[Sort]) -> str:
    """Why a sort's members cannot be counted by their records, or an empty text."""
    for command in program.commands:
        if sum(parameter.kind is sort for parameter in command.parameters) > 1:
            return f"`{command.name}` has two parameters of {sort.__name__}"
        looped = {kind for update in command.updates for _, kind in update.binders}
        terms = [guard.condition for guard in command.guards]
        terms += [t for update in command.updates for t in (update.value, update.condition)]
        if sort in looped or any(_quantifies(term, sort) for term in terms):
            return f"`{command.name}` looks at every {sort.__name__}"
        if any(_compares_pointers(term, program, sort) for term in terms):
            return f"`{command.name}` compares two variables that hold a {sort.__name__}"
    return ""


def _subterms(term: Term) -> Iterator[Term]:
    yield term
    for arg in term.args:
        if isinstance(arg, Term):
            yield from _subterms(arg)


def _quantifies(term: Term, sort: type[Sort]) -> bool:
    quantifiers = ("forall", "exists", "count")
    return any(t.op in quantifiers and t.args[1] is sort for t in _subterms(term))


def _compares_pointers(term: Term, program: Program, sort: type[Sort]) -> bool:
    holding = {v.name for v in program.variables if v.kind is sort}
    return any(
        t.op == "eq" and all(a.op != "const" and _reads(a, holding) for a in t.args)
        for t in _subterms(term)
    )


def _reads(term: Term, variables: set[str]) -> bool:
    return any(t.op == "cell" and t.args[0] in variables for t in _subterms(term))


class CounterForm:
    """Splits packed states into the records of free members and the rest, and puts them together.

    Three members stand for all: a kept first one where a property speaks of it, one that has the
    record in question, and one that stands for any other member that a pointer may point to.

    Parameters
    ----------
    model : CompiledModel
    renaming : Renaming
        One that renames nothing and orders the counted sort.
    """

    def __init__(self, model: CompiledModel, renaming: Renaming) -> None:
        self._layout = model.layout
        self.sort = renaming.sort
        self._renaming = renaming
        self.kept = renaming.kept
        self.member = renaming.kept
        self.other = renaming.kept + 1
        self._rest = [cell for cell, _ in renaming.plain]
        for member in range(self.kept):
            self._rest += [cell for cell, _ in renaming.records[member]]
        self._rest_mask = sum(cell.mask for cell in self._rest)
        self._pointers = [cell for cell, _ in renaming.pointers]
        pointers = sum(pointer.mask for pointer in self._pointers)
        self._blank = model.layout.initial & ~self._rest_mask & ~pointers

        self._owner = {
            cell.slot: member
            for member in range(self.kept, renaming.size)
            for cell, _ in renaming.records[member]
        }

    def owners(self, slot: int) -> set[int]:
        """The free members whose records have a cell; a pointer may have any."""
        if slot in self._owner:
            return {self._owner[slot]}
        return {-1} if any(pointer.slot == slot for pointer in self._pointers) else set()

    def pointed(self, slot: int, code: int) -> set[int] | None:
        """The free members that a pointer with a code points to; None where the cell is none."""
        for pointer in self._pointers:
            if pointer.slot == slot:
                return {code} if self.kept <= code < nobody(pointer) else set()
        return None

    def rest(self, state: int) -> int:
        """A state without the records of free members; pointers to them point to the other one."""
        bits = state & self._rest_mask
        for pointer in self._pointers:
            code = pointer.code(state)
            free = self.kept <= code < nobody(pointer)
            bits += pointer.bits(self.other if free else code)
        return bits

    def record(self, state: int, member: int, renaming: Renaming | None = None) -> int:
        """What a state says of a member: its cells, and above them a bit for each pointer to it."""
        renamed = renaming or self._renaming
        record = sum(
            (renamed.code(cell, cell.code(state)) - cell.domain.low) << shift
            for cell, shift in renamed.records[member]
        )
        for number, (cell, _) in enumerate(renamed.pointers):
            record |= (cell.code(state) == member) << (renamed.width + number)
        return record

    def put(self, state: int, member: int, record: int) -> int:
        """A state with a record at a member, the pointers of the record pointing to it."""
        for cell, shift in self._renaming.places[member]:
            field = record >> shift & (cell.mask >> cell.offset)
            state = state & ~cell.mask | field << cell.offset
        for number, pointer in enumerate(self._pointers):
            if self.points(record, number):
                state = state & ~pointer.mask | pointer.bits(member)
        return state

    def points(self, record: int, pointer: int) -> bool:
        """Whether a record says that a pointer points to its member."""
        return bool(record >> (self._renaming.width + pointer) & 1)

    def scene(self, rest: int, record: int | None = None) -> int:
        """A state with this rest, in which the member in question has the record."""
        state = rest | self._blank
        return state if record is None else self.put(state, self.member, record)
