"""Sets of states with tables of their own behave as sets of states, whatever their tables are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
import wide
from hypothesis import given
from hypothesis import strategies as st

from twice.model import coded_states
from twice.model.coded_states import StateSet
from twice.model.words import WordLayout

LAYOUTS = {
    words: wide.Wide().compile({wide.Thing: things}).layout
    for words, things in ((1, 1), (3, 2), (5, 3))
}
words = st.sampled_from(list(LAYOUTS))


@st.composite
def drawn_sets(draw: st.DrawFn, number: int, sets: int) -> list[list[int]]:
    """Sets of packed states that have cells in common."""
    layout = LAYOUTS[number]
    few = st.lists(st.integers(0, (1 << 30) - 1), min_size=1, max_size=4)
    values = draw(few)
    codes = [
        st.sampled_from(values) if cell.domain.width > 1 else st.integers(0, 1)
        for cell in layout.cells
    ]
    state = st.tuples(*codes).map(layout.pack)
    return [draw(st.lists(state, max_size=30)) for _ in range(sets)]


def coded(number: int, states: Iterable[int]) -> StateSet:
    """A set as a process has it that has met other states before."""
    layout = WordLayout(LAYOUTS[number])
    states = sorted(states)
    layout.pack(states[::-2])
    return coded_states.from_local(layout, np.unique(layout.pack(states)))


def read(number: int, states: StateSet) -> list[int]:
    """The states of a set, in its order, as another process reads them."""
    layout = WordLayout(LAYOUTS[number])
    return [layout.unpack(key) for key in states.local(layout).tolist()]


@pytest.mark.parametrize("number", LAYOUTS)
def test_the_layouts_have_so_many_words(number: int) -> None:
    assert WordLayout(LAYOUTS[number]).number == number


@given(st.data(), words)
def test_a_set_is_read_in_the_order_of_packed_states(data: st.DataObject, number: int) -> None:
    (states,) = data.draw(drawn_sets(number, 1))
    assert read(number, coded(number, states)) == sorted(set(states))


@given(st.data(), words)
def test_union_and_difference(data: st.DataObject, number: int) -> None:
    one, other, third = data.draw(drawn_sets(number, 3))
    sets = [coded(number, states) for states in (one, other, third)]
    assert read(number, coded_states.union(sets)) == sorted({*one, *other, *third})
    left = coded_states.without(sets[0], sets[1])
    assert read(number, left) == sorted(set(one) - set(other))
    assert read(number, coded_states.trimmed(left)) == sorted(set(one) - set(other))


@given(st.data(), words, st.integers(1, 5))
def test_owners_share_the_states_alike_in_every_process(
    data: st.DataObject, number: int, owners: int
) -> None:
    one, other = data.draw(drawn_sets(number, 2))
    pieces = coded_states.split(coded(number, one), owners)
    assert sorted(s for piece in pieces for s in read(number, piece)) == sorted(set(one))
    again = coded_states.split(coded(number, {*one, *other}), owners)
    for piece, more in zip(pieces, again, strict=True):
        assert set(read(number, piece)) <= set(read(number, more))
