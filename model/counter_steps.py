"""What members can do in counter form: the differences that steps make to a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from twice.model.counter_form import NotCountable
from twice.model.grounding import GroundAction
from twice.model.interpreter import successors

if TYPE_CHECKING:
    from twice.model.counter_system import CounterSystem


class CounterSteps:
    """The differences that some actions make, worked out on a scene of one member and the rest.

    Parameters
    ----------
    system : CounterSystem
    actions : sequence of GroundAction
        Of those with a free member as a parameter, the ones of one member stand for all.
    """

    def __init__(self, system: CounterSystem, actions: Sequence[GroundAction]) -> None:
        self.system = system
        self._of_member: list[GroundAction] = []
        self._of_rest: list[GroundAction] = []
        for action in actions:
            members = self._free_members(action)
            if not members:
                self._of_rest.append(action)
            elif members == [system.form.member]:
                self._of_member.append(action)

    def _free_members(self, action: GroundAction) -> list[int]:
        pairs = zip(action.command.parameters, action.binding, strict=True)
        form = self.system.form
        return [code for p, code in pairs if p.kind is form.sort and code >= form.kept]

    def of_rest(self, rest: int) -> Iterator[int]:
        """The differences by steps that change no free member."""
        scene = self.system.scene(rest, None)
        for after in self._after(self._of_rest, scene):
            if not self._touched(scene, after):
                yield self.system.difference(rest, after, None)

    def of_record(self, rest: int, record: int) -> Iterator[int]:
        """The differences by steps of a member with a record, or that change such a member.

        Raises
        ------
        NotCountable
            When a step changes two members.
        """
        form = self.system.form
        scene = self.system.scene(rest, record)
        for actions in (self._of_member, self._of_rest):
            own = actions is self._of_member
            for after in self._after(actions, scene):
                touched = self._touched(scene, after)
                if form.other in touched and (own or form.member in touched):
                    raise NotCountable("a step changes two members at once")
                if own or form.member in touched:
                    yield self.system.difference(rest, after, record)

    def _touched(self, before: int, after: int) -> set[int]:
        """Which free members have another record after a step."""
        form = self.system.form
        return {
            member
            for member in (form.member, form.other)
            if form.record(before, member) != form.record(after, member)
        }

    def _after(self, actions: list[GroundAction], scene: int) -> Iterator[int]:
        layout = self.system.model.layout
        for _, codes in successors(actions, layout.unpack(scene), layout):
            yield layout.pack(codes)


class CounterPlan:
    """The steps from all states with one rest.

    Attributes
    ----------
    steps : list
        Bits of which one must be set (no bits: always), and the differences of the steps.
    covered : int
        The counts of records that the plan knows, and the bits of the rest.
    """

    def __init__(self, steps: CounterSteps, rest: int) -> None:
        self._steps = steps
        self._rest = rest
        self.steps: list[tuple[int, tuple[int, ...]]] = [(0, tuple(steps.of_rest(rest)))]
        self.covered = steps.system.rest_bits

    def cover(self, state: int) -> None:
        """Work out the steps of the records of a state."""
        system = self._steps.system
        for record, _ in system.counts(state):
            slot = system.slot(record)
            if not slot & self.covered:
                self.covered |= slot
                differences = tuple(self._steps.of_record(self._rest, record))
                if differences:
                    self.steps.append((slot, differences))
