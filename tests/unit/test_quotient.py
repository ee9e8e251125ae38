"""A quotient joins exactly the nodes between which a run of the explored space steps."""

from __future__ import annotations

import ack
import pytest
from post_office import PostOffice

from twice.model import Regime, View, explore
from twice.model.compiled import CompiledModel
from twice.model.quotient import quotient
from twice.protocols.delivery import scope_of

Edges = set[tuple[str, str, str, str | None]]
Used = dict[str, int]


def walked(model: CompiledModel, budget: Used, office: PostOffice) -> Edges:
    """Every step between different nodes, found by walking all runs with their faults."""
    edges: Edges = set()
    start: tuple[int, tuple[int, ...]] = (model.layout.initial, (0,) * len(budget))
    seen, waiting = {start}, [start]
    while waiting:
        state, used = waiting.pop()
        for transition in model.transitions(state):
            fault = transition.label.fault
            after = tuple(n + (kind == fault) for kind, n in zip(budget, used, strict=True))
            spent = any(n > most for n, most in zip(after, budget.values(), strict=True))
            if spent or (fault is not None and fault not in budget):
                continue
            source, target = (
                office.life_cycle(View(model.layout, s)) for s in (state, transition.target)
            )
            if source != target:
                edges.add((source, target, transition.label.action, fault))
            if (transition.target, after) not in seen:
                seen.add((transition.target, after))
                waiting.append((transition.target, after))
    return edges


@pytest.mark.parametrize("symmetry", [True, False])
@pytest.mark.parametrize("engine", ["python", "numpy"])
@pytest.mark.parametrize("budget", [{}, {"illness": 1}, {"illness": 2, "box_fire": 1}])
def test_faults_are_drawn_only_where_the_budget_allows_them(
    budget: Used, engine: str, symmetry: bool
) -> None:
    office = PostOffice()
    model = office.compile(scope_of(1, 2))
    space = explore(
        model, [Regime("some", budget)], model.properties, symmetry=symmetry, engine=engine
    )
    graph = quotient(space, model, office.life_cycle)
    drawn = {
        (source, target, action, data["fault"])
        for source, target, action, data in graph.edges(keys=True, data=True)
    }
    assert drawn == walked(model, budget, office)


def gone(view: View) -> str:
    return f"{list(view['loc'].values()).count(ack.Loc.GONE)} gone"


def test_every_back_end_draws_the_same() -> None:
    model = ack.Ack().compile({ack.Task: 4, ack.Worker: 2})
    budget = [Regime("one", {"crash": 1})]
    drawn = []
    for engine in ("python", "numpy", "counter"):
        graph = quotient(explore(model, budget, engine=engine), model, gone)
        drawn.append((sorted(graph.nodes(data="initial")), sorted(graph.edges(keys=True))))
    assert drawn[0] == drawn[1] == drawn[2]
    assert drawn[0][1] == [(f"{n} gone", f"{n + 1} gone", "ack") for n in range(4)]
