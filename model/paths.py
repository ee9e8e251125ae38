"""Shortest traces, found again from the levels of an exploration.

No state keeps a pointer to its predecessor. A predecessor lies one level up, so it is found by
expanding that level again; a run is then replayed through the system itself, which names each step
and undoes the renaming of symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

from twice.model.exploration import StateSpace
from twice.model.python_engine import belongs_to
from twice.model.regimes import FaultClass, Usage
from twice.model.trace import Step, Trace, step_between
from twice.model.transition_system import Label, Transition

S = TypeVar("S")

Node = tuple[Usage, S]
"""A state, or its representative, with the faults used on the way to it."""


class Paths(Generic[S]):
    """Finds shortest runs in an explored space."""

    def __init__(self, space: StateSpace[S]) -> None:
        self._space = space

    def to(self, usage: Usage, depth: int, state: S) -> list[Node[S]]:
        """The nodes of a shortest path to a state with this usage of faults."""
        path = [(usage, state)]
        while depth:
            usage, depth, state = self._predecessor(usage, depth, state)
            path.append((usage, state))
        return path[::-1]

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

    def replay(
        self,
        path: Sequence[Node[S]],
        loop_from: int | None = None,
        wanted: Mapping[int, Callable[[Label], bool]] | None = None,
    ) -> Trace[S]:
        """Run along a path with the system's own steps.

        Parameters
        ----------
        path
            The nodes to pass.
        loop_from
            The number of the node to which the last one leads back, if any.
        wanted
            By which labels a node is to be entered, for some of their numbers.

        Raises
        ------
        AssertionError
            When a step of the path is none of the system's, which would be a defect of the search.
        """
        starts = self._space.system.initial_states()
        start = here = next(s for s in starts if self._represents(s, path[0][1]))
        steps: list[Step[S]] = []
        for number, ((usage, _), (after, target)) in enumerate(pairwise(path), 1):
            belongs = belongs_to(self._fault_between(usage, after))
            also = (wanted or {}).get(number)
            label, there = self._step(here, target, belongs, also)
            steps.append(step_between(self._space.system, here, label, there))
            here = there
        return Trace(start, dict(self._space.system.describe(start)), tuple(steps), loop_from)

    def _fault_between(self, before: Usage, after: Usage) -> FaultClass | None:
        classes = self._space.lattice.classes
        used = (c for c, b, a in zip(classes, before, after, strict=True) if a > b)
        return next(used, None)

    def _step(
        self,
        here: S,
        target: S,
        belongs: Callable[[Label], bool],
        also: Callable[[Label], bool] | None,
    ) -> Transition[S]:
        for transition in self._space.system.transitions(here):
            label = transition.label
            if (
                belongs(label)
                and (also is None or also(label))
                and self._represents(transition.target, target)
            ):
                return transition
        raise AssertionError("a step of the path is none of the system's")

    def _represents(self, state: S, representative: S) -> bool:
        return self._space.engine.representative(state) == representative
