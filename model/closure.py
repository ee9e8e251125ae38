"""Backward closure: from which states a condition can still come true without further faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from twice.model.layers import Layer

S = TypeVar("S")


def cannot_reach(
    layer: Layer[S], goals: Sequence[Callable[[Iterable[S]], list[S]]]
) -> list[tuple[int, S] | None]:
    """For each goal, a state of least depth from which no state satisfying the goal can be reached.

    All goals are closed together: a state carries one bit for each goal it can reach, and takes
    over the bits of its successors until nothing changes. Successors mostly lie deeper, so going up
    from the deepest level needs few rounds.

    Parameters
    ----------
    layer : Layer
        A closed layer with the successors of each state.
    goals : sequence of callable
        Each selects the states that satisfy one condition.

    Returns
    -------
    list
        For each goal the depth and the state, or None where every state can reach it.
    """
    complete = (1 << len(goals)) - 1
    reaches: dict[S, int] = {}
    for level in layer.levels.values():
        reaches.update(dict.fromkeys(level.states, 0))
        for number, select in enumerate(goals):
            for state in select(level.states):
                reaches[state] |= 1 << number
    unsettled = [
        (state, targets)
        for depth in sorted(layer.levels, reverse=True)
        for state, targets in layer.levels[depth].successors()
        if reaches[state] != complete
    ]
    changed = True
    while changed:
        changed = False
        for state, targets in unsettled:
            before = bits = reaches[state]
            for target in targets:
                bits |= reaches[target]
            if bits != before:
                reaches[state] = bits
                changed = True
    return [_shallowest(layer, reaches, 1 << number) for number in range(len(goals))]


def _shallowest(layer: Layer[S], reaches: dict[S, int], bit: int) -> tuple[int, S] | None:
    for depth in sorted(layer.levels):
        stuck = [state for state in layer.levels[depth].states if not reaches[state] & bit]
        if stuck:
            return depth, least(stuck)
    return None


def least(states: Sequence[S]) -> S:
    """One state of several, the same on every run: the smallest, where states can be ordered."""
    try:
        return min(states)  # type: ignore[type-var]  # hand-written states may have no order
    except TypeError:
        return states[0]
