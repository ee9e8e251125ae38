"""Random models: every way to take a step is the same as executing the rules by hand."""

from __future__ import annotations

from drawn_recipes import recipes
from executed_models import ExecutedModel
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from recipes import Recipe
from replay import assert_finding, itself
from stepping import assert_back_ends_agree
from written_models import written

from twice.model import Limits, Regime, Verdict, check, explore
from twice.model.compiled import CompiledModel

MOST = Limits(max_states=300)

# Drawing a model takes long, and some models are too large to be asked everything.
quick = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def reached(model: CompiledModel) -> list[int]:
    """Some states that a model reaches."""
    regimes = [Regime("all", dict.fromkeys(model.fault_kinds(), 2))]
    space = explore(model, regimes, symmetry=False, engine="python", limits=MOST)
    found = {
        state
        for layer in space.layers.values()
        for level in layer.levels.values()
        for state in space.engine.states(level)
    }
    return sorted(found)[:60]


@quick
@given(recipes())
def test_successors_are_those_of_executing_the_rules(recipe: Recipe) -> None:
    model = written(recipe)
    by_hand = ExecutedModel(recipe, model.layout)
    for state in reached(model):
        expected = by_hand.successors(by_hand.unpack(model.layout, state))
        found = [
            (label.action, label.binding, by_hand.values(by_hand.unpack(model.layout, target)))
            for label, target in model.transitions(state)
        ]
        assert found == expected
        assert_back_ends_agree(model, state)


@quick
@given(recipes(closure=True))
def test_conditions_are_those_of_working_them_out(recipe: Recipe) -> None:
    model = written(recipe)
    by_hand = ExecutedModel(recipe, model.layout)
    for state in reached(model):
        plain = by_hand.unpack(model.layout, state)
        for entry, asked in zip(model.properties, recipe.properties, strict=True):
            assert model.predicate(entry.goal)(state) == by_hand.holds(plain, asked)


@quick
@given(recipes(closure=True), st.booleans())
def test_counterexamples_and_witnesses_are_runs_of_the_model(
    recipe: Recipe, symmetry: bool
) -> None:
    model = written(recipe)
    regimes = [Regime("none"), Regime("some", dict.fromkeys(model.fault_kinds(), 1))]
    report = check(model, regimes, symmetry=symmetry, limits=MOST)
    canonical = model.canonical(model.properties) if symmetry else None
    for result in report.results:
        if result.trace:
            assert_finding(model, result, canonical or itself)
        if result.verdict is Verdict.UNDETERMINED:
            assert result.reason == report.stopped != ""


@quick
@given(recipes(closure=True), st.booleans())
def test_regimes_that_share_an_exploration_get_the_answers_of_their_own(
    recipe: Recipe, symmetry: bool
) -> None:
    model = written(recipe)
    kinds = model.fault_kinds()
    regimes = [Regime("none"), *(Regime(kind, {kind: 1}) for kind in kinds)]
    regimes.append(Regime("all", dict.fromkeys(kinds, 1)))
    shared = check(model, regimes, symmetry=symmetry, limits=MOST)
    assume(shared.closed)
    for regime in regimes:
        alone = check(model, [regime], symmetry=symmetry)
        for own in alone.results:
            together = shared.result(own.property.name, regime.name)
            assert (together.verdict, together.states) == (own.verdict, own.states)
            assert (together.faults, together.steps) == (own.faults, own.steps)
            assert own.states == alone.states
