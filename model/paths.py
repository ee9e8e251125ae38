"""Shortest traces, found again from the levels of an exploration.

No state keeps a pointer to its predecessor. A predecessor lies one level up, so it is found by
expanding that level again; a run is then replayed through the system itself, which names each step
and undoes the renaming of symmetry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from twice.model.exploration import StateSpace
from twice.model.regimes import Usage
from twice.model.trace import Step, Trace, step_between
from twice.model.transition_system import Label, Transition

S = TypeVar("S")


class Paths(Generic[S]):
    """Finds shortest runs in an explored space."""

    def __init__(self, space: StateSpace[S]) -> None:
        self._space = space

    def to(self, usage: Usage, depth: int, state: S) -> Trace[S]:
        """The shortest run to a state with this usage of faults, replayed step by step."""
        return self.replay([state for _, _, state in self._back(usage, depth, state)][::-1])

    def _back(self, usage: Usage, depth: int, state: S) -> Iterator[tuple[Usage, int, S]]:
        yield usage, depth, state
        while depth:
            usage, depth, state = self._predecessor(usage, depth, state)
            yield usage, depth, state

    def _predecessor(self, usage: Usage, depth: int, state: S) -> tuple[Usage, int, S]:
        for fault, before in self._origins(usage):
            layer = self._space.layers.get(before)
            level = layer.levels.get(depth - 1) if layer else None
            if level:
                found = self._space.engine.predecessor(level, fault, state)
                if found is not None:
                    return before, depth - 1, found
        raise AssertionError("every state but the first was reached from the level before")

    def _origins(self, usage: Usage) -> Iterator[tuple[int | None, Usage]]:
        yield None, usage
        for number, used in enumerate(usage):
            if used:
                yield number, (*usage[:number], used - 1, *usage[number + 1 :])

    def replay(self, states: list[S], loop_from: int | None = None) -> Trace[S]:
        """Run through the representatives of a path with the system's own steps.

        Raises
        ------
        AssertionError
            When a step of the path is none of the system's, which would be a defect of the search.
        """
        here = next(
            s for s in self._space.system.initial_states() if self._represents(s, states[0])
        )
        steps: list[Step[S]] = []
        start = here
        for target in states[1:]:
            label, after = self._step(here, target)
            steps.append(step_between(self._space.system, here, label, after))
            here = after
        return Trace(start, dict(self._space.system.describe(start)), tuple(steps), loop_from)

    def _step(self, here: S, target: S) -> Transition[S]:
        for transition in self._space.system.transitions(here):
            if self._allowed(transition.label) and self._represents(transition.target, target):
                return transition
        raise AssertionError("a step of the path is none of the system's")

    def _allowed(self, label: Label) -> bool:
        if label.fault is None:
            return True
        return any(
            kind == label.fault and (points is None or label.action in points)
            for kind, points in self._space.lattice.classes
        )

    def _represents(self, state: S, representative: S) -> bool:
        canonical = self._space.canonical
        return (canonical(state) if canonical else state) == representative
