"""Random models: every way to take a step is the same as executing the rules by hand."""

from __future__ import annotations

from drawn_recipes import recipes
from executed_models import ExecutedModel
from hypothesis import HealthCheck, given, settings
from recipes import Recipe
from stepping import assert_back_ends_agree
from written_models import written

from twice.model import Limits, Regime, explore

MOST = Limits(max_states=300)

quick = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])


def reached(recipe: Recipe) -> tuple[object, list[int]]:
    """The compiled model of a recipe and states it reaches."""
    model = written(recipe)
    regimes = [Regime("all", dict.fromkeys(model.fault_kinds(), 2))]
    space = explore(model, regimes, symmetry=False, engine="python", limits=MOST)
    found = {
        state
        for layer in space.layers.values()
        for level in layer.levels.values()
        for state in space.engine.states(level)
    }
    return model, sorted(found)[:60]


@quick
@given(recipes())
def test_successors_are_those_of_executing_the_rules(recipe: Recipe) -> None:
    model = written(recipe)
    by_hand = ExecutedModel(recipe, model.layout)
    for state in reached(recipe)[1]:
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
    for state in reached(recipe)[1]:
        plain = by_hand.unpack(model.layout, state)
        for entry, asked in zip(model.properties, recipe.properties, strict=True):
            assert model.predicate(entry.goal)(state) == by_hand.holds(plain, asked)
