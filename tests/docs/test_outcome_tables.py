"""docs/outcome-tables.md shows what the specs of the outcome tables observed, and what they find.

`pytest tests/docs --update-docs` rewrites its tables.
"""

from __future__ import annotations

import pytest
from generated_pages import assert_current
from observed_words import claim
from outcome_tables import NAME, PAGE, Cell, cells, tables
from spec_runs import RunsOf
from systems import SYSTEMS

Tables = dict[str, list[Cell]]

ROWS = {"celery-amqp": 38, "celery-redis": 29, "rq": 59}
"""How many rows there are in the outcome table of each system."""


@pytest.fixture(scope="module")
def by_system(runs_of: RunsOf) -> Tables:
    return {system: cells(runs_of(system)) for system in SYSTEMS}


def test_the_page_shows_what_was_observed_and_what_is_found(
    by_system: Tables, pytestconfig: pytest.Config
) -> None:
    update = pytestconfig.getoption("--update-docs")
    assert_current(PAGE, NAME, tables(by_system), update=update)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_cell_agrees_and_says_how_where_it_uses_other_words(
    by_system: Tables, system: str
) -> None:
    asked = [cell for cell in by_system[system] if cell.row and not cell.run.spec.outside]
    silent = [cell.run.spec.path.name for cell in asked if not cell.agrees and not cell.note]
    assert silent == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_observation_is_made_in_words_that_are_known(by_system: Tables, system: str) -> None:
    for cell in by_system[system]:
        if cell.row:
            assert claim(cell.run.spec.observed).words


@pytest.mark.parametrize(("system", "rows"), ROWS.items())
def test_every_row_of_a_table_has_cells(by_system: Tables, system: str, rows: int) -> None:
    assert {cell.row for cell in by_system[system]} - {0} == set(range(1, rows + 1))
