"""Liveness: fair runs on which something awaited never comes.

A run has finitely many faults, so it ends inside one layer: in a strongly connected component that
it never leaves and on which the awaited condition does not hold, or in a state where nothing fair
is left to happen. Such a lasso, found on the graph of the states where the condition fails, is the
counterexample.

References
----------
Z. Manna and A. Pnueli, "The Temporal Logic of Reactive and Concurrent Systems", 1992 (weak and
strong fairness).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Generic, TypeVar

from twice.model.components import components
from twice.model.exploration import StateSpace
from twice.model.layers import Layer
from twice.model.paths import Node, Paths
from twice.model.regimes import Usage
from twice.model.rules import PropertyKind
from twice.model.trace import Trace
from twice.model.transition_system import Label, Property, Transition

S = TypeVar("S")

Walk = list[tuple[Label | None, S]]
"""States passed, each with the label by which it is to be entered (None: any)."""

Graph = dict[S, list[tuple[Label, S]]]
"""The steps from each state to others of the graph."""


@dataclass
class Waiting(Generic[S]):
    """The states in which the awaited condition is still due, with how each was first reached.

    Attributes
    ----------
    parents : dict
        The state before, or None where the waiting began.
    depths : dict
        Steps from the start of the run.
    """

    parents: dict[Node[S], Node[S] | None] = field(default_factory=dict)
    depths: dict[Node[S], int] = field(default_factory=dict)

    def path(self, node: Node[S]) -> list[Node[S]]:
        """From where the waiting began to a state."""
        path = [node]
        while (before := self.parents[path[-1]]) is not None:
            path.append(before)
        return path[::-1]


def fair_lasso(space: StateSpace[S], layers: list[Layer[S]], entry: Property) -> Trace[S] | None:
    """A fair run on which the property's conclusion never follows, or None where there is none.

    Parameters
    ----------
    space : StateSpace
        Explored without symmetry.
    layers : list of Layer
        Closed layers, fewest faults first.
    entry : Property
        An eventually or a leads-to property.
    """
    waiting = _wait(space, layers, entry)
    for layer in layers:
        states = [state for usage, state in waiting.depths if usage == layer.usage]
        for cycle in _fair_cycles(space, layer.usage, waiting, states):
            return _lasso(space, waiting, layer.usage, cycle)
    return None


def _wait(space: StateSpace[S], layers: list[Layer[S]], entry: Property) -> Waiting[S]:
    """Every state reached while the conclusion is due, by fewest faults and then fewest steps."""
    due = space.system.predicate(entry.goal)
    usages = {layer.usage for layer in layers}
    order = count()
    queue: list[tuple[int, int, int, Node[S], Node[S] | None]] = []
    for layer in layers:
        for depth, level in layer.levels.items():
            for state in _begins(space, entry, list(space.engine.states(level)), depth):
                heapq.heappush(
                    queue, (sum(layer.usage), depth, next(order), (layer.usage, state), None)
                )
    waiting: Waiting[S] = Waiting()
    while queue:
        _, depth, _, node, parent = heapq.heappop(queue)
        if node in waiting.depths or due(node[1]):
            continue
        waiting.depths[node], waiting.parents[node] = depth, parent
        for usage, transition in _onwards(space, node):
            if usage in usages:
                after = (usage, transition.target)
                heapq.heappush(queue, (sum(usage), depth + 1, next(order), after, node))
    return waiting


def _begins(space: StateSpace[S], entry: Property, states: list[S], depth: int) -> list[S]:
    if entry.kind is PropertyKind.LEADS_TO:
        return space.system.select(entry.premise)(states)
    return states if depth == 0 else []


def _onwards(space: StateSpace[S], node: Node[S]) -> Iterator[tuple[Usage, Transition[S]]]:
    usage, state = node
    for transition in space.system.transitions(state):
        label = transition.label
        if label.fault is None:
            yield usage, transition
            continue
        for number, (kind, points) in enumerate(space.lattice.classes):
            more = space.lattice.after(usage, number)
            if (
                more is not None
                and kind == label.fault
                and (points is None or label.action in points)
            ):
                yield more, transition


def _fair_cycles(
    space: StateSpace[S], usage: Usage, waiting: Waiting[S], states: list[S]
) -> Iterator[Walk[S]]:
    """Cycles that a fair run may follow for ever; a single state where it may stay for ever."""
    inside = set(states)
    graph: Graph[S] = {}
    enabled: dict[S, set[Label]] = {}
    for state in sorted(states, key=lambda s: waiting.depths[usage, s]):
        own = [t for t in space.system.transitions(state) if t.label.fault is None]
        enabled[state] = {
            transition.label for transition in own if transition.label.fair != "unfair"
        }
        if not enabled[state]:
            yield [(None, state)]
            return
        graph[state] = [(t.label, t.target) for t in own if t.target in inside]
    yield from _cycles(graph, enabled)


def _cycles(graph: Graph[S], enabled: dict[S, set[Label]]) -> Iterator[Walk[S]]:
    targets = {state: {target for _, target in out} for state, out in graph.items()}
    for members in components(targets):
        part = _restricted(graph, members)
        taken = {label for out in part.values() for label, _ in out}
        if not taken:
            continue
        always = set.intersection(*(enabled[state] for state in members))
        sometimes = set.union(*(enabled[state] for state in members))
        if any(label.fair == "weak" and label not in taken for label in always):
            continue
        starved = {label for label in sometimes if label.fair == "strong" and label not in taken}
        if not starved:
            yield _round_trip(part, enabled)
        else:
            # A smaller cycle may avoid every state that enables the starved actions.
            rest = [state for state in members if not enabled[state] & starved]
            yield from _cycles(_restricted(part, rest), enabled)


def _restricted(graph: Graph[S], states: list[S]) -> Graph[S]:
    inside = set(states)
    return {state: [step for step in graph[state] if step[1] in inside] for state in states}


def _round_trip(graph: Graph[S], enabled: dict[S, set[Label]]) -> Walk[S]:
    """A closed walk that takes every fair action, or visits a state that does not enable it."""
    import networkx

    part: networkx.MultiDiGraph[S] = networkx.MultiDiGraph()
    part.add_edges_from(
        (state, target, {"label": label}) for state, out in graph.items() for label, target in out
    )
    start = next(iter(graph))
    owed: set[Label] = set.union(*(enabled[state] for state in graph))
    walk: Walk[S] = [(None, start)]

    def arrive(label: Label | None, state: S) -> None:
        walk.append((label, state))
        owed.difference_update({label} if label else ())
        owed.difference_update([o for o in owed if o.fair == "weak" and o not in enabled[state]])

    def go(stop: S) -> None:
        path = networkx.shortest_path(part, walk[-1][1], stop)
        for before, after in pairwise(path):
            labels = {data["label"] for data in part[before][after].values()}
            arrive(min(labels & owed or labels), after)

    while owed:
        label = min(owed)
        edge = next(
            ((a, b) for a, b, data in part.edges(data=True) if data["label"] == label), None
        )
        if edge is None:
            go(next(state for state in part if label not in enabled[state]))
            owed.discard(label)  # the walk may have begun there
        else:
            go(edge[0])
            arrive(label, edge[1])
    if len(walk) == 1:
        _, after, label = next(iter(part.out_edges(start, data="label")))
        arrive(label, after)
    go(start)
    return walk


def _lasso(space: StateSpace[S], waiting: Waiting[S], usage: Usage, walk: Walk[S]) -> Trace[S]:
    nearest = min(range(len(walk)), key=lambda number: waiting.depths[usage, walk[number][1]])
    turned = walk[nearest:] + walk[1 : nearest + 1] if len(walk) > 1 else walk
    path = waiting.path((usage, turned[0][1]))
    first_usage, first = path[0]
    paths = Paths(space)
    nodes = paths.to(first_usage, waiting.depths[path[0]], first) + path[1:]
    around = [(usage, state) for _, state in turned[1:]]
    wanted = {
        number: label.__eq__
        for number, (label, _) in enumerate(turned[1:], len(nodes))
        if label is not None
    }
    return paths.replay(nodes + around, loop_from=len(nodes) - 1, wanted=wanted)
