"""Quotients: a state space seen through a projection, small enough to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from twice.model.compiled import CompiledModel
from twice.model.exploration import StateSpace
from twice.model.layers import Layer
from twice.model.python_engine import belongs_to
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
    represent = space.engine.representative
    seen = [_States(layer, space) for layer in space.layers.values()]
    node_of: dict[int, str] = {}
    for states in seen:
        for state in states.states:
            key = represent(state)
            if key not in node_of:
                node_of[key] = project(View(model.layout, state))
    starts = {node_of[represent(state)] for state in model.initial_states()}
    for node in dict.fromkeys(node_of.values()):
        graph.add_node(node, states=0, initial=node in starts)
    for node in node_of.values():
        graph.nodes[node]["states"] += 1
    for label in {label.action: label for label in model.labels}.values():
        taking = dict.fromkeys(s for states in seen if states.may(label) for s in states.states)
        for source, target in _moves(space, model, label, taking, node_of):
            graph.add_edge(source, target, key=label.action, fault=label.fault)
    return graph


class _States:
    """The states of a layer, and what may happen to them."""

    def __init__(self, layer: Layer[int], space: StateSpace[int]) -> None:
        self.states = [s for level in layer.levels.values() for s in space.engine.states(level)]
        lattice = space.lattice
        later = (lattice.after(layer.usage, number) for number in range(len(lattice.classes)))
        classes = zip(lattice.classes, later, strict=True)
        self._faults = [belongs_to(fault) for fault, more in classes if more is not None]

    def may(self, label: Label) -> bool:
        """Whether an action is a step of the system, or a fault that the budget still allows."""
        return label.fault is None or any(belongs(label) for belongs in self._faults)


def _moves(
    space: StateSpace[int],
    model: CompiledModel,
    label: Label,
    states: Iterable[int],
    node_of: dict[int, str],
) -> Iterable[tuple[str, str]]:
    """The pairs of different nodes that an action joins, in order of discovery."""
    represent = space.engine.representative
    targets: list[int] = []
    ends: list[int] = []
    expand = model.expander(lambda other: other.action == label.action)
    expand(
        states, lambda target: targets.append(represent(target)), lambda: ends.append(len(targets))
    )
    moves: dict[tuple[str, str], None] = {}
    start = 0
    for state, end in zip(states, ends, strict=True):
        source = node_of[represent(state)]
        for target in targets[start:end]:
            # An exploration that stopped early does not know every successor.
            if node_of.get(target, source) != source:
                moves[source, node_of[target]] = None
        start = end
    return moves
