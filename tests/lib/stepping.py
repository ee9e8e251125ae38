"""One step of a model from a state of choice, by the interpreter and by every back end alike."""

from __future__ import annotations

from collections.abc import Mapping

from twice.model import Model, Sort
from twice.model.compiled import CompiledModel
from twice.model.engine import Engine
from twice.model.engine_choice import EngineChoice
from twice.model.interpreter import DomainError
from twice.model.regimes import FaultClass

Cells = Mapping[str, str]
"""Cells of a state with their values, both as people read them."""


class Stepper:
    """A model in one scope (two members of each sort), to be moved from any state."""

    def __init__(self, model: Model, scope: Mapping[type[Sort], int] | None = None) -> None:
        self.model = model.compile(scope or dict.fromkeys(model.program().sorts, 2))

    def state(self, cells: Cells) -> int:
        """The initial state with some cells changed."""
        codes = [cell.initial for cell in self.model.layout.cells]
        named = {cell.label: cell for cell in self.model.layout.cells}
        for label, wanted in cells.items():
            domain = named[label].domain
            options = range(domain.low, domain.high + 1)
            codes[named[label].slot] = next(c for c in options if domain.label(c) == wanted)
        return self.model.layout.pack(codes)

    def step(self, cells: Cells, action: str, *binding: str) -> dict[str, str] | None:
        """What an action changes in a state, or None where it is not enabled."""
        state = self.state(cells)
        assert_back_ends_agree(self.model, state)
        targets = [
            target
            for label, target in self.model.transitions(state)
            if (label.action, label.binding) == (action, binding)
        ]
        assert len(targets) <= 1
        if not targets:
            return None
        old, new = self.model.describe(state), self.model.describe(targets[0])
        return {cell: value for cell, value in new.items() if value != old[cell]}

    def holds(self, cells: Cells, name: str) -> bool:
        """Whether the condition of a property holds in a state."""
        state = self.state(cells)
        goal = next(p.goal for p in self.model.properties if p.name == name)
        said = self.model.predicate(goal)(state)
        for engine in engines(self.model):
            level = engine.level(engine.batch([state]))
            assert (engine.pick(level, goal, holding=True) == state) == said
            assert (engine.pick(level, goal, holding=False) == state) != said
        return said


def engines(model: CompiledModel) -> list[Engine[int]]:
    """Every back end that can explore a model without symmetry."""
    faults: list[FaultClass] = [(kind, None) for kind in model.fault_kinds()]
    return [EngineChoice(name, model, faults, None).first() for name in ("python", "numpy")]


def assert_back_ends_agree(model: CompiledModel, *states: int) -> None:
    """Every back end gives the successors that the interpreter gives, and as many transitions."""
    built = engines(model)
    for state in states:
        _assert_agree(model, built, state)


def _assert_agree(model: CompiledModel, built: list[Engine[int]], state: int) -> None:
    kinds = [None, *model.fault_kinds()]
    expected: dict[str | None, list[int]] = {kind: [] for kind in kinds}
    try:
        for label, target in model.transitions(state):
            expected[label.fault].append(target)
    except DomainError:
        return
    for engine in built:
        level = engine.level(engine.batch([state]))
        for number, kind in enumerate(kinds, -1):
            batch, taken = (
                engine.expand(level, _no_look)
                if kind is None
                else engine.strike(level, number, _no_look)
            )
            reached = set(engine.states(engine.level(batch)))
            assert (reached, taken) == (set(expected[kind]), len(expected[kind])), engine.name


def _no_look() -> None:
    """Look at no limit."""
