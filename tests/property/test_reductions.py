"""Random models: symmetry and the back ends change how the states are found, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import pytest
from drawn_recipes import recipes
from hypothesis import HealthCheck, assume, given, settings
from recipes import Recipe
from written_models import written

from twice.model import Limits, Property, Regime, Report, Sort, UsageError, check, explore
from twice.model.compiled import CompiledModel
from twice.model.domains import Elements

MOST = Limits(max_states=2_000)

quick = settings(suppress_health_check=list(HealthCheck))


def regime_of(model: CompiledModel) -> Regime:
    return Regime("some", dict.fromkeys(model.fault_kinds(), 1))


def renamings(
    model: CompiledModel, properties: Sequence[Property]
) -> Iterator[dict[type[Sort], tuple[int, ...]]]:
    """Every exchange of members that leaves those that a property speaks of in place."""
    kept = {sort for entry in properties for sort in entry.speaks_of}
    sorts = list(model.layout.scope)
    orders = [
        [
            order
            for order in permutations(range(model.layout.scope[sort]))
            if sort not in kept or order[0] == 0
        ]
        for sort in sorts
    ]
    for choice in product(*orders):
        yield dict(zip(sorts, choice, strict=True))


def renamed(model: CompiledModel, state: int, orders: dict[type[Sort], tuple[int, ...]]) -> int:
    """A state with its members exchanged, cell by cell."""
    layout = model.layout
    codes = list(layout.unpack(state))
    for cell in layout.cells:
        sorts = layout.sorts[cell.variable]
        members = tuple(orders[s][m] for s, m in zip(sorts, cell.members, strict=True))
        code = cell.code(state)
        if isinstance(cell.domain, Elements) and code < cell.domain.size:
            code = orders[cell.domain.kind][code]
        codes[layout.slots[cell.variable, members]] = code
    return layout.pack(codes)


@quick
@given(recipes(closure=True))
def test_a_reduced_search_finds_one_state_of_every_orbit(recipe: Recipe) -> None:
    model = written(recipe)
    regime = regime_of(model)
    full = explore(model, [regime], model.properties, symmetry=False, limits=MOST)
    assume(not full.stopped)
    orders = list(renamings(model, model.properties))
    orbits = {
        (usage, min(renamed(model, state, order) for order in orders))
        for usage, layer in full.layers.items()
        for level in layer.levels.values()
        for state in full.engine.states(level)
    }
    for engine in ("python", "numpy"):
        reduced = explore(model, [regime], model.properties, engine=engine)
        assert reduced.size == len(orbits)
        assert reduced.depth == full.depth


def said(report: Report) -> list[tuple[str, str, int, int]]:
    """What was answered, traces only by their lengths."""
    return [(r.property.name, r.verdict.value, r.faults, r.steps) for r in report.results]


@quick
@given(recipes(closure=True))
def test_every_way_of_searching_gives_the_same_answers(recipe: Recipe) -> None:
    model = written(recipe)
    regime = regime_of(model)
    full = check(model, [regime], symmetry=False, engine="python", limits=MOST)
    assume(not full.stopped)
    for symmetry, engine in ((False, "numpy"), (True, "python"), (True, "numpy"), (True, "auto")):
        report = check(model, [regime], symmetry=symmetry, engine=engine)
        without_cycles = [s for s in said(report) if not endless(full, s[0])]
        assert without_cycles == [s for s in said(full) if not endless(full, s[0])]
        verdicts = [(name, verdict) for name, verdict, _, _ in said(report)]
        assert verdicts == [(name, verdict) for name, verdict, _, _ in said(full)]


@quick
@given(recipes(closure=True))
def test_counting_members_gives_the_same_states_and_answers(recipe: Recipe) -> None:
    model = written(recipe._replace(scope=(4, 2)))
    regime = regime_of(model)
    ordered = check(model, [regime], engine="python", limits=MOST)
    assume(not ordered.stopped)
    try:
        counted = check(model, [regime], engine="counter")
    except UsageError:
        assume(False)
    assert (counted.states, counted.depth) == (ordered.states, ordered.depth)
    assert [(n, v) for n, v, _, _ in said(counted)] == [(n, v) for n, v, _, _ in said(ordered)]


def endless(report: Report, name: str) -> bool:
    """Whether a property is about cycles: an orbit's cycle may be shorter than a state's."""
    entry = report.result(name).property
    return bool(entry.action)


@pytest.mark.parametrize("engine", ["python", "numpy", "counter"])
def test_many_interchangeable_tasks(engine: str) -> None:
    import ack

    model = ack.Ack().compile({ack.Task: 6, ack.Worker: 3})
    regime = Regime("crashes", {"crash": 3})
    report = check(model, [regime], engine=engine)
    assert report.states == 27_701
    assert said(report) == [
        ("starts_at_most_once", "violated", 1, 6),
        ("goes_only_after_its_effect", "holds", 0, 0),
    ]


@pytest.mark.parametrize(("tasks", "states"), [(10, 16_834), (20, 75_419)])
def test_tasks_beyond_a_machine_word_are_counted(tasks: int, states: int) -> None:
    import ack

    model = ack.Ack().compile({ack.Task: tasks, ack.Worker: 2})
    space = explore(model, [Regime("crashes", {"crash": 2})], model.properties)
    assert space.engine.name == "counter"
    assert space.size == states
