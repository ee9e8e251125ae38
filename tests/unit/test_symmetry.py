"""Symmetry finds one state of every class: numbers that combinatorics knows."""

from __future__ import annotations

from enum import Enum
from math import comb

import pytest

from twice.model import (
    NO_FAULTS,
    Bool,
    Expr,
    Map,
    Model,
    Sort,
    UsageError,
    Var,
    Verdict,
    action,
    always_reachable,
    check,
    explore,
    forall,
    invariant,
)


class Row(Sort):
    """A row."""


class Column(Sort):
    """A column."""


class Colour(Enum):
    """Three colours."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


class Colouring(Model):
    """Every row has a colour: what counts is how many have each."""

    colour: Map[Row, Colour] = Map(Colour.RED)

    @action
    def paint(self, r: Row, c: Expr[Colour]) -> None:
        """{r} becomes {c}."""
        self.colour[r] = c


class Matrix(Model):
    """A matrix of bits, whose rows and columns may be exchanged."""

    bit: Map[tuple[Row, Column], bool] = Map(False)

    @action
    def flip(self, r: Row, c: Column) -> None:
        """The bit of {r} and {c} is flipped."""
        self.bit[r, c] = ~self.bit[r, c]


class Relation(Model):
    """A relation on the rows: a directed graph."""

    arrow: Map[tuple[Row, Row], bool] = Map(False)

    @action
    def flip(self, q: Row, r: Row) -> None:
        """The arrow from {q} to {r} comes or goes."""
        self.arrow[q, r] = ~self.arrow[q, r]


class Pointers(Model):
    """Every row may point to a row."""

    points: Map[Row, Row | None] = Map(None)

    @action
    def point(self, q: Row, r: Row) -> None:
        """{q} points to {r}."""
        self.points[q] = r

    @action
    def forget(self, q: Row) -> None:
        """{q} points to nobody."""
        self.points[q] = None


class Placement(Model):
    """Every row may be in a column, and one column is marked."""

    place: Map[Row, Column | None] = Map(None)
    marked: Var[Column | None] = Var(None)

    @action
    def put(self, r: Row, c: Column) -> None:
        """{r} is put into {c}."""
        self.place[r] = c

    @action
    def take(self, r: Row) -> None:
        """{r} is taken out."""
        self.place[r] = None

    @action
    def mark(self, c: Column) -> None:
        """{c} is marked."""
        self.marked = c

    @action
    def clear(self) -> None:
        """No column is marked."""
        self.marked = None


def sizes(model: Model, scope: dict[type[Sort], int], engine: str = "auto") -> tuple[int, int]:
    """Numbers of states, all and reduced."""
    compiled = model.compile(scope)
    full = explore(compiled, [NO_FAULTS], symmetry=False)
    return full.size, explore(compiled, [NO_FAULTS], engine=engine).size


@pytest.mark.parametrize("engine", ["python", "numpy", "auto"])
@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_colourings_are_multisets(rows: int, engine: str) -> None:
    assert sizes(Colouring(), {Row: rows}, engine) == (3**rows, comb(rows + 2, 2))


# OEIS A028657: binary matrices up to exchanges of rows and of columns.
@pytest.mark.parametrize("engine", ["python", "numpy", "auto"])
@pytest.mark.parametrize(
    ("rows", "columns", "classes"), [(1, 3, 4), (2, 2, 7), (2, 3, 13), (3, 2, 13), (3, 3, 36)]
)
def test_matrices_up_to_rows_and_columns(
    rows: int, columns: int, classes: int, engine: str
) -> None:
    scope: dict[type[Sort], int] = {Row: rows, Column: columns}
    assert sizes(Matrix(), scope, engine) == (2 ** (rows * columns), classes)


# OEIS A000595: directed graphs with loops.
@pytest.mark.parametrize(("rows", "classes"), [(1, 2), (2, 10), (3, 104)])
def test_relations_up_to_renaming(rows: int, classes: int) -> None:
    assert sizes(Relation(), {Row: rows}) == (2 ** (rows * rows), classes)


# OEIS A126285: partial functions from a set to itself.
@pytest.mark.parametrize(("rows", "classes"), [(1, 2), (2, 6), (3, 16), (4, 45)])
def test_partial_functions_up_to_renaming(rows: int, classes: int) -> None:
    assert sizes(Pointers(), {Row: rows}) == ((rows + 1) ** rows, classes)


@pytest.mark.parametrize("engine", ["python", "numpy", "auto"])
def test_pointers_between_two_sorts(engine: str) -> None:
    # In how many ways 3 rows lie in 2 columns or outside, and which column is marked:
    # none marked: (outside, {a, b}) with a + b + outside = 3: 1 + 1 + 2 + 2 = 6;
    # one marked: (outside, a, b): the compositions of 3 into 3 parts, 10.
    scope: dict[type[Sort], int] = {Row: 3, Column: 2}
    assert sizes(Placement(), scope, engine) == (3**3 * 3, 16)


def test_a_member_that_a_property_speaks_of_is_told_from_the_others() -> None:
    class Asked(Colouring):
        """It is asked about one row."""

        @always_reachable
        def reds(self, r: Row) -> Bool:
            """{r} can be red again."""
            return self.colour[r] == Colour.RED

    compiled = Asked().compile({Row: 4})
    # One row by itself, and a multiset of the other three.
    assert explore(compiled, [NO_FAULTS], compiled.properties).size == 3 * comb(5, 2)
    assert check(compiled).result("reds").verdict is Verdict.HOLDS


def test_too_many_renamings_are_refused_with_a_way_out() -> None:
    with pytest.raises(UsageError, match=r"40,320 renamings.*8 of Row.*without symmetry"):
        explore(Relation().compile({Row: 8}), [NO_FAULTS])


def test_nothing_is_reduced_where_every_sort_has_one_member() -> None:
    class Lone(Colouring):
        """One row."""

        @invariant
        def red(self) -> Bool:
            """Always red."""
            return self.colour_is_red()

        def colour_is_red(self) -> Bool:
            """The only row is red."""
            return forall(Row, lambda r: self.colour[r] == Colour.RED)

    result = check(Lone().compile({Row: 1})).result("red")
    assert (result.verdict, result.steps, result.states) == (Verdict.VIOLATED, 1, 3)
