"""Cases: a model in a scope, with so many faults, named so that every checker builds the same."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twice.model import Regime
    from twice.model.compiled import CompiledModel

BENCHMARK = "ack"
"""The name of the benchmark protocol; every other name is a protocol that Twice ships."""


@dataclass(frozen=True)
class Case:
    """What is explored: up to `faults` faults of any kinds.

    One fault of any kind is what `twice check` asks about by default.
    """

    protocol: str
    tasks: int
    workers: int
    faults: int

    @classmethod
    def parse(cls, text: str) -> Case:
        """Read what `str` writes, such as ``ack 6,3,2``."""
        protocol, _, numbers = text.partition(" ")
        tasks, workers, faults = (int(number) for number in numbers.split(","))
        return cls(protocol, tasks, workers, faults)

    def __str__(self) -> str:
        return f"{self.protocol} {self.tasks},{self.workers},{self.faults}"

    @property
    def is_benchmark(self) -> bool:
        """Whether this is the benchmark protocol, which is written by hand for other checkers."""
        return self.protocol == BENCHMARK

    def system(self) -> CompiledModel:
        """The model, compiled for the scope."""
        if self.is_benchmark:
            from ack import Ack, Task, Worker

            return Ack().compile({Task: self.tasks, Worker: self.workers})
        from twice.protocols import PROTOCOLS
        from twice.protocols.delivery import scope_of

        return PROTOCOLS[self.protocol]().compile(scope_of(self.tasks, self.workers))

    def outcomes(self) -> list[str]:
        """What is decided: of the benchmark, that no task is lost; of a protocol, everything."""
        if self.is_benchmark:
            return ["lost"]
        from twice.protocols import PROTOCOLS

        return list(PROTOCOLS[self.protocol].outcomes())

    def regimes(self, system: CompiledModel) -> list[Regime]:
        """Every way to spend the faults."""
        from twice.model import Regime

        kinds = system.fault_kinds()
        regimes = []
        for spent in combinations_with_replacement(kinds, self.faults):
            budget = {kind: spent.count(kind) for kind in dict.fromkeys(spent)}
            regimes.append(Regime("+".join(spent) or "none", budget))
        return regimes
