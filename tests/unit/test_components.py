"""Strongly connected components, by either routine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest

from twice.model import components as routines
from twice.model.components import by_networkx, by_scipy, components

BOTH = pytest.mark.parametrize("routine", [by_networkx, by_scipy])

Routine = Callable[[Any], Iterable[int]]


def drawn(*edges: str) -> dict[str, list[str]]:
    """The graph of a to d with these edges, each two letters."""
    return {a: [b for b in "abcd" if a + b in edges] for a in "abcd"}


def together(numbers: Iterable[int]) -> list[int]:
    """Where the first state of each state's component stands."""
    listed = list(numbers)
    return [listed.index(number) for number in listed]


@BOTH
@pytest.mark.parametrize(
    ("edges", "firsts"),
    [
        ((), "abcd"),
        (("ab", "bc", "cd"), "abcd"),
        (("ab", "ba", "bc", "cd"), "aacd"),
        (("ab", "ba", "cd", "dc", "bc"), "aacc"),
        (("ab", "bc", "cd", "da"), "aaaa"),
        (("aa", "bb", "ab"), "abcd"),
        (("ab", "bc", "cb", "cd", "db"), "abbb"),
    ],
)
def test_components_of_drawn_graphs(routine: Routine, edges: tuple[str, ...], firsts: str) -> None:
    assert "".join("abcd"[place] for place in together(routine(drawn(*edges)))) == firsts


def test_both_routines_agree_on_every_graph_of_three_states() -> None:
    for bits in product((False, True), repeat=9):
        pairs = [pair for pair, there in zip(product("abc", repeat=2), bits, strict=True) if there]
        graph = {a: [b for b in "abc" if (a, b) in pairs] for a in "abc"}
        assert together(by_scipy(graph)) == together(by_networkx(graph))


@pytest.mark.parametrize("large", [1, 30_000])
def test_the_order_is_that_of_the_graph(monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(routines, "LARGE", large)
    assert components(drawn("cd", "dc", "ba")) == [["a"], ["b"], ["c", "d"]]


def test_large_graphs_do_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routines, "LARGE", 1)
    monkeypatch.setattr(routines, "find_spec", lambda name: None)
    monkeypatch.setattr(routines, "by_scipy", None)
    assert components(drawn("ab", "ba")) == [["a", "b"], ["c"], ["d"]]
