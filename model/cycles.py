"""Actions without end: cycles of a layer on which an action is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from twice.model.components import Graph, components
from twice.model.layers import Layer

S = TypeVar("S")


def endless(
    layer: Layer[S],
    select: Callable[[Iterable[S]], list[S]],
    taken: Callable[[S], Iterable[S]],
) -> tuple[int, list[S]] | None:
    """A cycle on which an action is taken while a condition holds.

    A run has finitely many faults, so what happens without end happens inside one layer.

    Parameters
    ----------
    layer : Layer
        A closed layer with the successors of each state.
    select : callable
        Selects the states in which the condition holds.
    taken : callable
        The successors of a state by the action in question alone.

    Returns
    -------
    tuple or None
        The depth of the cycle's first state, and the states of the cycle, the first one again at
        its end.
    """
    depths = {state: depth for depth, level in layer.levels.items() for state in level.states}
    inside = {state for level in layer.levels.values() for state in select(level.states)}
    graph = trim(
        {
            state: [target for target in targets if target in inside]
            for level in layer.levels.values()
            for state, targets in level.successors()
            if state in inside
        }
    )
    edges = [(state, t) for state in graph for t in taken(state) if t in graph]
    return shallowest_cycle(graph, edges, depths)


def shallowest_cycle(
    graph: Graph[S], edges: Iterable[tuple[S, S]], depths: Mapping[S, int]
) -> tuple[int, list[S]] | None:
    """A cycle of a graph through one of some edges, the one with the shallowest source."""
    by_depth = sorted(edges, key=lambda edge: depths[edge[0]])
    if not by_depth:
        return None
    component = {
        state: number for number, members in enumerate(components(graph)) for state in members
    }
    for state, target in by_depth:
        if component[state] == component[target]:
            return depths[state], [state, *_shortest(graph, target, state)]
    return None


def trim(graph: dict[S, list[S]]) -> dict[S, list[S]]:
    """Drop states without successors or predecessors, again and again; the rest may be on cycles.

    >>> trim({1: [2], 2: [3], 3: [2, 4], 4: []})
    {2: [3], 3: [2]}
    """
    for _ in range(2):  # forwards, then backwards on the reversed graph
        graph = _reverse(_without_ends(graph))
    return graph


def _without_ends(graph: dict[S, list[S]]) -> dict[S, list[S]]:
    before: dict[S, list[S]] = {state: [] for state in graph}
    left = {state: len(targets) for state, targets in graph.items()}
    for state, targets in graph.items():
        for target in targets:
            before[target].append(state)
    ends = [state for state, number in left.items() if not number]
    while ends:
        end = ends.pop()
        del left[end]
        for state in before[end]:
            if state in left:
                left[state] -= 1
                if not left[state]:
                    ends.append(state)
    return {state: [t for t in graph[state] if t in left] for state in graph if state in left}


def _reverse(graph: dict[S, list[S]]) -> dict[S, list[S]]:
    reversed_graph: dict[S, list[S]] = {state: [] for state in graph}
    for state, targets in graph.items():
        for target in targets:
            reversed_graph[target].append(state)
    return reversed_graph


def _shortest(graph: Graph[S], start: S, end: S) -> Iterable[S]:
    """The states of a shortest path, both ends included."""
    import networkx

    whole = networkx.DiGraph(
        (state, target) for state, targets in graph.items() for target in targets
    )
    path: list[S] = networkx.shortest_path(whole, start, end)
    return path
