"""docs/field-reports.md shows the specs of the field reports as they are.

`pytest tests/docs --update-docs` rewrites its tables.
"""

from __future__ import annotations

import pytest
from field_reports import NAME, PAGE, reports, tables
from generated_pages import assert_current


def test_the_page_shows_the_specs(pytestconfig: pytest.Config) -> None:
    update = pytestconfig.getoption("--update-docs")
    assert_current(PAGE, NAME, tables(reports()), update=update)
