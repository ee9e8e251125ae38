"""The back end for many interchangeable members: plain Python over states in counter form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from twice.model.compiled import CompiledModel
from twice.model.counter_system import CounterSystem
from twice.model.layers import Level
from twice.model.python_engine import PythonEngine
from twice.model.regimes import FaultClass
from twice.model.symmetry import Symmetry

if TYPE_CHECKING:
    from twice.model.byte_table import ByteTable


class CounterEngine(PythonEngine[int]):
    """Keeps sets of states in counter form; every question is answered on them.

    Parameters
    ----------
    model : CompiledModel
    faults : sequence of FaultClass
    symmetry : Symmetry
        Whose ordered sort is counted.
    """

    name = "counter"

    def __init__(
        self, model: CompiledModel, faults: Sequence[FaultClass], symmetry: Symmetry
    ) -> None:
        self.counters = CounterSystem(model, symmetry)
        super().__init__(self.counters, faults, None)

    def representative(self, state: int) -> int:
        return self.counters.encode(state)

    def to_table(self, batch: Iterable[int]) -> ByteTable:
        return super().to_table(map(self.counters.decode, batch))

    def from_table(self, table: ByteTable) -> set[int]:
        states = super().from_table(table)
        for step in (self._own, *self._faults):  # what no search of this engine took, it may refuse
            self._successors(step, states)
        return states

    def states(self, level: Level[int]) -> Iterable[int]:
        return map(self.counters.decode, level.states)
