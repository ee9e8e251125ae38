"""`Engine`: how sets of states are kept, expanded and searched.

The search (`twice.model.exploration`) and everything that asks a finished space a question are
written once, over this interface; the back ends differ in what a set of states is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from twice.model.errors import UsageError
from twice.model.layers import Layer, Level
from twice.model.transition_system import Condition, Property

if TYPE_CHECKING:
    from twice.model.byte_table import ByteTable

S = TypeVar("S")

Batch = Any
"""A set of states of one engine, without repeats."""

Known = Any
"""The states of one layer that were reached so far."""

Look = Callable[[], None]
"""Called between two pieces of work; raises where a limit is reached."""


class Engine(ABC, Generic[S]):
    """A back end of the search.

    Attributes
    ----------
    name : str
        What a user calls it.
    """

    name: str

    @abstractmethod
    def batch(self, states: Iterable[S]) -> Batch:
        """A set of the representatives of states of the system."""

    @abstractmethod
    def representative(self, state: S) -> S:
        """What stands for a state of the system in this engine's sets."""

    def to_table(self, batch: Batch) -> ByteTable:
        """A set as rows of bytes, which any engine reads.

        Raises
        ------
        UsageError
            Where an engine's sets cannot be saved.
        """
        raise UsageError(f"the {self.name} engine saves no checkpoint; use another engine")

    def from_table(self, table: ByteTable) -> Batch:
        """The set of states given as rows of bytes.

        Raises
        ------
        UsageError
            Where an engine's sets cannot be read.
        """
        raise UsageError(f"the {self.name} engine resumes no checkpoint; use another engine")

    @abstractmethod
    def batch_of(self, level: Level[S]) -> Batch:
        """The states of a level as a set."""

    def retire(self, layer: Layer[S]) -> None:
        """Make room: the layer is closed, and is read again only for questions and traces."""

    @abstractmethod
    def union(self, pieces: Sequence[Batch]) -> Batch:
        """All states of several sets."""

    @abstractmethod
    def known(self) -> Known:
        """Nothing known yet."""

    @abstractmethod
    def learn(self, known: Known, batch: Batch) -> Batch:
        """The states of a set that were not known, which from now on they are."""

    @abstractmethod
    def level(self, batch: Batch) -> Level[S]:
        """A level of a layer, made of a set of states."""

    @abstractmethod
    def states(self, level: Level[S]) -> Iterable[S]:
        """States of the system, one for each of a level."""

    @abstractmethod
    def expand(self, level: Level[S], look: Look) -> tuple[Batch, int]:
        """The successors of a level by the system's own steps, and the number of transitions."""

    @abstractmethod
    def strike(self, level: Level[S], fault: int, look: Look) -> tuple[Batch, int]:
        """The successors of a level by one class of faults, and the number of transitions."""

    def successors(
        self, level: Level[S], faults: Sequence[int], look: Look
    ) -> list[tuple[Batch, int]]:
        """What `expand` finds, and then what `strike` finds for each of some classes of faults."""
        struck = (self.strike(level, fault, look) for fault in faults)
        return [self.expand(level, look), *struck]

    def taken(self) -> set[str]:
        """Names of actions that this engine saw enabled; it need not have noticed all."""
        return set()

    @abstractmethod
    def pick(self, level: Level[S], condition: Condition, *, holding: bool) -> S | None:
        """A state of a level where the condition holds, or fails; the same one on every run."""

    def first(
        self, levels: Sequence[Level[S]], condition: Condition, *, holding: bool
    ) -> tuple[int, S] | None:
        """The place of the first level with a state that `pick` finds, and the state."""
        for place, level in enumerate(levels):
            state = self.pick(level, condition, holding=holding)
            if state is not None:
                return place, state
        return None

    @abstractmethod
    def predecessor(self, level: Level[S], fault: int | None, target: S) -> S | None:
        """A state of a level with the target among its successors; the same one on every run."""

    @abstractmethod
    def cannot_reach(
        self, layer: Layer[S], goals: Sequence[Condition]
    ) -> list[tuple[int, S] | None]:
        """For each goal, the depth of a shallowest state that cannot reach it, and the state."""

    @abstractmethod
    def endless(self, layer: Layer[S], entry: Property) -> tuple[int, list[S]] | None:
        """The depth and the states of a cycle on which a property's action is taken without end."""
