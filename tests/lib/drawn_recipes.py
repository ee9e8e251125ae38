"""Hypothesis strategies for recipes of models."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from recipes import VARIABLES, ActionRecipe, PropertyRecipe, Recipe

CHOICE = st.integers(0, 11)
PLACES = st.tuples(st.integers(0, 2), st.integers(0, 2))
SORT = st.sampled_from(["A", "A", "B"])

Strategy = st.SearchStrategy[Any]


def conditions(depth: int) -> Strategy:
    """Conditions nested at most so deep."""
    leaves = st.one_of(
        st.tuples(st.just("bool"), CHOICE, PLACES),
        st.tuples(st.just("colour"), colours(0), CHOICE),
        st.tuples(st.just("colours"), colours(0), colours(0)),
        st.tuples(st.just("member"), SORT, CHOICE, PLACES, CHOICE),
        st.tuples(st.sampled_from(["eq", "lt", "le"]), numbers(0), numbers(0)),
    )
    if not depth:
        return leaves
    below = conditions(depth - 1)
    return st.one_of(
        leaves,
        st.tuples(st.just("not"), below),
        st.tuples(st.sampled_from(["and", "or"]), below, below),
        st.tuples(st.just("ite"), below, below, below),
        st.tuples(st.sampled_from(["forall", "exists"]), SORT, below),
        st.tuples(st.sampled_from(["eq", "lt", "le"]), numbers(depth - 1), numbers(depth - 1)),
    )


def numbers(depth: int) -> Strategy:
    """Numbers nested at most so deep."""
    leaves = st.one_of(
        st.tuples(st.just("const"), st.integers(-1, 2)), st.tuples(st.just("read"), CHOICE, PLACES)
    )
    if not depth:
        return leaves
    below = numbers(depth - 1)
    return st.one_of(
        leaves,
        st.tuples(st.sampled_from(["add", "sub"]), below, below),
        st.tuples(st.just("ite"), conditions(depth - 1), below, below),
        st.tuples(st.just("count"), SORT, conditions(depth - 1)),
    )


def colours(depth: int) -> Strategy:
    """Colours nested at most so deep."""
    leaves = st.one_of(
        st.tuples(st.just("const"), CHOICE),
        st.tuples(st.just("read"), CHOICE, PLACES),
        st.tuples(st.just("parameter"), CHOICE),
    )
    if not depth:
        return leaves
    below = colours(depth - 1)
    return st.one_of(leaves, st.tuples(st.just("ite"), conditions(depth - 1), below, below))


CONDITION, NUMBER, COLOUR = conditions(2), numbers(2), colours(1)
VALUE = st.fixed_dictionaries(
    {"number": NUMBER, "condition": CONDITION, "colour": COLOUR, "member": CHOICE}
)
ASSIGN = st.tuples(st.just("assign"), CHOICE, PLACES, VALUE)


def blocks(depth: int) -> Strategy:
    """Statements with blocks nested at most so deep."""
    if not depth:
        return st.lists(ASSIGN, min_size=1, max_size=2).map(tuple)
    below = blocks(depth - 1)
    statement = st.one_of(
        ASSIGN,
        ASSIGN,
        st.tuples(st.just("when"), CONDITION, below),
        st.tuples(st.just("each"), SORT, below),
    )
    return st.lists(statement, min_size=1, max_size=3).map(tuple)


PARAMETERS = st.lists(st.sampled_from(["A", "A", "B", "Colour"]), max_size=2).map(tuple)


def actions(*, fault: bool) -> Strategy:
    """Actions or faults."""
    guards = st.lists(CONDITION, max_size=2).map(tuple)
    return st.builds(ActionRecipe, PARAMETERS, guards, blocks(2), st.just(fault))


def properties(kinds: list[str], parameters: Strategy) -> Strategy:
    """Properties of some kinds."""
    return st.builds(PropertyRecipe, st.sampled_from(kinds), parameters, CONDITION, CHOICE)


STATE = st.lists(
    st.sampled_from(VARIABLES), min_size=2, max_size=4, unique_by=lambda v: v.name
).map(tuple)

ONE_OR_NONE = st.sampled_from([(), ("A",), ("B",), ("A", "B")])
SAFETY = properties(["invariant", "reachable"], PARAMETERS)
CLOSURE = properties(["always_reachable", "finitely_often"], ONE_OR_NONE)


@st.composite
def recipes(draw: st.DrawFn, *, closure: bool = False) -> Recipe:
    """Models with some actions, a fault or two, and some properties."""
    own = draw(st.lists(actions(fault=False), min_size=1, max_size=3))
    faults = draw(st.lists(actions(fault=True), max_size=2))
    asked = draw(st.lists(SAFETY, min_size=1, max_size=2))
    if closure:
        asked += draw(st.lists(CLOSURE, min_size=1, max_size=2))
    scope = draw(st.tuples(st.integers(2, 3), st.integers(1, 2)))
    return Recipe(draw(STATE), (*own, *faults), tuple(asked), scope)
