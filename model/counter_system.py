"""A model in counter form, as something that can be expanded and searched like any other.

A state is one integer: the number of its rest in the lowest bits, and above it a count for every
record met so far. What a member with a record can do, given the rest, is worked out once, on a
small scene, and remembered as differences between such integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from twice.model.compiled import CompiledModel
from twice.model.counter_condition import CounterCondition
from twice.model.counter_form import CounterForm, NotCountable
from twice.model.counter_steps import CounterPlan, CounterSteps
from twice.model.renamer import Memo
from twice.model.renaming import Renaming
from twice.model.symmetry import Symmetry
from twice.model.transition_system import Condition, Expand, Label

_REST_BITS = 24

REST = (1 << _REST_BITS) - 1
"""The bits of a state in counter form that number its rest."""


class CounterSystem:
    """Successors and conditions over states in counter form.

    Raises
    ------
    NotCountable
        While exploring, when a step turns out to change two members at once.
    """

    def __init__(self, model: CompiledModel, symmetry: Symmetry) -> None:
        self.model = model
        self.layout = model.layout
        self._renamings = symmetry.renamings
        self.form = CounterForm(model, self._renamings[0])
        self.rest_bits = REST
        self._members = range(self.form.kept, self._renamings[0].size)
        self._count_bits = len(self._members).bit_length()
        self._rests: list[int] = []
        self._rest_number: dict[int, int] = {}
        self._records: list[int] = []
        self._record_number: dict[int, int] = {}
        self._moving = REST
        self._canonical = Memo(self._smallest)

    # Numbers of rests and records.

    def _number_of_rest(self, rest: int) -> int:
        number = self._rest_number.get(rest)
        if number is None:
            number = self._rest_number[rest] = len(self._rests)
            self._rests.append(rest)
            if number > REST:
                raise NotCountable("the rest of a state takes too many values")
        return number

    def _number_of_record(self, record: int) -> int:
        number = self._record_number.get(record)
        if number is None:
            number = self._record_number[record] = len(self._records)
            self._records.append(record)
            renamed = [self._renamed_record(number, renaming) for renaming in self._renamings]
            if any(other != number for other in renamed):
                self._moving |= self.slot(number)
        return number

    def slot(self, record: int) -> int:
        """The bits of a record's count."""
        return ((1 << self._count_bits) - 1) << self._shift(record)

    def _shift(self, record: int) -> int:
        return _REST_BITS + record * self._count_bits

    def counts(self, state: int) -> Iterator[tuple[int, int]]:
        """The records of a state, by number, with how many members have each."""
        for record in range(len(self._records)):
            count = (state & self.slot(record)) >> self._shift(record)
            if count:
                yield record, count

    # To and from packed states.

    def encode(self, state: int) -> int:
        """The representative, in counter form, of a packed state."""
        coded = self._number_of_rest(self.form.rest(state))
        for member in self._members:
            record = self._number_of_record(self.form.record(state, member))
            coded += 1 << self._shift(record)
        return self.canonical(coded)

    def decode(self, coded: int) -> int:
        """A packed state of the class that a state in counter form stands for."""
        state = self._rests[coded & REST]
        members = iter(self._members)
        for record, count in self.counts(coded):
            for _ in range(count):
                state = self.form.put(state, next(members), self._records[record])
        return state

    def canonical(self, coded: int) -> int:
        """The representative among the renamings of the sorts that are not counted."""
        moving = coded & self._moving
        return coded - moving + self._canonical[moving]

    def _smallest(self, moving: int) -> int:
        return min(self._renamed(moving, renaming) for renaming in self._renamings)

    def _renamed(self, moving: int, renaming: Renaming) -> int:
        scene = self.form.scene(self._rests[moving & REST])
        coded = self._number_of_rest(self.form.rest(_move(scene, renaming)))
        for record, count in self.counts(moving):
            coded += count << self._shift(self._renamed_record(record, renaming))
        return coded

    def _renamed_record(self, record: int, renaming: Renaming) -> int:
        scene = self.form.put(self.model.layout.initial, self.form.member, self._records[record])
        return self._number_of_record(self.form.record(scene, self.form.member, renaming))

    # Successors.

    def expander(self, chosen: Callable[[Label], bool]) -> Expand[int]:
        """Expand states by the transitions whose label is chosen, to representatives."""
        plans: dict[int, CounterPlan] = {}
        steps = CounterSteps(self, self.model.chosen(chosen))

        def expand(
            states: Iterable[int],
            emit: Callable[[int], object],
            close: Callable[[], object] | None = None,
        ) -> None:
            smallest = self._canonical
            for state in states:
                plan = plans.get(state & REST)
                if plan is None:
                    plan = plans[state & REST] = CounterPlan(steps, state & REST)
                if state & ~plan.covered:
                    plan.cover(state)
                for slot, differences in plan.steps:
                    if state & slot or not slot:
                        for difference in differences:
                            target = state + difference
                            moving = target & self._moving
                            emit(target - moving + smallest[moving])
                if close:
                    close()

        return expand

    def difference(self, rest: int, after: int, record: int | None) -> int:
        """What a step on a scene adds to a state in counter form."""
        change = self._number_of_rest(self.form.rest(after)) - rest
        if record is not None:
            changed = self._number_of_record(self.form.record(after, self.form.member))
            change += (1 << self._shift(changed)) - (1 << self._shift(record))
        return change

    def scene(self, rest: int, record: int | None) -> int:
        """A packed state in which one member has the record, given the rest."""
        known = None if record is None else self._records[record]
        return self.form.scene(self._rests[rest], known)

    # Conditions.

    def select(self, condition: Condition) -> Callable[[Iterable[int]], list[int]]:
        """A function that selects the states that satisfy a condition."""
        return CounterCondition(self, condition).select


def _move(state: int, renaming: Renaming) -> int:
    """A state with the cells that are not of the counted sort renamed."""
    pairs = [*renaming.plain, *renaming.pointers]
    for member in range(renaming.kept):
        places = zip(renaming.records[member], renaming.places[member], strict=True)
        pairs += [(cell, target) for (cell, _), (target, _) in places]
    moved = state
    for cell, target in pairs:
        moved = moved & ~target.mask | target.bits(renaming.code(cell, cell.code(state)))
    return moved
