"""Quotients: a state space seen through a projection, small enough to draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twice.model.compiled import CompiledModel
from twice.model.exploration import StateSpace
from twice.model.transition_system import Label
from twice.model.view import View

if TYPE_CHECKING:
    import networkx


def quotient(
    space: StateSpace[int], model: CompiledModel, project: Callable[[View], str]
) -> networkx.MultiDiGraph[str]:
    """The graph of what a projection tells apart.

    Parameters
    ----------
    space : StateSpace
        An exploration of the model.
    model : CompiledModel
    project : callable
        The node of a state.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes carry ``states``, how many states they stand for, and ``initial``. Edges join
        different nodes; their key is an action, and they carry ``fault``, its kind or None. A run
        of the system is a walk in the graph; not every walk is a run.
    """
    import networkx

    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    node_of: dict[int, str] = {}
    for layer in space.layers.values():
        for level in layer.levels.values():
            for state in space.engine.states(level):
                node_of.setdefault(state, project(View(model.layout, state)))
    starts = {node_of[state] for state in _starts(space, model)}
    for node in dict.fromkeys(node_of.values()):
        graph.add_node(node, states=0, initial=node in starts)
    for node in node_of.values():
        graph.nodes[node]["states"] += 1
    for label in {label.action: label for label in model.labels}.values():
        for source, target in _moves(space, model, label, node_of):
            graph.add_edge(source, target, key=label.action, fault=label.fault)
    return graph


def _starts(space: StateSpace[int], model: CompiledModel) -> list[int]:
    starts = model.initial_states()
    return [space.engine.representative(state) for state in starts]


def _moves(
    space: StateSpace[int], model: CompiledModel, label: Label, node_of: dict[int, str]
) -> dict[tuple[str, str], Any]:
    """The pairs of different nodes that an action joins, in order of discovery.

    A fault beyond every regime's budget leads out of the explored space, and joins nothing.
    """
    states = list(node_of)
    targets: list[int] = []
    ends: list[int] = []
    representative = space.engine.representative
    expand = model.expander(lambda other: other.action == label.action)
    expand(
        states,
        lambda target: targets.append(representative(target)),
        lambda: ends.append(len(targets)),
    )
    moves: dict[tuple[str, str], Any] = {}
    start = 0
    for state, end in zip(states, ends, strict=True):
        for target in targets[start:end]:
            if target in node_of and node_of[target] != node_of[state]:
                moves[node_of[state], node_of[target]] = None
        start = end
    return moves
